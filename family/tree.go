package family

import (
	"context"
	"errors"
	"fmt"
	"parcorels/instance"
	"parcorels/internal/status"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/optionerr"
	"parcorels/report"
	"parcorels/rules"
	"parcorels/tree"
	"parcorels/tree/numeric"
	"parcorels/tree/price"
	treesearch "parcorels/tree/search"
	verifytree "parcorels/verify/tree"
	"time"
)

// trees is the record of decision trees.
func trees() *Family {
	return &Family{
		Name: "tree", Kind: model.Tree, Unit: "set", Done: "counted", Price: "lambda", Shares: true, Multiclass: true,
		defaultPrice: DefaultLambda, limit: func(o *Options) int { return o.Depth },
		dear: "leaves may cost nothing only where option Depth limits them", everyCut: true, quantiles: true, reduce: reduceTree,
		fit: fitTree, decode: decoder(tree.Codec.FromFile), reaches: reachesTree,
	}
}

// treeOptions returns the options of the search for a tree.
func (s *resolved) treeOptions(p *Problem) (treesearch.Options, error) {
	rows, err := p.rowsOfPoints(s.MinRows)
	return treesearch.Options{
		MinRows: s.MinRows, Rows: rows,
		Lambda: s.price, Depth: s.Depth, Workers: s.Workers, Nodes: s.Nodes, Memory: s.Memory, Time: s.Time,
		ProgressEvery: s.ProgressEvery, Trees: s.Models, Proof: s.proof,
	}, err
}

// rowsOfPoints counts the samples of each point, whatever they weigh; nil where the least number of a leaf is 1.
func (p *Problem) rowsOfPoints(least int) ([]int64, error) {
	if least < 1 {
		return nil, nil
	}
	points, set := p.points, *p.Set
	if set.Data.Weights != nil {
		data := *set.Data
		data.Weights, data.Gains, set.Data = nil, nil, &data
		var err error
		if points, err = instance.PointsWithoutColumns(&set); err != nil { // the same ones, in the order of their first samples
			return nil, err
		}
	}
	rows := make([]int64, points.Count)
	for i := range rows {
		for c := range points.Classes {
			rows[i] += points.Weights[c][i]
		}
	}
	return rows, nil
}

// treeMeta is what the model of a tree says beside its nodes.
func (s *resolved) treeMeta(p *Problem, end status.Status, objective, bound int64) model.Meta {
	return model.Meta{
		Software: s.Software, Status: end, Lambda: s.price, Most: s.Depth,
		Objective: objective, LowerBound: bound, Options: p.reading,
	}
}

// treeModel returns a tree on the antecedents of set, which are all thresholds where there are numbers.
func treeModel(set *rules.Set, numbers *thresholds, preorder []int, meta model.Meta) (*Model, error) {
	if numbers != nil {
		return numbers.model(numbers.nodes(set, preorder), meta)
	}
	m, err := tree.New(set, preorder, meta)
	return &Model{Model: m, when: Leaves(preorder)}, err
}

// fitTree learns a decision tree.
func fitTree(ctx context.Context, p *Problem, s *resolved) (_ *Model, err error) {
	defer func() {
		if scale := (*price.ErrScale)(nil); errors.As(err, &scale) {
			err = optionerr.Errorf("Lambda", "the weights and option Lambda %s have too many digits to be added up exactly: scale the "+
				"weights down or give fewer digits", s.price)
		}
	}()
	if p.numbers != nil && p.points == nil {
		return p.numbers.fit(ctx, p, s)
	}
	o, err := s.treeOptions(p)
	if err != nil {
		return nil, err
	}
	asModel := func(r *treesearch.Result) (*Model, error) {
		return treeModel(p.Set, p.numbers, r.Tree, s.treeMeta(p, r.Status, r.Objective, r.LowerBound))
	}
	if s.Progress != nil {
		o.Progress = func(look treesearch.Progress) {
			e := Event{Progress: look.Progress, Family: s.Family}
			e.Open = look.Sets
			if look.Tree != nil {
				e.Best = func() (Shown, error) {
					return asModel(&treesearch.Result{Status: status.Interrupted, Tree: look.Tree, Objective: look.Exact})
				}
			}
			s.Progress(e)
		}
	}
	byDepth := o.Depth == 0 && o.Time > 0 && o.Nodes == 0 && o.Proof == nil
	if byDepth {
		o.Time /= 2
	}
	r, err := treesearch.Solve(ctx, p.points, o)
	if err != nil {
		return nil, err
	}
	var steps []DepthStep
	if byDepth && r.Status == status.TimeLimit {
		if steps, err = stepByDepth(ctx, p, o, r); err != nil {
			return nil, err
		}
	}
	m, err := asModel(r)
	if err != nil {
		return nil, err
	}
	m.stats = report.TreeStats(p.points, r)
	m.Search = Search{Proved: r.Status == status.Optimal && r.ProofErr == nil, ProofErr: r.ProofErr, Steps: steps}
	return m, nil
}

