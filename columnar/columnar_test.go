package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"parcorels/dataset"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

// converted returns the hash of the canonical text of a file's columns.
func converted(t *testing.T, path string) string {
	t.Helper()
	var out bytes.Buffer
	if err := convert(t.Context(), path, &out); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	hash := hashOf(t, out.Bytes())
	out.Reset()
	if err := convert(t.Context(), path, &out, "", "no column", "a"); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if first := hashOf(t, out.Bytes()); first != hash {
		t.Fatalf("%s: hash %s, with the last column first %s", path, hash, first)
	}
	return hash
}

// hashOf returns the hash of a table, whose canonical text is hashed whether it is text or columns.
func hashOf(t *testing.T, table []byte) string {
	t.Helper()
	d, err := dataset.ReadFrom(bytes.NewReader(table), "t", dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d.Hash
}

// TestOthers reads what other programs wrote.
func TestOthers(t *testing.T) {
	for file, text := range map[string]string{
		"duckdb.parquet": "duckdb.csv", "duckdb_zstd.parquet": "duckdb.csv",
		"polars.parquet": "polars.csv", "polars.arrow": "polars.csv", "polars_lz4.arrow": "polars.csv",
	} {
		want, err := os.ReadFile(filepath.Join("testdata", text))
		if err != nil {
			t.Fatal(err)
		}
		if converted(t, filepath.Join("testdata", file)) != hashOf(t, want) {
			t.Errorf("%s does not mean %s", file, text)
		}
	}
}

// TestRefused: one line that says what to do.
func TestRefused(t *testing.T) {
	for file, want := range map[string]string{
		"testdata/duckdb_nested.parquet": `a cell of column "tags" is a list: take it apart into columns of one value a cell, or leave it out`,
		"testdata/polars.csv":            "this is no file of Parquet or Arrow",
		"testdata/none.parquet":          "open testdata/none.parquet: no such file or directory",
	} {
		var out, said bytes.Buffer
		if status := run([]string{"--", file}, &out, &said); status != 2 || said.String() != "parcorels-columnar: "+want+"\n" {
			t.Errorf("%s: status %d, %s", file, status, said.String())
		}
	}
}

// TestDamaged cuts files and changes bytes: they are read, or refused. Of Arrow, sizes are not
// checked by arrow-go before memory is asked for, so that only the program of its own fails.
func TestDamaged(t *testing.T) {
	program := built(t)
	random := rand.New(rand.NewPCG(1, 2))
	for file, cases := range map[string]int{"duckdb.parquet": 200, "polars.parquet": 200, "polars.arrow": 20, "polars_lz4.arrow": 20} {
		good, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "bad")
		for i := range cases {
			bad, isCut := bytes.Clone(good), i%2 == 0
			if isCut {
				bad = bad[:random.IntN(len(bad))]
			} else {
				bad[random.IntN(len(bad))] ^= byte(1 + random.IntN(255))
			}
			if err := os.WriteFile(path, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			var out, said bytes.Buffer
			status := 0
			if strings.HasSuffix(file, ".parquet") {
				status = run([]string{path}, &out, &said)
			} else {
				command := exec.Command(program, path)
				command.Stderr = &said
				_ = command.Run() // its status says what happened
				status = command.ProcessState.ExitCode()
			}
			if isCut && status != 2 || status != 0 && status != 2 || (status == 0) != (said.Len() == 0) {
				t.Fatalf("%s, case %d: status %d, %s", file, i, status, said.String())
			}
		}
	}
}

// built returns the path of the program.
func built(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "parcorels-columnar")
	if out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// TestRandomTables writes tables of all types, with missing cells, in pieces, by Parquet and
// Arrow, and compares them with their text.
func TestRandomTables(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for i := range 60 {
		rows := 1 + random.IntN(200)
		if i == 59 {
			rows = 2*batchRows + 17
		}
		table, text := randomTable(random, rows)
		path := filepath.Join(t.TempDir(), "t")
		for name, write := range map[string]func(*testing.T, arrow.RecordBatch, string, int){"Parquet": writeParquet, "Arrow": writeArrow} {
			write(t, table, path, i)
			if converted(t, path) != hashOf(t, text) {
				t.Fatalf("table %d by %s: %s", i, name, firstDifference(t, path, text))
			}
		}
	}
}

// firstDifference returns the first row of a file that its text does not have.
func firstDifference(t *testing.T, path string, text []byte) string {
	var out bytes.Buffer
	if err := convert(t.Context(), path, &out); err != nil {
		t.Fatal(err)
	}
	got, err := dataset.NewRows(&out, "got", dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := dataset.NewRows(bytes.NewReader(text), "want", dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for {
		g, err := got.Next()
		w, end := want.Next()
		if err != nil || end != nil || !slices.Equal(g, w) {
			return fmt.Sprintf("%q %v, expected %q %v", g, err, w, end)
		}
	}
}

// a generator makes cells of a type with their texts, "" of a missing one.
type generator struct {
	name string
	kind arrow.DataType
	add  func(r *rand.Rand, b array.Builder) (text string)
}

var generators = []generator{
	{"i8", arrow.PrimitiveTypes.Int8, func(r *rand.Rand, b array.Builder) string {
		v := int8(r.IntN(256) - 128)
		b.(*array.Int8Builder).Append(v)
		return strconv.Itoa(int(v))
	}},
	{"u8", arrow.PrimitiveTypes.Uint8, func(r *rand.Rand, b array.Builder) string {
		v := uint8(r.IntN(256))
		b.(*array.Uint8Builder).Append(v)
		return strconv.Itoa(int(v))
	}},
	{"i32", arrow.PrimitiveTypes.Int32, func(r *rand.Rand, b array.Builder) string {
		v := r.Int32() - math.MaxInt32/2
		b.(*array.Int32Builder).Append(v)
		return strconv.Itoa(int(v))
	}},
	{"i64", arrow.PrimitiveTypes.Int64, func(r *rand.Rand, b array.Builder) string {
		v := int64(r.Uint64() >> (1 + r.IntN(60)))
		b.(*array.Int64Builder).Append(v)
		return strconv.FormatInt(v, 10)
	}},
	{"u64", arrow.PrimitiveTypes.Uint64, func(r *rand.Rand, b array.Builder) string {
		v := r.Uint64() >> (15 + r.IntN(45)) // floats of less than 10^15 have the text of integers
		b.(*array.Uint64Builder).Append(v)
		return strconv.FormatUint(v, 10)
	}},
	{"f64", arrow.PrimitiveTypes.Float64, func(r *rand.Rand, b array.Builder) string {
		v := float64(r.IntN(2000)-1000) / 8
		text := strconv.FormatFloat(v, 'f', -1, 64)
		switch r.IntN(40) {
		case 0:
			v, text = math.NaN(), ""
		case 1:
			v, text = math.Copysign(0, -1), "0"
		case 2:
			v, text = math.Inf(-1), "-inf"
		case 3:
			v, text = 1e-7, "1e-07"
		case 4:
			v, text = 12e20, "1.2e+21"
		}
		b.(*array.Float64Builder).Append(v)
		return text
	}},
	{"f32", arrow.PrimitiveTypes.Float32, func(r *rand.Rand, b array.Builder) string {
		v := float32(r.IntN(2000)) / 10
		b.(*array.Float32Builder).Append(v)
		return strconv.FormatFloat(float64(v), 'f', -1, 64)
	}},
	{"u16", arrow.PrimitiveTypes.Uint16, func(r *rand.Rand, b array.Builder) string {
		v := uint16(r.IntN(1 << 16))
		b.(*array.Uint16Builder).Append(v)
		return strconv.Itoa(int(v))
	}},
	{"u32", arrow.PrimitiveTypes.Uint32, func(r *rand.Rand, b array.Builder) string {
		v := r.Uint32() >> r.IntN(32)
		b.(*array.Uint32Builder).Append(v)
		return strconv.FormatUint(uint64(v), 10)
	}},
	{"decimal", &arrow.Decimal128Type{Precision: 12, Scale: 2}, decimalOf(7, 2)},
	{"small", &arrow.Decimal128Type{Precision: 9, Scale: 9}, decimalOf(9, 9)},
	{"wide", &arrow.Decimal128Type{Precision: 18, Scale: 3}, decimalOf(18, 3)},
	{"long", &arrow.Decimal128Type{Precision: 38, Scale: 10}, decimalOf(30, 10)},
	{"longest", &arrow.Decimal256Type{Precision: 70, Scale: 25}, decimalOf(60, 25)},
	{"flag", arrow.FixedWidthTypes.Boolean, func(r *rand.Rand, b array.Builder) string {
		v := r.IntN(2) == 1
		b.(*array.BooleanBuilder).Append(v)
		return map[bool]string{false: "False", true: "True"}[v]
	}},
	{"word", arrow.BinaryTypes.String, func(r *rand.Rand, b array.Builder) string {
		v := []string{"red", "Ω", "a,b", `say "x"`, "7"}[r.IntN(5)]
		b.(*array.StringBuilder).Append(v)
		return v
	}},
	{"level", &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}, func(r *rand.Rand, b array.Builder) string {
		v := []string{"low", "mid", "high"}[r.IntN(3)]
		if err := b.(*array.BinaryDictionaryBuilder).AppendString(v); err != nil {
			panic(err)
		}
		return v
	}},
	{"day", arrow.FixedWidthTypes.Date32, func(r *rand.Rand, b array.Builder) string {
		v := time.Date(1900+r.IntN(200), 1, 1+r.IntN(365), 0, 0, 0, 0, time.UTC)
		b.(*array.Date32Builder).Append(arrow.Date32FromTime(v))
		return v.Format("2006-01-02")
	}},
	{"moment", arrow.FixedWidthTypes.Timestamp_us, func(r *rand.Rand, b array.Builder) string {
		v := time.Date(1950+r.IntN(100), 1, 1, 0, 0, 1+r.IntN(80000), 0, time.UTC)
		b.(*array.TimestampBuilder).Append(arrow.Timestamp(v.UnixMicro()))
		return v.Format("2006-01-02 15:04:05")
	}},
	{"clock", arrow.FixedWidthTypes.Time64us, func(r *rand.Rand, b array.Builder) string {
		v := r.IntN(96)
		b.(*array.Time64Builder).Append(arrow.Time64(v * 900_000_000))
		return strconv.FormatFloat(float64(v)/4, 'f', -1, 64)
	}},
}

// decimalOf makes decimals of so many digits, of which some are behind the point.
func decimalOf(digits, behind int) func(*rand.Rand, array.Builder) string {
	return func(r *rand.Rand, b array.Builder) string {
		text := make([]byte, digits)
		for i := range text {
			text[i] = byte('0' + r.IntN(10))
		}
		written := string(text[:digits-behind]) + "." + string(text[digits-behind:])
		if written[0] == '.' {
			written = "0" + written
		}
		if r.IntN(2) == 0 {
			written = "-" + written
		}
		if err := b.AppendValueFromString(written); err != nil {
			panic(err)
		}
		v, err := strconv.ParseFloat(written, 64)
		if err != nil {
			panic(err)
		}
		return numberText(v + 0) // −0 is 0
	}
}

// randomTable returns a table with its canonical text.
func randomTable(r *rand.Rand, rows int) (arrow.RecordBatch, []byte) {
	var columns []arrow.Array
	var fields []arrow.Field
	texts := make([][]string, rows)
	for i, g := range generators {
		b := array.NewBuilder(memory.DefaultAllocator, g.kind)
		missing := r.IntN(2) * r.IntN(5)
		for row := range rows {
			text := ""
			if missing > 0 && r.IntN(10) < missing && row > 0 {
				b.AppendNull()
			} else if text = g.add(r, b); strings.ContainsAny(text, `,"`) {
				text = `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
			}
			texts[row] = append(texts[row], text)
		}
		columns, fields = append(columns, b.NewArray()), append(fields, arrow.Field{Name: g.name, Type: g.kind, Nullable: missing > 0 || i%2 == 0})
	}
	labels := array.NewStringBuilder(memory.DefaultAllocator)
	var text bytes.Buffer
	for _, f := range fields {
		text.WriteString(f.Name + ",")
	}
	text.WriteString("label\n")
	for row := range rows {
		label := []string{"no", "yes"}[(row+1)%2]
		labels.Append(label)
		text.WriteString(strings.Join(texts[row], ",") + "," + label + "\n")
	}
	if rows == 1 { // two classes are needed
		return randomTable(r, 2)
	}
	columns, fields = append(columns, labels.NewArray()), append(fields, arrow.Field{Name: "label", Type: arrow.BinaryTypes.String})
	return array.NewRecordBatch(arrow.NewSchema(fields, nil), columns, int64(rows)), text.Bytes()
}

func writeParquet(t *testing.T, table arrow.RecordBatch, path string, i int) {
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	options := []parquet.WriterProperty{parquet.WithCompression([]compress.Compression{compress.Codecs.Uncompressed, compress.Codecs.Snappy, compress.Codecs.Zstd}[i%3]),
		parquet.WithDictionaryDefault(i%2 == 0), parquet.WithStats(i%4 < 3), parquet.WithMaxRowGroupLength(int64(10 + i*1000)),
		parquet.WithDataPageVersion([]parquet.DataPageVersion{parquet.DataPageV1, parquet.DataPageV2}[i/2%2]), parquet.WithDataPageSize(int64(100 + i*300)), parquet.WithBatchSize(int64(1 + i*10)), parquet.WithStoreDecimalAsInteger(i%8 < 4)}
	schema := arrow.NewSchema(table.Schema().Fields(), nil)
	w, err := pqarrow.NewFileWriter(schema, f, parquet.NewWriterProperties(options...), pqarrow.DefaultWriterProps())
	if err != nil {
		t.Fatal(err)
	}
	if err := w.WriteBuffered(table); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func writeArrow(t *testing.T, table arrow.RecordBatch, path string, i int) {
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	options := []ipc.Option{ipc.WithSchema(table.Schema())}
	if i%2 == 1 {
		options = append(options, ipc.WithZstd())
	}
	w, err := ipc.NewFileWriter(f, options...)
	if err != nil {
		t.Fatal(err)
	}
	for first, step := int64(0), table.NumRows()/3+1; first < table.NumRows(); first += step {
		if err := w.Write(table.NewSlice(first, min(first+step, table.NumRows()))); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestManyTexts writes so many texts that the dictionary of the file holds only the first of them.
func TestManyTexts(t *testing.T) {
	texts, labels := array.NewStringBuilder(memory.DefaultAllocator), array.NewInt64Builder(memory.DefaultAllocator)
	text := bytes.NewBufferString("text,label\n")
	for i := range 30_000 {
		texts.Append(fmt.Sprintf("%0100d", i/2))
		labels.Append(int64(i % 2))
		fmt.Fprintf(text, "%0100d,%d\n", i/2, i%2)
	}
	schema := arrow.NewSchema([]arrow.Field{{Name: "text", Type: arrow.BinaryTypes.String}, {Name: "label", Type: arrow.PrimitiveTypes.Int64}}, nil)
	path := filepath.Join(t.TempDir(), "t.parquet")
	writeParquet(t, array.NewRecordBatch(schema, []arrow.Array{texts.NewArray(), labels.NewArray()}, 30_000), path, 1000)
	if converted(t, path) != hashOf(t, text.Bytes()) {
		t.Error("the columns are not those of the text")
	}
}

// TestWithParcorels: a table is read as its text is, but for its hash, which is that of the file.
func TestWithParcorels(t *testing.T) {
	t.Setenv("PATH", filepath.Dir(built(t)))
	path := "testdata/polars.parquet"
	d, err := dataset.Read(path, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := dataset.Read("testdata/polars.csv", dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if hash, err := dataset.HashOf(path); err != nil || d.Hash != hash || d.Hash == text.Hash {
		t.Errorf("hash %s, of the file %s, of the text %s: %v", d.Hash, hash, text.Hash, err)
	}
	if len(d.Features) != len(text.Features) || len(d.Features) == 0 {
		t.Fatalf("%d features, %d of the text", len(d.Features), len(text.Features))
	}
	for i, f := range d.Features {
		if other := text.Features[i]; f.Name != other.Name || !f.Bits.Equal(other.Bits) {
			t.Errorf("feature %s, of the text %s", f.Name, other.Name)
		}
	}
	rows, err := dataset.OpenRows(path, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cells, err := rows.Next()
	if got := fmt.Sprint(cells); err != nil || got != "[23 1200.5 1 f f True 2024-01-31 yes]" {
		t.Errorf("first row %s: %v", got, err)
	}
	if err := rows.Close(); err != nil {
		t.Error(err)
	}
}

// TestThirdParty holds THIRD_PARTY.md against the modules that are linked.
func TestThirdParty(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("THIRD_PARTY.md")
	if err != nil {
		t.Fatal(err)
	}
	linked := slices.Compact(slices.Sorted(slices.Values(append(strings.Fields(string(out)), "Go"))))
	var told []string
	for _, row := range regexp.MustCompile(`(?m)^\| (\S+) \| (?:Apache-2\.0|BSD-[23]-Clause|MIT) \|$`).FindAllStringSubmatch(string(text), -1) {
		told = append(told, row[1])
	}
	if !slices.Equal(told, linked) {
		t.Errorf("THIRD_PARTY.md has the modules %v, linked are %v", told, linked)
	}
}

// TestRuns decodes runs that are written here by the letter of Parquet's format.
func TestRuns(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		width := uint(random.IntN(33))
		var data []byte
		var want []uint32
		number := func() uint32 { return uint32(random.Uint64() & (1<<width - 1)) }
		for range random.IntN(5) + 1 {
			if random.IntN(2) == 0 {
				n, v := 1+random.IntN(300), number()
				data = binary.AppendUvarint(data, uint64(n)<<1)
				for i := range (width + 7) / 8 {
					data = append(data, byte(v>>(8*i)))
				}
				want = append(want, slices.Repeat([]uint32{v}, n)...)
				continue
			}
			groups := 1 + random.IntN(20)
			data = binary.AppendUvarint(data, uint64(groups)<<1|1)
			packed := make([]byte, uint(groups)*width)
			for i := range 8 * groups {
				v := number()
				want = append(want, v)
				for bit := range width {
					at := uint(i)*width + bit
					packed[at/8] |= byte(v>>bit&1) << (at % 8)
				}
			}
			data = append(data, packed...)
		}
		r, got := runs{data: data, width: width}, make([]uint32, len(want))
		for first := 0; first < len(got); {
			n := min(1+random.IntN(400), len(got)-first)
			if err := r.read(got[first : first+n]); err != nil {
				t.Fatal(err)
			}
			first += n
		}
		if !slices.Equal(got, want) {
			t.Fatalf("numbers of %d bits are %v, expected %v", width, got, want)
		}
		decodesRuns(t, random, runs{data: slices.Clip(data), width: width}, want)
		if width > 0 {
			r = runs{data: data[:random.IntN(len(data))], width: width}
			if r.read(make([]uint32, len(want))) == nil {
				t.Fatal("runs that are cut short are read")
			}
		}
	}
}

// decodesRuns looks codes up in dictionaries that hold all of them, and all but the largest.
func decodesRuns(t *testing.T, random *rand.Rand, r runs, codes []uint32) {
	t.Helper()
	largest := slices.Max(codes)
	if largest > 1<<16 {
		return
	}
	values := make([]int64, largest+1, largest+1+roomForBytes)
	for i := range values {
		values[i] = random.Int64()
	}
	short, got := r, make([]int64, len(codes))
	for first := 0; first < len(got); {
		n := min(1+random.IntN(400), len(got)-first)
		if err := decode(&r, got[first:first+n], values, make([]uint32, 1+random.IntN(20))); err != nil {
			t.Fatal(err)
		}
		first += n
	}
	for i, code := range codes {
		if got[i] != values[code] {
			t.Fatalf("value %d of codes of %d bits is %d, expected %d", i, r.width, got[i], values[code])
		}
	}
	if err := decode(&short, got, values[:largest], make([]uint32, 64)); err == nil {
		t.Fatalf("code %d of %d bits is one of a dictionary of %d", largest, r.width, largest)
	}
}
