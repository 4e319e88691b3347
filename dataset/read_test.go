package dataset

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

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
	if d.N < 1 || (d.Labels == nil) != (d.ClassCount() > 2) || d.Labels != nil && d.Labels.Len() != uint(d.N) ||
		d.Labels == nil && len(d.ClassOf) != d.N {
		t.Fatalf("%d samples, labels %v, classes of %d", d.N, d.Labels, len(d.ClassOf))
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
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// overlaps reports whether f may hold where another feature of its column does.
func overlaps(f Feature) bool {
	return f.Test.Kind == Threshold || f.Test.Kind == Among || (f.Test.Low == nil) != (f.Test.High == nil)
}

// TestSameTable writes one table in all ways that are read.
func TestSameTable(t *testing.T) {
	const plain = "name with blank,shape,smiles,label\n3,round,yes,1\n4,\"a, b\",no,0\n5,round,yes,0\n"
	want := describe(read(t, plain, Options{}))
	if len(want) != 8 {
		t.Fatalf("features %q", want)
	}
	other := func(comma string) string {
		return strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(plain, ",", comma), `"a`+comma+` b"`, `"a, b"`), "\n", "\r\n")
	}
	for name, text := range map[string]string{
		"\\r\\n":               strings.ReplaceAll(plain, "\n", "\r\n"),
		"byte order mark":      "\ufeff" + plain,
		"gzip":                 compressed(t, plain),
		"gzip in two parts":    compressed(t, plain[:20]) + compressed(t, plain[20:]),
		"mark in gzip":         compressed(t, "\ufeff"+plain),
		"no last line end":     strings.TrimSuffix(plain, "\n"),
		"empty lines":          "\n\n" + strings.ReplaceAll(plain, "\n", "\n\n"),
		"semicolons":           other(";"),
		"tabs":                 other("\t"),
		"bars":                 other("|"),
		"blanks around":        strings.ReplaceAll(plain, "round,", " round ,"),
		"blank before a quote": strings.ReplaceAll(plain, `"a`, ` "a`),
		"all quoted": "\"name with blank\",\"shape\",\"smiles\",\"label\"\n\"3\",\"round\",\"yes\",\"1\"\n\"4\",\"a, " +
			"b\",\"no\",\"0\"\n\"5\",\"round\",\"yes\",\"0\"\n",
		"other case of truth": strings.ReplaceAll(strings.ReplaceAll(plain, ",yes,", ",YES,"), ",no,", ",No,"),
		"other number format": strings.ReplaceAll(plain, "\n3,", "\n3.0,"),
	} {
		d := read(t, text, Options{})
		if got := describe(d); !slices.Equal(got, want) || d.Labels.DumpAsBits() != read(t, plain, Options{}).Labels.DumpAsBits() {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if d := read(t, strings.ReplaceAll(plain, ",", "!"), Options{Comma: '!', Target: "label"}); len(d.Columns) != 4 {
		t.Errorf("separator !: columns %q", d.Columns)
	}
}

// TestHash says what the hash is of: the text, however it is compressed.
func TestHash(t *testing.T) {
	const table, labels = "\ufeffa,b\n1,0\n2,1\n", "{l:0} 1 0\n{l:1} 0 1\n"
	sum := func(text string) string {
		h := sha256.Sum256([]byte(text))
		return "sha256:" + hex.EncodeToString(h[:])
	}
	for _, text := range []string{table, compressed(t, table)} {
		if d := read(t, text, Options{}); d.Hash != sum(table) {
			t.Errorf("hash %s, want %s", d.Hash, sum(table))
		}
		if d := read(t, text, Options{NoHash: true}); d.Hash != "" {
			t.Errorf("hash %s, nobody asked for it", d.Hash)
		}
	}
	const out = "{a} 0 1\n"
	dir := t.TempDir()
	write(t, filepath.Join(dir, "x.label"), labels)
	for _, name := range []string{"x.out", "x.out.gz"} {
		text := out
		if name == "x.out.gz" {
			text = compressed(t, out)
		}
		path := filepath.Join(dir, name)
		write(t, path, text)
		d, err := Read(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if d.Hash != sum(out+labels) || d.Source != path || d.Format != "out" {
			t.Errorf("%s: hash %s, want %s", name, d.Hash, sum(out+labels))
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestColumns says what the content of a column makes of it.
func TestColumns(t *testing.T) {
	for _, c := range []struct {
		name  string
		cells string // separated by blanks; _ is an empty cell
		o     Options
		want  []string
		notes string // part of a note
	}{
		{name: "0 and 1", cells: "0 1 1", want: []string{"x: 011"}},
		{name: "0.0 and 1", cells: "0.0 1 1.00", want: []string{"x: 011"}},
		{name: "yes and no", cells: "yes No YES", want: []string{"x: 101"}},
		{name: "true and false", cells: "TRUE False true", want: []string{"x: 101"}},
		{name: "t and f", cells: "t f f", want: []string{"x: 100"}},
		{name: "y and n", cells: "n y y", want: []string{"x: 011"}},
		{name: "two kinds of truth", cells: "t n n", want: []string{"x = n: 011", "x = t: 100"}},
		{name: "two numbers", cells: "1 2 2", want: []string{"x = 1: 100", "x = 2: 011"}},
		{name: "few numbers", cells: "10 9 -1.5 9", want: []string{"x = -1.5: 0010", "x = 9: 0101", "x = 10: 1000", "x ≤ 9: 0111",
			"x > 0: 1101"}},
		{name: "equal numbers", cells: "1 1.0 1e0 2", want: []string{"x = 2: 0001", "x = 1: 1110"}},
		{name: "minus zero", cells: "-0 0 1 2", want: []string{"x = 2: 0001", "x = 1: 0010", "x = 0: 1100", "x > 0: 0011", "x ≤ 1: 1110"}},
		{name: "texts", cells: "b a b c", want: []string{"x = a: 0100", "x = b: 1010", "x = c: 0001"}},
		{name: "case matters", cells: "a A a", want: []string{"x = A: 010", "x = a: 101"}},
		{name: "numbers and a text", cells: "1 2 3 x", want: []string{"x = 1: 1000", "x = 2: 0100", "x = 3: 0010", "x = x: 0001"},
			notes: `"x" ("x" in line 5)`},
		{name: "hexadecimal is text", cells: "0x10 16 17", want: []string{"x = 0x10: 100", "x = 16: 010", "x = 17: 001"}},
		{name: "integers", cells: "1 2 3 4 5 6 7 8 9 10", o: Options{Use: []string{"x"}},
			want: []string{"x ≤ 2: 1100000000", "x ≤ 4: 1111000000", "x ≤ 6: 1111110000", "x ≤ 8: 1111111100", "x > 2: 0011111111",
				"x > 4: 0000111111", "x > 6: 0000001111", "x > 8: 0000000011"}},
		{name: "negative integers", cells: "-4 -3 -2 -1 0 1", o: Options{Bins: 3}, want: []string{"x ≤ -3: 110000", "x ≤ -1: 111100",
			"x > -3: 001111", "x > -1: 000011"}},
		{name: "reals", cells: "0.12 0.48 0.52 0.91 1.7 2.3", o: Options{Bins: 2}, want: []string{"x > 0.7: 000111", "x ≤ 0.7: 111000"}},
		{name: "reals in between", cells: "0.12 0.48 0.52 0.91 1.7 2.3", o: Options{Bins: 3},
			want: []string{"x ≤ 0.5: 110000", "x ≤ 1: 111100", "x > 0.5: 001111", "x > 1: 000011"}},
		{name: "many ties", cells: strings.Repeat("0 ", 20) + "1 2 3 4 5", want: []string{"x > 0: 0000000000000000000011111",
			"x ≤ 0: 1111111111111111111100000"}},
		{name: "infinities", cells: "-inf 1 2 3 4 5 Infinity", o: Options{Bins: 2}, want: []string{"x > 3: 0000111", "x ≤ 3: 1111000"},
			notes: "infinite"},
		{name: "given cuts", cells: "17 18 20 21 22 23 50", o: Options{Cuts: map[string][]float64{"x": {23, 18, 21}}},
			want: []string{"x ≤ 17: 1000000", "x ≤ 20: 1110000", "x ≤ 22: 1111100", "x > 17: 0111111", "x > 20: 0001111",
				"x > 22: 0000011"}},
		{name: "given cuts of reals", cells: "1.5 1.49 2", o: Options{Cuts: map[string][]float64{"x": {1.5}}},
			want: []string{"x < 1.5: 010", "x ≥ 1.5: 101"}},
		{name: "given cuts of 0 and 1", cells: "0 1", o: Options{Cuts: map[string][]float64{"x": {0.5}}},
			want: []string{"x ≤ 0: 10", "x > 0: 01"}},
		{name: "single integer", cells: "1 2 3", o: Options{Cuts: map[string][]float64{"x": {2, 3}}},
			want: []string{"x ≤ 1: 100", "x ≤ 2: 110", "x > 1: 011", "x > 2: 001"}},
		{name: "cuts beside the data", cells: "1 2 3", o: Options{Cuts: map[string][]float64{"x": {2, 30, 40}}},
			want: []string{"x ≤ 1: 100", "x > 1: 011"}},
		{name: "missing of truth", cells: "yes no ?", want: []string{"x = no: 010", "x = yes: 100", "x missing: 001"}},
		{name: "missing of numbers", cells: "1 _ 2 NA", want: []string{"x = 1: 1000", "x = 2: 0010", "x missing: 0101"}},
		{name: "missing of texts", cells: "a NaN b null n/a", want: []string{"x = a: 10000", "x = b: 00100", "x missing: 01011"}},
		{name: "one value or missing", cells: "7 ? 7", want: []string{"x = 7: 101", "x missing: 010"}},
		{name: "other texts of missing", cells: "-9 ? -8 1 2", o: Options{Missing: []string{"-9", "-8"}},
			want: []string{"x = 1: 00010", "x = 2: 00001", "x = ?: 01000", "x missing: 10100"}},
		{name: "an empty cell is always missing", cells: "a _ b", o: Options{Missing: []string{}},
			want: []string{"x = a: 100", "x = b: 001", "x missing: 010"}},
		{name: "constant", cells: "7 7.0 7", notes: `values are the same: "x"`},
		{name: "all missing", cells: "? NA _", notes: `values are the same: "x"`},
		{name: "one truth value", cells: "yes yes", notes: `values are the same: "x"`},
	} {
		c.o.atQuantiles = true
		d := read(t, oneColumn(c.cells), c.o)
		if got := describe(d); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if !strings.Contains(strings.Join(d.Notes, "\n"), c.notes) {
			t.Errorf("%s: notes %q, want %q", c.name, d.Notes, c.notes)
		}
	}
}

// oneColumn is a table of column x with the given cells and of alternating labels.
func oneColumn(cells string) string {
	var b strings.Builder
	b.WriteString("x,label\n")
	for i, cell := range strings.Fields(cells) {
		if cell == "_" {
			cell = ""
		}
		fmt.Fprintf(&b, "%s,%d\n", cell, i%2)
	}
	return b.String()
}

// TestManyTexts tells frequent texts from rare ones and from free text.
func TestManyTexts(t *testing.T) {
	b := rowsOf("id,word,mixed,long,label", 400, func(i int) string {
		word, mixed := fmt.Sprintf("w%d", i), fmt.Sprint(i%50)
		if i%4 == 0 {
			word = "often"
		}
		if i == 399 {
			mixed = "unknown"
		}
		return fmt.Sprintf("p%d,%s,%s,%s,%d", i, word, mixed, strings.Repeat("x", 300*(i/399)), i%3/2)
	})
	d := read(t, b, Options{})
	names := map[string]int{}
	for _, f := range d.Features {
		names[f.Column]++
	}
	if names["id"] != 0 || names["word"] != 1 || names["mixed"] != 50 || names["long"] != 0 {
		t.Errorf("features per column: %v", names)
	}
	notes := strings.Join(d.Notes, "\n")
	for _, want := range []string{`"word" (1 of 301)`, `"mixed" ("unknown" in line 401)`, `nearly every row has another text: "id", "long"`} {
		if !strings.Contains(notes, want) {
			t.Errorf("no note with %s in\n%s", want, notes)
		}
	}
}

// TestManyNumbers has enough distinct numbers for a column of floats.
func TestManyNumbers(t *testing.T) {
	b := rowsOf("x,y,z,label", 5000, func(i int) string {
		y, z := fmt.Sprint(i), fmt.Sprintf("%d.5", i*7%5000)
		if i == 4990 {
			y = "many"
		}
		if i%10 == 3 {
			z = "?"
		}
		return fmt.Sprintf("%d,%s,%s,%d", i, y, z, i%2)
	})
	d := read(t, b, Options{atQuantiles: true, Use: []string{"x"}})
	var names []string
	for _, f := range d.Features {
		names = append(names, fmt.Sprint(f.Name, " ", f.Bits.Count()))
	}
	want := []string{"x ≤ 998 999", "x ≤ 1999 2000", "x ≤ 2999 3000", "x ≤ 3998 3999", "x > 998 4001", "x > 1999 3000", "x > 2999 2000",
		"x > 3998 1001", "z ≤ 989 890", "z ≤ 2000 1800", "z ≤ 2992 2692", "z ≤ 4002 3601", "z > 989 3610", "z > 2000 2700",
		"z > 2992 1808", "z > 4002 899", "z missing 500"}
	if !slices.Equal(names, want) {
		t.Errorf("features %q, want %q", names, want)
	}
	checkTests(t, b, d, Options{})
	if !strings.Contains(strings.Join(d.Notes, "\n"), `"many" in line 4992 is no number`) {
		t.Errorf("notes %q", d.Notes)
	}
	d = read(t, b, Options{DropMissing: true})
	if d.N != 4500 || d.Dropped != 500 {
		t.Errorf("%d samples, %d dropped", d.N, d.Dropped)
	}
	checkTests(t, b, d, Options{DropMissing: true})
}

// checkTests evaluates every test on the raw cells of the rows: the result must
// be the sample's bit. Rows that the data set dropped are told by their missing
// values.
func checkTests(t *testing.T, text string, d *Dataset, o Options) {
	t.Helper()
	rows, err := NewRows(strings.NewReader(text), d.Source, o)
	if err != nil {
		t.Fatal(err)
	}
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

func TestDropMissing(t *testing.T) {
	const text = "a,free,w,c,label\n1,x,1,k,1\n2,?,1,k,0\n?,y,2,k,1\n3,z,,k,0\n4,z,3,k,?\n5,z,1,?,1\n"
	d := read(t, text, Options{DropMissing: true, Weight: "w", Ignore: []string{"free"}})
	if d.N != 3 || d.Dropped != 3 {
		t.Errorf("%d samples, %d dropped, want 3 and 3", d.N, d.Dropped)
	}
	if got, want := describe(d), []string{"a = 1: 100", "a = 2: 010", "a = 5: 001", "a ≤ 2: 110", "a > 1: 011"}; !slices.Equal(got, want) {
		t.Errorf("features %q, want %q (column c is constant and drops no row)", got, want)
	}
	if notes := strings.Join(d.Notes, "\n"); !strings.Contains(notes,
		`3 of 6 rows are dropped for a missing value, most often "a" in 1, "label" in 1, "w" in 1`) {
		t.Errorf("notes %q", d.Notes)
	}
}

func TestHeaders(t *testing.T) {
	d := read(t, "a,, a ,\"two\nlines\x1b\",a,label\n1,2,1,4,5,1\n2,1,1,1,1,0\n", Options{})
	want := []string{"a", "c2", "a.1", "two lines", "a.2", "label"}
	if !slices.Equal(d.Columns, want) {
		t.Errorf("columns %q, want %q", d.Columns, want)
	}
	notes := strings.Join(d.Notes, "\n")
	for _, n := range []string{`by their number: "c2"`, `numbered: "a.1", "a.2"`} {
		if !strings.Contains(notes, n) {
			t.Errorf("no note with %s in %q", n, d.Notes)
		}
	}
	d = read(t, "1,0\n2,1\n3,1\n", Options{NoHeader: true})
	if d.N != 3 || d.Target != "c2" || d.Features[0].Name != "c1 = 3" {
		t.Errorf("without a header: %d samples, target %q, %q", d.N, d.Target, describe(d))
	}
	d = read(t, "5,0\n2,1\n3,0\n", Options{})
	if notes := strings.Join(d.Notes, "\n"); d.N != 2 || !strings.Contains(notes, "option NoHeader") {
		t.Errorf("numbers in the header: notes %q", d.Notes)
	}
}

func TestIgnoreAndTarget(t *testing.T) {
	d := read(t, "a,b,label,c\n1,x,yes,1\n2,y,no,1\n", Options{Target: "label", Ignore: []string{"b", "c"}})
	if got := describe(d); d.Target != "label" || !slices.Equal(got, []string{"a = 1: 10", "a = 2: 01"}) {
		t.Errorf("target %q, features %q", d.Target, got)
	}
}

func TestWeightUnitOfUnweighted(t *testing.T) {
	if d := read(t, oneColumn("1 2"), Options{}); d.Weights != nil || d.WeightUnit != (ratio.Ratio{Num: 1, Den: 1}) {
		t.Errorf("weights %v, unit %v", d.Weights, d.WeightUnit)
	}
}

// TestManyNumbersInAnyOrder: the intervals of a column of many numbers, some of
// them equal, do not depend on the order of its rows.
func TestManyNumbersInAnyOrder(t *testing.T) {
	const rows = 9000
	b := rowsOf("x,z,label", rows, func(i int) string { return fmt.Sprintf("%d.25,%d.25,%d", (i-600)&^1, (i*7919%rows-600)&^1, i%2) })
	intervals := map[string][]string{}
	for _, f := range read(t, b, Options{atQuantiles: true}).Features {
		intervals[f.Column] = append(intervals[f.Column], fmt.Sprint(f.Name[1:], " ", f.Bits.Count()))
	}
	if len(intervals["x"]) != 8 || !slices.Equal(intervals["x"], intervals["z"]) {
		t.Errorf("in order %q, in disorder %q", intervals["x"], intervals["z"])
	}
}
