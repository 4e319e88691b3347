package table

import (
	"crypto/sha256"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/text/transform"

	"parcorels/internal/testing/cases"
)

// seeds returns how many of n random tables a test draws.
func seeds(n uint64) uint64 { return uint64(cases.Some(int(n))) }

// referenceHash is what sha256sum prints of a text.
func referenceHash(text string) string { return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(text))) }

// sequential is a reader of rows by encoding/csv alone: what tables are to be read like.
type sequential struct {
	table *csvText
	csv   *csv.Reader
}

func newSequential(text string, o Options, comma rune, width int) *sequential {
	utf8 := transform.NewReader(strings.NewReader(strings.TrimPrefix(text, byteOrderMark)), &letters{})
	r := newCSV(utf8, comma)
	r.ReuseRecord = false
	if !o.NoHeader {
		_, _ = r.Read()
	}
	return &sequential{&csvText{name: "t.csv", comma: comma, header: !o.NoHeader, width: width}, r}
}

// next returns the next row and the line on which it begins.
func (s *sequential) next() (cells []string, line int, err error) {
	cells, err = s.csv.Read()
	if err == io.EOF {
		return nil, 0, io.EOF
	}
	if err != nil {
		return nil, 0, s.table.explainRow(err, 0)
	}
	line, _ = s.csv.FieldPos(0)
	if len(cells) != s.table.width {
		return nil, 0, s.table.ragged(len(cells), line)
	}
	return cells, line, nil
}

// readSequentially is what ReadAll is to be the same as.
func readSequentially(text string, o Options, header []string, comma rune, keep []Keep) ([]*Column, error) {
	s := newSequential(text, o, comma, len(header))
	columns := make([]*Column, len(header))
	for i, k := range keep {
		columns[i] = newColumn(k, o.Missing, comma == ';')
	}
	for {
		cells, line, err := s.next()
		if err == io.EOF {
			return columns, nil
		}
		if err != nil {
			return nil, err
		}
		for i, c := range columns {
			c.addCell(strings.TrimSpace(cells[i]), line)
		}
	}
}

// addCell adds a cell, without space around it, that stands on a line.
func (c *Column) addCell(text string, line int) {
	if c.state == coded {
		if code, ok := c.enter(text, line); ok {
			c.Codes = append(c.Codes, code)
			return
		}
	}
	if c.state != numeric {
		return
	}
	if c.comma {
		text = WithPoint(text)
	}
	switch v, ok := ParseNumber(text); {
	case c.missing.Has(text):
		c.Numbers = append(c.Numbers, math.NaN())
	case ok:
		c.Numbers = append(c.Numbers, v)
	default:
		c.Odd, c.OddLine = Quote(text), line
		c.giveUp()
	}
}

// checkRows compares the rows of a table, one by one, with those of encoding/csv.
func checkRows(t *testing.T, text string, o Options) {
	t.Helper()
	got, err := New(iotest.HalfReader(strings.NewReader(text)), "t.csv", o)
	if err != nil {
		return
	}
	want := newSequential(text, o, got.Comma(), len(got.Header()))
	for n := 1; ; n++ {
		wantCells, line, wantErr := want.next()
		_, err := got.Next()
		if fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Fatalf("%q, row %d: error %v, want %v", text, n, err, wantErr)
		}
		if err != nil {
			return
		}
		if !slices.Equal(got.Raw(), wantCells) || got.Line() != line {
			t.Fatalf("%q, row %d: line %d %q, want line %d %q", text, n, got.Line(), got.Raw(), line, wantCells)
		}
	}
}

// sameColumn reports the first difference between what two readers made of a column.
func sameColumn(got, want *Column) string {
	same := func(x, y float64) bool {
		return math.Float64bits(x) == math.Float64bits(y) || math.IsNaN(x) && math.IsNaN(y)
	}
	switch {
	case got.state != want.state:
		return fmt.Sprintf("state %d, want %d", got.state, want.state)
	case !slices.Equal(got.Texts, want.Texts) || !slices.Equal(got.Lines, want.Lines) || got.bytes != want.bytes:
		return fmt.Sprintf("texts %q of lines %v, want %q of %v", got.Texts, got.Lines, want.Texts, want.Lines)
	case got.Odd != want.Odd || got.OddLine != want.OddLine || got.NumbersFirst != want.NumbersFirst || got.Marks != want.Marks:
		return fmt.Sprintf("odd %s in line %d, want %s in line %d", got.Odd, got.OddLine, want.Odd, want.OddLine)
	case !slices.Equal(got.Codes, want.Codes):
		return fmt.Sprintf("codes %v, want %v", got.Codes, want.Codes)
	case !slices.EqualFunc(got.Numbers, want.Numbers, same):
		return fmt.Sprintf("numbers %v, want %v", got.Numbers, want.Numbers)
	}
	return ""
}

