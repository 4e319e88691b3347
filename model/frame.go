package model

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"parcorels/dataset"
	"parcorels/internal/status"
	"parcorels/ratio"
	"parcorels/rules"
)

// Origin opens every model: who learned it, and how the search ended.
type Origin struct {
	Software string        `json:"software"` // program and version that learned it
	Status   status.Status `json:"status"`   // how the search ended
}

// Optimum is what families hold that minimise
// (weight of errors)/(total weight) + λ·(number of rules or leaves).
type Optimum struct {
	Lambda     ratio.Ratio `json:"lambda"` // λ, the price of a rule or leaf in the objective
	Objective  Fraction    `json:"objective"`
	LowerBound Fraction    `json:"lower_bound"` // no model on these antecedents has a smaller objective
	Gap        float64     `json:"gap"`         // (objective − lower bound) / objective
}

// Frame is what every model knows of its data, whatever its family.
type Frame struct {
	Data      Data     `json:"data"`
	Reading   Reading  `json:"reading"`
	Options   []Option `json:"options,omitempty"` // by which the model can be learned again; nil where nobody said
	Target    string   `json:"target"`            // column of the labels; of .out data what the label names have in common
	Classes   []string `json:"classes"`           // raw label text of each class, at least two; "" of one that never occurs
	OneVsRest bool     `json:"one_vs_rest"`       // class 0 is every label but Classes[1]; two classes only
	Columns   []Column `json:"columns"`           // raw columns that the model looks at, in order of first use

	KeptBack *KeptBack `json:"kept_back,omitempty"` // nil where no rows were kept back
	Costs    *Costs    `json:"costs,omitempty"`     // of decisions; nil where the labels are no decisions of known costs
}

// KeptBack says how good a model is on rows of its table that were kept back from learning.
type KeptBack struct {
	Rows     int64   `json:"rows"`
	Accuracy float64 `json:"accuracy"`       // share of these rows predicted rightly
	Majority float64 `json:"majority"`       // accuracy of always predicting the class Frequent
	Frequent string  `json:"majority_class"` // the most frequent class of these rows
	Refit    bool    `json:"refit"`          // they were kept back from a model like this one, which is learned from all rows
}

// About returns the frame itself, for the Model that embeds it.
func (f *Frame) About() *Frame { return f }

// Data says what a model was learned from.
type Data struct {
	Source     string      `json:"source"`      // file name, without folders
	Hash       string      `json:"hash"`        // "sha256:…" of the uncompressed bytes; "" where nobody asked for it
	Format     string      `json:"format"`      // "csv" or "out", see dataset
	Samples    int64       `json:"samples"`     // N, the samples that were learned from
	Dropped    int64       `json:"dropped"`     // rows left out for missing values
	Weighted   bool        `json:"weighted"`    // whether samples have weights
	Weight     int64       `json:"weight"`      // total weight, in integer units; N of unweighted data
	WeightUnit ratio.Ratio `json:"weight_unit"` // integer units that make up a weight of 1 as the user gave it

	// Kept and Mined tell of a budget of antecedents: the model was sought among
	// Kept of Mined. Both are 0 where all were kept.
	Kept  int64 `json:"antecedents_kept,omitempty"`
	Mined int64 `json:"antecedents_mined,omitempty"`
}

// Reading says how the table was read, as far as new tables must be read alike.
type Reading struct {
	NoHeader     bool     `json:"no_header"`               // columns are called c1, c2, …
	Width        int      `json:"width"`                   // columns of the table, 0 of .out data
	DecimalComma bool     `json:"decimal_comma,omitempty"` // numbers have one, though no semicolon separates them
	DropMissing  bool     `json:"drop_missing"`            // rows with a missing value were left out
	MissingWords []string `json:"missing_words,omitzero"`  // texts of missing values; nil are those of dataset.Options
}

// Option is an option of the program that learned a model, by its name there; of
// those, a model keeps what decides it on its data. The value of a switch is "true".
type Option struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Missing returns the test for missing values in a table read like the one
// that the model learned from.
func (r Reading) Missing() dataset.Test {
	return dataset.Test{Kind: dataset.Missing, MissingWords: r.MissingWords}
}

