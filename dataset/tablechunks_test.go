package dataset

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

// sequential is a reader of rows by encoding/csv alone: what tables are to be read like.
type sequential struct {
	table  *table
	header []string
	twice  map[string]bool
	csv    *csv.Reader
}

func newSequential(text string, o Options) (*sequential, error) {
	t, rows, err := openTable(strings.NewReader(text), "t.csv", o, nil)
	if err != nil {
		return nil, err
	}
	r := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\ufeff")))
	r.Comma, r.FieldsPerRecord, r.TrimLeadingSpace = t.comma, -1, t.comma != '\t' && t.comma != ' '
	if !o.NoHeader {
		_, _ = r.Read()
	}
	return &sequential{t, rows.Header(), rows.twice, r}, nil
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
	if len(cells) != len(s.header) {
		return nil, 0, s.table.ragged(len(cells), line)
	}
	return cells, line, nil
}

// readSequentially is what readInChunks is to be the same as.
func readSequentially(text string, o Options) (*reading, error) {
	s, err := newSequential(text, o)
	if err != nil {
		return nil, err
	}
	r := &reading{o: o, name: "t.csv", header: s.header, weightAt: -1, comma: decimalComma(s.table.comma)}
	if err := r.assign(newFinder(r.header, s.twice)); err != nil {
		return nil, err
	}
	for {
		cells, line, err := s.next()
		if err == io.EOF {
			return r, nil
		}
		if err == nil {
			err = r.addRow(cells, line)
		}
		if err != nil {
			return nil, err
		}
	}
}

// addRow adds a row, cell by cell.
func (r *reading) addRow(cells []string, line int) error {
	r.rows++
	for i, c := range r.columns {
		if c == nil {
			continue
		}
		c.comma = r.comma
		if err := c.add(cells[i], line); err != nil {
			return r.errorAt(cells[i], i, line, err)
		}
	}
	if r.weights == nil {
		return nil
	}
	w, err := r.weight(clean(cells[r.weightAt]))
	if err != nil {
		return r.errorAt(cells[r.weightAt], r.weightAt, line, err)
	}
	r.weights.append(w)
	return nil
}

// add appends a cell that stands on the given line.
func (c *column) add(cell string, line int) error {
	if c.free {
		return nil
	}
	text := c.canonical(clean(cell))
	if c.floats == nil {
		code, ok := c.find(text)
		if !ok && !utf8.ValidString(text) {
			return errNotUTF8
		}
		if !ok {
			code, ok = c.enter(strings.Clone(text), line)
		}
		if ok {
			c.codes.Add(code)
		}
	}
	if c.floats == nil {
		return nil
	}
	v, ok := ParseNumber(text)
	switch {
	case c.missing.has(text):
		c.floats.Add(math.NaN())
	case ok:
		c.floats.Add(v)
	default:
		c.notNumber(text, line)
	}
	return nil
}

// checkRows compares the rows of a table, one by one, with those of encoding/csv.
func checkRows(t *testing.T, text string, o Options) {
	t.Helper()
	want, wantErr := newSequential(text, o)
	got, err := NewRows(iotest.HalfReader(strings.NewReader(text)), "t.csv", o)
	for n := 1; ; n++ {
		if fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Fatalf("%q, row %d: error %v, want %v", text, n, err, wantErr)
		}
		if err != nil {
			return
		}
		var wantCells []string
		var line int
		wantCells, line, wantErr = want.next()
		if _, err = got.Next(); err == nil && (!slices.Equal(got.Raw(), wantCells) || got.Line() != line) {
			t.Fatalf("%q, row %d: line %d %q, want line %d %q", text, n, got.Line(), got.Raw(), line, wantCells)
		}
	}
}

// readInChunks is readSequentially by a plan, with the hash of the text.
func readInChunks(in io.Reader, o Options, p plan) (*reading, string, error) {
	d := newTextHash(Options{})
	defer d.end()
	t, rows, err := openTable(in, "t.csv", o, d)
	if err != nil {
		return nil, "", err
	}
	r := &reading{o: o, name: "t.csv", header: rows.Header(), weightAt: -1}
	if err := r.assign(newFinder(r.header, rows.twice)); err != nil {
		return nil, "", err
	}
	if err := r.readRows(t, p); err != nil {
		return nil, "", err
	}
	return r, d.end(), nil
}

// sameColumn reports the first difference between what two readers made of a column.
func sameColumn(got, want *column) string {
	if (got == nil) != (want == nil) {
		return "one is not read"
	}
	if got == nil {
		return ""
	}
	switch {
	case got.state() != want.state():
		return fmt.Sprintf("state %d, want %d", got.state(), want.state())
	case !slices.Equal(got.texts, want.texts) || !slices.Equal(got.lines, want.lines) || got.textBytes != want.textBytes:
		return fmt.Sprintf("texts %q of lines %v, want %q of %v", got.texts, got.lines, want.texts, want.lines)
	case got.odd != want.odd || got.oddLine != want.oddLine || got.numbersFirst != want.numbersFirst:
		return fmt.Sprintf("odd %s in line %d, want %s in line %d", got.odd, got.oddLine, want.odd, want.oddLine)
	case got.codes.Len() != want.codes.Len():
		return fmt.Sprintf("%d codes, want %d", got.codes.Len(), want.codes.Len())
	}
	for i := range got.codes.Len() {
		if got.codes.At(i) != want.codes.At(i) {
			return fmt.Sprintf("code %d is %d, want %d", i, got.codes.At(i), want.codes.At(i))
		}
	}
	if got.floats == nil {
		return ""
	}
	if got.floats.Len() != want.floats.Len() {
		return fmt.Sprintf("%d floats, want %d", got.floats.Len(), want.floats.Len())
	}
	for i := range got.floats.Len() {
		if math.Float64bits(got.floats.At(i)) != math.Float64bits(want.floats.At(i)) && !(math.IsNaN(got.floats.At(i)) && math.IsNaN(want.floats.At(i))) {
			return fmt.Sprintf("float %d is %v, want %v", i, got.floats.At(i), want.floats.At(i))
		}
	}
	return ""
}

