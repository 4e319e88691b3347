package dataset

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// TestCellsAreLetGo: the features of tables whose cells are let go of are those of tables that keep them. Columns are
// floats and codes, have missing and infinite numbers or none, and run either way.
func TestCellsAreLetGo(t *testing.T) {
	cut, turned := 0, 0
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 31))
		n := alwaysKept + 1 + rng.IntN(9000)
		number := make([]func() float64, 1+rng.IntN(6))
		for c := range number {
			scale := []float64{9, 40, 3000, 1e6, 1e9}[rng.IntN(5)]
			number[c] = func() float64 { return float64(int(scale*rng.ExpFloat64())) * .01 }
		}
		var text strings.Builder
		for c := range number {
			fmt.Fprintf(&text, "c%d,", c)
		}
		text.WriteString("y\n")
		odd := rng.IntN(4)
		for range n {
			score := 0.0
			for c, f := range number {
				v := f()
				way := 1 - 2*float64(c%2)
				switch {
				case odd > 1 && rng.IntN(30) == 0:
					text.WriteString("?,")
				case odd > 2 && rng.IntN(90) == 0:
					text.WriteString("-inf,")
				default:
					fmt.Fprintf(&text, "%v,", way*v)
				}
				score += v / (v + 1)
			}
			fmt.Fprintf(&text, "%d\n", max(0, min(1+int(seed%3), int(score*float64(1+rng.IntN(3))/float64(len(number))))))
		}
		o := Options{Multiclass: true, Information: seed%2 == 1}
		got := read(t, text.String(), o)
		o.KeepColumns = true
		want := read(t, text.String(), o)
		if !reflect.DeepEqual(got.Features, want.Features) || !reflect.DeepEqual(got.Notes, want.Notes) {
			t.Fatalf("seed %d: %d features, %d with kept columns, or others", seed, len(got.Features), len(want.Features))
		}
		for c, v := range want.kept.columns {
			if v != nil && v.many {
				turned += c % 2
			}
		}
		cut += len(want.Features)
	}
	if cut < 400 || turned < 10 {
		t.Errorf("%d features, %d columns of floats that run down", cut, turned)
	}
}
