package parcorels

import (
	"cmp"
	"context"
	"io"
	"math/big"
	"slices"
	"time"

	"parcorels/choice/rashomon"
	"parcorels/instance"
	"parcorels/internal/blockfile"
	"parcorels/internal/status"
	"parcorels/model"
	"parcorels/optionerr"
	"parcorels/ratio"
	"parcorels/rulelist"
	"parcorels/tree"
)

// AlternativesOptions say which models are good. Without Within and Rules these are the models
// within less than one rule of the optimum.
type AlternativesOptions struct {
	Options               // of the search for the optimum, and λ
	Within  ratio.Ratio   // an objective of at most 1 + Within times the optimum is good
	Rules   ratio.Ratio   // one of less than the optimum and so many rules, instead of Within
	States  int           // the most states of the graph; 0: no limit but memory
	Growing func(Growing) // called while the graph grows; nil: never
	// From is a file that a proof of good models was written to: they are read, not searched for.
	// Which are good, and λ, is in the file.
	From io.Reader
}

// Growing is a look at a graph of good models while it grows.
type Growing = rashomon.Progress

// Alternatives are all good models of a problem: the Rashomon set. See package
// choice/rashomon.
type Alternatives struct {
	*rashomon.Set
	Best    *Model // the optimum, proved
	Optimum *Model // the best of the set: Best unless that was left out
	Lambda  ratio.Ratio
	Asked   int64 // the objective that is good, in the units of Objective; the threshold is smaller after a limit

	problem  *Problem
	points   *instance.Points
	input    *rashomon.Problem
	weights  []int64 // of each point
	total    int64
	limits   rashomon.Options
	software string
	scale    int64                     // units of an objective of 1
	allowed  func(antecedent int) bool // of the antecedents, after Without; nil: all
}

// Alternatives finds all good rule lists of the problem, or all good trees within option Depth, with any
// classes in their leaves. Limits of time and memory may leave those within a smaller threshold.
func (p *Problem) Alternatives(ctx context.Context, o AlternativesOptions) (*Alternatives, error) {
	switch {
	case p.kind != model.RuleList && p.kind != model.Tree:
		return nil, optionerr.Errorf("Family", "all good models are found of rule lists and trees, not of a %s", p.kind)
	case p.numbers != nil:
		return nil, optionerr.Errorf("Cuts", "option Cuts all does not go with a search for many trees: leave it out, and numbers are cut")
	case o.Within != (ratio.Ratio{}) && o.Rules != (ratio.Ratio{}):
		return nil, optionerr.Errorf("Within", "options Within and WithinRules both say which models are good: give one of them")
	}
	start, a := time.Now(), &Alternatives{}
	if err := a.begin(ctx, p, o.Options, o.From); err != nil {
		return nil, err
	}
	if o.From != nil {
		return a, a.read(o.From)
	}
	if end := a.Best.Certificate().Status; end != status.Optimal {
		return nil, &ErrUnproved{end}
	}
	var err error
	if a.Asked, err = o.threshold(a.Best, a.scale, a.input.Price); err != nil {
		return nil, err
	}
	a.limits.States, a.limits.Progress = o.States, o.Growing
	if o.Time > 0 {
		a.limits.Time = max(o.Time-time.Since(start), 1)
	}
	a.Set, err = a.build(ctx, a.input, a.Asked)
	a.limits.Proof = nil // of this set alone
	return a, err
}

// build finds the good models of the problem, or of one with more points.
func (a *Alternatives) build(ctx context.Context, in *rashomon.Problem, threshold int64) (*rashomon.Set, error) {
	if a.problem.kind == model.Tree {
		return rashomon.BuildTrees(ctx, in, threshold, a.limits)
	}
	return rashomon.BuildLists(ctx, in, threshold, a.limits)
}

// read takes good models from a file.
func (a *Alternatives) read(from io.Reader) (err error) {
	p, read := a.problem, rashomon.Read
	if p.kind == model.Tree {
		read = rashomon.ReadTrees
	}
	about := rashomon.Proof{Proof: &blockfile.Proof{Digest: p.Set.Digest()}, Weight: p.Set.Data.TotalWeight()}
	a.Set, err = read(from, about, func(lambda ratio.Ratio) (*rashomon.Problem, error) {
		var err error
		a.Lambda, a.scale = lambda, lambda.Den*a.total
		a.input, err = rashomon.FromPoints(a.points, lambda)
		return a.input, err
	})
	if err != nil {
		return err
	}
	a.Asked = a.Threshold()
	a.Best, err = a.smallest(a.Set)
	a.Optimum = a.Best
	return err
}

// smallest returns the best of some good models.
func (a *Alternatives) smallest(s *rashomon.Set) (*Model, error) {
	best, ok := s.Smallest()
	if !ok {
		return nil, ErrTooMany
	}
	return a.Model(best)
}

// Model returns a model of the set as one that predicts. It says that it is not proved to be
// optimal unless it is.
func (a *Alternatives) Model(m rashomon.Model) (*Model, error) {
	least, _ := a.Least()
	return a.model(m, least)
}

