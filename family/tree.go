package family

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"parcorels/dataset"
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
	verifynumeric "parcorels/verify/numeric"
	verifytree "parcorels/verify/tree"
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

// newThresholds makes the problem of a set whose data have numbers that are not cut.
func newThresholds(set *rules.Set) (*thresholds, error) {
	d := set.Data
	t := &thresholds{set: set, columns: verifynumeric.Columns(set)}
	for i := range d.Numbers {
		t.count += d.Numbers[i].Thresholds()
	}
	ranks := make([][]int32, len(t.columns))
	var classes []uint16
	var weights []int64
	for i := range d.N { // a sample that weighs in several classes is several of them
		for c, w := range d.WeightsAt(i) {
			classes, weights = append(classes, uint16(c)), append(weights, w)
		}
	}
	for h, c := range t.columns {
		of := c.Ranks(set)
		if ranks[h] = of; len(classes) > d.N {
			ranks[h] = nil
			for i, rank := range of {
				for range d.WeightsAt(i) {
					ranks[h] = append(ranks[h], rank)
				}
			}
		}
	}
	var err error
	t.table, err = numeric.NewTable(ranks, classes, d.ClassCount(), weights)
	return t, err
}

// model returns a tree as a model, with the thresholds that it has.
func (t *thresholds) model(nodes numeric.Tree, meta model.Meta) (*Model, error) {
	var cuts []dataset.Cut
	preorder := make([]int, len(nodes))
	for i, n := range nodes {
		preorder[i] = n.Column // of a leaf
		if n.Column < 0 {
			continue
		}
		c := t.columns[n.Column]
		if c.Numbers < 0 {
			preorder[i] = c.Antecedent
			continue
		}
		cut := t.cut(c, n)
		at := slices.Index(cuts, cut)
		if at < 0 {
			at = len(cuts)
			cuts = append(cuts, cut)
		}
		preorder[i] = len(t.set.Antecedents) + at
	}
	m, err := tree.New(t.set.WithCuts(cuts), preorder, meta)
	if err != nil {
		return nil, err
	}
	return &Model{Model: m, when: Leaves(preorder), cuts: cuts}, nil
}

// cut returns the threshold of a split.
func (t *thresholds) cut(c verifynumeric.Column, n numeric.Node) dataset.Cut {
	numbers := &t.set.Data.Numbers[c.Numbers]
	low, high := int(n.Low), int(n.High)
	if high == len(numbers.Levels) {
		return dataset.Cut{Numbers: c.Numbers, Missing: true}
	}
	if c.Down {
		last := len(numbers.Levels) - 1
		low, high = last-high, last-low
	}
	return dataset.Cut{Numbers: c.Numbers, At: numbers.Between(low, high), Above: c.Down}
}

func (s *resolved) numericOptions(antecedents int) numeric.Options {
	return numeric.Options{
		Lambda: s.price, Depth: s.Depth, Workers: s.Workers, Nodes: s.Nodes, Time: s.Time,
		ProgressEvery: s.ProgressEvery, Trees: s.Models, Proof: s.proof, Antecedents: antecedents,
	}
}

// fit learns a tree.
func (t *thresholds) fit(ctx context.Context, p *Problem, s *resolved) (*Model, error) {
	o := s.numericOptions(len(t.set.Antecedents))
	if s.Progress != nil {
		o.Progress = func(look numeric.Progress) {
			e := Event{Progress: look.Progress, Family: s.Family}
			if look.Tree != nil {
				e.Best = func() (Shown, error) {
					return t.model(look.Tree, s.treeMeta(p, status.Interrupted, look.Exact, 0))
				}
			}
			s.Progress(e)
		}
	}
	r, err := numeric.Solve(ctx, t.table, o)
	if err != nil {
		return nil, err
	}
	m, err := t.model(r.Tree, s.treeMeta(p, r.Status, r.Objective, r.LowerBound))
	if err != nil {
		return nil, err
	}
	m.stats = report.Stats{
		Antecedents: len(t.set.Antecedents), Points: t.table.Points, Live: t.table.Columns, Expanded: r.Stats.Sets,
		SecondsSearch: report.Seconds(r.Stats.Search), Workers: r.Stats.Workers, Kernel: r.Stats.Kernel,
		ProofBytes: r.Stats.ProofBytes, ProofRecords: r.Stats.ProofRecords,
	}
	m.Search = Search{Proved: r.Status == status.Optimal && r.ProofErr == nil, ProofErr: r.ProofErr}
	all := float64(s.price.Den) * float64(t.table.Total)
	for _, step := range r.Steps {
		m.Search.Steps = append(m.Search.Steps, DepthStep{step.Depth, step.Leaves, float64(step.Objective) / all, step.Elapsed})
	}
	return m, nil
}

