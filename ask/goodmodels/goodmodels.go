// Package goodmodels finds all models that are nearly as good as the optimum, and answers questions about all of
// them at once. Begin with [Ask]. Package graph below has the models.
package goodmodels

import (
	"cmp"
	"context"
	"io"
	"math/big"
	"slices"
	"time"

	"parcorels/ask/goodmodels/graph"
	"parcorels/family"
	"parcorels/instance"
	"parcorels/internal/blockfile"
	"parcorels/internal/status"
	"parcorels/model"
	"parcorels/optionerr"
	"parcorels/ratio"
	"parcorels/rulelist"
	"parcorels/tree"
)

// Options say which models are good. Without Within and Rules these are the models
// within less than one rule of the optimum.
type Options struct {
	family.Options               // of the search for the optimum, and λ
	Within         ratio.Ratio   // an objective of at most 1 + Within times the optimum is good
	Rules          ratio.Ratio   // one of less than the optimum and so many rules, instead of Within
	States         int           // the most states of the graph; 0: no limit but memory
	Growing        func(Growing) // called while the graph grows; nil: never
	// From is a file that a proof of good models was written to: they are read, not searched for.
	// Which are good, and λ, is in the file.
	From io.Reader
}

// Growing is a look at a graph of good models while it grows.
type Growing = graph.Progress

// Answer is all good models of a problem: the Rashomon set. See package
// graph.
type Answer struct {
	*graph.Set
	*Frame
	Optimum *family.Model // the best of the set: Best unless that was left out
	Asked   int64         // the objective that is good, in the units of Objective; the threshold is smaller after a limit

	weights []int64                   // of each point
	allowed func(antecedent int) bool // of the antecedents, after Without; nil: all
}

// Frame is what questions about many models begin with: the optimum, unless a file has it, and the points.
type Frame struct {
	Best   *family.Model // the optimum, or the best that a limit left
	Lambda ratio.Ratio
	Points *instance.Points
	Input  *graph.Problem
	Limits graph.Options
	Scale  int64 // units of an objective of 1

	problem  *family.Problem
	software string
}

// manyModels is what an error of options calls a search for all good models.
const manyModels = "a search for many models"

// Fits reports an option that does not go with a question about many models, which errors call asked. Restricted allows least rows
// and directions, which no graph knows.
func Fits(o *family.Options, restricted bool, asked string) error {
	for _, of := range []struct {
		field string
		given bool
	}{{"Checkpoint", o.Checkpoint != nil}, {"MaxRules", o.MaxRules > 0}, {"Maximise", o.Maximise != ""}, {"First", len(o.First) > 0},
		{"MinRows", o.MinRows > 1 && !restricted}, {"Increasing", len(o.Increasing) > 0 && !restricted},
		{"Decreasing", len(o.Decreasing) > 0 && !restricted}} {
		if of.given {
			return optionerr.Errorf(of.field, "option %s does not go with %s", of.field, asked)
		}
	}
	return nil
}

// NewFrame finds the optimum, unless it is told not to. Errors call what is asked so: "limits such as option Recall". Group is what a
// proof calls the group that it is about, if there is one. Restricted is that of Fits.
func NewFrame(ctx context.Context, p *family.Problem, o family.Options, search, restricted bool, asked, group string) (*Frame, error) {
	if err := Fits(&o, restricted, asked); err != nil {
		return nil, err
	}
	if classes := p.Set.Data.ClassCount(); p.Kind() == model.RuleList && classes > graph.MostClasses {
		return nil, optionerr.Errorf("Positive", "%d classes, a search for many rule lists tells at most %d apart: choose one by option "+
			"Positive", classes, graph.MostClasses)
	}
	f := &Frame{problem: p, software: cmp.Or(o.Software, family.Software)}
	var err error
	if f.Lambda, err = p.Price(o); err != nil {
		return nil, err
	}
	// counts and tables take as much again, and more
	f.Limits = graph.Options{Workers: o.Workers, Memory: (o.Memory + 2) / 3, Every: o.ProgressEvery}
	if to := o.Proof; to != nil {
		settings, err := p.ProofSettings(o, group)
		if err != nil {
			return nil, err
		}
		f.Limits.Proof = &graph.Proof{Proof: &blockfile.Proof{To: to.To, File: to.File, Digest: p.Set.Digest(), Settings: settings},
			Lambda: f.Lambda, Weight: p.Set.Data.TotalWeight()}
	}
	if o.Proof = nil; search {
		if f.Best, err = p.Fit(ctx, o); err != nil {
			return nil, err
		}
	}
	if f.Points, err = p.PointsWithoutColumns(); err != nil {
		return nil, err
	}
	return f, f.price(f.Lambda, o.Depth)
}

// price makes the input for a price of a rule or leaf.
func (f *Frame) price(lambda ratio.Ratio, depth int) (err error) {
	f.Lambda, f.Scale = lambda, lambda.Den*f.Points.Total
	if f.Input, err = graph.FromPoints(f.Points, lambda); err != nil {
		return optionerr.Errorf("Lambda", "option Lambda: %v", err)
	}
	f.Input.Trees, f.Input.Depth = f.problem.Kind() == model.Tree, depth
	return nil
}

// answer returns an answer without its models.
func (f *Frame) answer() *Answer {
	a := &Answer{Frame: f, Optimum: f.Best, weights: make([]int64, f.Points.Count)}
	for _, of := range f.Points.Weights {
		for i := range a.weights {
			a.weights[i] += of[i]
		}
	}
	return a
}

