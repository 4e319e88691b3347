package dataset

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"parcorels/internal/testing/must"
	"parcorels/optionerr"
)

// table of a column that tells the labels, one that tells nothing, one with given
// cuts and one of few numbers.
func cutTable() string {
	b := rowsOf("tells,nothing,given,few,class", 80, func(i int) string {
		return fmt.Sprintf("%d,%d,%d,%d,%v", i/2, i/2*7%40, i%10, i%3, i >= 50)
	})
	return b
}

func TestChosenCuts(t *testing.T) {
	o := Options{Bins: 4, Cuts: map[string][]float64{"given": {3, 5}}}
	for _, quantiles := range []bool{false, true} {
		o.atQuantiles = quantiles
		d := must.Get(ReadFrom(strings.NewReader(cutTable()), "a.csv", o))(t)
		got := d.ChosenCuts
		if columns := slices.Sorted(maps.Keys(got)); quantiles && !slices.Equal(columns, []string{"nothing", "tells"}) ||
			got["tells"] == nil {
			t.Errorf("at quantiles %v: cuts of %q", quantiles, columns)
		}
		if quantiles {
			got["nothing"] = got["nothing"][1:] // other cuts than reading would choose
		}
		o.Chosen = got
		again, err := ReadFrom(strings.NewReader(cutTable()), "a.csv", o)
		if o.Chosen = nil; err != nil {
			t.Fatal(err)
		}
		if now := again.ChosenCuts; !maps.EqualFunc(now, got, slices.Equal) {
			t.Errorf("at quantiles %v: cut at %v, again at %v", quantiles, got, now)
		}
		if !quantiles && !slices.EqualFunc(again.Features, d.Features, func(a, b Feature) bool {
			return a.Name == b.Name &&
				a.Bits.Equal(b.Bits)
		}) {
			t.Errorf("at quantiles %v: other features", quantiles)
		}
		for column, cuts := range got {
			if !slices.IsSorted(cuts) || column == "given" || column == "few" {
				t.Errorf("at quantiles %v: %s is cut at %v", quantiles, column, cuts)
			}
		}
	}
}

func TestChosenThatCannotBe(t *testing.T) {
	for _, cuts := range [][]float64{{2, 1}, {1, 1}, {math.NaN()}, {math.Inf(1)}} {
		_, err := ReadFrom(strings.NewReader(cutTable()), "a.csv", Options{Chosen: map[string][]float64{"tells": cuts}})
		var wrong *optionerr.Error
		if !errors.As(err, &wrong) || wrong.Field != "Chosen" {
			t.Errorf("cuts %v: error %v", cuts, err)
		}
	}
}

// TestCutsDoNotDependOnWhichClassIsOne has as many samples of each class, and so many numbers
// that the candidates are thinned from one end.
func TestCutsDoNotDependOnWhichClassIsOne(t *testing.T) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 5))
		b := rowsOf("x,y,z,class", 1200, func(i int) string {
			shift := float64(i%2) * float64(seed) / 4
			return fmt.Sprintf("%.6f,%.6f,%.6f,%c", r.NormFloat64()+shift, r.NormFloat64()-shift/2, r.ExpFloat64(), 'a'+rune(i%2))
		})
		var cuts [2]map[string][]float64
		for i, positive := range []string{"a", "b"} {
			o := Options{Positive: positive}
			d := must.Get(ReadFrom(strings.NewReader(b), "t.csv", o))(t)
			cuts[i] = d.ChosenCuts
		}
		if !reflect.DeepEqual(cuts[0], cuts[1]) {
			t.Errorf("seed %d: cuts %v, and %v with the classes exchanged", seed, cuts[0], cuts[1])
		}
	}
}
