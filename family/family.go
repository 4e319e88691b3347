// Package family has a record of each kind of model: all that front ends and questions have to know of it. Begin
// with [Read] and [Fit], or with [Families].
//
// To add a family, write a file as list.go: its record, its search, what would end that sooner, and what a checked
// proof of it shows. Then add it to the families in family.go.
//
// # Reading the source
//
// options.go has the table of options, data.go reads a table, fit.go makes a Problem of it and searches. A file a
// family follows: list.go (with wishes.go), tree.go (with thresholds.go), set.go, bayes.go. learned.go has the model,
// proof.go and verify.go proofs, f1.go the largest F1, again.go labels in another order, groups.go groups of samples.
package family

import (
	"context"
	"strings"

	"parcorels/dataset"
	"parcorels/model"
	"parcorels/ratio"
	"parcorels/rules"
)

// Family is all that a front end has to know of a kind of model. Begin with [Families].
type Family struct {
	Name string       // as people type it: "list", "tree", "set" or "bayes"
	Kind model.Family // as models say it: "rule list"
	Unit string       // of the work of a search, with what is done to it: "prefix", "expanded"
	Done string

	// Price is the name of the option that cross-validation chooses: the price of a rule,
	// leaf or literal. Grid are the values that it tries if none are given; nil leaves the
	// choice to the caller. Range returns the values that it may try, for so many samples;
	// it is empty where the prior is not chosen.
	Price string
	Grid  []string
	Range func(samples int) (least, most float64)

	// Sooner lists what would end a search sooner. It names options by their fields.
	Sooner func(o Options, set *rules.Set) []string

	Multiclass bool // it tells more than two classes apart

	// defaultPrice returns the price for these samples where nobody gives one; nil: the option has a default. Free says
	// where a price may not be 0; "" where it may.
	defaultPrice  func(d *dataset.Dataset) ratio.Ratio
	free          func(s *resolved) string
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

// Families returns all families, the default first. Nobody may change them.
func Families() []*Family { return families }

var families []*Family

func init() { // the table of options lists the families
	families = []*Family{ruleLists(), trees(), ruleSets(), bayesianLists()}
}

// shareRange is what prices may be that are a share of the samples.
func shareRange(samples int) (least, most float64) { return 1 / (2 * float64(samples)), .75 }

// decoder returns a decoder of one family as one of any.
func decoder[M model.Model](decode func(*model.File) (M, error)) func(*model.File) (model.Model, error) {
	return func(f *model.File) (model.Model, error) { return decode(f) }
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