// checkTable reads a table in chunks of some sizes, and compares columns, hash and errors with the sequential reader.
func checkTable(t *testing.T, text string, o Options, keep func(columns int) []Keep, sizes []int) {
	t.Helper()
	checkRows(t, text, o)
	for i, size := range sizes {
		rows, err := New(bothWays(text)[i%2], "t.csv", o)
		if err != nil {
			return
		}
		keeps := keep(len(rows.Header()))
		want, wantErr := readSequentially(text, o, rows.Header(), rows.Comma(), keeps)
		rows.chunk(size)
		got, err := rows.ReadAll(keeps)
		if fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Fatalf("chunks of %d of %.3000q, options %+v: error %v, want %v", size, text, o, err, wantErr)
		}
		if err != nil {
			continue
		}
		if sum := referenceHash(text); got.Hash != sum {
			t.Fatalf("chunks of %d of %.3000q: hash %s, want %s", size, text, got.Hash, sum)
		}
		for i := range want {
			if difference := sameColumn(got.Columns[i], want[i]); difference != "" {
				t.Fatalf("chunks of %d of %.3000q, column %d: %s", size, text, i, difference)
			}
		}
	}
}

// chunk sets how many bytes ReadAll reads at a time.
func (r *Rows) chunk(size int) { r.text.chunk = size }

// allOf keeps the cells of all columns, and the texts of the last one.
func allOf(columns int) []Keep {
	return append(slices.Repeat([]Keep{KeepCells}, columns-1), KeepTexts)
}

var chunkSizes = []int{1, 2, 9, 64, 1000, 0}

// TestTableInChunks: columns and errors are the same however a table is cut.
func TestTableInChunks(t *testing.T) {
	odd := []string{`"`, `""`, `a"b`, `"a`, `"a"b`, ` "a"`, "\"x\ny\"", "\"x\r\ny\"", "\"x\r\"", "\"", `"x""y"`, `"x,y"`, "\xff", "\r",
		" ", "\u00a0x", "\u3000\"z\"", "n\u00fc", "\t\"t\""}
	usual := []string{"0", "1", "a", "bb", "long text of a category", "-1.5", "3e2", "NA", "", "?", " 7 ", "inf", "12345678", "123456789",
		"0.1", "12.500", "-2.250", ".5", "5.", "-0", "1_0", "0x1", "yes"}
	for seed := range seeds(3000) {
		rng := rand.New(rand.NewPCG(seed, 20))
		comma := []string{",", ",", ";", "\t", "|", " ", "→"}[rng.IntN(7)]
		width, oddness := 2+rng.IntN(4), 1<<rng.IntN(12)
		end := []string{"\n", "\n", "\r\n"}[rng.IntN(3)]
		var b strings.Builder
		for i := range width {
			b.WriteString([]string{"", comma}[min(i, 1)] + "c" + strconv.Itoa(i))
		}
		b.WriteString(end)
		for range rng.IntN(40) {
			for i := range width {
				if i > 0 {
					b.WriteString(comma)
				}
				switch {
				case rng.IntN(oddness) == 0:
					b.WriteString(odd[rng.IntN(len(odd))])
				case rng.IntN(8) == 0 && seed%2 == 0:
					b.WriteString(`"` + usual[rng.IntN(len(usual))] + `"`)
				default:
					b.WriteString(usual[rng.IntN(len(usual))])
				}
			}
			if rng.IntN(20*oddness) == 0 {
				b.WriteString(comma)
			}
			b.WriteString(end)
			if rng.IntN(30) == 0 {
				b.WriteString(end)
			}
		}
		text := b.String()
		if rng.IntN(2) == 0 {
			text = strings.TrimSuffix(text, end)
		}
		o := Options{Comma: []rune(comma)[0], NoHeader: seed%7 == 0, Header: seed%7 > 0}
		if seed%11 == 0 {
			o.Missing = []string{"1", "a", "INF"}
		}
		checkTable(t, text, o, allOf, chunkSizes)
	}
}