// checkTablePlans reads a table by plans and compares columns, weights, hash
// and errors with the sequential reader.
func checkTablePlans(t *testing.T, text string, o Options, plans []plan) {
	t.Helper()
	checkRows(t, text, o)
	want, wantErr := readSequentially(text, o)
	for i, p := range plans {
		got, hash, err := readInChunks(bothWays(text)[i%2], o, p)
		if fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Fatalf("%+v of %.3000q, options %+v: error %v, want %v", p, text, o, err, wantErr)
		}
		if err != nil {
			continue
		}
		if got.rows != want.rows || !reflect.DeepEqual(got.weights, want.weights) {
			t.Fatalf("%+v of %.3000q: %d rows, weights %v; want %d, %v", p, text, got.rows, got.weights, want.rows, want.weights)
		}
		if sum := referenceHash(text); hash != sum {
			t.Fatalf("%+v of %.3000q: hash %s, want %s", p, text, hash, sum)
		}
		for i := range want.columns {
			if difference := sameColumn(got.columns[i], want.columns[i]); difference != "" {
				t.Fatalf("%+v of %.3000q, column %d: %s", p, text, i, difference)
			}
		}
	}
}

var tablePlans = []plan{{1, 1, 0}, {2, 3, 0}, {9, 2, 0}, {64, 4, 0}, {1000, 2, 0}, {}}

// TestTableInChunks: columns and errors are the same however a table is cut.
func TestTableInChunks(t *testing.T) {
	odd := []string{`"`, `""`, `a"b`, `"a`, `"a"b`, ` "a"`, "\"x\ny\"", "\"x\r\ny\"", "\"x\r\"", "\"", `"x""y"`, `"x,y"`, "\xff", "\r", " ", "\u00a0x", "\u3000\"z\"", "n\u00fc", "\t\"t\""}
	usual := []string{"0", "1", "a", "bb", "long text of a category", "-1.5", "3e2", "NA", "", "?", " 7 ", "inf", "12345678", "123456789", "0.1", ".5", "5.", "-0", "1_0", "0x1", "yes"}
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
				case i == 1 && seed%3 > 0:
					b.WriteString(strconv.Itoa(1 + rng.IntN(9)))
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
		o := Options{Comma: []rune(comma)[0], NoHeader: seed%7 == 0, DropMissing: seed%5 == 0}
		if seed%3 > 0 && !o.NoHeader {
			o.Weight = "c1"
		}
		if seed%11 == 0 {
			o.Missing = []string{"1", "a", "INF"}
		}
		checkTablePlans(t, text, o, tablePlans)
	}
}

// TestColumnsChangeInChunks: columns become ones of floats, or free text, in the
// middle of a chunk or between two.
func TestColumnsChangeInChunks(t *testing.T) {
	for seed := range seeds(40) {
		rng := rand.New(rand.NewPCG(seed, 21))
		var b strings.Builder
		b.WriteString("many,late,early,long,text,ids,label\n")
		rows := maxCodedNumbers + rng.IntN(4000)
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
		checkTablePlans(t, b.String(), Options{}, []plan{{1 << 12, 3, 0}, {50_000, 2, 0}, {}})
	}
	var b strings.Builder
	b.WriteString("ids,label\n")
	for row := range maxTexts + 100 {
		fmt.Fprintf(&b, "u%d,%d\n", row, row%2)
	}
	checkTablePlans(t, b.String(), Options{}, []plan{{1 << 16, 3, 0}, {}})
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
		if v, ok := parseDecimal(text); ok {
			want, isNumber := ParseNumber(string(text))
			if !isNumber || math.Float64bits(v) != math.Float64bits(want) {
				t.Fatalf("%s is %v, want %v", text, v, want)
			}
		}
	}
	for _, text := range []string{"0", "-0", "1.5", "123456789012345", "0.00000000000001", "12.", ".5"} {
		if _, ok := parseDecimal([]byte(text)); !ok {
			t.Errorf("%s is left to the slow parser", text)
		}
	}
}

// TestTableCutOff: an error of the stream comes behind those of the rows before.
func TestTableCutOff(t *testing.T) {
	for _, p := range tablePlans {
		for _, c := range []struct{ text, want string }{
			{"a,b\n1,0\n2,1\n3,", "t.csv: broken"},
			{"a,b\n1,0\n2\n3,", "t.csv:3: fields separated by ',': 1, expected 2"},
			{"a,b\n1,0\n2,\xff\n3,", "t.csv:3: \"\\xff\" in column \"b\" is not UTF-8"},
		} {
			_, _, err := readInChunks(io.MultiReader(strings.NewReader(c.text), failing{}), Options{}, p)
			checkError(t, c.text, err, c.want)
		}
		for _, in := range bothWays("a,b\n1,0\n2,1\x00\n") {
			_, _, err := readInChunks(in, Options{}, p)
			checkError(t, "NUL byte", err, "t.csv:3: a NUL byte")
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
		o := Options{NoHeader: kind&1 == 1, DropMissing: kind&2 == 2}
		if kind&4 == 4 {
			o.Weight = "b"
		}
		if strings.IndexByte(text, 0) >= 0 || strings.HasPrefix(text, "\x1f\x8b") {
			return // a NUL byte and a broken stream hide what is behind them, wherever a chunk ends
		}
		checkTablePlans(t, text, o, []plan{{1 + int(size), 2, 0}, {1 + int(size), 3, 0}})
	})
}
