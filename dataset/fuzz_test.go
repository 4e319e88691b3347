package dataset

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parcorels/internal/testing/must"

	"github.com/bits-and-blooms/bitset"
)

// FuzzTable reads anything as a table, with any options. The table that is read keeps
// the invariants, and its tests agree with its bits; what is not gives one
// line. The seeds are in testdata/fuzz.
func FuzzTable(f *testing.F) {
	f.Fuzz(func(t *testing.T, text, positive string, flags uint8) {
		o := Options{Positive: positive, DropMissing: flags&1 != 0, NoHeader: flags&8 != 0}
		if flags&2 != 0 {
			o.Weight = "w"
		}
		if flags&4 != 0 {
			o.ClassWeights = "balanced"
		}
		if flags&16 != 0 {
			o.Bins = 2 + int(flags>>5)
		} else {
			o.KeepColumns = flags&32 != 0
			if flags&128 != 0 {
				o.atQuantiles = true
			}
		}
		d, err := ReadFrom(strings.NewReader(text), "t.csv", o)
		if err != nil {
			checkError(t, "reading", err, "")
			return
		}
		checkInvariants(t, d)
		if o.KeepColumns {
			some := bitset.New(uint(d.N)).Set(0)
			for i := uint(2); i < uint(d.N); i += 3 {
				some.Set(i)
			}
			d = d.Recut(some, d.Subset(some))
			checkInvariants(t, d)
		}
		if !o.DropMissing {
			checkTests(t, text, d, o)
		}
	})
}

// FuzzOut reads anything as an .out file with its labels. The table that is read has the
// right lengths and reads back the same when it is written plainly.
func FuzzOut(f *testing.F) {
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, out, labels string) {
		path := filepath.Join(dir, "x.label")
		must.Do(t, os.WriteFile(path, []byte(labels), 0o644))
		if strings.HasPrefix(out, "\x1f\x8b") || strings.HasPrefix(labels, "\x1f\x8b") {
			return // compressed, it may be worth a thousand times its length
		}
		var d *Dataset
		var err error
		size := uint64(len(out) + len(labels))
		if n := allocated(func() {
			d, err = ReadFrom(strings.NewReader(out), "t.out",
				Options{Labels: path})
		}); n > fixedBytes+bytesPerByte*size {
			t.Fatalf("%d bytes allocated for files of %d", n, size)
		}
		if err != nil {
			checkError(t, "reading", err, "")
			return
		}
		checkInvariants(t, d)
		var plain strings.Builder
		for _, x := range d.Features {
			plain.WriteString(x.Name + " " + strings.Join(strings.Split(bitText(d, x), ""), " ") + "\n")
		}
		again, err := ReadFrom(strings.NewReader(plain.String()), "t.out", Options{Labels: path})
		if err != nil || strings.Join(describe(again), "\n") != strings.Join(describe(d), "\n") {
			t.Fatalf("%q, written plainly, is read otherwise: %v", plain.String(), err)
		}
	})
}

// Reading allocates at most fixedBytes and bytesPerByte for each byte of text:
// nothing is believed that a file says of itself. A small table is read a
// second time, as rows.
const (
	fixedBytes   = 8 << 20
	bytesPerByte = 4 << 10
)

// FuzzSeparated reads any bytes as a table, plain or compressed, with any
// separator. Rows and table agree on how many there are, and neither takes
// more memory than the text is worth.
func FuzzSeparated(f *testing.F) {
	f.Fuzz(func(t *testing.T, file []byte, comma rune, flags uint8) {
		length := uint64(len(file)) // of the text
		if flags&1 != 0 {
			file = []byte(compressed(t, string(file)))
		} else if bytes.HasPrefix(file, []byte("\x1f\x8b")) && len(file) > 1<<10 {
			return // may be worth a thousand times its length
		}
		o := Options{Comma: comma, NoHeader: flags&2 != 0, DropMissing: flags&4 != 0}
		if flags&8 != 0 {
			o.Comma = 0
		}
		if flags&16 != 0 {
			o.Missing = []string{}
		}
		var d *Dataset
		var err error
		if n := allocated(func() { d, err = ReadFrom(bytes.NewReader(file), "t.csv", o) }); n > fixedBytes+bytesPerByte*length {
			t.Fatalf("%d bytes allocated for a file of %d", n, length)
		}
		if err != nil {
			checkError(t, "reading", err, "")
		} else {
			checkInvariants(t, d)
		}
		rows, rowsErr := countRows(file, o)
		switch {
		case rowsErr != nil:
			checkError(t, "rows", rowsErr, "")
			if err == nil {
				t.Fatalf("a table of %d samples, but as rows: %v", d.N, rowsErr)
			}
		case err == nil && rows != d.N+d.Dropped:
			t.Fatalf("%d rows, but %d samples and %d dropped", rows, d.N, d.Dropped)
		}
	})
}

// countRows reads a table row by row.
func countRows(file []byte, o Options) (n int, err error) {
	rows, err := NewRows(bytes.NewReader(file), "t.csv", o)
	if err != nil {
		return 0, err
	}
	for {
		cells, err := rows.Next()
		switch {
		case err == io.EOF:
			return n, nil
		case err != nil:
			return n, err
		case len(cells) != len(rows.Header()):
			return n, fmt.Errorf("%d cells under %d headings", len(cells), len(rows.Header()))
		}
		n++
	}
}