// TestColumnsChangeInChunks: columns become ones of numbers, or free text, in the
// middle of a chunk or between two.
func TestColumnsChangeInChunks(t *testing.T) {
	for seed := range seeds(20) {
		rng := rand.New(rand.NewPCG(seed, 21))
		var b strings.Builder
		b.WriteString("many,late,early,long,text,ids,label\n")
		rows := MaxCodedNumbers + rng.IntN(4000)
		late := rng.IntN(2 * rows)
		for row := range rows {
			many := strconv.Itoa(rng.IntN(1<<30) + 1<<30)
			lateText, early, long := fmt.Sprintf("%d.%d", row, rng.IntN(100)), fmt.Sprintf("%.3f", rng.NormFloat64()*1000), "x"
			if row == late {
				lateText, many = "odd", ""
			}
			if row == 3 {
				early = "none"
			}
			if row == rows/2 {
				long = strings.Repeat("9", 250+rng.IntN(20))
			}
			fmt.Fprintf(&b, "%s,%s,%s,%s,t%d,%d,%d\n", many, lateText, early, long, rng.IntN(5000), row, rng.IntN(3))
		}
		checkTable(t, b.String(), Options{}, allOf, []int{1 << 12, 50_000, 0})
		checkTable(t, strings.ReplaceAll(b.String(), ",", ";"), Options{}, allOf, []int{50_000})
	}
	var b strings.Builder
	b.WriteString("ids,label\n")
	for row := range MaxTexts + 100 {
		fmt.Fprintf(&b, "u%d,%d\n", row, row%2)
	}
	checkTable(t, b.String(), Options{}, allOf, []int{1 << 16, 0})
}

// TestDecimals compares the fast parser of numbers with the exact one.
func TestDecimals(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 22))
	for range 300_000 {
		text := make([]byte, rng.IntN(18))
		for i := range text {
			if text[i] = "0123456789012345678901234567890..--+e, x"[rng.IntN(40)]; rng.IntN(60) == 0 {
				text[i] = byte(rng.Uint32())
			}
		}
		if v, ok := parseDecimal(string(text)); ok {
			want, err := strconv.ParseFloat(string(text), 64)
			if err != nil || math.Float64bits(v) != math.Float64bits(want+0) {
				t.Fatalf("%s is %v, want %v", text, v, want)
			}
		}
	}
	for _, text := range []string{"0", "-0", "1.5", "123456789012345", "0.00000000000001", "12.", ".5"} {
		if _, ok := parseDecimal(text); !ok {
			t.Errorf("%s is left to the slow parser", text)
		}
	}
}

// TestTableCutOff: an error of the stream comes behind those of the rows before.
func TestTableCutOff(t *testing.T) {
	check := func(in io.Reader, size int, want string) {
		t.Helper()
		rows, err := New(in, "t.csv", Options{})
		if err == nil {
			rows.chunk(size)
			_, err = rows.ReadAll(allOf(2))
		}
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	for _, size := range chunkSizes {
		for _, c := range []struct{ text, want string }{
			{"a,b\n1,0\n2,1\n3,", "t.csv: broken"},
			{"a,b\n1,0\n2\n3,", "t.csv:3: fields separated by ',': 1, expected 2"},
		} {
			check(io.MultiReader(strings.NewReader(c.text), failing{}), size, c.want)
		}
		for _, in := range bothWays("a,b\n1,0\n2,1\x00\n") {
			check(in, size, "t.csv:3: a NUL byte")
		}
	}
}

// FuzzTableInChunks compares any table, cut anywhere, with what a sequential
// reader makes of it.
func FuzzTableInChunks(f *testing.F) {
	f.Add("a,b,label\n1,x,0\n\"2\n\",\"y\"\"\",1\n", uint8(0), uint16(3))
	f.Add("a;b\r\n1,5;0\r\n\r\n2,5;1", uint8(1), uint16(1))
	f.Add("a\tb\n \"x\"\t1\n\xff\t2\n", uint8(2), uint16(9))
	f.Add("a,b\n1,\"5\"\n\"2\",\"x\r\"\n", uint8(4), uint16(99))
	f.Fuzz(func(t *testing.T, text string, kind uint8, size uint16) {
		if strings.IndexByte(text, 0) >= 0 || strings.HasPrefix(text, "\x1f\x8b") {
			return // a NUL byte and a broken stream hide what is behind them, wherever a chunk ends
		}
		checkTable(t, text, Options{NoHeader: kind&1 == 1, Header: kind&1 == 0}, allOf, []int{1 + int(size), 1 + int(size)})
	})
}
