package parcorels

import (
	"context"
	"math/big"
	"math/rand/v2"

	"parcorels/choice/rashomon"
	"parcorels/internal/status"
	"parcorels/model"
	"parcorels/optionerr"
	"parcorels/ratio"
	"parcorels/tree"
)

// AlternativeTrees are all good decision trees of a problem, with any classes in their leaves.
type AlternativeTrees struct {
	*rashomon.Trees
	good
}

// AlternativeTrees finds all good trees of the problem, within option Depth. Limits of time and
// memory may leave those within a smaller threshold.
func (p *Problem) AlternativeTrees(ctx context.Context, o AlternativesOptions) (*AlternativeTrees, error) {
	if p.kind != model.Tree {
		return nil, optionerr.Errorf("Family", "the problem was made for a %s, not for a decision tree", p.kind)
	}
	if p.numbers != nil {
		return nil, optionerr.Errorf("Cuts", "option Cuts all does not go with a search for many trees: leave it out, and numbers are cut")
	}
	a := &AlternativeTrees{}
	return a, find(ctx, p, &a.good, o, rashomon.BuildTrees, rashomon.ReadTrees, a.take)
}

// take makes the set one of these trees.
func (a *AlternativeTrees) take(trees *rashomon.Trees) {
	a.Trees, a.found = trees, treeModels{trees, a}
}

// Without returns the good trees that do not look at a column.
func (a *AlternativeTrees) Without(column string) (*AlternativeTrees, error) {
	b := *a
	if err := b.avoid(column); err != nil {
		return nil, err
	}
	b.take(a.Only(b.allowed))
	return &b, b.restrict()
}

// Sample returns a tree at random, each as often as any other.
func (a *AlternativeTrees) Sample(c *rashomon.TreeCounts, rng *rand.Rand) (*Model, error) {
	preorder, objective := c.Sample(rng)
	return a.Model(rashomon.Tree{Preorder: preorder, Objective: objective})
}

// Model returns a tree of the set as a model that predicts. It says that it is not proved to be
// optimal unless it is.
func (a *AlternativeTrees) Model(t rashomon.Tree) (*Model, error) {
	least, _ := a.Least()
	meta := tree.Meta{Software: a.software, Status: status.Finished, Lambda: a.Lambda, MaxDepth: a.input.Depth, Objective: t.Objective, LowerBound: least, Options: a.problem.reading}
	if t.Objective == least {
		meta.Status = status.Optimal
	}
	m, err := tree.New(a.problem.Set, t.Preorder, meta)
	if err != nil {
		return nil, err
	}
	if a.Best != nil {
		m.About().Options = a.Best.About().Options
	}
	return &Model{Model: m, notes: a.problem.Set.Data.Notes, when: leaves(t.Preorder)}, nil
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
