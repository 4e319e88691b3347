package dataset

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestRowNumbers: numbers that count rows or differ in nearly all make no features,
// measures do, and so do columns that are to be used.
func TestRowNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	order := rng.Perm(200)
	var b strings.Builder
	b.WriteString("id,shuffled,case,patient_id,ward,age,dollars,price,y\n")
	for i := range 200 {
		fmt.Fprintf(&b, "%d,%d,%d,%d,%d,%d,%d,%.2f,%d\n", i+1, order[i], 70_000+37*i, 500+order[i]/4, i/4, i%60+i/60, 1000*(i%90),
			float64(i)*1.37, i/100)
	}
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{}, "ward age dollars price"},
		{Options{Use: []string{"id", "case"}}, "id case ward age dollars price"},
		{Options{Use: []string{"id"}, Ignore: []string{"age"}}, "id ward dollars price"},
		{Options{Cuts: map[string][]float64{"id": {50}}}, "id ward age dollars price"},
	} {
		c.o.atQuantiles = true
		d := read(t, b.String(), c.o)
		var used []string
		for _, f := range d.Features {
			if !slices.Contains(used, f.Column) {
				used = append(used, f.Column)
			}
		}
		if got := strings.Join(used, " "); got != c.want {
			t.Errorf("%+v: columns %s, want %s", c.o, got, c.want)
		}
		notes := strings.Join(d.Notes, "\n")
		for _, want := range []string{"they number rows", `"patient_id" (of several rows each`, `never fall from row to row`, `: "ward"`} {
			if !strings.Contains(notes, want) {
				t.Errorf("%+v: notes %q, want %s", c.o, d.Notes, want)
			}
		}
	}
	if _, err := ReadFrom(strings.NewReader(b.String()), "t.csv", Options{Use: []string{"zip"}}); err == nil ||
		!strings.Contains(err.Error(), `no column "zip" (to use)`) {
		t.Errorf("error %v", err)
	}
}

// TestMeasuresThatDiffer: whole numbers that differ in nearly every row are a measure where chance
// explains that, and ids where it does not, or where they have the name or the order of ids.
func TestMeasuresThatDiffer(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	const n = 400
	drawn := rng.Perm(2 * n)
	b := rowsOf("micron,cents,account_id,drawn,falling,y", n, func(i int) string {
		cents := int(100 * math.Exp(10+rng.NormFloat64()))
		return fmt.Sprintf("%d,%d,%d,%d,%d,%d", 1_000_000+rng.IntN(50*n), cents, cents+1, drawn[i], 7*(n-i), i%2)
	})
	d := read(t, b, Options{atQuantiles: true})
	for column, used := range map[string]bool{"micron": true, "cents": true, "account_id": false, "drawn": false, "falling": false} {
		if slices.ContainsFunc(d.Features, func(f Feature) bool { return f.Column == column }) != used {
			t.Errorf("%s: used %v, want %v", column, !used, used)
		}
	}
	want := `numbers differ in nearly every row, and are read as a measure (if they are ids, leave them out, as option Ignore does): "micron", "cents"`
	if !slices.Contains(d.Notes, want) {
		t.Errorf("notes %q", d.Notes)
	}
}

// TestNamelessFirstColumn: what pandas and R write before the first column is no
// condition, unless it is asked for.
func TestNamelessFirstColumn(t *testing.T) {
	for heading, name := range map[string]string{"": "c1", `""`: "c1", "Unnamed: 0": "Unnamed: 0"} {
		table := heading + ",x,y\na,1,yes\na,2,yes\nb,1,no\nb,2,no\n"
		if d := read(t, table, Options{}); d.Features[0].Column != "x" || len(d.Notes) != 1 ||
			!strings.Contains(d.Notes[0], "has no name") {
			t.Errorf("%q: first feature %+v, notes %q", heading, d.Features[0], d.Notes)
		}
		if d := read(t, table, Options{Use: []string{name}}); d.Features[0].Column != name {
			t.Errorf("%q: first feature %+v", heading, d.Features[0])
		}
	}
}

// TestNamesID: a heading that only ends in these letters is no id.
func TestNamesID(t *testing.T) {
	for heading, want := range map[string]bool{"id": true, "ID": true, "patient_id": true, "Store ID": true, "userId": true,
		"patientID": true, "covid": false, "PID": false, "d": false, "": false, "Madrid": false} {
		if got := namesID(heading); got != want {
			t.Errorf("%q: %v", heading, got)
		}
	}
}