// text says what trees may split at.
func (t *thresholds) text() string {
	of := wording.Count(int64(t.count), "threshold")
	if len(t.set.Antecedents) > 0 {
		of = conditions(t.set) + " and " + of
	}
	return of
}

// verifyThresholds checks a proof about a tree over all thresholds.
func verifyThresholds(ctx context.Context, proof *verifynumeric.Proof, set *rules.Set, read Reading, o VerifyOptions) (*Verification,
	error) {
	r, err := proof.Check(ctx, set, o.Workers)
	if err != nil {
		return nil, err
	}
	t, err := newThresholds(set)
	if err != nil {
		return nil, err
	}
	v := &Verification{
		Price: r.Lambda, Claim: fmt.Sprintf("optimal among all trees of depth %d at most on these %s", r.Depth, t.text()),
		Effort: wording.Count(r.Records, "record"), Counts: VerifyCounts{Records: r.Records},
	}
	nodes := make(numeric.Tree, len(r.Tree))
	for i, n := range r.Tree {
		nodes[i] = numeric.Node(n)
	}
	m, err := t.model(nodes, o.meta(read, r.Lambda, r.Depth, r.Objective))
	if err == nil {
		v.Model = m.Model
	}
	return v, err
}

// Trees over all thresholds whose leaves hold enough rows.
//
// The search over orders of numbers (tree/numeric) and its checker rest on this: a tree for a set of rows serves its subsets. With
// least rows that is not so. So each threshold becomes an antecedent, and the search that counts rows takes them. It is slower,
// and its memory grows by the thresholds times the rows.

// everyCut returns the problem with an antecedent for each threshold, if leaves must hold some rows; else p itself.
func (p *Problem) everyCut(minRows int) (_ *Problem, err error) {
	if p.numbers == nil || minRows <= 1 {
		return p, nil
	}
	with := *p
	if with.Set, err = p.numbers.everyCut(); err == nil {
		with.points, err = instance.PointsWithoutColumns(with.Set)
	}
	return &with, err
}

// everyCut returns the set with an antecedent for each threshold, behind those of other columns: column by column, and where numbers
// are missing ascending, then descending.
func (t *thresholds) everyCut() (*rules.Set, error) {
	cuts, columns := t.cuts()
	if len(columns) > rules.MaxAntecedents {
		return nil, optionerr.Errorf("MinRows", "option MinRows with option Cuts all takes each of %d thresholds as a condition, and "+
			"there may be %d conditions: option Bins 1000, say, has nearly all thresholds", len(cuts), rules.MaxAntecedents)
	}
	return t.set.WithCuts(cuts), nil
}

// cuts returns all thresholds, and the column of t of each antecedent of everyCut.
func (t *thresholds) cuts() (cuts []dataset.Cut, columns []int) {
	columns = make([]int, len(t.set.Antecedents))
	for h, c := range t.columns {
		if c.Numbers < 0 {
			columns[c.Antecedent] = h
			continue
		}
		numbers := &t.set.Data.Numbers[c.Numbers]
		places := numbers.Thresholds()
		if numbers.Missing && !c.Down && len(numbers.Levels) > 0 {
			places++ // in front of the missing ones, which is the same in both orders
		}
		for at := range int32(places) {
			cuts, columns = append(cuts, t.cut(c, numeric.Node{Low: at, High: at + 1})), append(columns, h)
		}
	}
	return cuts, columns
}

// nodes returns a tree on the antecedents of set, which is everyCut, with the ranks beside each split among the samples that come there.
func (t *thresholds) nodes(set *rules.Set, preorder []int) (nodes numeric.Tree) {
	_, columns := t.cuts()
	var walk func(samples []int)
	walk = func(samples []int) {
		antecedent := preorder[len(nodes)]
		if antecedent < 0 {
			nodes = append(nodes, numeric.Node{Column: antecedent})
			return
		}
		n := numeric.Node{Column: columns[antecedent], Low: -1, High: math.MaxInt32}
		ranks, captured := t.columns[n.Column].Ranks(t.set), set.Antecedents[antecedent].Captured()
		var left, right []int
		for _, i := range samples {
			if captured.Test(uint(i)) {
				left, n.Low = append(left, i), max(n.Low, ranks[i])
			} else {
				right, n.High = append(right, i), min(n.High, ranks[i])
			}
		}
		nodes = append(nodes, n)
		walk(left)
		walk(right)
	}
	all := make([]int, set.Data.N)
	for i := range all {
		all[i] = i
	}
	walk(all)
	return nodes
}
