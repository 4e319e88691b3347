package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/bits-and-blooms/bitset"

	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/ratio"
	"parcorels/rules"
	"parcorels/tree/search"
)

// Resized tables show how a search grows with samples and with features on a table that
// people have, as figure 3 of the OSDT paper does. Fewer samples than the table has are
// drawn, more are all of it again and again. Fewer features are those of the optimal tree
// with the paper's λ, then the first others. They are the same bits every time.

const (
	resizedLambda = "0.005"
	resizedSeed   = 20191208
)

func resizedInstance(table, name string, rows, features int) Instance {
	all := Instances()
	in := all[slices.IndexFunc(all, func(in Instance) bool { return in.Name == table })]
	in.Name = name
	in.resize = func(ctx context.Context, d *dataset.Dataset) (*dataset.Dataset, error) {
		return resized(ctx, name, d, rows, features)
	}
	return in
}

// resized makes the table.
func resized(ctx context.Context, name string, d *dataset.Dataset, rows, features int) (*dataset.Dataset, error) {
	order, err := optimalFirst(ctx, d)
	if err != nil {
		return nil, err
	}
	if features > len(order) {
		return nil, fmt.Errorf("%s: there are %d features", name, len(order))
	}
	drawn := rand.New(rand.NewPCG(resizedSeed, uint64(d.N))).Perm(d.N)
	resize := func(bits *bitset.BitSet) *bitset.BitSet {
		to := bitset.New(uint(rows))
		for i := range uint(rows) {
			to.SetTo(i, bits.Test(uint(drawn[i%uint(d.N)])))
		}
		return to
	}
	r := flagTable(name, rows, 0)
	r.Labels = resize(d.Labels)
	for _, f := range order[:features] {
		feature := d.Features[f]
		feature.Bits = resize(feature.Bits)
		r.Features = append(r.Features, feature)
	}
	return r, nil
}

// optimalFirst returns all features, those of the optimal tree first.
func optimalFirst(ctx context.Context, d *dataset.Dataset) (order []int, err error) {
	set, err := rules.Given(d)
	if err != nil {
		return nil, err
	}
	p, err := instance.PointsFromSet(set)
	if err != nil {
		return nil, err
	}
	lambda, err := ratio.Parse(resizedLambda)
	if err != nil {
		return nil, err
	}
	r, err := search.Solve(ctx, p, search.Options{Lambda: lambda, Workers: 1})
	if err != nil {
		return nil, err
	}
	for f := range d.Features {
		r.Tree = append(r.Tree, f)
	}
	for _, f := range r.Tree {
		if f >= 0 && !slices.Contains(order, f) {
			order = append(order, f)
		}
	}
	return order, nil
}
