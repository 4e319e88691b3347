// Package family has a record of each kind of model: all that front ends and questions have to know of it. Begin
// with [Read] and [Fit], or with [Families].
//
// To add a family, write a file as list.go: its record, its search, and what a checked
// proof of it shows. Then add it to the families in family.go.
//
// # Reading the source
//
// This file has the types that all files share, options.go the table of options. fit.go makes a Problem of a table and
// searches. A file a family follows: list.go (with wishes.go), tree.go, set.go, bayes.go. proof.go has proofs, f1.go
// the largest F1, families.go the list of families. Package rates has rates of groups.
package family

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/internal/atomicfile"
	"parcorels/internal/status"
	"parcorels/model"
	"parcorels/model/predict"
	"parcorels/optionerr"
	"parcorels/ratio"
	"parcorels/report"
	listsearch "parcorels/rulelist/search"
	"parcorels/rules"
	"parcorels/rules/rates"
	"parcorels/tree/numeric"
	"parcorels/verify"
	verifynumeric "parcorels/verify/numeric"
	verifylist "parcorels/verify/rulelist"
)

// The types that all files of this package share: a family, a problem and what is known of it, a checked proof.

// Family is all that a front end has to know of a kind of model. Begin with [Families].
type Family struct {
	Name string       // as people type it: "list", "tree", "set" or "bayes"
	Kind model.Family // as models say it: "rule list"
	Unit string       // of the work of a search, with what is done to it: "prefix", "expanded"
	Done string

	// Price is the name of the option that cross-validation chooses: the price of a rule,
	// leaf or literal. Grid are the values that it tries if none are given; nil leaves the
	// choice to the caller.
	Price string
	Grid  []string

	Multiclass bool // it tells more than two classes apart

	// defaultPrice returns the price for these samples where nobody gives one; nil: the option has a default. A price may be
	// 0 only where a limit is above 0, as dear says; nil: never.
	defaultPrice  func(d *dataset.Dataset) (price ratio.Ratio, byLuck bool)
	limit         func(o *Options) int
	dear          string
	byInformation bool           // numbers are cut by labels and information: probabilities matter
	quantiles     bool           // numbers are cut at quantiles where the labels choose no cut
	digits        dataset.Digits // that weights may have
	negations     bool           // literals may always be negations
	everyCut      bool           // splits may be anywhere
	saves         bool           // a search can be saved and resumed
	unproved      string         // why there is no proof beside the model; "": there is
	reduce        func(p *Problem) error

	Shares bool // the price is a share of all samples
	fit    func(ctx context.Context, p *Problem, s *resolved) (*Model, error)
	decode func(*model.File) (model.Model, error)
	// reaches asks whether a model has an objective of at most target, in units of Den·N for
	// λ = Num/Den; nil where only the best model can be asked for.
	reaches func(ctx context.Context, p *Problem, s *resolved, target int64) (AsGood, error)
}

// Noun is the last word of the kind: "list", "tree" or "set".
func (f *Family) Noun() string {
	words := strings.Fields(string(f.Kind))
	return words[len(words)-1]
}

// Asks reports whether it can be asked cheaply whether there is a model as good as some other,
// as [Problem.Chance] does.
func (f *Family) Asks() bool { return f.reaches != nil }

// Of returns the family of a kind, nil for none.
func Of(kind model.Family) *Family {
	for _, f := range families {
		if f.Kind == kind {
			return f
		}
	}
	return nil
}

// Families returns all families, the default first. Nobody may change them.
func Families() []*Family { return families }

var families []*Family

// decoder returns a decoder of one family as one of any.
func decoder[M model.Model](decode func(*model.File) (M, error)) func(*model.File) (model.Model, error) {
	return func(f *model.File) (model.Model, error) { return decode(f) }
}

// Problem is a table made ready for a search: antecedents and distinct points. Several
// goroutines may fit models of one problem.
type Problem struct {
	Set    *rules.Set // the antecedents
	Points int        // distinct samples
	// Thresholds is how many of numbers a tree may split at, beside the antecedents.
	Thresholds int
	// Unavoidable is the weight, of Weight in all, that every rule list gets wrong.
	Unavoidable, Weight int64

	kind     model.Family
	given    []string   // rules that lists begin with
	first    *beginning // nil unless there are some
	reading  Reading
	file     string
	instance *instance.Instance                      // of rule lists
	points   *instance.Points                        // of other families
	numbers  *thresholds                             // of a tree over all thresholds, instead of points
	usual    func() (price ratio.Ratio, byLuck bool) // the default of λ, found when it is asked for; nil: there is none
	weighed  string                                  // weights of classes that the antecedents were mined without; ""
}

// Start is what is known before a search. It changes no model, only the time.
type Start struct {
	Known      [][][]int           // models of the problem to begin with, by the antecedents of their cases
	FromLarger bool                // the first of them is the smallest of the optimal models for a larger price
	Weights    *listsearch.Weights // of a search for a price near this one; nil: none
	Keep       bool                // return those of this search
}

