// Package report has the result of a fit in one form for all its readers: the command
// line's --json, the records of bench, the Python package and Go programs. Begin with
// [New], which makes a [Result] of a model of any family; a search adds its [Stats].
//
// Objective and bounds are floats for reading, each within one unit in its last
// place; a lower bound is never rounded up, nor an upper bound down, except that
// the bound of an optimal model is printed as its objective. The model file has
// them exactly.
package report

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"parcorels/instance"
	"parcorels/internal/interval"
	"parcorels/internal/status"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/model/evaluate"
	"parcorels/ratio"
	"parcorels/rulelist/search"
	tree "parcorels/tree/search"
)

// Result is the outcome of a fit.
type Result struct {
	Summary
	Rules    []Rule   `json:"rules"`             // rules, or leaves of a tree, in the order in which they are tried
	Default  *Rule    `json:"default,omitempty"` // what decides where no rule does; none of a tree
	Data     Data     `json:"data"`
	Holdout  *Holdout `json:"holdout,omitempty"`        // nil where no rows were kept back
	F1       *F1      `json:"f1,omitempty"`             // where it was maximised; the objective is then that of the last search
	Chance   *Chance  `json:"chance,omitempty"`         // where labels were shuffled
	Compared *Summary `json:"without_wishes,omitempty"` // of the best model without wishes; nil where nobody asked
	Stats    Stats    `json:"stats"`
}

// F1 is how good a model is whose F1 is maximised, all as shares by weight. Its score is F1 if each rule or leaf counts as errors.
type F1 struct {
	Value float64 `json:"f1"`
	Price int64   `json:"price"` // errors that a rule or leaf counts as
	Score float64 `json:"score"`
	Bound float64 `json:"bound"` // no model has a larger score
}

// Proved reports that no model has a larger score.
func (f *F1) Proved() bool { return f.Bound <= f.Score }

// Text says what is known of F1.
func (f *F1) Text() string {
	share := func(x float64) string { return strconv.FormatFloat(100*x, 'f', 3, 64) + "%" }
	text := fmt.Sprintf("F1 is %s, and %s where each rule or leaf counts as %s: ", share(f.Value), share(f.Score),
		wording.Count(f.Price, "error"))
	if f.Proved() {
		return text + "no other has more"
	}
	return text + "none has more than " + share(f.Bound)
}

// Holdout is how good a model is on the rows that it was learned from, and on rows that
// were kept back.
type Holdout struct {
	Train evaluate.Measures `json:"train"`
	Test  evaluate.Measures `json:"test"`
	Seed  uint64            `json:"seed"`

	TrainCost *evaluate.Regret `json:"train_cost,omitempty"` // of decisions; nil without costs
	TestCost  *evaluate.Regret `json:"test_cost,omitempty"`
}

// OfModel returns what the model's file keeps of it.
func (h *Holdout) OfModel() *model.KeptBack {
	t := &h.Test
	return &model.KeptBack{Rows: t.Rows, Accuracy: float64(t.Accuracy), Majority: float64(t.Majority), Frequent: t.Frequent}
}

// Summary is what was found and proved, in a few numbers. Weights are in the
// user's units; those of unweighted data are counts.
type Summary struct {
	Model      model.Family  `json:"model"`
	Status     status.Status `json:"status"`
	Objective  float64       `json:"objective"`             // errors/weight + lambda·length where the family minimises that
	Errors     float64       `json:"errors"`                // weight of the samples that the model gets wrong
	Samples    int64         `json:"samples"`               // N, without the rows dropped
	Weight     float64       `json:"weight"`                // of all samples
	Length     int           `json:"length"`                // rules or leaves that the objective counts
	Lambda     float64       `json:"lambda"`                // the nearest float
	LambdaText string        `json:"lambda_text"`           // exactly; "" if the family has none
	LowerBound float64       `json:"lower_bound"`           // no model has a smaller objective; where large is good, the objective
	UpperBound *float64      `json:"upper_bound,omitempty"` // no model has a larger objective, where large is good
	Gap        float64       `json:"gap"`                   // |objective − bound| / |objective|, or in gap_unit
	GapUnit    string        `json:"gap_unit,omitempty"`    // such as "nats"
	Proved
	Cost      *float64 `json:"cost,omitempty"`          // of decisions whose costs are known
	Value     *float64 `json:"value,omitempty"`         // of a rule set, V(S): its objective
	Posterior *float64 `json:"log_posterior,omitempty"` // of a Bayesian rule list, in nats: its objective
}

