package dataset

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/must"
	"parcorels/table"
)

// typed is a column of a test's table: numbers, or texts.
type typed struct {
	name, kind string
	numbers    []float64 // of all kinds but text
	texts      []string  // of kind text; nil of numbers
	missing    []bool    // nil: none
}

// cell is the canonical text of a cell, written apart from the code under test.
func (c typed) cell(row int) string {
	switch {
	case c.missing != nil && c.missing[row]:
		return ""
	case c.texts != nil:
		return c.texts[row]
	}
	v := c.numbers[row]
	switch {
	case c.kind == "bool":
		return [2]string{"False", "True"}[int(v)]
	case c.kind == "int64":
		return fmt.Sprint(int64(v))
	case math.IsNaN(v):
		return ""
	case math.IsInf(v, 0):
		return strings.ToLower(strings.TrimPrefix(fmt.Sprint(v), "+"))
	}
	return table.FormatNumber(v + 0)
}

// block returns the header of the column and its bytes.
func (c typed) block() (head string, b []byte) {
	if c.missing != nil {
		words := make([]uint64, (len(c.missing)+63)/64)
		for row, is := range c.missing {
			if is {
				words[row/64] |= 1 << (row % 64)
			}
		}
		for _, w := range words {
			b = binary.LittleEndian.AppendUint64(b, w)
		}
	}
	head = fmt.Sprintf(`{"name":%s,"type":%q,"missing":%t`, asJSON(c.name), c.kind, c.missing != nil)
	if c.texts == nil {
		for _, v := range c.numbers {
			switch c.kind {
			case "bool":
				b = append(b, byte(v))
			case "int64":
				b = binary.LittleEndian.AppendUint64(b, uint64(int64(v)))
			default:
				b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
			}
		}
		return head + "}", b
	}
	var lengths, all, cells []byte
	codes := map[string]int32{}
	for _, t := range c.texts {
		if _, ok := codes[t]; !ok {
			codes[t] = int32(len(codes))
			lengths = binary.LittleEndian.AppendUint32(lengths, uint32(len(t)))
			all = append(all, t...)
		}
		cells = binary.LittleEndian.AppendUint32(cells, uint32(codes[t]))
	}
	return head + fmt.Sprintf(`,"texts":%d,"bytes":%d}`, len(codes), len(all)), slices.Concat(b, lengths, all, cells)
}

func asJSON(v any) []byte {
	text, _ := json.Marshal(v)
	return text
}

// encodeColumns writes a table of columns.
func encodeColumns(source string, rows int, columns []typed) []byte {
	var heads []string
	var body []byte
	for _, c := range columns {
		head, b := c.block()
		heads, body = append(heads, head), append(body, b...)
	}
	line := fmt.Sprintf("{\"format\":\"parcorels columns\",\"version\":1,\"source\":%s,\"rows\":%d,\"columns\":[%s]}\n", asJSON(source),
		rows, strings.Join(heads, ","))
	return append([]byte(line), body...)
}

// asCSV writes the same table as text.
func asCSV(t testing.TB, rows int, columns []typed) []byte {
	t.Helper()
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	record := make([]string, len(columns))
	for row := -1; row < rows; row++ {
		for i, c := range columns {
			if record[i] = c.name; row >= 0 {
				record[i] = c.cell(row)
			}
		}
		must.Do(t, w.Write(record))
	}
	w.Flush()
	return b.Bytes()
}

// randomColumn makes a column of a random kind, sometimes of many values.
func randomColumn(r *rand.Rand, i, rows int) typed {
	kinds := []string{"bool", "int64", "float64", "text"}
	c := typed{name: fmt.Sprintf("c%d, \"x\"", i), kind: kinds[r.IntN(len(kinds))]}
	words := []string{"red", "a,b", `say "so"`, "two\nlines", "", "NA", "yes", "7", "ü x"}
	spread := []int{1, 2, 3, 12, 40, 1 << 20}[r.IntN(6)]
	if r.IntN(3) == 0 {
		for range rows {
			c.missing = append(c.missing, r.IntN(9) == 0)
		}
	}
	for row := range rows {
		v := float64(r.IntN(spread))
		switch c.kind {
		case "text":
			text := words[r.IntN(len(words))]
			if spread > 20 {
				text += fmt.Sprint(r.IntN(spread))
			}
			c.texts = append(c.texts, text)
			continue
		case "bool":
			v = math.Mod(v, 2)
		case "int64":
			if v *= float64(int64(1) << (29 * (i % 2))); r.IntN(1000) == 0 {
				v = math.MinInt64
			}
		case "float64":
			switch r.IntN(12) {
			case 0:
				v = math.NaN()
			case 1:
				v = []float64{math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 1e-9, 1e22}[r.IntN(5)]
			default:
				v = (v - 3) / []float64{1, 8, 10}[row%3]
			}
		}
		c.numbers = append(c.numbers, v)
	}
	return c
}

// numbersAsTexts makes a column of numbers that are written as texts, some missing, seldom with a word.
func numbersAsTexts(r *rand.Rand, rows int) typed {
	c := typed{name: "numbers", kind: "text"}
	for range rows {
		text := table.FormatNumber(float64(r.IntN(1<<16)-7) / 8)
		if r.IntN(9) == 0 {
			text = ""
		} else if r.IntN(4*rows) == 0 {
			text = "some "
		}
		c.texts = append(c.texts, text)
	}
	return c
}

var lineNumber = regexp.MustCompile(`in line \d+`)

