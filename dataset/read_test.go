package dataset

import (
	"bytes"
	"compress/gzip"
	"os"
	"slices"
	"strings"
	"testing"

	"parcorels/internal/testing/must"
	"parcorels/ratio"
	"parcorels/table"
	"parcorels/weights"
)

// read reads a table from a text.
func read(t *testing.T, text string, o Options) *Dataset {
	t.Helper()
	d, err := ReadFrom(strings.NewReader(text), "t.csv", o)
	if err != nil {
		t.Fatalf("%v\n%.300s", err, text)
	}
	checkInvariants(t, d)
	return d
}

// rowsOf returns a table with a header and n rows, each without its line end.
func rowsOf(header string, n int, row func(i int) string) string {
	lines := []string{header}
	for i := range n {
		lines = append(lines, row(i))
	}
	return strings.Join(lines, "\n") + "\n"
}

// describe writes features as "name: bits", the first sample first.
func describe(d *Dataset) []string {
	var all []string
	for _, f := range d.Features {
		all = append(all, f.Name+": "+bitText(d, f))
	}
	return all
}

func bitText(d *Dataset, f Feature) string {
	bits := make([]byte, d.N)
	for i := range bits {
		bits[i] = '0'
		if f.Bits.Test(uint(i)) {
			bits[i] = '1'
		}
	}
	return string(bits)
}

// checkInvariants checks what the package promises of every data set.
func checkInvariants(t *testing.T, d *Dataset) {
	t.Helper()
	if d.N < 1 || len(d.ClassOf) != d.N {
		t.Fatalf("%d samples, classes of %d", d.N, len(d.ClassOf))
	}
	if d.Weights != nil && len(d.Weights) != d.N || !d.WeightUnit.Valid() || d.WeightUnit.Num < 1 {
		t.Fatalf("%d weights for %d samples, unit %v", len(d.Weights), d.N, d.WeightUnit)
	}
	var total, divisor int64
	for _, w := range d.Weights {
		if w < 1 || total >= weights.MaxTotal-w {
			t.Fatalf("weight %d, total before %d", w, total)
		}
		total += w
		divisor = ratio.GCD(divisor, w)
	}
	if divisor > 1 && !d.Counted() {
		t.Fatalf("weights have the common divisor %d", divisor)
	}
	counts := make([]int, d.ClassCount())
	for i := range d.N {
		counts[d.Class(i)]++
	}
	for c, count := range counts {
		if (count == 0) != (d.ClassName(c) == "") {
			t.Fatalf("class %d is %q for %d samples", c, d.ClassName(c), count)
		}
	}
	names := map[string]bool{}
	for i, f := range d.Features {
		if f.Bits.Len() != uint(d.N) || names[f.Name] || f.Name == "" || f.NegatedName() == f.Name {
			t.Fatalf("feature %q has %d bits of %d, its negation is %q", f.Name, f.Bits.Len(), d.N, f.NegatedName())
		}
		names[f.Name] = true
		if count := f.Bits.Count(); d.Format == "csv" && (count == 0 || count == uint(d.N)) {
			t.Fatalf("feature %q holds in %d of %d samples", f.Name, count, d.N)
		}
		for _, g := range d.Features[i+1 : min(i+40, len(d.Features))] {
			if f.Group >= 0 && f.Group == g.Group && f.Bits.IntersectionCardinality(g.Bits) > 0 {
				t.Fatalf("features %q and %q of group %d have samples in common", f.Name, g.Name, f.Group)
			}
			alike := f.Column == g.Column && f.Column != "" && !overlaps(f) && !overlaps(g)
			if alike && f.Group != g.Group || f.Column != g.Column && f.Group == g.Group && f.Group >= 0 {
				t.Fatalf("features %q and %q: groups %d and %d", f.Name, g.Name, f.Group, g.Group)
			}
		}
	}
	for _, n := range d.Notes {
		if n == "" || strings.ContainsAny(n, "\n\r\x1b") {
			t.Fatalf("note %q", n)
		}
	}
}

func compressed(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	must.Get(z.Write([]byte(text)))(t)
	must.Do(t, z.Close())
	return b.String()
}

// overlaps reports whether f may hold where another feature of its column does.
func overlaps(f Feature) bool {
	return f.Test.Kind == Threshold || f.Test.Kind == Among || (f.Test.Low == nil) != (f.Test.High == nil)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	must.Do(t, os.WriteFile(path, []byte(text), 0o644))
}

// checkTests evaluates every test on the raw cells of the rows: the result must
// be the sample's bit. Rows that the data set dropped are told by their missing
// values.
func checkTests(t *testing.T, text string, d *Dataset, o Options) {
	t.Helper()
	rows := must.Get(NewRows(strings.NewReader(text), d.Source, o))(t)
	at := map[string]int{}
	for i, name := range rows.Header() {
		at[name] = i
	}
	sample, skipped := 0, 0
	for {
		cells, err := rows.Next()
		if err != nil {
			break
		}
		if o.DropMissing && slices.ContainsFunc(cells, func(c string) bool { return table.Missing(o.Missing).Has(table.Clean(c)) }) {
			skipped++
			continue
		}
		for _, f := range d.Features {
			holds, err := f.Test.Holds(cells[at[f.Column]])
			if err != nil || holds != f.Bits.Test(uint(sample)) {
				t.Fatalf("sample %d, cell %q: %s holds: %v, %v; its bit says %v", sample, cells[at[f.Column]], f.Name, holds, err, !holds)
			}
		}
		sample++
	}
	if sample != d.N || skipped != d.Dropped {
		t.Fatalf("%d rows and %d dropped ones, the data set has %d and %d", sample, skipped, d.N, d.Dropped)
	}
}
