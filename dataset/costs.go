package dataset

import (
	"fmt"
	"math/big"
	"slices"

	"parcorels/dataset/cell"
	"parcorels/optionerr"
	"parcorels/ratio"
	"parcorels/table"
	"parcorels/weights"
)

// Costs of decisions, row by row. The label of a row is the decision that costs least. With two decisions the row weighs the
// difference: a model that takes the other one there costs so much more than the best decisions of all rows. So the best model by
// weighted errors is the one of least cost. With more decisions a row weighs in the class of each of them what it saves beside the
// dearest one. A model that takes decision q is wrong by what the others save, which is their sum less what q saves: as much as its
// cost, but for what all models have in common. Rows for which all cost the same are left out, as no model matters there.
//
// Costs are counted in units of 10^−places, all alike, with as many places as the cells have, or fewer where sums had more digits
// than searches add up exactly. Then they are rounded, halves away from zero, and a note says so.

// decisionColumn is the name of the labels that are made of costs.
const decisionColumn = "decision"

// decide makes labels and weights of the columns of costs.
func (r *reading) decide(d *Dataset, columns []*table.Column) (err error) {
	decisions := r.o.decisions()
	texts := make([][]weights.Decimal, len(decisions))
	d.Costs = &Costs{Ask: r.o.AskCost}
	target := &column{name: r.target(), at: r.targetAt, missing: r.o.Missing, keep: table.KeepTexts}
	for q, at := range r.costAt {
		target.Texts, d.Costs.Columns = append(target.Texts, decisions[q].Decision), append(d.Costs.Columns, decisions[q].Column)
		c := &table.Column{Texts: []string{r.o.AskCost}, Lines: []int{1}}
		if at >= 0 {
			c = columns[at]
		}
		texts[q] = make([]weights.Decimal, len(c.Texts))
		for code, text := range c.Texts {
			switch texts[q][code], err = weights.ParseCost(text); {
			case err != nil && at < 0:
				return optionerr.Errorf("AskCost", "option AskCost is %q: it %v", text, err)
			case err != nil:
				return fmt.Errorf("%s:%d: cost %s in column %s %w", r.name, c.Lines[code], table.Quote(text),
					table.Quote(decisions[q].Column), err)
			}
		}
	}
	r.spend(d, weights.NewCosts(r.n, len(decisions), func(q, row int) weights.Decimal {
		if r.costAt[q] < 0 {
			return texts[q][0]
		}
		return texts[q][columns[r.costAt[q]].Codes[row]]
	}))
	target.Lines = slices.Repeat([]int{1}, len(decisions))
	target.Codes, r.weights = r.costs.Cheapest()
	r.columns = append(r.columns, target)
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

// weighTwo weighs the two classes by what a wrong prediction costs more than a right one, and adds up what predictions cost.
func (r *reading) weighTwo(d *Dataset, outcomes weights.Outcomes) error {
	more := outcomes.More()
	if err := d.weigh(r.weights, false, more[0].FloatString(18)+","+more[1].FloatString(18), r.o.Digits); err != nil {
		return err
	}
	d.Costs = &Costs{Matrix: outcomes.Rats()}
	if d.Weights == nil { // both classes weigh 1
		d.Costs.Error, more = more[0], []*big.Rat{big.NewRat(1, 1), big.NewRat(1, 1)}
	}
	for c, w := range d.ClassTotals() {
		more[c] = ratio.Over(ratio.Over(ratio.Int(w), d.WeightUnit.Rat()), more[c])
	}
	d.Costs.Each, d.Costs.Least = outcomes.Sums(more)
	return nil
}

// weighOutcomes weighs rows by what more than two predictions cost for the label of each.
func (r *reading) weighOutcomes(d *Dataset, outcomes weights.Outcomes) error {
	if names := d.LabelTexts(); len(names) < len(outcomes[0]) {
		if _, _, threshold := cell.Classes(r.o.Positive); threshold || d.OneVsRest || slices.Contains(names, AskDecision) {
			return optionerr.Errorf("AskCost", "option AskCost is for labels told apart, none of which is %q", AskDecision)
		}
		d.Classes = append(names, AskDecision)
	}
	d.Costs = &Costs{Matrix: outcomes.Rats()}
	r.spend(d, weights.NewCosts(d.N, len(outcomes[0]), func(q, row int) weights.Decimal { return outcomes[d.Class(row)][q] }))
	return nil
}

// spend takes the costs of decisions, and adds them up.
func (r *reading) spend(d *Dataset, costs *weights.Costs) {
	r.costs = costs
	if d.Costs.Each, d.Costs.Least = costs.Sums(); costs.Rounded {
		d.note("costs are rounded to units of %s, so that they can be added exactly", costs.Unit())
	}
}
