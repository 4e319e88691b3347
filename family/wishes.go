package family

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/bits-and-blooms/bitset"

	"parcorels/dataset"
	"parcorels/internal/option"
	"parcorels/internal/status"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/optionerr"
	"parcorels/ratio"
	"parcorels/rulelist"
	listsearch "parcorels/rulelist/search"
	"parcorels/rules"
	verifylist "parcorels/verify/rulelist"
)

// Wishes: a list that begins with rules that somebody chose, or has no rule with some condition.
//
// Forbidden conditions are not mined. With a list that begins with given rules, only the samples
// that these leave are searched, as a table of their own: where W of N samples (by weight)
// are left, a rule must cost λN there too, so the price there is λ·N/W. The cost of the given
// rules is the same in all lists. So the best list of the rest behind the given rules is the best
// that begins with them, and a proof about the rest proves it.

// beginning is what the rules are that a list is to begin with.
type beginning struct {
	rules  []rulelist.Rule // of the set with their antecedents
	set    *rules.Set      // the mined set, and behind it the antecedents of the rules
	rest   *rules.Set      // the mined antecedents on the samples that the rules leave
	errors int64           // weight of the samples that they capture and get wrong
	all    int64           // weight of all samples
	left   int64           // weight of those that they leave
}

// newBeginning returns nil where no rules are given. Its errors are *optionerr.Error.
func newBeginning(set *rules.Set, given []string) (*beginning, error) {
	if len(given) == 0 {
		return nil, nil
	}
	b := &beginning{set: set, all: set.Data.TotalWeight()}
	left, counter := bitset.New(uint(set.Data.N)).Complement(), model.NewCounter(set.Data)
	for _, text := range given {
		condition, label, err := splitRule(set, text)
		if err != nil {
			return nil, err
		}
		var a rules.Antecedent
		if a, err = set.Conjunction(condition); err != nil {
			return nil, optionerr.Errorf("First", "option First: %v", err)
		}
		var index int
		b.set, index = b.set.With(a)
		left.InPlaceDifference(a.Captured())
		counts := counter.Take(a.Captured())
		if label < 0 {
			label = slices.Index(counts.Weights, slices.Max(counts.Weights))
		}
		b.rules = append(b.rules, rulelist.Rule{Antecedent: index, Class: label})
		b.errors += counts.CapturedWeight() - counts.Weights[label]
	}
	if left.None() {
		return nil, optionerr.Errorf("First", "option First: the rules capture all samples, so there is nothing left to search")
	}
	b.rest = set.Subset(left)
	b.left = b.rest.Data.TotalWeight()
	return b, nil
}

// splitRule splits "if CONDITIONS then LABEL", where "if" and "then LABEL" may be missing. Then
// label is −1.
func splitRule(set *rules.Set, text string) (condition string, label int, err error) {
	condition = strings.TrimPrefix(strings.TrimSpace(text), "if ")
	i := strings.LastIndex(condition, " then ")
	if i < 0 {
		return condition, -1, nil
	}
	name := strings.TrimSpace(condition[i+len(" then "):])
	var names []string
	for label = range set.Data.ClassCount() {
		if set.Data.ClassName(label) == name {
			return condition[:i], label, nil
		}
		names = append(names, strconv.Quote(set.Data.ClassName(label)))
	}
	return "", 0, optionerr.Errorf("First", "option First: %q is not a label: expected %s", name, strings.Join(names, " or "))
}

// price returns λ on the samples that are left, or back from there.
func (b *beginning) price(lambda ratio.Ratio, back bool) (ratio.Ratio, error) {
	r := big.NewRat(b.all, b.left)
	if back {
		r.Inv(r)
	}
	price, ok := ratio.FromRat(r.Mul(r, lambda.Rat()))
	if !ok {
		return price, optionerr.Errorf("First", "option First with these weights gives λ too many digits: give λ or the weights "+
			"fewer")
	}
	return price, nil
}

// options are those of the search of what is left.
func (b *beginning) options(o *listsearch.Options) error {
	if o.MaxRules > 0 {
		if o.MaxRules <= len(b.rules) {
			return optionerr.Bad("MaxRules", o.MaxRules, "more than the %d of option First", len(b.rules))
		}
		o.MaxRules -= len(b.rules)
	}
	price, err := b.price(o.Lambda, false)
	if err == nil && price.Num >= price.Den {
		if o.Proof != nil {
			return optionerr.Errorf("First", "option First leaves samples that weigh less than a rule costs: there is nothing to prove")
		}
		price = ratio.New(max(b.left-1, 1), max(b.left, 2)) // which no rule is worth either
	}
	o.Lambda = price
	return err
}

