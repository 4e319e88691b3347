package dataset

import (
	"fmt"
	"math/big"
	"slices"

	"parcorels/table"
	"parcorels/weights"
)

// Costs of decisions, row by row. The label of a row is the decision that costs less, and the row weighs the difference:
// a model that takes the other one there costs so much more than the best decisions of all rows. So the best model by weighted errors
// is the one of least cost. Rows for which both cost the same are left out, as no model matters there.
//
// Costs are counted in units of 10^−places, all alike, with as many places as the cells have, or fewer where sums had more digits
// than searches add up exactly. Then they are rounded, halves away from zero, and a note says so.

// mostCost is what all costs add up to less than, in units.
const mostCost = int64(weights.MostUnits)

// decisionColumn is the name of the labels that are made of costs.
const decisionColumn = "decision"

// decide makes labels and weights of the columns of costs.
func (r *reading) decide(d *Dataset, columns []*table.Column) error {
	var texts [2][]weights.Signed
	for class, at := range r.costAt {
		c := columns[at]
		texts[class] = make([]weights.Signed, len(c.Texts))
		for code, text := range c.Texts {
			var err error
			if texts[class][code], err = weights.ParseSigned(text); err != nil {
				return fmt.Errorf("%s:%d: cost %s in column %s %w", r.name, c.Lines[code], table.Quote(text),
					table.Quote(r.header[at]), err)
			}
		}
	}
	cell := func(class, row int) *weights.Signed { return &texts[class][columns[r.costAt[class]].Codes[row]] }
	places, rounded := weights.Places(func(yield func(*weights.Signed) bool) {
		for row := range 2 * r.n {
			if !yield(cell(row%2, row/2)) {
				return
			}
		}
	}, mostCost)
	target := &column{name: r.target(), at: r.targetAt, missing: r.o.Missing, keep: table.KeepTexts}
	target.lines, target.codes = []int{1, 1}, make([]uint32, r.n)
	target.texts = []string{r.o.Costs[1].Decision, r.o.Costs[0].Decision}
	differences := make([]int64, r.n)
	var each [2]int64
	least := int64(0)
	for row := range r.n {
		c0, c1 := cell(0, row).At(places), cell(1, row).At(places)
		each[0], each[1], least = each[0]+c0, each[1]+c1, least+min(c0, c1)
		if differences[row] = c0 - c1; c1 < c0 {
			target.codes[row] = 1
		} else {
			differences[row] = c1 - c0
		}
	}
	r.weights = weights.Amounts(differences, places)
	r.columns = append(r.columns, target)
	unit := func(n int64) *big.Rat { return weights.Rational(n, places) }
	d.Costs = &Costs{Least: unit(least), Each: [2]*big.Rat{unit(each[0]), unit(each[1])}}
	for class, at := range r.costAt {
		d.Costs.Columns[class] = r.header[at]
	}
	if rounded {
		d.note("costs are rounded to units of %s, so that they can be added exactly", unit(1).FloatString(max(0, places)))
	}
	return nil
}

// target returns the name of the column of labels.
func (r *reading) target() string {
	switch {
	case r.targetAt < len(r.header):
		return r.header[r.targetAt]
	case slices.Contains(r.header, decisionColumn):
		return "cheaper " + decisionColumn
	}
	return decisionColumn
}

// addCosts adds up what decisions cost where that depends on the class alone.
func (d *Dataset) addCosts(costs [4]*big.Rat, more [2]*big.Rat) {
	d.Costs = &Costs{Matrix: costs[:], Least: new(big.Rat), Each: [2]*big.Rat{{}, {}}}
	own := more
	if d.Weights == nil { // both classes weigh 1
		d.Costs.Error, own = more[0], [2]*big.Rat{big.NewRat(1, 1), big.NewRat(1, 1)}
	}
	var total [2]int64
	for i := range d.N {
		total[d.Class(i)] += d.Weight(i)
	}
	for class, sum := range total {
		rows := new(big.Rat).Mul(big.NewRat(sum, d.WeightUnit.Num), big.NewRat(d.WeightUnit.Den, 1))
		rows.Quo(rows, own[class])
		add := func(to, cost *big.Rat) { to.Add(to, new(big.Rat).Mul(rows, cost)) }
		add(d.Costs.Each[0], costs[2*class])
		add(d.Costs.Each[1], costs[2*class+1])
		add(d.Costs.Least, costs[3*class])
	}
}
