package family

import (
	"context"
	"fmt"
	"slices"

	"parcorels/dataset"
	"parcorels/internal/status"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/report"
	"parcorels/rules"
	"parcorels/tree"
	"parcorels/tree/numeric"
	verifynumeric "parcorels/verify/numeric"
)

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
	for _, step := range r.Steps {
		m.Search.Steps = append(m.Search.Steps, DepthStep{step.Depth, step.Leaves, t.float(step.Objective, s), step.Elapsed})
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

func (t *thresholds) float(objective int64, s *resolved) float64 {
	return float64(objective) / (float64(s.price.Den) * float64(t.table.Total))
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
