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
)

// good is what sets of good models of all families share: the questions about them.
type good struct {
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
	scale    int64 // units of an objective of 1
	found    models
	allowed  func(antecedent int) bool // of the antecedents, after Without; nil: all
}

// models are the good models of a family, as questions see them. What has a limit of memory
// returns false where it needs more.
type models interface {
	Least() (int64, bool)
	Threshold() int64
	Flips() [][]int64 // by class and point, the least objective of a model that predicts so; −1 for none
	number() *big.Int
	smallest() (*Model, error)
	sums(predicted [][]int64) (answers, bool) // by what predicting a class at a point adds
	decided(by func(antecedent int) bool, weight []int64) (answers, bool)
	columnSets(of func(antecedent int) uint64) (answers, bool)
	only(allowed func(antecedent int) bool) models
	haunted(ctx context.Context, columns [][]uint64, ghosts int) (models, error) // with points that cost nothing
}

// answers are models with a property each, in the order of objective.
type answers interface {
	Len() int
	Objective(i int) int64
	key(i int) int64
	model(i int) (*Model, error)
}

// begin makes what all questions about many models need: the optimum, unless a file has it, and the
// points.
func (g *good) begin(ctx context.Context, p *Problem, o Options, from io.Reader) error {
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
		if g.Best, err = p.Fit(ctx, o); err != nil {
			return err
		}
	}
	if g.points = p.points; g.points == nil {
		if g.points, err = instance.BarePoints(p.Set); err != nil {
			return err
		}
	}
	g.points = g.points.WithColumns()
	if g.input, err = rashomon.FromPoints(g.points, s.price); err != nil {
		return optionerr.Errorf("Lambda", "option Lambda: %v", err)
	}
	g.input.Depth = s.Depth
	g.Optimum, g.Lambda, g.problem, g.software = g.Best, s.price, p, cmp.Or(s.Software, software)
	g.total, g.scale, g.weights = g.points.Total, s.price.Den*g.points.Total, make([]int64, g.points.Count)
	for _, of := range g.points.Weights {
		for i := range g.weights {
			g.weights[i] += of[i]
		}
	}
	g.limits = rashomon.Options{Workers: o.Workers, Memory: (o.Memory + 2) / 3, Every: o.ProgressEvery} // counts and tables take as much again, and more
	g.limits.Proof, err = p.goodProof(proof, s)
	return err
}

// find finds good models by build, or reads them from a file.
func find[S any](
	ctx context.Context, p *Problem, g *good, o AlternativesOptions,
	build func(context.Context, *rashomon.Problem, int64, rashomon.Options) (S, error),
	read func(io.Reader, rashomon.Proof, func(ratio.Ratio) (*rashomon.Problem, error)) (S, error), take func(S),
) error {
	if o.Within != (ratio.Ratio{}) && o.Rules != (ratio.Ratio{}) {
		return optionerr.Errorf("Within", "options Within and WithinRules both say which models are good: give one of them")
	}
	start := time.Now()
	if err := g.begin(ctx, p, o.Options, o.From); err != nil {
		return err
	}
	if o.From != nil {
		about := rashomon.Proof{Proof: &blockfile.Proof{Digest: p.Set.Digest()}, Weight: p.Set.Data.TotalWeight()}
		found, err := read(o.From, about, func(lambda ratio.Ratio) (*rashomon.Problem, error) {
			var err error
			g.Lambda, g.scale = lambda, lambda.Den*g.total
			g.input, err = rashomon.FromPoints(g.points, lambda)
			return g.input, err
		})
		if err != nil {
			return err
		}
		take(found)
		g.Asked = g.found.Threshold()
		g.Best, err = g.found.smallest()
		g.Optimum = g.Best
		return err
	}
	if end := g.Best.Certificate().Status; end != status.Optimal {
		return &ErrUnproved{end}
	}
	var err error
	if g.Asked, err = o.threshold(g.Best, g.scale, g.input.Price); err != nil {
		return err
	}
	g.limits.States, g.limits.Progress = o.States, o.Growing
	if o.Time > 0 {
		g.limits.Time = max(o.Time-time.Since(start), 1)
	}
	found, err := build(ctx, g.input, g.Asked, g.limits)
	g.limits.Proof = nil // of this set alone
	take(found)
	return err
}

