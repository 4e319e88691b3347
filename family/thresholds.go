package family

import (
	"cmp"
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

// newThresholds makes the problem of a set whose data have numbers that are not cut. Columns are
// searched in the order of the table.
func newThresholds(set *rules.Set) (*thresholds, error) {
	d := set.Data
	t := &thresholds{set: set}
	place := map[string]int{}
	for i, name := range d.Columns {
		place[name] = i
	}
	at := func(c thresholdColumn) int {
		if c.numbers >= 0 {
			return place[d.Numbers[c.numbers].Column]
		}
		return place[d.Features[set.Antecedents[c.antecedent].Literals[0].Feature].Column]
	}
	for i := range d.Numbers {
		n := &d.Numbers[i]
		t.count += n.Thresholds()
		t.columns = append(t.columns, thresholdColumn{numbers: i})
		if n.Missing {
			t.columns = append(t.columns, thresholdColumn{numbers: i, down: true})
		}
	}
	for a := range set.Antecedents {
		t.columns = append(t.columns, thresholdColumn{antecedent: a, numbers: -1})
	}
	slices.SortStableFunc(t.columns, func(a, b thresholdColumn) int { return cmp.Compare(at(a), at(b)) })
	ranks := make([][]int32, len(t.columns))
	var classes []uint16
	var weights []int64
	for i := range d.N { // a sample that weighs in several classes is several of them
		for c, w := range d.WeightsAt(i) {
			classes, weights = append(classes, uint16(c)), append(weights, w)
		}
	}
	for h, c := range t.columns {
		of := t.ranks(c)
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

// ranks returns the place of each sample in the order of a column.
func (t *thresholds) ranks(c thresholdColumn) []int32 {
	if c.numbers < 0 {
		ranks := make([]int32, t.set.Data.N)
		captured := t.set.Antecedents[c.antecedent].Captured()
		for i := range ranks {
			if !captured.Test(uint(i)) {
				ranks[i] = 1
			}
		}
		return ranks
	}
	n := &t.set.Data.Numbers[c.numbers]
	if !c.down {
		return n.Ranks
	}
	ranks, last := slices.Clone(n.Ranks), int32(len(n.Levels)-1)
	for i, r := range ranks {
		if r <= last {
			ranks[i] = last - r
		}
	}
	return ranks
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
		if c.numbers < 0 {
			preorder[i] = c.antecedent
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
func (t *thresholds) cut(c thresholdColumn, n numeric.Node) dataset.Cut {
	numbers := &t.set.Data.Numbers[c.numbers]
	low, high := int(n.Low), int(n.High)
	if high == len(numbers.Levels) {
		return dataset.Cut{Numbers: c.numbers, Missing: true}
	}
	if c.down {
		last := len(numbers.Levels) - 1
		low, high = last-high, last-low
	}
	return dataset.Cut{Numbers: c.numbers, At: numbers.Between(low, high), Above: c.down}
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