// whole returns a result of the rest, which was searched with the options in, as one of whole
// lists with the options asked.
func (b *beginning) whole(r listsearch.Result, in, asked *listsearch.Options) listsearch.Result {
	if b == nil {
		return r
	}
	// On the rest objectives are Den'·errors + Num'·W·rules, on all samples Den·errors + Num·N·rules.
	// The price of a rule is the same number of errors, so they differ by a factor.
	r.Errors = b.errors + (r.Objective-in.Lambda.Num*b.left*int64(len(r.Rules)))/in.Lambda.Den
	bound := new(big.Int).Mul(big.NewInt(r.LowerBound), big.NewInt(asked.Lambda.Den))
	up := big.NewInt(in.Lambda.Den)
	bound.Add(bound, new(big.Int).Sub(up, big.NewInt(1))).Div(bound, up)
	r.Rules = slices.Concat(b.rules, r.Rules)
	if r.Short.Rules > 0 {
		r.Short.Rules += len(b.rules)
		if r.Short.Proof > 0 {
			r.Short.Proof += len(b.rules)
		}
	}
	step := asked.Lambda.Num * b.all
	r.Objective = asked.Lambda.Den*r.Errors + step*int64(len(r.Rules))
	r.LowerBound = min(r.Objective, bound.Int64()+asked.Lambda.Den*b.errors+step*int64(len(b.rules)))
	if r.Status == status.Optimal {
		r.LowerBound = r.Objective
	}
	r.Scale = asked.Lambda.Den * b.all
	return r
}

// event turns a look at the search of the rest into one of whole lists.
func (b *beginning) event(e *Event, lambda ratio.Ratio) {
	share := func(x float64) float64 {
		return (x*float64(b.left)+float64(b.errors))/float64(b.all) + lambda.Float()*float64(len(b.rules))
	}
	e.Value, e.Bound, e.Length = share(e.Value), share(e.Bound), e.Length+len(b.rules)
	if e.Gap = 0; e.Value > e.Bound {
		e.Gap = (e.Value - e.Bound) / e.Value
	}
}

// verified returns what a proof about the rest shows of whole lists.
func (b *beginning) verified(r verifylist.Result) (verifylist.Result, error) {
	lambda, err := b.price(r.Lambda, true)
	if err != nil {
		return r, err
	}
	found := b.whole(listsearch.Result{Status: status.Optimal, Rules: r.Rules, Objective: r.Objective, LowerBound: r.Objective},
		&listsearch.Options{Lambda: r.Lambda}, &listsearch.Options{Lambda: lambda})
	r.Lambda, r.Rules, r.Errors, r.Objective, r.Scale = lambda, found.Rules, found.Errors, found.Objective, found.Scale
	for _, n := range []*int{&r.MaxRules, &r.Counted} {
		if *n > 0 {
			*n += len(b.rules)
		}
	}
	return r, nil
}

// keeps returns an error where a given rule breaks the direction of a column.
func (b *beginning) keeps(o *Options) error {
	if b == nil {
		return nil
	}
	labels, err := o.directed(b.set)
	for i := 0; i < len(b.rules) && labels != nil && err == nil; i++ {
		if labels[b.rules[i].Antecedent]>>b.rules[i].Class&1 == 0 {
			err = optionerr.Errorf("First", "option First: rule %d does not keep the directions of options Increasing and Decreasing", i+1)
		}
	}
	return err
}

// text says how many rules the lists begin with that a claim is about.
func (b *beginning) text() string {
	if b == nil {
		return ""
	}
	return " that begin with " + ItsFirst(len(b.rules))
}

// ItsFirst names the rules that the lists begin with among which a list is the best.
func ItsFirst(n int) string {
	if n == 1 {
		return "its first rule"
	}
	return fmt.Sprintf("its first %d rules", n)
}

// textsValue is texts, each given by itself.
func textsValue(to *[]string, expect string) option.Value {
	return option.Many(expect, func(text string) error {
		switch {
		case strings.TrimSpace(text) == "":
			return option.ErrExpected
		case slices.Contains(*to, text):
			return nil // a second time it says nothing
		}
		*to = append(slices.Clip(*to), text)
		return nil
	}, func() []string { return slices.Clone(*to) })
}

