package parcorels

import (
	"context"
	"io"

	"parcorels/choice/rashomon"
	"parcorels/internal/status"
	"parcorels/model"
	"parcorels/optionerr"
	"parcorels/ratio"
	"parcorels/rulelist"
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
	good
}

// Alternatives finds all good rule lists of the problem. Limits of time and memory may leave those
// within a smaller threshold.
func (p *Problem) Alternatives(ctx context.Context, o AlternativesOptions) (*Alternatives, error) {
	if p.kind != model.RuleList {
		return nil, optionerr.Errorf("Family", "all good models of a %s cannot be found: expected a rule list, or a decision tree by AlternativeTrees", p.kind)
	}
	a := &Alternatives{}
	return a, find(ctx, p, &a.good, o, rashomon.Build, rashomon.Read, a.take)
}

// take makes the set one of these lists.
func (a *Alternatives) take(set *rashomon.Set) {
	a.Set, a.found = set, listModels{set, a}
}

// ErrUnproved reports that a limit ended the search for the optimum, without which nobody
// knows which models are good.
type ErrUnproved struct{ Status status.Status }

func (e *ErrUnproved) Error() string {
	return "the search for the optimum ended by a limit (" + e.Status.String() + "), so which models are nearly as good is not known: give it more time or memory, or a larger option Lambda"
}

// Model returns a list of the set as a model that predicts. It says that it is not proved to be
// optimal unless it is.
func (a *Alternatives) Model(l rashomon.List) (*Model, error) {
	least, _ := a.Least()
	return a.model(l, least)
}

// model returns a list as a model, of which no list has an objective below least.
func (a *Alternatives) model(l rashomon.List, least int64) (*Model, error) {
	meta := rulelist.Meta{Software: a.software, Status: status.Finished, Lambda: a.Lambda, Objective: l.Objective, LowerBound: least, Options: a.problem.reading}
	if l.Objective == least {
		meta.Status = status.Optimal
	}
	list := make([]rulelist.Rule, len(l.Rules))
	out := &Model{notes: a.problem.Set.Data.Notes, when: make([][]int, len(l.Rules)+1)}
	for i, r := range l.Rules {
		list[i] = rulelist.Rule{Antecedent: r.Antecedent, Class: r.Label}
		out.when[i] = []int{r.Antecedent}
	}
	m, err := rulelist.New(a.problem.Set, list, l.Default, meta)
	if err != nil {
		return nil, err
	}
	if a.Best != nil {
		m.About().Options = a.Best.About().Options
	}
	out.Model = m
	return out, nil
}
