package dataset

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzTable reads anything as a table, with any options. What is read keeps
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
		}
		d, err := ReadFrom(strings.NewReader(text), "t.csv", o)
		if err != nil {
			checkError(t, "reading", err, "")
			return
		}
		checkInvariants(t, d)
		if !o.DropMissing {
			checkTests(t, text, d, o)
		}
	})
}

// FuzzOut reads anything as an .out file with its labels. What is read has the
// right lengths and reads back the same when it is written plainly.
func FuzzOut(f *testing.F) {
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, out, labels string) {
		path := filepath.Join(dir, "x.label")
		if err := os.WriteFile(path, []byte(labels), 0o644); err != nil {
			t.Fatal(err)
		}
		d, err := ReadFrom(strings.NewReader(out), "t.out", Options{Labels: path})
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