// Literal is one condition on one cell of a row: a test, or its negation.
type Literal struct {
	Name    string       `json:"name"`   // as people read it: "priors > 3", "not is_smiling"
	Column  string       `json:"column"` // what Test looks at: one of the model's columns
	Negated bool         `json:"negated"`
	Test    dataset.Test `json:"test"`
}

// Conjunction returns the names of literals joined by " and ".
func Conjunction(literals []Literal) string {
	names := make([]string, len(literals))
	for i, l := range literals {
		names[i] = l.Name
	}
	return strings.Join(names, " and ")
}

// Fraction is an objective or a bound, exactly and as a float. The denominator
// is not reduced, so that those of one model can be compared by numerator.
type Fraction struct {
	Num   int64   `json:"numerator"`
	Den   int64   `json:"denominator"`
	Value float64 `json:"value"` // Num/Den, for reading only
}

// Rat is the fraction as a rational number.
func (f Fraction) Rat() *big.Rat { return big.NewRat(f.Num, f.Den) }

// Meta is what a search says of the model that it found.
type Meta struct {
	Software   string          // program and version that learned it
	Status     status.Status   // anything but unknown
	Lambda     ratio.Ratio     // between 0 and 1; 0 with a limit of rules or depth
	Most       int             // most rules of a list, or splits on a path of a tree, that the search allowed; 0: no limit
	Objective  int64           // Den·(weight of errors) + Num·(total weight)·(rules or leaves), with λ = Num/Den
	LowerBound int64           // of every such model's objective, in the same units
	Options    dataset.Options // that the data was read with
}

// Begin returns what the model on the data that set was made from begins with.
func (m Meta) Begin(set *rules.Set) (Origin, Optimum, Frame) {
	f := NewFrame(set, m.Options)
	return Origin{m.Software, m.Status}, NewOptimum(m.Lambda, f.Data.Weight, m.Objective, m.LowerBound), f
}

// NewFraction returns num/den.
func NewFraction(num, den int64) Fraction { return Fraction{num, den, float64(num) / float64(den)} }

// NewOptimum returns objective and lower bound, both as numerators over λ's
// denominator times the total weight.
func NewOptimum(lambda ratio.Ratio, weight, objective, bound int64) Optimum {
	den := lambda.Den * weight
	o := Optimum{Lambda: lambda, Objective: NewFraction(objective, den), LowerBound: NewFraction(bound, den)}
	o.Gap = o.gap()
	return o
}

// gap returns (objective − bound)/objective, 0 of objective 0.
func (o Optimum) gap() float64 {
	if o.Objective.Num == 0 {
		return 0
	}
	return float64(o.Objective.Num-o.LowerBound.Num) / float64(o.Objective.Num)
}

// Certificate returns what is known of a model with cases, of which size parts
// count in the objective.
func (o Optimum) Certificate(from Origin, cases []Case, size int, part string) Certificate {
	return Certificate{
		Software: from.Software, Status: from.Status, Lambda: o.Lambda.String(),
		Objective: o.Objective, Bound: o.LowerBound, Gap: o.Gap,
		Size: size, Part: part, Errors: Errors(cases),
	}
}

// ClassOf returns the class of a label in a table, -1 if it is missing.
func (f *Frame) ClassOf(label string) (int, error) {
	text := strings.TrimSpace(label)
	for c, class := range f.Classes {
		if text != "" && text == class && (c > 0 || !f.OneVsRest) {
			return c, nil
		}
	}
	if missing, _ := f.Reading.Missing().Holds(label); missing {
		return -1, nil
	}
	if f.OneVsRest {
		return 0, nil
	}
	for c, class := range f.Classes { // of a threshold of labels that are numbers
		if holds, ok := dataset.ClassHolds(class, label); ok && len(f.Classes) == 2 {
			if holds {
				return c, nil
			}
			return 1 - c, nil
		}
	}
	return 0, fmt.Errorf("column %q: label %q is not one that the model knows: %s", f.Target, label, f.known())
}

