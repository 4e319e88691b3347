// Package model is what learned models of every family share: the columns that
// they look at, what they captured in training, and strict files. Begin with
// [Model], the interface that a rule list, a tree, a rule set and a Bayesian rule
// list implement. Package predict predicts with any of them, evaluate measures
// predictions, and explain says why, and what would change them.
//
// # Cases
//
// Whatever its family, a model decides by [Case]s. They are tried in order, and
// the first whose literals all hold decides the row. The last case always holds.
//
//   - A rule list has a case per rule, and the default without literals.
//   - A rule set has a case per rule, and the default.
//   - A tree has a case per leaf, in preorder, the side where the test holds first. The
//     literals of a case are only the tests that hold on the way to the leaf. A row that
//     fails one of them is decided by a later case. So the tests that do not hold on the
//     way need not be asked. [Case.Path] has both, for people.
//
// # How a family implements Model
//
// Its model is a struct that embeds [Origin], its own bounds (families that minimise errors
// + λ·size embed [Optimum]) and [Frame]. Its own fields follow. The order of embedding is
// the order of keys in the file. [NewFrame] fills the frame, [Frame.Literals] translates
// antecedents and collects their columns, and a [Counter] counts what each case captures.
// Check gives each part to be checked: [Origin.Check], [Frame.Check],
// [Frame.CheckLiterals], [Frame.CheckCounts], [Optimum.Check]. Files are written and read
// by a [Codec]; see package rulelist for all of it in use.
//
// # Invariants
//
//   - A model never changes once it is made or read.
//   - Every sample of the training data is decided by exactly one case: the
//     counts of the cases add up to those of the data.
//   - Nothing in a file makes reading it or predicting with it panic, or take
//     more memory than the file has bytes, up to a factor.
package model

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/bits-and-blooms/bitset"

	"parcorels/dataset"
	"parcorels/internal/status"
	"parcorels/internal/wording"
	"parcorels/rules"
)

// Model is a learned model of any family, with everything that it takes to print
// it, to judge it and to predict on new raw tables. It never changes, so that any
// number of goroutines may use it.
type Model interface {
	// Family returns the kind of model.
	Family() Family
	// About returns data, classes and columns. A family has it from its Frame.
	About() *Frame
	// Certificate returns what the search found and proved.
	Certificate() Certificate
	// Cases returns the cases in the order in which they are tried.
	Cases() []Case
	// Text returns the model as people read it, within width columns of a
	// terminal where it can; width <= 0 breaks no line. It ends with a newline.
	Text(width int) string
	// Encode writes the model file. The same model always gives the same bytes.
	Encode(w io.Writer) error
}

// Family is a kind of model, as people read it.
type Family string

// The families.
const (
	RuleList         Family = "rule list"
	Tree             Family = "tree"
	RuleSet          Family = "rule set"
	BayesianRuleList Family = "Bayesian rule list"
)

// Format returns the value of "format" in a model file of the family.
func (f Family) Format() string { return "parcorels " + strings.ToLower(string(f)) }

// Part is what such a model is made of: "rule", or "leaf" of a tree.
func (f Family) Part() string {
	if f == Tree {
		return "leaf"
	}
	return "rule"
}

// Case is one way in which a model decides a row: a rule, a leaf, the default.
// Its counts are of the training samples that it decided.
type Case struct {
	// Text is the condition as people read it, its literals joined by " and ";
	// of a leaf those of the whole path. It is "" for a default.
	Text string
	// When are the literals that must all hold, if no case before did.
	When []Literal
	// Path are all literals that hold of every row which a leaf decides, from the
	// root on. It is nil where When and the failure of the cases before say it all.
	Path []Literal
	// Class is the class predicted.
	Class int
	Counts
	// Prior are pseudo-samples of each class that the family itself adds to the
	// counts in a probability, as the α of a Bayesian rule list; nil for none.
	Prior []float64
}