// model returns a model of which none has an objective below least.
func (a *Alternatives) model(m rashomon.Model, least int64) (*Model, error) {
	end := status.Finished
	if m.Objective == least {
		end = status.Optimal
	}
	out, set := &Model{notes: a.problem.Set.Data.Notes}, a.problem.Set
	var err error
	if a.problem.kind == model.Tree {
		out.when = leaves(m.Preorder)
		out.Model, err = tree.New(set, m.Preorder, tree.Meta{Software: a.software, Status: end, Lambda: a.Lambda, MaxDepth: a.input.Depth, Objective: m.Objective, LowerBound: least, Options: a.problem.reading})
	} else {
		l := m.List()
		list := make([]rulelist.Rule, len(l.Rules))
		out.when = make([][]int, len(l.Rules)+1)
		for i, r := range l.Rules {
			list[i] = rulelist.Rule{Antecedent: r.Antecedent, Class: r.Label}
			out.when[i] = []int{r.Antecedent}
		}
		out.Model, err = rulelist.New(set, list, l.Default, rulelist.Meta{Software: a.software, Status: end, Lambda: a.Lambda, Objective: m.Objective, LowerBound: least, Options: a.problem.reading})
	}
	if err != nil {
		return nil, err
	}
	if a.Best != nil {
		out.About().Options = a.Best.About().Options
	}
	return out, nil
}

// ErrUnproved reports that a limit ended the search for the optimum, without which nobody
// knows which models are good.
type ErrUnproved struct{ Status status.Status }

func (e *ErrUnproved) Error() string {
	return "the search for the optimum ended by a limit (" + e.Status.String() + "), so which models are nearly as good is not known: give it more time or memory, or a larger option Lambda"
}

// begin makes what all questions about many models need: the optimum, unless a file has it, and the
// points.
func (a *Alternatives) begin(ctx context.Context, p *Problem, o Options, from io.Reader) error {
	switch classes := p.Set.Data.ClassCount(); {
	case o.Checkpoint != nil:
		return optionerr.Errorf("Checkpoint", "a search for many models has no checkpoint")
	case p.kind == model.RuleList && classes > rashomon.MostClasses:
		return optionerr.Errorf("Positive", "%d classes, a search for many rule lists tells at most %d apart: choose one by option Positive", classes, rashomon.MostClasses)
	case o.MaxRules > 0:
		return optionerr.Errorf("MaxRules", "option MaxRules does not go with a search for many models")
	case len(o.First) > 0:
		return optionerr.Errorf("First", "option First does not go with a search for many models")
	}
	s, err := p.withDefaults(o).resolve(p.reading)
	if err != nil {
		return err
	}
	proof := o.Proof
	if o.Proof = nil; from == nil {
		if a.Best, err = p.Fit(ctx, o); err != nil {
			return err
		}
	}
	if a.points = p.points; a.points == nil {
		if a.points, err = instance.BarePoints(p.Set); err != nil {
			return err
		}
	}
	a.points = a.points.WithColumns()
	if a.input, err = rashomon.FromPoints(a.points, s.price); err != nil {
		return optionerr.Errorf("Lambda", "option Lambda: %v", err)
	}
	a.input.Depth = s.Depth
	a.Optimum, a.Lambda, a.problem, a.software = a.Best, s.price, p, cmp.Or(s.Software, software)
	a.total, a.scale, a.weights = a.points.Total, s.price.Den*a.points.Total, make([]int64, a.points.Count)
	for _, of := range a.points.Weights {
		for i := range a.weights {
			a.weights[i] += of[i]
		}
	}
	a.limits = rashomon.Options{Workers: o.Workers, Memory: (o.Memory + 2) / 3, Every: o.ProgressEvery} // counts and tables take as much again, and more
	a.limits.Proof, err = p.goodProof(proof, s)
	return err
}

// Objective returns an objective of the set as a share: errors/total + λ·rules or leaves.
func (a *Alternatives) Objective(units int64) float64 { return float64(units) / float64(a.scale) }

// predicts returns the class that a model of the problem predicts where these antecedents hold.
func predicts(m *Model, holds func(antecedent int) bool) int {
	cases := m.Cases()
	for i, when := range m.when {
		all := true
		for _, k := range when {
			all = all && holds(k)
		}
		if all {
			return cases[i].Class
		}
	}
	panic("parcorels: no case of a model decides a row")
}

// haunt returns the problem with points that cost nothing, over these columns.
func (a *Alternatives) haunt(columns [][]uint64, ghosts int) *rashomon.Problem {
	p := *a.input
	p.Columns, p.Ghosts, p.Points, p.Loss = columns, ghosts, p.Points+ghosts, slices.Clone(p.Loss)
	for c, loss := range p.Loss {
		p.Loss[c] = append(slices.Clip(loss), make([]int64, ghosts)...)
	}
	return &p
}

// threshold returns the largest objective that is good, in units of which an objective of 1 has
// scale.
func (o *AlternativesOptions) threshold(best *Model, scale, price int64) (int64, error) {
	c := best.Certificate()
	optimum := big.NewRat(c.Objective.Num, c.Objective.Den)
	optimum.Mul(optimum, new(big.Rat).SetInt64(scale))
	most := new(big.Int)
	if o.Within != (ratio.Ratio{}) {
		t := new(big.Rat).Add(big.NewRat(1, 1), big.NewRat(o.Within.Num, o.Within.Den))
		t.Mul(t, optimum)
		most.Quo(t.Num(), t.Denom())
	} else {
		rules := o.Rules
		if rules == (ratio.Ratio{}) {
			rules = ratio.New(1, 1)
		}
		t := new(big.Rat).Mul(big.NewRat(rules.Num, rules.Den), new(big.Rat).SetInt64(price))
		t.Add(t, optimum)
		below := new(big.Int).Sub(t.Num(), big.NewInt(1)) // the largest integer below t
		most.Quo(below, t.Denom())
	}
	if !most.IsInt64() || most.Int64() > 1<<59 {
		return 0, optionerr.Errorf("Within", "so many models are good that their objectives cannot be added up exactly")
	}
	return most.Int64(), nil
}