// Which rules a list may have: rules that decide enough rows, and that keep the directions of columns.
//
// Let a column increase the chance of class 1. A rule that predicts class 1 asks of it only whether it is large, one that
// predicts class 0 only whether it is small. Raise the column in a row that a list predicts to be of class 1. The rules for
// class 0 that did not hold do not hold now, so the first rule that holds is for class 1 still, or none is and the default.

// directed returns the labels that rules of each antecedent may predict, nil where any may. Its errors are *optionerr.Error.
func (o *Options) directed(set *rules.Set) ([]uint8, error) {
	if len(o.Increasing)+len(o.Decreasing) == 0 {
		return nil, nil
	}
	d := set.Data
	if d.ClassCount() != 2 {
		return nil, optionerr.Errorf("Increasing", "option Increasing is for two classes, there are %d: choose one by option Positive",
			d.ClassCount())
	}
	up := map[string]bool{}
	for _, column := range o.Increasing {
		up[column] = true
	}
	for _, column := range o.Decreasing {
		if up[column] {
			return nil, optionerr.Errorf("Decreasing", "option Decreasing has the column %q, which option Increasing has as well", column)
		}
		up[column] = false
	}
	for column, up := range up {
		of := func(f dataset.Feature) bool { return f.Column == column }
		some := slices.ContainsFunc(d.Features, of) // none of numbers that these labels do not cut, as shuffled ones may not
		directed := slices.ContainsFunc(d.Features, func(f dataset.Feature) bool { return of(f) && f.Test.Direction() != 0 })
		if some && !directed || !some && (column == d.Target || !slices.Contains(d.Columns, column)) {
			option := map[bool]string{true: "Increasing", false: "Decreasing"}[up]
			return nil, optionerr.Errorf(option, "option %s: column %q has no thresholds, so that it has no direction", option, column)
		}
	}
	labels := make([]uint8, len(set.Antecedents))
	for i, a := range set.Antecedents {
		labels[i] = 3
		for _, l := range a.Literals {
			f := &d.Features[l.Feature]
			rises, is := up[f.Column]
			if !is || f.Test.Kind == dataset.Missing {
				continue
			}
			direction := f.Test.Direction()
			if l.Negated {
				direction = -direction
			}
			switch { // bit 1 is class 1
			case direction == 0:
				labels[i] = 0
			case rises == (direction > 0):
				labels[i] &= 2
			default:
				labels[i] &= 1
			}
		}
	}
	return labels, nil
}

// RestrictionText says in parentheses which rules the lists have that a claim is about; "" where any.
func (o *Options) RestrictionText() string {
	var parts []string
	if o.MinRows > 1 || o.MinRows == 1 && o.Family == model.BayesianRuleList {
		parts = append(parts, fmt.Sprintf("at least %s a %s", wording.Count(int64(o.MinRows), "row"), o.Family.Part()))
	}
	if o.Falling {
		parts = append(parts, "each at most as likely as the one before")
	}
	for i, columns := range [][]string{o.Increasing, o.Decreasing} {
		if len(columns) > 0 {
			parts = append(parts, []string{"increasing", "decreasing"}[i]+" in "+strings.Join(columns, ", "))
		}
	}
	if parts == nil {
		return ""
	}
	return " (" + strings.Join(parts, "; ") + ")"
}

// sortedNames reads columns with commas between them, each of them once.
func sortedNames(text string) ([]string, error) {
	names, err := option.SplitNames(text)
	slices.Sort(names)
	return slices.Compact(names), err
}

// linesOf returns a line for each rule, of which all but the first begin with a word.
func linesOf[R any](list []R, word string, line func(R) string) (text string) {
	begin := "if   "
	for _, r := range list {
		text += hanging(begin + line(r))
		begin = word
	}
	return text
}

// hanging is a line of at most 80 columns, and what is too long for it below.
func hanging(text string) string { return wording.Wrap(text, model.DefaultWidth, 4)[4:] }

// conditions says how many antecedents a claim is about.
func conditions(set *rules.Set) string {
	return wording.Count(int64(len(set.Antecedents)), "condition")
}

// atMost says how many rules the lists that a claim is about have, if there is a limit.
func atMost(most int) string {
	if most == 0 {
		return ""
	}
	return " of at most " + wording.Count(int64(most), "rule")
}