// Literals are all that hold of a row which the case decides: Path of a leaf, else When.
func (c Case) Literals() []Literal {
	if c.Path != nil {
		return c.Path
	}
	return c.When
}

// Counts are the training samples that a case decided.
type Counts struct {
	Samples []int64 `json:"samples"` // of each class
	Weights []int64 `json:"weights"` // their weight, in integer units of the data
}

// Captured returns the number of samples.
func (c Counts) Captured() int64 { return sum(c.Samples) }

// CapturedWeight returns their weight in integer units.
func (c Counts) CapturedWeight() int64 { return sum(c.Weights) }

func sum[N int64 | float64](values []N) (total N) {
	for _, v := range values {
		total += v
	}
	return total
}

// Probabilities returns the probability of each class in a case: the share of
// the samples that it decided in training, one each, whatever they weigh. With
// laplace every class counts one sample more (Laplace's rule of succession).
// It is nil for a case that decided none where nothing is added.
func (c Case) Probabilities(laplace bool) []float64 {
	p := make([]float64, len(c.Samples))
	total := 0.0
	for k, n := range c.Samples {
		p[k] = float64(n)
		if c.Prior != nil {
			p[k] += c.Prior[k]
		} else if laplace {
			p[k]++
		}
		total += p[k]
	}
	if total == 0 {
		return nil
	}
	for k := range p {
		p[k] /= total
	}
	return p
}

// Certificate is what a search found and proved of a model.
type Certificate struct {
	Software string // program and version that learned the model
	Status   status.Status
	Lambda   string // λ as given; "" if the family has none
	// Maximize says that a large objective is good, and Bound an upper bound.
	Maximize  bool
	Objective Fraction
	Bound     Fraction // no model of the family on the same antecedents is better
	// Gap is |Objective − Bound| / |Objective|, or in GapUnit if that is not "".
	Gap     float64
	GapUnit string // such as "nats"
	Size    int    // parts that the objective counts
	Part    string // what they are called: "rule", "leaf"
	Errors  int64  // training samples that are predicted wrongly, one each
}

// Totals returns the counts of all cases together, and of the samples among them that are predicted wrongly.
func Totals(cases []Case) (all, wrong Counts) {
	n := len(cases[0].Samples)
	all, wrong = Counts{make([]int64, n), make([]int64, n)}, Counts{make([]int64, n), make([]int64, n)}
	add := func(all, wrong, counts []int64, said int) {
		for class, n := range counts {
			if all[class] += n; class != said {
				wrong[class] += n
			}
		}
	}
	for _, c := range cases {
		add(all.Samples, wrong.Samples, c.Samples, c.Class)
		add(all.Weights, wrong.Weights, c.Weights, c.Class)
	}
	return all, wrong
}

// Errors returns how many training samples the cases predict wrongly.
func Errors(cases []Case) int64 {
	_, wrong := Totals(cases)
	return wrong.Captured()
}

// ErrorWeight returns the weight of those samples in integer units.
func ErrorWeight(cases []Case) int64 {
	_, wrong := Totals(cases)
	return wrong.CapturedWeight()
}

// Label returns the text of class c of a model; of a class that never occurred
// in the data it returns "class 0", "class 1" and so on.
func (f *Frame) Label(c int) string {
	if f.Classes[c] != "" {
		return f.Classes[c]
	}
	return fmt.Sprintf("class %d", c)
}

// Labels returns the texts of all classes, as Label does.
func (f *Frame) Labels() []string {
	labels := make([]string, len(f.Classes))
	for c := range labels {
		labels[c] = f.Label(c)
	}
	return labels
}