// AsGood is an answer to whether there is as good a model.
type AsGood int

// The answers.
const (
	No AsGood = iota
	Yes
	Unknown // a limit ended the search
)

// thresholds is a problem of trees that may split numbers anywhere.
type thresholds struct {
	set     *rules.Set // of the other columns
	table   *numeric.Table
	columns []verifynumeric.Column // of table
	count   int                    // of thresholds
}

// VerifyOptions say how a proof is checked.
type VerifyOptions struct {
	verify.Options
	Software string // the name of the program, for the model; "": this package

	// Explain asks for an explanation of a proof about a rule list, as verify/rulelist does.
	Explain func(smaller int64) *verifylist.Weights

	// Group finds the samples of the group that a proof about limits on differences names.
	Group func(name string) (rates.Group, error)
}

// meta is what a proof shows of a model that none is better than.
func (o VerifyOptions) meta(read Reading, lambda ratio.Ratio, most int, objective int64) model.Meta {
	return model.Meta{Software: o.Software, Status: status.Optimal, Lambda: lambda, Most: most, Objective: objective, LowerBound: objective,
		Options: read}
}

// VerifyCounts is what a check went through.
type VerifyCounts struct {
	Records     int64 `json:"records"`     // in the proof
	Prefixes    int64 `json:"prefixes"`    // checked extension by extension
	Extensions  int64 `json:"extensions"`  // of those prefixes
	Dominations int64 `json:"dominations"` // checked
}

// Verification is what a checked proof shows: a model, and that none is better.
type Verification struct {
	Model  model.Model
	Price  ratio.Ratio       // λ, or the expected number of rules
	Claim  string            // what is verified: "optimal among all trees on these 15 conditions"
	Effort string            // what was checked: "12 records"
	List   verifylist.Result // of a rule list: what was counted, and the explanation
	Counts VerifyCounts
	F1     *F1 // nil unless the proof is about the largest F1
}

// F1 is how good a model is whose F1 is maximised.
type F1 = report.F1

// answered is the answer of a question to a search.
func answered(reached, known bool) AsGood {
	switch {
	case reached:
		return Yes
	case !known:
		return Unknown
	}
	return No
}

// reducePoints makes distinct points of the samples.
func reducePoints(p *Problem) (err error) {
	if len(p.Set.Data.Numbers) > 0 {
		return optionerr.Errorf("Cuts", "the table was read with option Cuts all, for trees, and not for a %s", p.kind)
	}
	if p.points, err = instance.PointsWithoutColumns(p.Set); err == nil {
		p.Points = p.points.Count
	}
	return err
}

// Separate makes every sample a point of its own in a problem of rule lists, to measure what
// the equivalent points bound is worth.
func (p *Problem) Separate() (err error) {
	p.instance, err = instance.FromSetSeparate(p.searched())
	return err
}

// searched returns the antecedents on the samples that the search is about.
func (p *Problem) searched() *rules.Set {
	if p.first != nil {
		return p.first.rest
	}
	return p.Set
}

// throttled passes on the final event, those with a better model, and one every now and then, of searches that have more than
// anybody reads.
func (s *resolved) throttled() func(Event) {
	last, every := time.Now(), cmp.Or(max(s.ProgressEvery, 0), time.Second)
	return func(e Event) {
		if now := time.Now(); e.Final || e.Best != nil || now.Sub(last) >= every {
			last = now
			s.Progress(e)
		}
	}
}

// unknown stands for a bound of which nothing is known.
var unknown = math.Inf(1)

// Reading says how a table is read: its target column, the label of class 1,
// columns to ignore, how numbers are cut, and more. Its zero value takes the
// labels from the last column.
type Reading = dataset.Options

// Data is a table that was read, with how it was read.
type Data struct {
	*dataset.Dataset
	reading Reading
}

// Read reads a table (CSV and its relatives, plain or gzip-compressed), or a file
// in the format of CORELS (.out).
func Read(path string, o Reading) (*Data, error) { return ReadUntil(context.Background(), path, o) }

// ReadUntil is Read until ctx is done, whose error it then returns.
func ReadUntil(ctx context.Context, path string, o Reading) (*Data, error) {
	d, err := dataset.ReadUntil(ctx, path, o)
	if err != nil {
		return nil, err
	}
	return &Data{d, o}, nil
}

// ReadFrom is Read on a stream; name stands for the path.
func ReadFrom(r io.Reader, name string, o Reading) (*Data, error) {
	d, err := dataset.ReadFrom(r, name, o)
	if err != nil {
		return nil, err
	}
	return &Data{d, o}, nil
}