// Ask finds all good rule lists of the problem, or all good trees within option Depth, with any
// classes in their leaves. Limits of time and memory may leave those within a smaller threshold.
func Ask(ctx context.Context, p *family.Problem, o Options) (*Answer, error) {
	switch {
	case p.Kind() != model.RuleList && p.Kind() != model.Tree:
		return nil, optionerr.Errorf("Family", "all good models are found of rule lists and trees, not of a %s", p.Kind())
	case p.EveryThreshold():
		return nil, optionerr.Errorf("Cuts", "option Cuts all does not go with a search for many trees: leave it out, and numbers are cut")
	case o.Within != (ratio.Ratio{}) && o.Rules != (ratio.Ratio{}):
		return nil, optionerr.Errorf("Within", "options Within and WithinRules both say which models are good: give one of them")
	}
	start := time.Now()
	f, err := NewFrame(ctx, p, o.Options, o.From == nil, false, manyModels, "")
	if err != nil {
		return nil, err
	}
	a := f.answer()
	if o.From != nil {
		return a, a.read(o.From)
	}
	if end := a.Best.Certificate().Status; end != status.Optimal {
		return nil, &ErrUnproved{end}
	}
	if a.Asked, err = o.threshold(a.Best, a.Scale, a.Input.Price); err != nil {
		return nil, err
	}
	a.Limits.States, a.Limits.Progress = o.States, o.Growing
	if o.Time > 0 {
		a.Limits.Time = max(o.Time-time.Since(start), 1)
	}
	a.Set, err = graph.Build(ctx, a.Input, a.Asked, a.Limits)
	a.Limits.Proof = nil // of this set alone
	return a, err
}

// read takes good models from a file.
func (a *Answer) read(from io.Reader) (err error) {
	p := a.problem
	about := graph.Proof{Proof: &blockfile.Proof{Digest: p.Set.Digest()}, Weight: p.Set.Data.TotalWeight()}
	a.Set, err = graph.Read(from, about, p.Kind() == model.Tree, func(lambda ratio.Ratio) (*graph.Problem, error) {
		err := a.price(lambda, 0)
		return a.Input, err
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
func (a *Answer) smallest(s *graph.Set) (*family.Model, error) {
	best, ok := s.Smallest()
	if !ok {
		return nil, ErrTooMany
	}
	return a.Model(best)
}

// Model returns a model of the set as one that predicts. It says that it is not proved to be
// optimal unless it is.
func (a *Answer) Model(m graph.Model) (*family.Model, error) {
	least, _ := a.Least()
	return a.ModelOf(m, least)
}

// ModelOf returns a model of which none has an objective below least.
func (f *Frame) ModelOf(m graph.Model, least int64) (*family.Model, error) {
	end, set := status.Finished, f.problem.Set
	if m.Objective == least {
		end = status.Optimal
	}
	meta := model.Meta{Software: f.software, Status: end, Lambda: f.Lambda, Objective: m.Objective, LowerBound: least,
		Options: f.problem.Reading()}
	var made model.Model
	var err error
	if f.problem.Kind() == model.Tree {
		meta.Most = f.Input.Depth
		made, err = tree.New(set, m.Preorder, meta)
	} else {
		nodes := m.Preorder
		var list []rulelist.Rule
		for ; len(nodes) > 1; nodes = nodes[2:] {
			list = append(list, rulelist.Rule{Antecedent: nodes[0], Class: -1 - nodes[1]})
		}
		made, err = rulelist.New(set, list, -1-nodes[0], meta)
	}
	if err != nil {
		return nil, err
	}
	if f.Best != nil {
		made.About().Options = f.Best.About().Options
	}
	return family.NewModel(made, f.problem, family.Leaves(m.Preorder)), nil
}

// ErrUnproved reports that a limit ended the search for the optimum, without which nobody
// knows which models are good.
type ErrUnproved struct{ Status status.Status }

func (e *ErrUnproved) Error() string {
	return "the search for the optimum ended by a limit (" + e.Status.String() +
		"), so which models are nearly as good is not known: give it more time or memory, or a larger option Lambda"
}

// Objective returns an objective of the set as a share: errors/total + λ·rules or leaves.
func (f *Frame) Objective(units int64) float64 { return float64(units) / float64(f.Scale) }

// haunt returns the problem with points that cost nothing, over these columns.
func (a *Answer) haunt(columns [][]uint64, ghosts int) *graph.Problem {
	p := *a.Input
	p.Columns, p.Ghosts, p.Points, p.Loss = columns, ghosts, p.Points+ghosts, slices.Clone(p.Loss)
	for c, loss := range p.Loss {
		p.Loss[c] = append(slices.Clip(loss), make([]int64, ghosts)...)
	}
	return &p
}

// threshold returns the largest objective that is good, in units of which an objective of 1 has
// scale.
func (o *Options) threshold(best *family.Model, scale, price int64) (int64, error) {
	c := best.Certificate()
	optimum := ratio.Product(c.Objective.Rat(), ratio.Int(scale))
	var most *big.Int
	if o.Within.Valid() {
		most = ratio.Floor(ratio.Sum(optimum, ratio.Product(o.Within.Rat(), optimum)))
	} else {
		most = ratio.Ceil(ratio.Sum(optimum, ratio.Product(cmp.Or(o.Rules, ratio.New(1, 1)).Rat(), ratio.Int(price))))
		most.Sub(most, big.NewInt(1)) // the largest integer below that
	}
	if !most.IsInt64() || most.Int64() > 1<<59 {
		return 0, optionerr.Errorf("Within", "so many models are good that their objectives cannot be added up exactly")
	}
	return most.Int64(), nil
}
