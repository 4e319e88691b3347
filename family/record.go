package family

import (
	"cmp"
	"context"
	"math"
	"time"

	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/internal/status"
	"parcorels/model"
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