// known lists the labels: "no" and "yes".
func (f *Frame) known() string {
	labels := f.Labels()
	for c, l := range labels {
		labels[c] = fmt.Sprintf("%q", l)
	}
	last := len(labels) - 1
	return strings.Join(labels[:last], ", ") + " and " + labels[last]
}

// Costs are what decisions cost, where the label of a row is the decision that costs least there. Its weight in each class is what
// that saves beside the dearest one. Sums are decimals, over all rows of the table; a model of a part of them has none.
type Costs struct {
	Columns []string `json:"columns,omitempty"` // with the costs of each class; "": Ask
	Ask     string   `json:"ask,omitempty"`     // what asking costs in each row
	Matrix  []string `json:"matrix,omitempty"`  // what predicting each class costs for a row of class 0, then of class 1, …
	Error   string   `json:"error,omitempty"`   // what a weight of 1 costs; "": 1
	Each    []string `json:"each,omitempty"`    // sum where that class is decided everywhere
	Least   string   `json:"least,omitempty"`   // sum of the best decision of each row
}

// newCosts returns nil of nil.
func newCosts(c *dataset.Costs) *Costs {
	if c == nil {
		return nil
	}
	return &Costs{Columns: c.Columns, Ask: c.Ask, Each: decimals(c.Each), Matrix: decimals(c.Matrix), Least: decimal(c.Least),
		Error: decimal(c.Error)}
}

func decimals(list []*big.Rat) (texts []string) {
	for _, r := range list {
		texts = append(texts, decimal(r))
	}
	return texts
}

// decimal writes a number of at most 30 decimal places, "" of none.
func decimal(r *big.Rat) string {
	if r == nil {
		return ""
	}
	text := r.FloatString(30)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}

// Gains reports whether samples weigh in other classes than their own: there are costs of more than two decisions.
func (f *Frame) Gains() bool { return f.Costs != nil && len(f.Classes) > 2 }

// asks reports whether a class is the decision to ask a person.
func (f *Frame) asks(class int) bool { return f.Gains() && f.Label(class) == dataset.AskDecision }

// Asked returns how many training samples a model asks a person about, and how many others it predicts wrongly.
func Asked(m Model) (asked, errors int64) {
	for _, c := range m.Cases() {
		if m.About().asks(c.Class) {
			asked += c.Captured()
		} else {
			errors += c.Captured() - c.Samples[c.Class]
		}
	}
	return asked, errors
}

// Cost returns what the decisions of a model cost in all, "" without costs.
func Cost(m Model) string {
	c, d := m.About().Costs, m.About().Data
	if c == nil || len(c.Each) == 0 || len(c.Each[0]) > 100 {
		return ""
	}
	cost, ok := new(big.Rat).SetString(c.Each[0]) // of class 0 everywhere
	if !ok {
		return ""
	}
	var saved int64
	for _, k := range m.Cases() {
		saved += k.Weights[k.Class] - k.Weights[0]
	}
	less := ratio.Over(ratio.Int(saved), d.WeightUnit.Rat())
	if each, ok := new(big.Rat).SetString(c.Error); ok && len(c.Error) < 100 {
		less.Mul(less, each)
	}
	return decimal(cost.Sub(cost, less))
}

// Column is a raw column that a model looks at. A column of .out data is a given
// antecedent, and its cells are 0 and 1.
type Column struct {
	Name string `json:"name"`
	// Cell is the test of one of the column's features. Which one does not
	// matter: it is an error for any cell that cannot be of this column.
	Cell dataset.Test `json:"cell"`
	// Values are the texts or numbers (by the kind of Cell) that have a feature
	// of their own, used by the model or not. Columns of other kinds have none.
	Values []string `json:"values,omitempty"`
}