// Objective returns an objective of the set as a share: errors/total + λ·rules or leaves.
func (g *good) Objective(units int64) float64 { return float64(units) / float64(g.scale) }

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
func (g *good) haunt(columns [][]uint64, ghosts int) *rashomon.Problem {
	p := *g.input
	p.Columns, p.Ghosts, p.Points, p.Loss = columns, ghosts, p.Points+ghosts, slices.Clone(p.Loss)
	for c, loss := range p.Loss {
		p.Loss[c] = append(slices.Clip(loss), make([]int64, ghosts)...)
	}
	return &p
}

// listModels are good rule lists.
type listModels struct {
	*rashomon.Set
	a *Alternatives
}

func (l listModels) number() *big.Int { return l.Count().Lists() }

func (l listModels) smallest() (*Model, error) {
	best, ok := l.Smallest()
	if !ok {
		return nil, ErrTooMany
	}
	return l.a.Model(best)
}

func (l listModels) sums(predicted [][]int64) (answers, bool) {
	t, ok := l.Sums(rashomon.Sum{Predicted: predicted}, mostEntries)
	return listAnswers{t, l.a}, ok
}

func (l listModels) decided(by func(antecedent int) bool, weight []int64) (answers, bool) {
	t, ok := l.Sums(rashomon.Sum{Decided: weight, By: by}, mostEntries)
	return listAnswers{t, l.a}, ok
}

func (l listModels) columnSets(of func(antecedent int) uint64) (answers, bool) {
	t, ok := l.ColumnSets(of, mostEntries)
	return listAnswers{t, l.a}, ok
}

func (l listModels) only(allowed func(antecedent int) bool) models {
	return listModels{l.Only(allowed), l.a}
}

func (l listModels) haunted(ctx context.Context, columns [][]uint64, ghosts int) (models, error) {
	set, err := rashomon.Build(ctx, l.a.haunt(columns, ghosts), l.Threshold(), l.a.limits)
	if err == nil && !set.Complete {
		err = ErrTooMany // a question is about all models, not those within a smaller threshold
	}
	return listModels{set, l.a}, err
}

type listAnswers struct {
	*rashomon.Table
	a *Alternatives
}

func (l listAnswers) key(i int) int64             { return l.Key(i)[0] }
func (l listAnswers) model(i int) (*Model, error) { return l.a.Model(l.At(i)) }

// treeModels are good trees.
type treeModels struct {
	*rashomon.Trees
	a *AlternativeTrees
}

func (t treeModels) number() *big.Int { return t.Count().Trees() }

func (t treeModels) smallest() (*Model, error) {
	best, ok := t.Smallest()
	if !ok {
		return nil, ErrTooMany
	}
	return t.a.Model(best)
}

func (t treeModels) sums(predicted [][]int64) (answers, bool) {
	x, ok := t.Sums(predicted, mostEntries)
	return treeAnswers{x, t.a}, ok
}

func (t treeModels) decided(by func(antecedent int) bool, weight []int64) (answers, bool) {
	x, ok := t.Decided(by, weight, mostEntries)
	return treeAnswers{x, t.a}, ok
}

func (t treeModels) columnSets(of func(antecedent int) uint64) (answers, bool) {
	x, ok := t.ColumnSets(of, mostEntries)
	return treeAnswers{x, t.a}, ok
}

func (t treeModels) only(allowed func(antecedent int) bool) models {
	return treeModels{t.Only(allowed), t.a}
}

func (t treeModels) haunted(ctx context.Context, columns [][]uint64, ghosts int) (models, error) {
	trees, err := rashomon.BuildTrees(ctx, t.a.haunt(columns, ghosts), t.Threshold(), t.a.limits)
	if err == nil && !trees.Complete {
		err = ErrTooMany
	}
	return treeModels{trees, t.a}, err
}

type treeAnswers struct {
	*rashomon.TreeTable
	a *AlternativeTrees
}

func (t treeAnswers) key(i int) int64             { return t.Key(i) }
func (t treeAnswers) model(i int) (*Model, error) { return t.a.Model(t.At(i)) }
