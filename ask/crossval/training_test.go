package crossval

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/testing/must"
	"parcorels/ratio"

	"github.com/bits-and-blooms/bitset"
)

// TestNoLeak: whatever stands in the samples of a fold, the list learned
// without them is the same.
func TestNoLeak(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for range 8 {
		tb := random(rng, 40, 5)
		before := tb.data(t)
		o := must.Get(options(ratio.New(1, 40)).withDefaults())(t)
		o.MaxCard = 2
		folds := must.Get(Stratify(before, o.Folds, 1))(t)
		fold := rng.IntN(o.Folds)
		other := tb.scrambled(rng, folds[fold]).data(t)
		a, errA := run(context.Background(), before, folds, o)
		b, errB := run(context.Background(), other, folds, o)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		x, y := a.Fits[0][fold], b.Fits[0][fold]
		if !slices.Equal(x.Lines(), y.Lines()) || x.Model.Certificate().Objective != y.Model.Certificate().Objective ||
			x.Antecedents != y.Antecedents || !same(x.Train.Confusion, y.Train.Confusion) {
			t.Errorf("the fold left out changed the list from\n%v to\n%v", x.Lines(), y.Lines())
		}
	}
}

// scrambled returns the table with other features and labels in rows.
func (tb table) scrambled(rng *rand.Rand, rows *bitset.BitSet) table {
	var s table
	for i, row := range tb.features {
		label := tb.labels[i]
		if rows.Test(uint(i)) {
			label, row = !label, make([]bool, len(row))
			for j := range row {
				row[j] = rng.IntN(2) == 1
			}
		}
		s.features, s.labels = append(s.features, row), append(s.labels, label)
	}
	return s
}

// TestTrainingCutsAnew: the antecedents of a training part are those of a table
// of its rows alone, and the samples left out have them too.
func TestTrainingCutsAnew(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	const header = "age,income,label\n"
	var lines []string
	for range 400 {
		age, income := rng.IntN(80), rng.IntN(5000)
		label := 0
		if age > 30 && income < 3000 != (rng.IntN(6) == 0) {
			label = 1
		}
		lines = append(lines, fmt.Sprintf("%d,%d,%d\n", age, income, label))
	}
	text := func(keep func(i int) bool) string {
		b := header
		for i, l := range lines {
			if keep(i) {
				b += l
			}
		}
		return b
	}
	read := func(text string, o dataset.Options) *dataset.Dataset {
		d := must.Get(dataset.ReadFrom(strings.NewReader(text), "t.csv", o))(t)
		return d
	}
	d := read(text(func(int) bool { return true }), dataset.Options{KeepColumns: true})
	rows := bitset.New(uint(d.N))
	for i := range uint(d.N) {
		if i%4 != 1 {
			rows.Set(i)
		}
	}
	o := options(ratio.New(1, 100))
	held := must.Get(keepBack(t.Context(), d, rows.Complement(), o.Options))(t)
	got, cut := held.Set, held.cut
	alone := read(text(func(i int) bool { return i%4 != 1 }), dataset.Options{})
	want := must.Get(family.Mine(t.Context(), &family.Data{Dataset: alone}, o.Options))(t)
	if got.Digest() != want.Digest() || len(got.Antecedents) < 4 {
		t.Errorf("%d antecedents, %d of the rows alone, or others", len(got.Antecedents), len(want.Antecedents))
	}
	for i, f := range got.Data.Features {
		if cut.Features[i].Name != f.Name || !cut.Features[i].Bits.Extract(rows).Equal(f.Bits) {
			t.Errorf("feature %s of the part is %s of all samples", f.Name, cut.Features[i].Name)
		}
	}
}