// addColumn returns the name of the column that feature tests, and adds the column
// to the model if it is new there.
func (f *Frame) addColumn(d *dataset.Dataset, feature dataset.Feature) string {
	name := feature.Column
	if feature.Test.Kind == dataset.Given {
		name = feature.Name
	}
	if slices.ContainsFunc(f.Columns, func(c Column) bool { return c.Name == name }) {
		return name
	}
	c := Column{Name: name, Cell: feature.Test}
	for _, g := range d.Features {
		if g.Column != feature.Column || g.Test.Kind == dataset.Missing || g.Test.Kind == dataset.Given {
			continue
		}
		// A column of few numbers has thresholds beside its values, one of texts groups.
		more := g.Test.Kind == dataset.Threshold || g.Test.Kind == dataset.Among
		if more && len(c.Values) > 0 || feature.Test.Kind == dataset.Threshold && hasValues(g.Test.Kind) {
			continue
		}
		c.Cell = g.Test
		if hasValues(g.Test.Kind) {
			c.Values = append(c.Values, g.Test.Value)
		}
	}
	f.Columns = append(f.Columns, c)
	return name
}

// hasValues reports whether a column of this kind has a feature per value.
func hasValues(k dataset.Kind) bool { return k == dataset.Is || k == dataset.Number }

// Known tells the values of a column that have a feature from those that do not.
type Known struct {
	texts   map[string]bool
	numbers []dataset.Test // none in a column of texts
}

// Known returns them, to look values up.
func (c Column) Known() Known {
	k := Known{texts: map[string]bool{}}
	for _, v := range c.Values {
		k.texts[v] = true
		if c.Cell.Kind == dataset.Number {
			k.numbers = append(k.numbers, dataset.Test{Kind: dataset.Number, Value: v, Scale: c.Cell.Scale})
		}
	}
	return k
}

// Has reports whether the cell, which is not missing, has a known value. The
// texts of numbers are only a short cut: 1.0 is 1 too.
func (k Known) Has(cell string) bool {
	if len(k.texts) == 0 || k.texts[strings.TrimSpace(cell)] {
		return true
	}
	for _, t := range k.numbers {
		if ok, err := t.Holds(cell); ok || err != nil {
			return true
		}
	}
	return false
}

func (f *Frame) checkColumns() error {
	seen := map[string]bool{}
	for i, c := range f.Columns {
		if seen[c.Name] {
			return fmt.Errorf("columns[%d] is named %q like an earlier one", i, c.Name)
		}
		if err := f.checkTest(c.Cell); err != nil {
			return fmt.Errorf("columns[%d].cell: %w", i, err)
		}
		if len(c.Values) > 0 != hasValues(c.Cell.Kind) {
			return fmt.Errorf("columns[%d] has %d values and cells of kind %q", i, len(c.Values), c.Cell.Kind)
		}
		seen[c.Name] = true
	}
	return nil
}

// checkTest reports a test that can judge no cell, or that does not belong to
// data of the model's format.
func (f *Frame) checkTest(t dataset.Test) error {
	if (t.Kind == dataset.Given) != (f.Data.Format == "out") {
		return fmt.Errorf("a test of kind %q in data of format %q", t.Kind, f.Data.Format)
	}
	if !t.Known() {
		return fmt.Errorf("levels and dates, or dates as %q", t.Time)
	}
	switch t.Kind {
	case dataset.Is, dataset.True, dataset.Missing, dataset.Given:
		return nil
	case dataset.Among:
		if len(t.Values) == 0 || !slices.IsSorted(t.Values) {
			return errors.New("texts that are not in order, or none")
		}
		return nil
	case dataset.Number:
		if ok, _ := (dataset.Test{Kind: t.Kind, Value: t.Value, Scale: t.Scale}).Holds(t.Value); !ok {
			return fmt.Errorf("%q is not a number to compare with", t.Value)
		}
		return nil
	case dataset.Interval, dataset.Threshold:
		if t.Low == nil && t.High == nil || t.Low != nil && t.High != nil && *t.Low >= *t.High {
			return errors.New("an interval of no or of all numbers")
		}
		return nil
	}
	return fmt.Errorf("unknown kind of test %q", t.Kind)
}
