package dataset

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bits-and-blooms/bitset"

	"parcorels/ratio"
)

const subsetTable = "x,y,w,class\n1,0,1,a\n1,0,2,a\n1,1,1.5,b\n0,1,1,b\n0,0,0.5,b\n"

func readSubset(t *testing.T, o Options) *Dataset {
	t.Helper()
	d, err := ReadFrom(strings.NewReader(subsetTable), "t.csv", o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestSubset(t *testing.T) {
	d := readSubset(t, Options{Weight: "w"})
	s := d.Subset(bitset.New(5).Set(1).Set(2).Set(4))
	if s.N != 3 || !slices.Equal(s.ClassOf, []uint16{0, 1, 1}) || fmt.Sprint(s.Weights) != "[4 3 1]" || s.WeightUnit != d.WeightUnit {
		t.Errorf("%d samples, labels %v, weights %v in units of %v", s.N, s.ClassOf, s.Weights, s.WeightUnit)
	}
	for i, want := range []string{"{0,1}", "{1}"} { // x and y
		if b := s.Features[i].Bits; b.String() != want || b.Len() != 3 {
			t.Errorf("%s: %v of %d, want %s of 3", s.Features[i].Name, b, b.Len(), want)
		}
	}
	if d.N != 5 || d.Features[0].Bits.String() != "{0,1,2}" || !slices.Equal(d.ClassOf, []uint16{0, 0, 1, 1, 1}) || len(d.Weights) != 5 {
		t.Error("the data set has changed")
	}
}

// TestBalanced: as if the classes had been balanced while reading.
func TestBalanced(t *testing.T) {
	for _, weight := range []string{"", "w"} {
		o := Options{Weight: weight}
		got, _, err := readSubset(t, o).ClassWeighted("balanced")
		if err != nil {
			t.Fatal(err)
		}
		o.ClassWeights = "balanced"
		want := readSubset(t, o)
		if fmt.Sprint(got.Weights) != fmt.Sprint(want.Weights) || got.WeightUnit != want.WeightUnit {
			t.Errorf("weights %v in units of %v, want %v in units of %v", got.Weights, got.WeightUnit, want.Weights, want.WeightUnit)
		}
	}
	if w := readSubset(t, Options{}); w.Weights != nil || w.WeightUnit != (ratio.Ratio{Num: 1, Den: 1}) {
		t.Error("balancing has changed the data set itself")
	}
}

// TestClassWeighted refuses weights of classes that Options.ClassWeights does.
func TestClassWeighted(t *testing.T) {
	d := read(t, "a,y\n1,0\n2,1\n", Options{})
	for _, weights := range []string{"0,2", "-1,3", "1/2,3/2", "1"} {
		if w, _, err := d.ClassWeighted(weights); err == nil {
			t.Errorf("%s: %v", weights, w.Weights)
		}
	}
}
