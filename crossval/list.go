package crossval

import (
	"slices"

	"parcorels/dataset"
	"parcorels/rulelist/search"
	"parcorels/rules"

	"github.com/bits-and-blooms/bitset"
)

// List is a rule list in terms of the features of a data set, so that lists
// from different folds, whose antecedents are numbered differently, compare.
type List struct {
	Rules   []Rule
	Default int // class predicted where no rule holds
}

// Rule predicts Class where all literals hold and no rule before did.
type Rule struct {
	Antecedent string // the names of the literals, joined by " and "
	Literals   []rules.Literal
	Class      int
}

// newList returns the list that a search over set has found.
func newList(set *rules.Set, r search.Result) List {
	l := List{Default: class(r.Default)}
	for _, rule := range r.Rules {
		a := set.Antecedents[rule.Antecedent]
		l.Rules = append(l.Rules, Rule{a.Name, a.Literals, class(rule.Predict)})
	}
	return l
}

func class(one bool) int {
	if one {
		return 1
	}
	return 0
}

// Equal reports whether two lists have the same rules in the same order.
func (l List) Equal(m List) bool {
	return l.Default == m.Default && slices.EqualFunc(l.Rules, m.Rules, func(a, b Rule) bool {
		return a.Class == b.Class && slices.Equal(a.Literals, b.Literals)
	})
}

// Evaluate compares what the list predicts for the samples of rows with their
// labels in d.
func (l List) Evaluate(d *dataset.Dataset, rows *bitset.BitSet) Confusion {
	var c Confusion
	left := rows.Clone()
	for _, r := range l.Rules {
		captured := left.Clone()
		for _, literal := range r.Literals {
			if bits := d.Features[literal.Feature].Bits; literal.Negated {
				captured.InPlaceDifference(bits)
			} else {
				captured.InPlaceIntersection(bits)
			}
		}
		c.add(d, captured, r.Class)
		left.InPlaceDifference(captured)
	}
	c.add(d, left, l.Default)
	return c
}