// Table reads rows that are in memory, as texts under the names of columns. An
// empty text is a missing value.
func Table(header []string, rows [][]string, o Reading) (*Data, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	_ = w.Write(header) // a buffer takes all
	for i, row := range rows {
		if len(row) != len(header) {
			return nil, optionerr.Errorf("Rows", "row %d has %d cells, the header has %d", i, len(row), len(header))
		}
		_ = w.Write(row)
	}
	w.Flush()
	o.Comma, o.Header, o.NoHeader = ',', true, false
	return ReadFrom(&b, "table", o)
}

// Model is a learned model of any family. It never changes, so that any number of
// goroutines may use it. The embedded model has its cases, its certificate and its
// data; predict.Bind predicts with it for many rows.
type Model struct {
	model.Model
	Search Search // how the search for it went
	F1     *F1    // nil unless option Maximise asks for it

	stats   report.Stats
	notes   []string
	when    [][]int
	weights *listsearch.Weights // of the search, until it is returned
	cuts    []dataset.Cut
}

// Search says how the search for a model went, beside what its certificate says.
type Search struct {
	Proved        bool             // the proof that was asked for is whole
	ProofErr      error            // why it is not
	ProofKept     bool             // a checkpoint goes with the proof up to it
	CheckpointErr error            // of the last attempt to save; nil where nothing is left to save
	Resumed       int64            // prefixes that were open in the checkpoint resumed
	Steps         []DepthStep      // of a tree: the depths that were settled
	Short         listsearch.Short // of a rule list: what is proved of short ones
}

// DepthStep says that no tree of a depth is better than the best one of that depth.
type DepthStep struct {
	Depth, Leaves int
	Objective     float64
	Elapsed       time.Duration
}

// Proved says which small models are proved to be no better where the model is not proved optimal.
func (m *Model) Proved() (p report.Proved) {
	if m.Certificate().Status == status.Optimal {
		return p
	}
	p.Rules = m.Search.Short.Rules
	if n := len(m.Search.Steps); n > 0 {
		p.Depth = m.Search.Steps[n-1].Depth
	}
	return p
}

// NewModel returns a model of a problem: when are the antecedents of each case that must all hold.
func NewModel(m model.Model, p *Problem, when [][]int) *Model {
	return &Model{Model: m, notes: p.Set.Data.Notes, when: when}
}

// Decides returns the class that a model of a problem predicts where these antecedents hold.
func (m *Model) Decides(holds func(antecedent int) bool) int {
	cases := m.Cases()
	for i, when := range m.when {
		if !slices.ContainsFunc(when, func(k int) bool { return !holds(k) }) {
			return cases[i].Class
		}
	}
	return cases[len(cases)-1].Class // one case decides each row, the last one any
}

// Antecedents returns the antecedents of each case that must all hold, by their index in the
// set of the problem with Cuts. A model that Decode read has none.
func (m *Model) Antecedents() [][]int { return m.when }

// Cuts returns the thresholds of a tree whose table was read with AllCuts.
func (m *Model) Cuts() []dataset.Cut { return m.cuts }

// Stats returns what the search took.
func (m *Model) Stats() report.Stats { return m.stats }

// Prediction is what a model says of a row: class, label, the case that decided,
// and the probability of each class.
type Prediction = predict.Prediction

// Predict predicts for a row, given as cells by column name. Columns that the
// model does not look at may be missing or present. On a cell that is missing,
// where none was in training, or not of its column's kind, no condition holds.
func (m *Model) Predict(row map[string]string) (Prediction, error) {
	return predict.Predict(m.Model, row, predict.Options{})
}

// Probability returns the share of class 1 among the training samples that the
// case which decides the row decided; NaN where there is an error, as for a
// column that the row lacks.
func (m *Model) Probability(row map[string]string) float64 {
	p, err := m.Predict(row)
	if err != nil {
		return math.NaN()
	}
	return p.Probabilities[1]
}

// String returns the model as people read it, within 80 columns.
func (m *Model) String() string { return m.Text(model.DefaultWidth) }

// Save writes the model file; it appears whole or not at all.
func (m *Model) Save(path string) error { return atomicfile.Write(path, m.Encode) }

// Report returns what was found, what is proved, and what it took. A model that
// Decode read lacks the notes on the data and the effort.
func (m *Model) Report() report.Result {
	r := report.New(m.Model, m.About().Data.Source, m.notes)
	r.Stats, r.Proved, r.F1 = m.stats, m.Proved(), m.F1
	return r
}

// Decode reads a model file of any family; name stands for it in errors.
func Decode(r io.Reader, name string) (*Model, error) {
	f, err := model.ReadFile(r, name)
	if err != nil {
		return nil, err
	}
	for _, family := range families {
		if f.Format != family.Kind.Format() {
			continue
		}
		m, err := family.decode(f)
		if err != nil {
			return nil, err
		}
		return &Model{Model: m}, nil
	}
	return nil, f.Unknown()
}

// Load is Decode of the file at path.
func Load(path string) (*Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Decode(f, path)
}
