package dataset

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/bits-and-blooms/bitset"
)

// weighedAndRepeated returns a table with random numbers of rows in column w, and the table in which each row is repeated.
func weighedAndRepeated(rng *rand.Rand, classes int) (weighed, repeated string) {
	var w, r strings.Builder
	w.WriteString("a,patient_id,b,code,town,w,label\n")
	r.WriteString("a,patient_id,b,code,town,label\n")
	same := rng.IntN(4) == 0
	for i := range 10 + rng.IntN(300) {
		x, label := rng.NormFloat64(), 0
		if x+rng.NormFloat64() > 1 {
			label = 1 + rng.IntN(classes-1)
		}
		b := "?"
		if rng.IntN(10) > 0 {
			b = fmt.Sprint(rng.IntN(30))
		}
		row := fmt.Sprintf("%.3f,%d,%s,%d,t%d", x, i+7, b, 1+(label+rng.IntN(3))*3%4, rng.IntN(60))
		times := 1 + rng.IntN(4)
		if same {
			times = 3
		}
		fmt.Fprintf(&w, "%s,%d,%d\n", row, times, label)
		for range times {
			fmt.Fprintf(&r, "%s,%d\n", row, label)
		}
	}
	return w.String(), r.String()
}

// TestWeightsAreRows: a table with numbers of rows is read as the table in which each row is repeated.
func TestWeightsAreRows(t *testing.T) {
	for seed := range seeds(300) {
		rng := rand.New(rand.NewPCG(seed, 77))
		by := rng.IntN(3)
		o := Options{KeepColumns: true, Multiclass: true, atQuantiles: by == 1, Information: by == 2, DropMissing: rng.IntN(3) == 0}
		classes := 2 + rng.IntN(2)
		if rng.IntN(2) == 0 {
			o.ClassWeights = []string{"balanced", "1,2.5", "1,2.5,7"}[rng.IntN(2)*(classes-1)]
		}
		weighed, repeated := weighedAndRepeated(rng, classes)
		want := read(t, repeated, o)
		o.Weight = "w"
		d := read(t, weighed, o)
		check := func(what string, d *Dataset, of []int, want *Dataset) {
			t.Helper()
			if len(d.Features) != len(want.Features) {
				t.Fatalf("seed %d, %s: %d features, repeated %d", seed, what, len(d.Features), len(want.Features))
			}
			for i, f := range want.Features {
				own := d.Features[i]
				bits := takenBits(own.Bits, of)
				own.Bits, f.Bits = nil, bits.SymmetricDifference(f.Bits)
				if f.Bits.Any() {
					t.Fatalf("seed %d, %s: other samples of %s", seed, what, f.Name)
				}
				f.Bits = nil
				if !reflect.DeepEqual(own, f) {
					t.Fatalf("seed %d, %s: feature %+v, repeated %+v", seed, what, own, f)
				}
			}
		}
		expanded, of := d.Expanded()
		check("read", d, of, want)
		notes := func(d *Dataset) []string {
			return slices.DeleteFunc(slices.Clone(d.Notes), func(n string) bool { return strings.Contains(n, "dropped") })
		}
		if got, said := notes(d), notes(want); !slices.Equal(got, said) || d.Rows() != want.N || expanded.N != want.N ||
			!slices.Equal(expanded.Weights, want.Weights) {
			t.Fatalf("seed %d: %d %d %d rows; weights %v %v; notes %q, repeated %q", seed, d.Rows(), expanded.N, want.N,
				expanded.Weights, want.Weights, got, said)
		}
		some, those := bitset.New(uint(d.N)).Set(0), bitset.New(uint(len(of))).Set(0)
		for i := range uint(d.N) {
			some.SetTo(i, rng.IntN(3) > 0)
		}
		if some.None() {
			continue
		}
		for i, from := range of {
			those.SetTo(uint(i), some.Test(uint(from)))
		}
		check("cut again", d.Recut(some, d.Subset(some)), of, want.Recut(those, want.Subset(those)))
		check("expanded", expanded.Recut(those, expanded.Subset(those)), all(expanded.N), want.Recut(those, want.Subset(those)))
	}
}
