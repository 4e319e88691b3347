package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/must"
	"parcorels/table"
)

const parquets = "testdata/"

// allRows returns the rows of a table, cells separated by bars.
func allRows(t *testing.T, path string) (all []string) {
	t.Helper()
	f := must.Get(table.OpenFile(path))(t)
	defer f.Close()
	rows := must.Get(table.New(f, path, table.Options{Header: true}))(t)
	for all = append(all, strings.Join(rows.Header(), "|")); ; {
		cells, err := rows.Next()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		all = append(all, strings.Join(cells, "|"))
	}
}

// TestParquetOfOthers reads what other programs wrote.
func TestParquetOfOthers(t *testing.T) {
	for file, text := range map[string]string{"duckdb.parquet": "duckdb.csv", "duckdb_zstd.parquet": "duckdb.csv",
		"polars.parquet": "polars.csv"} {
		if got, want := allRows(t, parquets+file), allRows(t, parquets+text); !slices.Equal(got, want) {
			t.Errorf("%s: %q\nexpected %q", file, got, want)
		}
	}
	all, err := readWhole(t, parquets+"duckdb.parquet")
	if hash, _ := table.HashOf(parquets + "duckdb.parquet"); err != nil || all.Hash != hash || all.Rows != 4 {
		t.Errorf("%v, expected 4 rows with hash %s: %v", all, hash, err)
	}
}

// readWhole reads all columns of a file.
func readWhole(t *testing.T, path string) (*table.Table, error) {
	f := must.Get(table.OpenFile(path))(t)
	defer f.Close()
	rows, err := table.New(f, path, table.Options{})
	if err != nil {
		return nil, err
	}
	return rows.ReadAll(slices.Repeat([]table.Keep{table.KeepCells}, len(rows.Header())))
}

// TestParquetRefused names the column, and says what to do.
func TestParquetRefused(t *testing.T) {
	write := func(name string, content []byte) string {
		path := filepath.Join(t.TempDir(), name)
		must.Do(t, os.WriteFile(path, content, 0o600))
		return path
	}
	type bytesRow struct {
		A int64  `parquet:"a"`
		B []byte `parquet:"b"`
	}
	var raw, encrypted bytes.Buffer
	must.Do(t, parquet.Write(&raw, []bytesRow{{1, []byte{1}}}))
	key := bytes.Repeat([]byte{7}, 16)
	must.Do(t, parquet.Write(&encrypted, []bytesRow{{1, []byte{1}}},
		parquet.WithEncryption(&parquet.EncryptionConfig{FooterKey: key})))
	for path, want := range map[string]Error{
		parquets + "duckdb_nested.parquet": {Column: "tags",
			Reason: "has a list in a cell: take it apart into columns of one value a cell, or leave it out"},
		write("bytes.parquet", raw.Bytes()): {Column: "b",
			Reason: "is of type BYTE_ARRAY, which is neither a number, a truth value, a text nor a time: leave it out"},
		write("secret.parquet", encrypted.Bytes()): {Reason: "is encrypted: decrypt it first"},
	} {
		_, err := readWhole(t, path)
		var got *Error
		if !errors.As(err, &got) || *got != want || !strings.HasPrefix(err.Error(), path+": ") {
			t.Errorf("%s: %v, expected %v", path, err, &want)
		}
	}
	for _, magic := range []string{"ARROW1\x00\x00", "FEA1"} {
		if _, err := readWhole(t, write("t.feather", []byte(magic))); err == nil ||
			!strings.Contains(err.Error(), "save the table as Parquet or CSV") {
			t.Errorf("%q: %v", magic, err)
		}
	}
}

// TestParquetDamaged cuts files and changes bytes: they are read, or refused.
func TestParquetDamaged(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, file := range []string{"duckdb.parquet", "polars.parquet"} {
		good := must.Get(os.ReadFile(parquets + file))(t)
		path := filepath.Join(t.TempDir(), "bad.parquet")
		for i := range 200 {
			bad, isCut := bytes.Clone(good), i%2 == 0
			if isCut {
				bad = bad[:4+random.IntN(len(bad)-4)]
			} else {
				bad[4+random.IntN(len(bad)-4)] ^= byte(1 + random.IntN(255))
			}
			must.Do(t, os.WriteFile(path, bad, 0o600))
			if _, err := readWhole(t, path); err == nil && isCut {
				t.Fatalf("%s, case %d: it was read", file, i)
			}
		}
	}
}