// Proved says which small models are proved to be no better, where a model is not proved optimal; 0 where none are.
type Proved struct {
	Rules int `json:"proved_rules,omitempty"` // of rule lists: those of at most so many rules
	Depth int `json:"proved_depth,omitempty"` // of trees: those of at most this depth
}

// Small names these models; "" for none.
func (p Proved) Small() string {
	switch {
	case p.Rules > 0:
		return "list of at most " + wording.Count(int64(p.Rules), "rule")
	case p.Depth > 0:
		return fmt.Sprintf("tree of depth at most %d", p.Depth)
	}
	return ""
}

// Rule is one case of a model. Correct is how many of the captured samples have
// the label predicted. The weights are there if samples have any.
type Rule struct {
	Antecedent     string   `json:"antecedent,omitempty"`
	Predict        string   `json:"predict"` // label text
	Class          int      `json:"class"`   // its index in Data.Classes
	Captured       int64    `json:"captured"`
	Correct        int64    `json:"correct"`
	CapturedWeight *float64 `json:"captured_weight,omitempty"`
	CorrectWeight  *float64 `json:"correct_weight,omitempty"`

	Interval interval.Interval `json:"interval"` // of 95%, of the share of rows that is right, by Wilson
}

// Data says what was learned from.
type Data struct {
	File    string   `json:"file"`
	Hash    string   `json:"hash"`
	Target  string   `json:"target"`
	Classes []string `json:"classes"` // label text of each class, "" of one that never occurs
	Dropped int64    `json:"dropped"` // rows left out for missing values
	Notes   []string `json:"notes"`   // what a person should know of how the data were read
}

// New returns the result of a model that was learned from file, with the notes
// that reading made. The caller adds the Stats.
func New(m model.Model, file string, notes []string) Result {
	f := m.About()
	r := Result{
		Summary: Summarize(m),
		Rules:   []Rule{},
		Data: Data{
			File: file, Hash: f.Data.Hash, Target: f.Target, Classes: f.Classes,
			Dropped: f.Data.Dropped, Notes: append([]string{}, notes...),
		},
	}
	for _, c := range m.Cases() {
		rule := NewRule(f, c)
		if c.Text == "" {
			r.Default = &rule
			continue
		}
		r.Rules = append(r.Rules, rule)
	}
	return r
}

// Summarize returns what was found and proved.
func Summarize(m model.Model) Summary {
	f, c := m.About(), m.Certificate()
	s := Summary{
		Model: m.Family(), Status: c.Status, Samples: f.Data.Samples, Length: c.Size,
		Objective: c.Objective.Value, Gap: c.Gap, GapUnit: c.GapUnit, LambdaText: c.Lambda,
		Errors: Weight(f.Data, model.ErrorWeight(m.Cases())), Weight: Weight(f.Data, f.Data.Weight),
	}
	if l, err := ratio.Parse(c.Lambda); err == nil {
		s.Lambda = l.Float()
	}
	if cost, err := strconv.ParseFloat(model.Cost(m), 64); err == nil {
		s.Cost = &cost
	}
	s.LowerBound = Below(c.Bound.Num, c.Bound.Den)
	if c.Maximize {
		above := -Below(-c.Bound.Num, c.Bound.Den)
		s.LowerBound, s.UpperBound = s.Objective, &above
		switch m.Family() {
		case model.RuleSet:
			s.Value = &c.Objective.Value
		case model.BayesianRuleList:
			s.Posterior = &c.Objective.Value
		}
	} else if c.Status == status.Optimal {
		s.LowerBound = s.Objective // what is equal shall look equal
	}
	return s
}