// TestColumnsEqualCSV reads random tables as columns and as their canonical
// text: all of the data set is the same, its hash included.
func TestColumnsEqualCSV(t *testing.T) {
	read, tables := 0, max(60, cases.Some(200))
	for seed := range uint64(tables) {
		r := rand.New(rand.NewPCG(seed, 17))
		rows := 1 + r.IntN(300)
		if seed%6 == 4 {
			rows += alwaysKept // columns are let go of
		}
		if seed%50 == 49 {
			rows = 20_000 // more different numbers than are kept as texts, and whole pieces of them
		}
		var columns []typed
		columns = append(columns, numbersAsTexts(r, rows))
		for i := range 1 + r.IntN(6) {
			columns = append(columns, randomColumn(r, i, rows))
		}
		weight, label := typed{name: "w", kind: "float64"}, typed{name: "y", kind: "text"}
		for range rows {
			weight.numbers = append(weight.numbers, float64(1+r.IntN(9))/4)
			label.texts = append(label.texts, []string{"no", "yes"}[r.IntN(2)])
		}
		if seed%3 == 0 {
			weight.kind = "text"
			for _, v := range weight.numbers {
				weight.texts = append(weight.texts, table.FormatNumber(v))
			}
		}
		columns = append(columns, weight, label)
		o := Options{Bins: 2 + r.IntN(5), atQuantiles: seed%2 == 1, DropMissing: r.IntN(4) == 0, Comma: ','}
		if r.IntN(2) == 0 {
			o.Weight = "w"
		}
		for _, c := range columns[:len(columns)-2] { // of CSV nobody has chosen the columns
			o.Use = append(o.Use, c.name)
		}
		want, wantErr := ReadFrom(bytes.NewReader(asCSV(t, rows, columns)), "t.csv", o)
		o.Comma = 0
		got, err := ReadFrom(bytes.NewReader(encodeColumns("t.csv", rows, columns)), "stdin", o)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("seed %d: %v, as CSV %v", seed, err, wantErr)
		}
		if err != nil {
			continue // every row dropped
		}
		read++
		if got.Hash != want.Hash {
			t.Fatalf("seed %d: hash %s, as CSV %s", seed, got.Hash, want.Hash)
		}
		got.kept, want.kept = nil, nil            // of few rows: texts may have other codes there
		for _, d := range []*Dataset{got, want} { // lines differ behind a text of several
			for i, note := range d.Notes {
				d.Notes[i] = lineNumber.ReplaceAllString(note, "in line n")
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: read\n%+v, as CSV\n%+v", seed, got, want)
		}
	}
	if read < tables*3/4 {
		t.Errorf("%d tables were read, expected at least three quarters of %d", read, tables)
	}
}

// TestBadColumns cuts a table short at every byte and gives headers that
// cannot be: each is an error, and none panics.
func TestBadColumns(t *testing.T) {
	columns := []typed{
		{name: "a", kind: "text", texts: []string{"x", "yy", "x"}},
		{name: "b", kind: "float64", numbers: []float64{1, 2, 3}},
		{name: "c", kind: "int64", numbers: []float64{4, 5, 6}, missing: []bool{false, true, false}},
		{name: "y", kind: "bool", numbers: []float64{0, 1, 0}},
	}
	whole := encodeColumns("", 3, columns)
	must.Get(ReadFrom(bytes.NewReader(whole), "stdin", Options{}))(t)
	for n := len(`{"format":"parcorels columns"`); n < len(whole); n++ {
		if _, err := ReadFrom(bytes.NewReader(whole[:n]), "stdin", Options{}); err == nil {
			t.Fatalf("no error with %d of %d bytes", n, len(whole))
		}
	}
	line, body, _ := bytes.Cut(whole, []byte("\n"))
	for _, c := range []struct{ from, to, want string }{
		{`"version":1`, `"version":2`, "version 2"},
		{`"rows":3`, `"rows":0`, "no row"},
		{`"rows":3`, `"rows":-1`, "no row"},
		{`"rows":3`, `"rows":99999999999`, "more than"},
		{`"rows":3`, `"rows":2000000000`, "cut short"},
		{`"texts":2`, `"texts":2000000000`, "cut short"},
		{`"texts":2`, `"texts":-2`, "-2 texts"},
		{`"bytes":3`, `"bytes":2`, "are left"},
		{`"bytes":3`, `"bytes":4`, "less than the header says"},
		{`"type":"float64"`, `"type":"float16"`, "unknown type"},
		{`"source":""`, `"source":"a\nb"`, "no file name"},
		{`"name":"b"`, `"name":"b\u0000"`, "NUL"},
		{`"rows":3`, `"rows":3,"more":1`, "unknown field"},
	} {
		if !strings.Contains(string(line), c.from) {
			t.Fatalf("%s is not in the header", c.from)
		}
		bad := append(bytes.Replace(line, []byte(c.from), []byte(c.to), 1), '\n')
		_, err := ReadFrom(bytes.NewReader(append(bad, body...)), "stdin", Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s for %s: %v, expected %q", c.to, c.from, err, c.want)
		}
	}
	for _, bad := range []string{"\x00", "\xff"} {
		data := bytes.Replace(whole, []byte("xyy"), []byte(bad+"yy"), 1)
		if _, err := ReadFrom(bytes.NewReader(data), "stdin", Options{}); err == nil || !strings.Contains(err.Error(), "not UTF-8") {
			t.Errorf("a text %q: %v", bad, err)
		}
	}
	whole[len(whole)-1] = 2
	if _, err := ReadFrom(bytes.NewReader(whole), "stdin", Options{}); err == nil || !strings.Contains(err.Error(), "row 3 holds 2") {
		t.Errorf("a truth value of 2: %v", err)
	}
}
