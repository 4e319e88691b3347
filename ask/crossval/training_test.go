package crossval

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/ratio"
	"parcorels/rulelist/search"
	"parcorels/rules"

	"github.com/bits-and-blooms/bitset"
)

// TestNoLeak: whatever stands in the samples of a fold, the list learned
// without them is the same.
func TestNoLeak(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for range 8 {
		tb := random(rng, 40, 5)
		before := tb.data(t)
		for _, balance := range []Balance{Unbalanced, Weights, Resample} {
			o, err := options(ratio.New(1, 40)).withDefaults()
			if err != nil {
				t.Fatal(err)
			}
			o.Mining.MaxCard, o.Balance = 2, balance
			folds, err := Stratify(before, o.Folds, 1)
			if err != nil {
				t.Fatal(err)
			}
			fold := rng.IntN(o.Folds)
			other := tb.scrambled(rng, folds[fold]).data(t)
			a, errA := run(context.Background(), before, folds, o)
			b, errB := run(context.Background(), other, folds, o)
			if errA != nil || errB != nil {
				t.Fatal(errA, errB)
			}
			x, y := a.Fits[0][fold], b.Fits[0][fold]
			if !slices.Equal(x.Lines(), y.Lines()) || x.Model.Certificate().Objective != y.Model.Certificate().Objective ||
				x.Antecedents != y.Antecedents || !same(x.Train, y.Train) {
				t.Errorf("balance %q: the fold left out changed the list from\n%v to\n%v", balance, x.Lines(), y.Lines())
			}
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

// TestResampledWeighsAsDuplicates: a data set in which samples weigh what they
// were drawn gives the list of one in which they stand as often.
func TestResampledWeighsAsDuplicates(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for range 30 {
		tb := random(rng, 60, 4)
		d := tb.data(t)
		o := options(ratio.New(1, 30))
		o.Balance = Resample
		set, err := Training(t.Context(), d, everything(d.N), 2, o)
		if err != nil {
			t.Fatal(err)
		}
		var copies table
		part := set.Data
		for i := range part.N {
			for range part.Weights[i] {
				row := make([]bool, len(part.Features))
				for j, f := range part.Features {
					row[j] = f.Bits.Test(uint(i))
				}
				copies.features, copies.labels = append(copies.features, row), append(copies.labels, part.Labels.Test(uint(i)))
			}
		}
		if ones := len(copies.labels) / 2; 2*ones != len(copies.labels) || ones != max(int(d.Labels.Count()), d.N-int(d.Labels.Count())) {
			t.Fatalf("%d samples were drawn from %d of class 1 and %d in all", len(copies.labels), d.Labels.Count(), d.N)
		}
		o.Balance = Unbalanced
		duplicates := copies.data(t)
		plain, err := Training(t.Context(), duplicates, everything(duplicates.N), AllRows, o)
		if err != nil {
			t.Fatal(err)
		}
		a, b := solve(t, set, o), solve(t, plain, o)
		if a != b {
			t.Errorf("resampled %v, duplicated %v", a, b)
		}
	}
}

// solve returns the cases of the optimal list on set.
func solve(t *testing.T, set *rules.Set, o Options) string {
	t.Helper()
	in, err := instance.FromSet(set)
	if err != nil {
		t.Fatal(err)
	}
	r, err := search.Solve(context.Background(), in, search.Options{Lambda: o.Lambdas[0], Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	m, err := r.Model(set, &search.Options{Lambda: o.Lambdas[0]}, "", dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint((&Fit{Model: m}).Lines())
}

// TestResampleDrawsEvenly: each of the samples of the smaller class about as
// often, others for other folds, and none where the classes have one size.
func TestResampleDrawsEvenly(t *testing.T) {
	var tb table
	for i := range 2000 {
		tb.features, tb.labels = append(tb.features, []bool{i%2 == 0}), append(tb.labels, i < 10)
	}
	d := tb.data(t)
	o := options(ratio.New(1, 30))
	o.Balance = Resample
	var weights [2][]int64
	for fold := range weights {
		set, err := Training(t.Context(), d, everything(d.N), fold, o)
		if err != nil {
			t.Fatal(err)
		}
		weights[fold] = set.Data.Weights[:10]
		for i, w := range weights[fold] { // 199 ± 13
			if w < 130 || w > 270 {
				t.Errorf("fold %d draws sample %d %d times of 1,990", fold, i, w)
			}
		}
	}
	if slices.Equal(weights[0], weights[1]) {
		t.Error("two folds draw the same samples")
	}
}

func TestResampleRefusesWeights(t *testing.T) {
	d := random(rand.New(rand.NewPCG(1, 1)), 40, 3).data(t)
	d.Weights = make([]int64, d.N)
	for i := range d.Weights {
		d.Weights[i] = 1 + int64(i%2)
	}
	o := options(ratio.New(1, 30))
	o.Balance = Resample
	if _, err := Run(context.Background(), d, o); err == nil || !strings.Contains(err.Error(), "cannot be resampled") {
		t.Errorf("error %v", err)
	}
}

// TestTrainingCutsAnew: the antecedents of a training part are those of a table
// of its rows alone, balanced or not, and the samples left out have them too.
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
		d, err := dataset.ReadFrom(strings.NewReader(text), "t.csv", o)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	d := read(text(func(int) bool { return true }), dataset.Options{KeepColumns: true})
	rows := bitset.New(uint(d.N))
	for i := range uint(d.N) {
		if i%4 != 1 {
			rows.Set(i)
		}
	}
	for balance, classWeights := range map[Balance]string{Unbalanced: "", Weights: "balanced"} {
		o := options(ratio.New(1, 100))
		o.Balance = balance
		got, cut, err := training(t.Context(), d, rows, 0, o)
		if err != nil {
			t.Fatal(err)
		}
		alone := read(text(func(i int) bool { return i%4 != 1 }), dataset.Options{ClassWeights: classWeights})
		want, err := rules.Mine(t.Context(), alone, o.Mining)
		if err != nil {
			t.Fatal(err)
		}
		if got.Digest() != want.Digest() || len(got.Antecedents) < 4 {
			t.Errorf("balance %q: %d antecedents, %d of the rows alone, or others", balance, len(got.Antecedents), len(want.Antecedents))
		}
		for i, f := range got.Data.Features {
			if cut.Features[i].Name != f.Name || !cut.Features[i].Bits.Extract(rows).Equal(f.Bits) {
				t.Errorf("balance %q: feature %s of the part is %s of all samples", balance, f.Name, cut.Features[i].Name)
			}
		}
	}
}