// Price says what wishes cost, given the best model with them and the best without: rows and rules.
func Price(wished, free Summary) string {
	if wished.Objective < free.Objective { // a limit ended the search without the wishes
		return "the search without the wishes ended before it found as good a model"
	}
	unit := "more rows"
	if wished.Weight != float64(wished.Samples) {
		unit = "more by weight"
	}
	more := wished.Errors - free.Errors
	if more < 0 {
		unit, more = strings.Replace(unit, "more", "fewer", 1), -more
	}
	text := fmt.Sprintf("with the wishes %g %s are wrong (%s, not %s)", more, unit, wording.Percentage(wished.Errors/wished.Weight),
		wording.Percentage(free.Errors/free.Weight))
	if more == 0 {
		text = "with the wishes no more rows are wrong"
	}
	part := wished.Model.Part()
	switch rules := wished.Length - free.Length; {
	case rules > 0:
		text += ", and it takes " + wording.Count(int64(rules), part) + " more"
	case rules < 0:
		text += ", and it takes " + wording.Count(int64(-rules), part) + " fewer"
	}
	if wished.Status == status.Optimal && free.Status == status.Optimal {
		return text + " (both are proved best)"
	}
	return text + " (not both are proved best)"
}

// NewRule returns a case of a model with the given frame.
func NewRule(f *model.Frame, c model.Case) Rule {
	r := Rule{
		Antecedent: c.Text, Predict: f.Label(c.Class), Class: c.Class,
		Captured: c.Captured(), Correct: c.Samples[c.Class], Interval: interval.Wilson(c.Samples[c.Class], c.Captured()),
	}
	if f.Data.Weighted {
		captured, correct := Weight(f.Data, c.CapturedWeight()), Weight(f.Data, c.Weights[c.Class])
		r.CapturedWeight, r.CorrectWeight = &captured, &correct
	}
	return r
}

// Weight returns an integer weight in the user's units.
func Weight(d model.Data, w int64) float64 {
	v, _ := ratio.Over(ratio.Int(w), d.WeightUnit.Rat()).Float64()
	return v
}

// Below returns the largest float that is at most num/den.
func Below(num, den int64) float64 {
	x := big.NewRat(num, den)
	v, exact := x.Float64()
	if !exact && new(big.Rat).SetFloat64(v).Cmp(x) > 0 {
		v = math.Nextafter(v, math.Inf(-1))
	}
	return v
}

// Chance says how many shuffles of the labels allow as good a model.
type Chance struct {
	Shuffles int     `json:"shuffles"`
	AsGood   int     `json:"as_good"`
	Unproved int     `json:"unproved"` // searches that a limit ended
	P        float64 `json:"p"`        // (as_good + unproved + 1) / (shuffles + 1)
}

// Look is a look at a running search.
type Look struct {
	Seconds   float64  `json:"elapsed"`
	Objective float64  `json:"objective"`             // of the best model
	Bound     *float64 `json:"lower_bound,omitempty"` // nil while none is known
	Gap       *float64 `json:"gap,omitempty"`         // (objective − lower bound) / objective
	Length    int      `json:"length"`                // of the best model
	Nodes     int64    `json:"expanded"`              // done
	Open      int64    `json:"queued"`                // waiting
	Bytes     int64    `json:"memory"`                // of the search
	Step      int      `json:"step,omitempty"`        // done, of a family whose search has steps
	Steps     int      `json:"steps,omitempty"`       // of how many
	Remain    *float64 `json:"remain,omitempty"`      // log10 of a bound on the prefixes left, of a rule list
}

