package parcorels

import (
	"context"
	"math/big"

	"parcorels/choice/rashomon"
	"parcorels/instance"
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

// newGood fills in what follows from the points.
func newGood(p *Problem, best *Model, points *instance.Points, s *resolved) good {
	g := good{Best: best, Optimum: best, Lambda: s.price, problem: p, software: s.Software, points: points, total: points.Total, scale: s.price.Den * points.Total}
	if g.software == "" {
		g.software = software
	}
	g.weights = make([]int64, points.Count)
	for _, of := range points.Weights {
		for i := range g.weights {
			g.weights[i] += of[i]
		}
	}
	return g
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

// listModels are good rule lists.
type listModels struct {
	*rashomon.Set
	a *Alternatives
}

func (l listModels) number() *big.Int { return l.Count().Lists() }

func (l listModels) Flips() [][]int64 {
	f := l.Set.Flips()
	return f[:]
}

func (l listModels) smallest() (*Model, error) {
	best, ok := l.Smallest()
	if !ok {
		return nil, ErrTooMany
	}
	return l.a.Model(best)
}

func (l listModels) sums(predicted [][]int64) (answers, bool) {
	t, ok := l.Sums(rashomon.Sum{Predicted: [2][]int64(predicted)}, mostEntries)
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
	p := *l.a.input
	p.Columns, p.Ghosts, p.Points = columns, ghosts, p.Points+ghosts
	for q := range p.Loss {
		p.Loss[q] = append(p.Loss[q][:len(p.Loss[q]):len(p.Loss[q])], make([]int64, ghosts)...)
	}
	set, err := rashomon.Build(ctx, &p, l.Threshold(), l.a.limits)
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
	p := rashomon.TreesFromPoints(t.a.points, t.a.Lambda, t.a.depth)
	p.Columns, p.Ghosts, p.Points = columns, ghosts, p.Points+ghosts
	for c := range p.Loss {
		p.Loss[c] = append(p.Loss[c], make([]int64, ghosts)...)
	}
	trees, err := rashomon.BuildTrees(ctx, p, t.Threshold(), t.a.limits)
	return treeModels{trees, t.a}, err
}

type treeAnswers struct {
	*rashomon.TreeTable
	a *AlternativeTrees
}

func (t treeAnswers) key(i int) int64             { return t.Key(i) }
func (t treeAnswers) model(i int) (*Model, error) { return t.a.Model(t.At(i)) }