// Differ returns an error that says in what two models differ first: the family, the
// data that they were learned from, a case, or λ. It is nil where both decide every row by
// the same cases, and are the answer to the same question.
func Differ(a, b Model) error {
	if err := DifferInCases(a, b); err != nil {
		return err
	}
	if k, l := a.Certificate(), b.Certificate(); k.Lambda != l.Lambda || k.Objective != l.Objective {
		return fmt.Errorf("their λ or objectives differ: %s and %d/%d in one, %s and %d/%d in the other",
			k.Lambda, k.Objective.Num, k.Objective.Den, l.Lambda, l.Objective.Num, l.Objective.Den)
	}
	return differInClaims(a, b)
}

// differInClaims compares all else that the files of two models say, but for what is of one search or of the place of the data.
func differInClaims(a, b Model) error {
	var fields [2]map[string]json.RawMessage
	for i, m := range []Model{a, b} {
		var file bytes.Buffer
		if err := errors.Join(m.Encode(&file), json.Unmarshal(file.Bytes(), &fields[i])); err != nil {
			return err
		}
		for _, name := range []string{"software", "status", "lower_bound", "upper_bound", "gap", "chains", "data", "options"} {
			delete(fields[i], name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fields[0])) {
		if !bytes.Equal(fields[0][name], fields[1][name]) {
			return fmt.Errorf("they differ in %q", name)
		}
	}
	return nil
}

// DifferInCases is Differ whatever λ was.
func DifferInCases(a, b Model) error {
	x, y := a.Cases(), b.Cases()
	hashes := [2]string{a.About().Data.Hash, b.About().Data.Hash}
	switch {
	case a.Family() != b.Family():
		return fmt.Errorf("one is a %s, the other a %s", a.Family(), b.Family())
	case hashes[0] != hashes[1] && hashes[0] != "" && hashes[1] != "":
		return fmt.Errorf("they were learned from different data: %s and %s", hashes[0], hashes[1])
	}
	same := func(l, m Literal) bool { return reflect.DeepEqual(l, m) }
	for i := range min(len(x), len(y)) {
		if !slices.EqualFunc(x[i].When, y[i].When, same) || !slices.EqualFunc(x[i].Path, y[i].Path, same) {
			return fmt.Errorf("condition %d is %q in one and %q in the other", i+1, cmp.Or(x[i].Text, "else"), cmp.Or(y[i].Text, "else"))
		}
		if k, l := a.About().Label(x[i].Class), b.About().Label(y[i].Class); k != l {
			return fmt.Errorf("condition %d, %q, predicts %q in one and %q in the other", i+1, cmp.Or(x[i].Text, "else"), k, l)
		}
	}
	if len(x) != len(y) {
		return fmt.Errorf("one has %d cases, the other %d", len(x), len(y))
	}
	return nil
}

// NewFrame returns the frame of a model on the antecedents of set, whose data
// was read with o. It has no columns: [Frame.Literals] adds those that are looked at.
func NewFrame(set *rules.Set, o dataset.Options) Frame {
	d := set.Data
	f := Frame{
		Data: Data{
			Source: filepath.Base(d.Source), Hash: d.Hash, Format: d.Format,
			Samples: int64(d.Rows()), Dropped: int64(d.Dropped),
			Weighted: d.Weighted(), Weight: d.TotalWeight(), WeightUnit: d.WeightUnit,
		},
		Reading: Reading{
			NoHeader: d.NoHeader, DecimalComma: d.DecimalComma, Width: len(d.Columns),
			DropMissing: o.DropMissing, MissingWords: o.Missing,
		},
		Target: d.Target, Classes: d.LabelTexts(), OneVsRest: d.OneVsRest,
		Columns: []Column{}, Costs: newCosts(d.Costs),
	}
	if set.Pruned() {
		f.Data.Kept, f.Data.Mined = int64(len(set.Antecedents)), set.Mined
	}
	return f
}

// Literals translates a conjunction of features of d into literals on raw cells. It
// adds the columns that they look at to those of the model.
// Two bounds of one column become one literal, as in "20 < age ≤ 30".
func (f *Frame) Literals(d *dataset.Dataset, literals []rules.Literal) []Literal {
	var list []Literal
	for _, c := range rules.Conditions(d, literals) {
		list = append(list, Literal{c.Name, f.addColumn(d, d.Features[c.Feature]), c.Negated, c.Test})
	}
	return list
}

// Counter shares out the samples of a data set among the cases of a model.
type Counter struct {
	data *dataset.Dataset
	left *bitset.BitSet // samples that no case has taken
}

// NewCounter returns a counter of all samples of d.
func NewCounter(d *dataset.Dataset) *Counter {
	return &Counter{d, bitset.New(uint(d.N)).FlipRange(0, uint(d.N))}
}

// Take returns the counts of a case with the given captured set, nil for all
// samples, and takes the samples that it captures: later cases count the rest.
func (c *Counter) Take(captured *bitset.BitSet) Counts {
	taken := c.left.Clone()
	if captured != nil {
		taken.InPlaceIntersection(captured)
	}
	c.left.InPlaceDifference(taken)
	counts := Counts{make([]int64, c.data.ClassCount()), make([]int64, c.data.ClassCount())}
	for i := range taken.EachSet() {
		y := c.data.Class(int(i))
		counts.Samples[y] += c.data.RowsAt(int(i))
		for q, w := range c.data.WeightsAt(int(i)) {
			counts.Weights[q] += w
		}
	}
	return counts
}

// DefaultWidth is the number of columns that String of a model keeps to.
const DefaultWidth = 80

const minHead = 20 // columns that the antecedents get however narrow the page

// Layout is the text of a list in three columns, a row per line of the list:
// what it asks for, what it predicts, and what it captured. The last row is the
// default's.
type Layout struct {
	Heads  [][]string // in pieces that a line may be broken between
	Labels []string
	Counts []string
}

// Add adds a line for case i of a list whose labels are f's: "if …", "else if …"
// or "else". Its counts are to be set by the caller, all at once.
func (l *Layout) Add(f *Frame, i int, c Case) {
	l.Heads = append(l.Heads, pieces(i, c.When))
	l.Labels = append(l.Labels, wording.Printable(f.Label(c.Class)))
}

// pieces returns the words before "then" of line i: the first opens the line,
// each other one can stand on a line of its own.
func pieces(i int, literals []Literal) []string {
	var p []string
	for _, l := range literals {
		p = append(p, "and "+wording.Printable(l.Name))
	}
	switch {
	case len(p) == 0:
		return []string{"else"}
	case i == 0:
		p[0] = "if   " + strings.TrimPrefix(p[0], "and ")
	default:
		p[0] = "else if " + strings.TrimPrefix(p[0], "and ")
	}
	return p
}

// Text sets the columns within width where names allow it. "Then" stands behind the widest line of an antecedent that keeps
// to its room, and no word in the default's line.
func (l Layout) Text(width int) string {
	room, column := l.room(width), 0
	heads := make([][]string, len(l.Heads))
	for i, head := range l.Heads {
		heads[i] = Fill(head, room)
		for _, line := range heads[i] {
			if n := wording.Width(line); room == 0 || n <= room {
				column = max(column, n)
			}
		}
	}
	labels := slices.Clone(l.Labels)
	wording.Pad(labels, true)
	var b strings.Builder
	for i, lines := range heads {
		last, verb := lines[len(lines)-1], "then "
		if lines = lines[:len(lines)-1]; wording.Width(last) > column {
			lines, last = append(lines, last), ""
		}
		for _, line := range lines {
			b.WriteString(line + "\n")
		}
		if i == len(heads)-1 {
			verb = "     "
		}
		fmt.Fprintf(&b, "%-*s", column, last)
		b.WriteString(wording.ColumnGap + verb + labels[i] + wording.ColumnGap + l.Counts[i] + "\n")
	}
	return b.String()
}

// room returns how many columns the antecedents may take; 0 is no limit.
func (l Layout) room(width int) int {
	if width <= 0 {
		return 0
	}
	tail := 2*len(wording.ColumnGap) + len("then ") + wording.Widest(l.Labels) + wording.Widest(l.Counts)
	return max(width-tail, minHead)
}

// Fill joins pieces into lines of at most room columns (0: one line), all but
// the first indented.
func Fill(pieces []string, room int) []string { return FillBehind("    ", pieces, room) }

// FillBehind is Fill with all lines but the first behind a text.
func FillBehind(indent string, pieces []string, room int) []string {
	lines := []string{pieces[0]}
	for _, p := range pieces[1:] {
		last := &lines[len(lines)-1]
		if room == 0 || wording.Width(*last)+1+wording.Width(p) <= room {
			*last += " " + p
			continue
		}
		lines = append(lines, indent+p)
	}
	return lines
}

// CountTexts returns the parenthesis of every case, numbers aligned to the right:
// "(1,921 of 6,489 samples, 65.9% right)", of weighted data with ", 70.1% by weight".
func CountTexts(f *Frame, cases []Case) []string {
	var captured, right, weighed []string
	for _, c := range cases {
		captured = append(captured, wording.Thousands(c.Captured()))
		share, byWeight := c.Right(c.Class)
		right, weighed = append(right, share), append(weighed, byWeight)
	}
	wording.Pad(captured, false)
	wording.Pad(right, false)
	wording.Pad(weighed, false)
	total := wording.Thousands(f.Data.Samples)
	text := make([]string, len(cases))
	for i, c := range cases {
		text[i] = "(" + wording.Count(f.Data.Samples, "sample")
		if len(cases) > 1 {
			text[i] = "(" + captured[i] + " of " + total + " samples"
		}
		if c.Captured() > 0 && !f.asks(c.Class) {
			text[i] += ", " + right[i] + " right"
			if f.Data.Weighted && !f.Gains() {
				text[i] += ", " + weighed[i] + " by weight"
			}
		}
		text[i] += ")"
	}
	return text
}

// Right returns the share of the samples of class, and the share of the weight that it has.
// Every text and page tells the share of samples first, and names that by weight as such.
func (c Counts) Right(class int) (samples, weight string) {
	return wording.Percent(c.Samples[class], c.Captured()), wording.Percent(c.Weights[class], c.CapturedWeight())
}

// Below returns the last lines of the text of a model: long groups of texts, one a line, and the weight of weighted data, unless that
// is their number.
func (f *Frame) Below(cases []Case, width int) string {
	var b strings.Builder
	seen := map[string]bool{}
	for _, c := range cases {
		for _, l := range c.Literals() {
			text := l.Spelled()
			_, values, _ := strings.Cut(text, ": ")
			if text == "" || seen[values] { // the other side of a split is no news
				continue
			}
			seen[values] = true
			for _, line := range Fill(strings.Split(wording.Printable(text), " "), max(width, 0)) {
				b.WriteString(line + "\n")
			}
		}
	}
	return b.String() + f.weightNote()
}

// Spelled returns a condition on many texts with all of them; "" for another.
func (l Literal) Spelled() string {
	if l.Test.Kind != dataset.Among || strings.HasSuffix(l.Name, "}") {
		return ""
	}
	return l.Name + ": " + strings.Join(l.Test.Values, ", ")
}

func (f *Frame) weightNote() string {
	if !f.Data.Weighted {
		return ""
	}
	total := float64(f.Data.Weight) / f.Data.WeightUnit.Float()
	weight := strconv.FormatFloat(total, 'g', 10, 64)
	if whole := math.Round(total); math.Abs(total-whole) <= 1e-9*total && whole < 1<<53 {
		if int64(whole) == f.Data.Samples {
			return ""
		}
		weight = wording.Thousands(int64(whole))
	}
	return "weights: " + wording.Thousands(f.Data.Samples) + " samples weigh " + weight + "\n"
}