// stepByDepth finds the best trees of depth 2, 3 and so on, each with a proof, where a search of all trees has ended with r in half of its
// time, o.Time. The other half is for these. A better tree takes the place of r's, whose bound on all trees stays. On
// telco, depth 5 takes 3 s.
func stepByDepth(ctx context.Context, p *Problem, o treesearch.Options, r *treesearch.Result) (steps []DepthStep, err error) {
	begun := time.Now()
	defer func() { r.Stats.Search += time.Since(begun) }()
	tell, all := o.Progress, o.Time
	share := func(objective int64) float64 { return float64(objective) / float64(r.Scale) }
	for o.Depth = 2; o.Depth < deepest; o.Depth++ {
		spent := time.Since(begun)
		if o.Time = all - spent; o.Time <= 0 {
			return steps, nil
		}
		if tell != nil {
			o.Progress = func(look treesearch.Progress) {
				look.Elapsed, look.Bound, look.Final = all+spent+look.Elapsed, share(r.LowerBound), false
				if best := share(r.Objective); look.Value >= best {
					look.Value, look.Length, look.Tree = best, r.Leaves, nil
				}
				look.Gap = r.Gap()
				tell(look)
			}
		}
		d, err := treesearch.Solve(ctx, p.points, o)
		if err != nil {
			return nil, err
		}
		if r.Stats.Counted += d.Stats.Counted; d.Objective < r.Objective {
			r.Tree, r.Leaves, r.Errors, r.Objective = d.Tree, d.Leaves, d.Errors, d.Objective
		}
		if d.Status != status.Optimal {
			if d.Status != status.TimeLimit {
				r.Status = d.Status // it was interrupted, say
			}
			return steps, nil
		}
		steps = append(steps, DepthStep{o.Depth, d.Leaves, share(d.Objective), time.Since(begun)})
	}
	return steps, nil
}

// deepest is a depth that no tree of use has.
const deepest = 1000

// Leaves returns the antecedents that hold on the way to each leaf of a tree in
// preorder.
func Leaves(preorder []int) (when [][]int) {
	var walk func(held []int)
	walk = func(held []int) {
		node := preorder[0]
		preorder = preorder[1:]
		if node < 0 {
			when = append(when, held)
			return
		}
		walk(append(held[:len(held):len(held)], node))
		walk(held)
	}
	walk(nil)
	return when
}

func reachesTree(ctx context.Context, p *Problem, s *resolved, target int64) (AsGood, error) {
	p, err := p.everyCut(s.MinRows)
	if err != nil {
		return No, err
	}
	if p.numbers != nil && p.points == nil {
		r, err := numeric.Solve(ctx, p.numbers.table, s.numericOptions(len(p.Set.Antecedents)))
		if err != nil {
			return No, err
		}
		return answered(r.Objective <= target, r.LowerBound > target), nil
	}
	o, err := s.treeOptions(p)
	if err != nil {
		return No, err
	}
	reached, known, err := treesearch.Reaches(ctx, p.points, o, target)
	return answered(reached, known), err
}

func verifyTree(ctx context.Context, proof *verifytree.Proof, set *rules.Set, read Reading, o VerifyOptions) (*Verification, error) {
	var numbers *thresholds
	if len(set.Data.Numbers) > 0 {
		var err error
		if numbers, err = newThresholds(set); err == nil {
			set, err = numbers.everyCut()
		}
		if err != nil {
			return nil, err
		}
	}
	r, err := proof.Check(ctx, set, o.Options)
	if err != nil {
		return nil, err
	}
	of := conditions(set)
	if numbers != nil {
		of = numbers.text()
	}
	told := Options{Family: model.Tree, MinRows: r.MinRows}
	v := &Verification{
		Price: r.Lambda, Claim: "optimal among all trees" + treeLimits(r.Depth) + told.RestrictionText() + " on these " + of,
		Effort: wording.Count(r.Records, "record"), Counts: VerifyCounts{Records: r.Records},
	}
	m, err := treeModel(set, numbers, r.Tree, o.meta(read, r.Lambda, r.Depth, r.Objective))
	if err == nil {
		v.Model = m.Model
	}
	return v, err
}

// treeLimits says how deep the trees that a claim is about are, if there is a limit.
func treeLimits(depth int) string {
	if depth == 0 {
		return ""
	}
	return fmt.Sprintf(" of depth %d at most", depth)
}

func reduceTree(p *Problem) (err error) {
	if len(p.Set.Data.Numbers) == 0 {
		return reducePoints(p)
	}
	if p.numbers, err = newThresholds(p.Set); err == nil {
		p.Points, p.Thresholds = p.numbers.table.Points, p.numbers.count
	}
	return err
}