// Stats is what a fit took. Seconds are seconds, bytes bytes; counts of a search
// that resumed from a checkpoint are totals of all its parts.
type Stats struct {
	Antecedents int   `json:"antecedents"`       // that were searched
	Kept        int64 `json:"antecedents_kept"`  // by the budget: as many
	Mined       int64 `json:"antecedents_mined"` // of how many; see rules.Set
	Points      int   `json:"distinct_points"`
	Live        int   `json:"live_antecedents"` // of use at the root

	Expanded    int64 `json:"expanded"`    // nodes whose children were examined
	Inserted    int64 `json:"inserted"`    // nodes put into a queue
	Evaluations int64 `json:"evaluations"` // antecedents counted against a remaining set
	MapEntries  int64 `json:"map_entries"` // remaining sets in the symmetry map
	MapHits     int64 `json:"map_hits"`    // nodes dropped by it
	Dominated   int64 `json:"dominated"`   // nodes dropped because another is smaller
	Closed      int64 `json:"closed"`      // children closed by look-ahead
	Longest     int   `json:"longest"`     // longest prefix that was queued

	SecondsTotal   float64 `json:"seconds_total"`   // from the start of the program
	SecondsRead    float64 `json:"seconds_read"`    // of which until the antecedents were there
	SecondsSearch  float64 `json:"seconds_search"`  // of which the search, first incumbent included
	SecondsFirst   float64 `json:"seconds_first"`   // of which until the first prefix: the first incumbent
	SecondsOptimum float64 `json:"seconds_optimum"` // of which until the last improvement
	SecondsEarlier float64 `json:"seconds_earlier"` // of which before the checkpoint that was resumed
	SecondsPaused  float64 `json:"seconds_paused"`  // of which writing checkpoints
	Checkpoints    int64   `json:"checkpoints"`     // written

	PeakBytes    int64 `json:"peak_bytes"`    // of the process, of the search where the system does not tell
	SearchBytes  int64 `json:"search_bytes"`  // peak of nodes, queues and map
	MemoryBytes  int64 `json:"memory_bytes"`  // the bound on them
	ProofBytes   int64 `json:"proof_bytes"`   // of the proof that was written, 0 for none
	ProofRecords int64 `json:"proof_records"` // in it

	Workers   int      `json:"workers"`
	Kernel    string   `json:"kernel"`
	PerWorker []Worker `json:"per_worker,omitempty"`
}

// Worker is what one worker did.
type Worker struct {
	Expanded int64   `json:"expanded"`
	Parked   float64 `json:"seconds_parked"` // with nothing to take
}

// SearchStats returns what a search for a rule list on an instance took.
func SearchStats(in *instance.Instance, s *search.Stats) Stats {
	out := Stats{
		Antecedents: in.Antecedents, Points: in.Points, Live: s.Live,
		Expanded: s.Expanded, Inserted: s.Inserted, Evaluations: s.Evaluations,
		MapEntries: s.MapEntries, MapHits: s.MapHits, Dominated: s.Dominated, Closed: s.Closed,
		Longest: s.Longest, SecondsSearch: Seconds(s.Search), SecondsFirst: Seconds(s.First), SecondsOptimum: Seconds(s.Improved),
		SecondsEarlier: Seconds(s.Earlier), SecondsPaused: Seconds(s.Paused), Checkpoints: s.Saves,
		SearchBytes: s.PeakBytes, PeakBytes: s.PeakBytes, ProofBytes: s.ProofBytes, ProofRecords: s.ProofRecords,
		Workers: s.Workers, Kernel: s.Kernel,
	}
	for _, w := range s.PerWorker {
		out.PerWorker = append(out.PerWorker, Worker{w.Expanded, Seconds(w.Parked)})
	}
	return out
}

// Seconds returns a duration in seconds, to the microsecond.
func Seconds(d time.Duration) float64 { return d.Round(time.Microsecond).Seconds() }

// TreeStats returns what a search for a tree took: Expanded are the sets counted, and
// MapEntries those that were kept.
func TreeStats(p *instance.Points, r *tree.Result) Stats {
	s := Stats{
		Antecedents: p.Antecedents, Points: p.Count, Live: r.Stats.Features,
		Expanded: r.Stats.Counted, MapEntries: r.Stats.Sets, SecondsSearch: Seconds(r.Stats.Search),
		SearchBytes: r.Stats.PeakBytes, PeakBytes: r.Stats.PeakBytes,
		ProofBytes: r.Stats.ProofBytes, ProofRecords: r.Stats.ProofRecords,
		Workers: r.Stats.Workers, Kernel: r.Stats.Kernel,
	}
	for _, n := range r.Stats.PerWorker {
		s.PerWorker = append(s.PerWorker, Worker{Expanded: n})
	}
	return s
}