// FuzzParquet reads any bytes as a file of Parquet: they are read, or a *Error says why not.
func FuzzParquet(f *testing.F) {
	for _, file := range []string{"duckdb.parquet", "duckdb_zstd.parquet", "duckdb_nested.parquet", "polars.parquet"} {
		good := must.Get(os.ReadFile(parquets + file))(f)
		f.Add(good)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		text, err := open(bytes.NewReader(b), int64(len(b)))
		if err == nil {
			if _, err = io.CopyN(io.Discard, text, 1<<24); err == io.EOF {
				err = nil
			}
		}
		var known *Error
		if err != nil && (!errors.As(err, &known) || known.Reason == "") {
			t.Fatalf("%T: %v", err, err)
		}
	})
}

// parquetRow has a cell of each type that is read.
type parquetRow struct {
	I8      int8       `parquet:"i8"`
	U32     uint32     `parquet:"u32"`
	I64     *int64     `parquet:"i64"`
	U64     uint64     `parquet:"u64"`
	F32     float32    `parquet:"f32"`
	F64     *float64   `parquet:"f64"`
	Decimal int64      `parquet:"decimal,decimal(2:18)"`
	Flag    bool       `parquet:"flag"`
	Word    *string    `parquet:"word"`
	Level   string     `parquet:"level,dict"`
	Day     int32      `parquet:"day,date"`
	Moment  time.Time  `parquet:"moment,timestamp(microsecond)"`
	Maybe   *time.Time `parquet:"maybe,timestamp(millisecond),optional"`
	Label   string     `parquet:"label"`
}

// TestParquetRandom writes tables of all types, with missing cells and in groups of rows, and compares them with their text.
func TestParquetRandom(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for i := range cases.Some(60) {
		rows := 2 + random.IntN(3000)
		var written []parquetRow
		text := []string{"i8|u32|i64|u64|f32|f64|decimal|flag|word|level|day|moment|maybe|label"}
		for row := range rows {
			day := time.Date(1900+random.IntN(200), 1, 1+random.IntN(365), 0, 0, 0, 0, time.UTC)
			moment := time.Date(1950+random.IntN(100), 1, 1, 0, 0, 1+random.IntN(80000), 0, time.UTC)
			r := parquetRow{
				I8: int8(random.IntN(256) - 128), U32: random.Uint32() >> random.IntN(32), U64: random.Uint64() >> random.IntN(60),
				F32: float32(random.IntN(2000)) / 8, Decimal: int64(random.IntN(2000) - 1000), Flag: random.IntN(2) == 1,
				Level: []string{"low", "mid", "high"}[random.IntN(3)], Day: int32(day.Unix() / 86400), Moment: moment,
				Label: []string{"no", "yes"}[row%2],
			}
			var i64, f64, word, maybe string
			if random.IntN(5) > 0 {
				v := int64(random.Uint64()>>(11+random.IntN(50))) - 1000
				r.I64, i64 = &v, fmt.Sprint(v)
			}
			if random.IntN(5) > 0 {
				v := float64(random.IntN(2000)-1000) / 8
				r.F64, f64 = &v, fmt.Sprint(v)
			}
			if random.IntN(5) > 0 {
				word = []string{"red", "Ω", "a,b", `say "x"`, "7"}[random.IntN(5)]
				r.Word = &word
			}
			if random.IntN(5) > 0 {
				r.Maybe, maybe = &moment, moment.Format(time.DateTime)
			}
			flag := map[bool]string{false: "False", true: "True"}[r.Flag]
			decimal := fmt.Sprint(math.Round(float64(r.Decimal)) / 100)
			text = append(text, fmt.Sprintf("%d|%d|%s|%d|%v|%s|%s|%s|%s|%s|%s|%s|%s|%s", r.I8, r.U32, i64, r.U64, r.F32, f64, decimal,
				flag, word, r.Level,
				day.Format(time.DateOnly), moment.Format(time.DateTime), maybe, r.Label))
			written = append(written, r)
		}
		path := filepath.Join(t.TempDir(), "t.parquet")
		f := must.Get(os.Create(path))(t)
		w := parquet.NewGenericWriter[parquetRow](f, parquet.MaxRowsPerRowGroup(int64(500+i*100)), parquet.PageBufferSize(1000+i*1000))
		must.Get(w.Write(written))(t)
		must.Do(t, errors.Join(w.Close(), f.Close()))
		got := allRows(t, path)
		for row := range text {
			if row >= len(got) || got[row] != text[row] {
				t.Fatalf("table %d, row %d of %d: %q\nexpected %q", i, row, len(got), got[min(row, len(got)-1)], text[row])
			}
		}
	}
}
