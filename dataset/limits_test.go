package dataset

import (
	"bytes"
	"compress/gzip"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/must"
	"parcorels/table"
)

// repeated is a stream of one text over and over, after another.
type repeated struct {
	first, text string
	at          int
	left        int
}

func (r *repeated) Read(b []byte) (n int, err error) {
	if n = copy(b, r.first); n > 0 {
		r.first = r.first[n:]
		return n, nil
	}
	if r.left == 0 {
		return 0, io.EOF
	}
	for n < len(b) && r.left > 0 {
		k := copy(b[n:min(len(b), n+r.left)], r.text[r.at:])
		r.at, r.left, n = (r.at+k)%len(r.text), r.left-k, n+k
	}
	return n, nil
}

// allocated returns what f allocates altogether.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestEndlessRows: what would take all memory as one row is refused at a size
// that takes little, plain or out of a small compressed file. By default it is the first row and
// the file of a few hundred bytes a megabyte.
func TestEndlessRows(t *testing.T) {
	if testing.Short() {
		t.Skip("reads hundreds of megabytes")
	}
	const good, most = "a,b,label\n1,x,0\n2,y,1\n", math.MaxInt
	for i, c := range []struct {
		name        string
		first, text string
		want        string
	}{
		{"line", "", "aaaaaaaa", `t.csv: the first row is longer than 16 MiB: is a quote (") not closed, or is this no table?`},
		{"line after others", good, "aaaaaaaa", `t.csv: the row after that of line 3 is longer than 16 MiB: is a quote (") not closed, or is this no table?`},
		{"quote not closed", good + `3,"z,1` + "\n", "4;some text and no more;1\n",
			`t.csv: the row after that of line 3 is longer than 16 MiB: is a quote (") not closed, or is this no table?`},
		{"bomb", "a,b\n\"", "aaaaaaaa", "t.csv: the row after that of line 1 is longer than 16 MiB"},
		{"empty fields", good, ",", `t.csv: the row after that of line 3 is longer than 16 MiB: is a quote (") not closed, or is this no table?`},
	} {
		if !cases.All() && i%3 > 0 {
			continue
		}
		var err error
		in := io.Reader(&repeated{first: c.first, text: c.text, left: most})
		if c.name == "bomb" {
			small := new(bytes.Buffer)
			z := gzip.NewWriter(small)
			must.Get(io.Copy(z, &repeated{first: c.first, text: c.text, left: 40 << 20}))(t)
			_, in = z.Close(), small // a buffer takes all
		}
		if n := allocated(func() { _, err = ReadFrom(in, "t.csv", Options{}) }); n > 1<<30 {
			t.Errorf("%s: %d MiB were allocated", c.name, n>>20)
		}
		checkError(t, c.name, err, c.want)
	}
}

// TestManyColumns: a column of digits takes some KB while its cuts are chosen, and more columns than fit are refused.
func TestManyColumns(t *testing.T) {
	const columns, most = 10_000, 20 << 10
	rng := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString(strings.Repeat("c,", columns) + "label\n")
	for row := range 20 {
		for range columns {
			b.WriteString(string(rune('0'+rng.IntN(10))) + ",")
		}
		b.WriteString([]string{"0\n", "1\n"}[row%2])
	}
	if n := allocated(func() { read(t, b.String(), Options{ColumnMemory: columns * columnBytes}) }); n > columns*most {
		t.Errorf("%d bytes were allocated a column", n/columns)
	}
	_, err := ReadFrom(strings.NewReader(b.String()), "t.csv", Options{ColumnMemory: columns*columnBytes - 1})
	checkError(t, "columns", err, "t.csv: 10000 columns are too many for the memory, in which 9999 fit: give more by option Memory, or "+
		"leave columns out by option Ignore")
}

// TestMemoryOfTable: columns of texts, of numbers and of weights are counted,
// and a table within the limit is read as if there was none.
func TestMemoryOfTable(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for name, cell := range map[string]func() string{
		"texts":   func() string { return "x" + table.FormatNumber(float64(rng.IntN(1<<30))) },
		"numbers": func() string { return table.FormatNumber(float64(rng.IntN(1 << 30))) },
	} {
		const rows, columns = 300, 500
		var b strings.Builder
		b.WriteString(strings.Repeat("c,", columns) + "label\n")
		for row := range rows {
			for range columns {
				b.WriteString(cell() + ",")
			}
			b.WriteString([]string{"0\n", "1\n"}[row%2])
		}
		_, err := ReadFrom(strings.NewReader(b.String()), "t.csv", Options{Memory: 1 << 20})
		checkError(t, name, err, ": the table takes more than the 1 MiB of memory that it may: leave columns out, or read it on a "+
			"larger machine")
		if _, err := ReadFrom(strings.NewReader(b.String()), "t.csv", Options{Memory: 1 << 30}); err != nil {
			t.Error(err)
		}
	}
	out := "{f}" + strings.Repeat(" 1", 1<<16) + "\n"
	_, err := Read(writePair(t, strings.Repeat(out, 9), ""), Options{Memory: 1 << 16})
	checkError(t, "out", err, "x.out:8: the table takes more than the 0 MiB")
}
