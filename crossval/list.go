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
	Antecedent string          // the names of the conditions, joined by " and "
	Names      []string        // of the conditions, as people read them
	Literals   []rules.Literal // of the features that the fold has, see package dataset, Recut
	Class      int
}

// newList returns the list that a search over set has found.
func newList(set *rules.Set, r search.Result) List {
	l := List{Default: class(r.Default)}
	for _, rule := range r.Rules {
		a := set.Antecedents[rule.Antecedent]
		var names []string
		for _, c := range rules.Conditions(set.Data, a.Literals) {
			names = append(names, c.Name)
		}
		l.Rules = append(l.Rules, Rule{a.Name, names, a.Literals, class(rule.Predict)})
	}
	return l
}

func class(one bool) int {
	if one {
		return 1
	}
	return 0
}

// Equal reports whether two lists have the same rules in the same order. Rules
// of different folds are compared by name: their features may be numbered
// differently, and a name says all of a feature.
func (l List) Equal(m List) bool {
	return l.Default == m.Default && slices.EqualFunc(l.Rules, m.Rules, func(a, b Rule) bool {
		return a.Class == b.Class && slices.Equal(a.Names, b.Names)
	})
}

// captured returns the samples of rows that satisfy the rule.
func (r Rule) captured(d *dataset.Dataset, rows *bitset.BitSet) *bitset.BitSet {
	captured := rows.Clone()
	for _, literal := range r.Literals {
		if bits := d.Features[literal.Feature].Bits; literal.Negated {
			captured.InPlaceDifference(bits)
		} else {
			captured.InPlaceIntersection(bits)
		}
	}
	return captured
}

// Evaluate compares what the list predicts for the samples of rows with their
// labels in d, which has the features that the list was learned with.
func (l List) Evaluate(d *dataset.Dataset, rows *bitset.BitSet) Confusion {
	var c Confusion
	left := rows.Clone()
	for _, r := range l.Rules {
		captured := r.captured(d, left)
		c.add(d, captured, r.Class)
		left.InPlaceDifference(captured)
	}
	c.add(d, left, l.Default)
	return c
}
