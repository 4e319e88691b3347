package rules

import (
	"slices"
	"strings"

	"parcorels/dataset"
)

// Condition is what people read of a conjunction between two "and": a literal,
// or the two bounds of one column, as in "20 < age ≤ 30".
type Condition struct {
	Name    string
	Feature int // index in the data set; of two bounds the first
	Negated bool
	Test    dataset.Test // of the feature, or of both bounds
}

// Conditions returns a conjunction as people read it. A lower and an upper
// bound of one column are one condition, where the first of them stood. They
// are two literals nonetheless, for Options.MaxCard and in the order of
// simplicity: a reader compares with two numbers.
func Conditions(d *dataset.Dataset, literals []Literal) []Condition {
	var list []Condition
	for _, l := range literals {
		f := d.Features[l.Feature]
		c := Condition{l.name(d), l.Feature, l.Negated, f.Test}
		if i := other(d, list, c, f); i >= 0 {
			list[i] = between(d, list[i], c)
			continue
		}
		if both(d, list, c, f) {
			continue
		}
		list = append(list, c)
	}
	return list
}

// other returns the index of the condition that is the other bound of the
// column of c, of feature f; -1 if there is none.
func other(d *dataset.Dataset, list []Condition, c Condition, f dataset.Feature) int {
	if c.Negated || f.Column == "" || !bounds(c.Test) {
		return -1
	}
	for i, o := range list {
		if !o.Negated && d.Features[o.Feature].Column == f.Column && bounds(o.Test) &&
			o.Test.Kind == c.Test.Kind && (o.Test.Low == nil) != (c.Test.Low == nil) {
			return i
		}
	}
	return -1
}

// both puts a group of texts together with another one of the column of f, where people can read what is in both.
func both(d *dataset.Dataset, list []Condition, c Condition, f dataset.Feature) bool {
	isGroup := func(c *Condition) bool {
		return !c.Negated && c.Test.Kind == dataset.Among && d.Features[c.Feature].Column == f.Column
	}
	i := slices.IndexFunc(list, func(o Condition) bool { return isGroup(&o) })
	if i < 0 || !isGroup(&c) {
		return false
	}
	o := &list[i]
	texts := slices.DeleteFunc(slices.Clone(o.Test.Values), func(t string) bool { return !slices.Contains(c.Test.Values, t) })
	text := dataset.GroupText(texts)
	if len(texts) == 0 || !strings.HasSuffix(text, "}") {
		return false
	}
	o.Name, o.Test.Values = f.Column+" in "+text, texts
	return true
}

// bounds reports whether a test is a bound on one side.
func bounds(t dataset.Test) bool { return (t.Low == nil) != (t.High == nil) }

// between returns the condition of a lower and an upper bound. A name is the
// column, a relation and a number, and is turned over for the lower bound.
func between(d *dataset.Dataset, a, b Condition) Condition {
	low, high := a, b
	if a.Test.Low == nil {
		low, high = b, a
	}
	column := d.Features[a.Feature].Column
	lower := strings.TrimPrefix(low.Name, column)
	for _, turned := range []struct{ relation, opposite string }{{" > ", " < "}, {" ≥ ", " ≤ "}} {
		if number, ok := strings.CutPrefix(lower, turned.relation); ok {
			a.Name = number + turned.opposite + high.Name
		}
	}
	a.Test.Low, a.Test.High = low.Test.Low, high.Test.High
	return a
}
