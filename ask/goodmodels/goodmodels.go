// Package goodmodels finds all models that are nearly as good as the optimum, and answers questions about all of
// them at once. Begin with [Ask]. Package graph below has the models.
package goodmodels

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"
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
	"parcorels/rules"
	"parcorels/rules/rates"
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

// mostEntries bounds the tables of a question: some gigabytes.
const mostEntries = 20_000_000

// ErrTooMany reports a question whose tables would take too much memory.
var ErrTooMany = errors.New("the good models are too many for this question: ask within a smaller threshold")

// Columns returns the columns that the antecedents look at.
func (a *Answer) Columns() (names []string) {
	for i := range a.problem.Set.Antecedents {
		for _, c := range columnsOf(a.problem.Set, i) {
			if !slices.Contains(names, c) {
				names = append(names, c)
			}
		}
	}
	return names
}

// columnsOf returns the columns that an antecedent looks at. Names of ready-made antecedents
// such as {sex:Male,age:<21} tell their columns; any other is a column of its own.
func columnsOf(set *rules.Set, antecedent int) (names []string) {
	for _, l := range set.Antecedents[antecedent].Literals {
		f := &set.Data.Features[l.Feature]
		if f.Column != "" {
			names = append(names, f.Column)
			continue
		}
		inside := strings.TrimSuffix(strings.TrimPrefix(f.Name, "{"), "}")
		for part := range strings.SplitSeq(inside, ",") {
			if column, _, ok := strings.Cut(part, ":"); ok {
				names = append(names, strings.TrimPrefix(column, "not "))
			} else {
				names = append(names, part)
			}
		}
	}
	return names
}

// uses says of each antecedent whether it looks at a column.
func (a *Answer) uses(column string) (func(antecedent int) bool, error) {
	looks := make([]bool, len(a.problem.Set.Antecedents))
	for i := range looks {
		looks[i] = slices.Contains(columnsOf(a.problem.Set, i), column)
	}
	if !slices.Contains(looks, true) {
		return nil, optionerr.Errorf("Column", "no condition looks at a column %q: expected one of %s", column,
			strings.Join(a.Columns(), ", "))
	}
	return func(antecedent int) bool { return looks[antecedent] }, nil
}

// Without returns the good models that do not look at a column.
func (a *Answer) Without(column string) (*Answer, error) {
	looks, err := a.uses(column)
	if err != nil {
		return nil, err
	}
	b := *a
	b.allowed = func(antecedent int) bool { return !looks(antecedent) && (a.allowed == nil || a.allowed(antecedent)) }
	if b.Set = a.Only(b.allowed); b.States() > 0 {
		b.Optimum, err = b.smallest(b.Set)
	}
	return &b, err
}

// Use says what good models make of a column.
type Use struct {
	Column      string
	With, Lists *big.Int      // models that look at it, of all
	Best        *family.Model // the best without it; nil: every good model looks at it
	// Least and Most are the share of the samples, by weight, that a model decides by rules with
	// the column, or of a tree by a path with it.
	Least, Most float64
}

// Use asks what good models make of a column: how many look at it, the best that does not, and the
// share of the samples that are decided by it, at least and at most.
func (a *Answer) Use(column string) (*Use, error) {
	looks, err := a.uses(column)
	if err != nil {
		return nil, err
	}
	u := &Use{Column: column, Lists: a.Count().Models()}
	only := a.Only(func(antecedent int) bool { return !looks(antecedent) })
	without := only.Count().Models()
	u.With = new(big.Int).Sub(u.Lists, without)
	if without.Sign() > 0 {
		if u.Best, err = a.smallest(only); err != nil {
			return nil, err
		}
	}
	t, ok := a.Decided(looks, a.weights, mostEntries)
	if !ok || t.Len() == 0 {
		return nil, ErrTooMany
	}
	least, most := t.Key(0)[0], t.Key(0)[0]
	for i := range t.Len() {
		least, most = min(least, t.Key(i)[0]), max(most, t.Key(i)[0])
	}
	u.Least, u.Most = float64(least)/float64(a.Points.Total), float64(most)/float64(a.Points.Total)
	return u, nil
}

// ColumnChoice is a set of columns with the best model that looks at these and no others.
type ColumnChoice struct {
	Columns []string
	Best    *family.Model
}

// ColumnChoices returns the sets of columns that are enough for a good model, and no smaller
// part of them is, with the best model of each; those of the fewest columns first.
func (a *Answer) ColumnChoices() ([]ColumnChoice, error) {
	names := a.Columns()
	if len(names) > 64 {
		return nil, optionerr.Errorf("Column", "the conditions look at %d columns, expected at most 64", len(names))
	}
	masks := make([]uint64, len(a.problem.Set.Antecedents))
	for i := range masks {
		for _, c := range columnsOf(a.problem.Set, i) {
			masks[i] |= 1 << slices.Index(names, c)
		}
	}
	t, ok := a.ColumnSets(func(antecedent int) uint64 { return masks[antecedent] }, mostEntries)
	if !ok {
		return nil, ErrTooMany
	}
	var list []ColumnChoice
	for i := range t.Len() {
		own := uint64(t.Key(i)[0])
		minimal := true
		for j := range t.Len() {
			other := uint64(t.Key(j)[0])
			minimal = minimal && (other == own || other&^own != 0)
		}
		if !minimal {
			continue
		}
		m, err := a.Model(t.At(i))
		if err != nil {
			return nil, err
		}
		x := ColumnChoice{Best: m, Columns: []string{}}
		for c, name := range names {
			if own>>c&1 == 1 {
				x.Columns = append(x.Columns, name)
			}
		}
		list = append(list, x)
	}
	slices.SortStableFunc(list, func(x, y ColumnChoice) int { return len(x.Columns) - len(y.Columns) })
	return list, nil
}

// PredictsAt returns the class that a model of the problem predicts at a point.
func (f *Frame) PredictsAt(m *family.Model, p int) int {
	return m.Decides(func(k int) bool { return f.Points.Columns[k][p/64]>>(p%64)&1 == 1 })
}

// Trade is a model with the difference of a rate between two groups.
type Trade struct {
	Difference float64 // of those inside less those outside
	Best       *family.Model
}

// Front returns the best models for ever smaller differences of a rate between the samples of
// a group and the others: no good model has both a smaller objective and a smaller difference.
func (a *Answer) Front(group []bool, m rates.Measure) ([]Trade, error) {
	if len(a.Points.Weights) != 2 {
		return nil, rates.ErrRates(len(a.Points.Weights))
	}
	value, scale, err := rates.Difference(a.problem.Set, group, m)
	if err != nil {
		return nil, err
	}
	value = rates.ByGroup(a.problem.Set.PointOf(), len(a.weights), value)
	t, ok := a.Sums([][]int64{nil, value}, mostEntries)
	if !ok {
		return nil, ErrTooMany
	}
	var places []int                                 // of the front
	for i, least := 0, int64(-1); i < t.Len(); i++ { // in the order of objective
		if d := max(t.Key(i)[0], -t.Key(i)[0]); least < 0 || d < least {
			least = d
			if k := len(places) - 1; k >= 0 && t.Objective(places[k]) == t.Objective(i) {
				places = places[:k]
			}
			places = append(places, i)
		}
	}
	var front []Trade
	for _, i := range places {
		m, err := a.Model(t.At(i))
		if err != nil {
			return nil, err
		}
		front = append(front, Trade{float64(t.Key(i)[0]) / float64(scale), m})
	}
	return front, nil
}

// Further are rows of which nothing was learned, as all good models see them.
type Further struct {
	a        *Answer
	found    *graph.Set
	pointOf  []int
	patterns [][]byte // of each row, the antecedents that hold
	flips    [][]int64
}

// Further takes rows of another table, given as cells under names of columns, and finds
// what the good models predict for them. On a cell that is missing, where none was in training, or
// not of its column's kind, no condition holds.
//
// The rows are points that cost nothing; they only tell more sets apart.
func (a *Answer) Further(ctx context.Context, header []string, rows [][]string) (*Further, error) {
	patterns, err := judge(a.problem.Set, header, rows)
	if err != nil {
		return nil, err
	}
	f := &Further{a: a, patterns: patterns}
	if f.found, f.pointOf, err = a.haunted(ctx, patterns); err != nil {
		return nil, err
	}
	f.flips = f.found.Flips()
	return f, nil
}

// haunted returns the good models with rows that cost nothing, given by the antecedents that hold in
// them, and the point of each.
func (a *Answer) haunted(ctx context.Context, patterns [][]byte) (*graph.Set, []int, error) {
	known := map[string]int{}
	for p := range a.Points.Count { // by the antecedents that hold there
		row := make([]byte, (len(a.Points.Columns)+7)/8)
		for k, c := range a.Points.Columns {
			row[k/8] |= byte(c[p/64]>>(p%64)&1) << (k % 8)
		}
		known[string(row)] = p
	}
	ghosts := 0
	var pointOf []int
	for _, row := range patterns {
		p, ok := known[string(row)]
		if !ok {
			p = a.Points.Count + ghosts
			known[string(row)] = p
			ghosts++
		}
		pointOf = append(pointOf, p)
	}
	words := (a.Points.Count + ghosts + 63) / 64
	columns := make([][]uint64, len(a.Points.Columns))
	for k, c := range a.Points.Columns {
		columns[k] = slices.Grow(slices.Clone(c), words)[:max(words, len(c))]
		clear(columns[k][len(c):])
		columns[k] = columns[k][:words]
	}
	for i, p := range pointOf {
		for k := range columns {
			columns[k][p/64] |= uint64(patterns[i][k/8]>>(k%8)&1) << (p % 64)
		}
	}
	found, err := graph.Build(ctx, a.haunt(columns, ghosts), a.Threshold(), a.Limits)
	if err == nil && !found.Complete {
		err = ErrTooMany // a question is about all models, not those within a smaller threshold
	}
	if err == nil && a.allowed != nil {
		found = found.Only(a.allowed)
	}
	return found, pointOf, err
}

// judge finds the antecedents that hold in each row.
func judge(set *rules.Set, header []string, rows [][]string) ([][]byte, error) {
	place := make([]int, len(set.Data.Features))
	for i, f := range set.Data.Features {
		name := f.Column
		if name == "" {
			name = f.Name
		}
		if place[i] = slices.Index(header, name); place[i] < 0 {
			return nil, fmt.Errorf("the table lacks column %q, which the conditions look at", name)
		}
	}
	patterns := make([][]byte, len(rows))
	holds, fails := make([]bool, len(place)), make([]bool, len(place)) // neither: cannot be judged
	for i, cells := range rows {
		patterns[i] = make([]byte, (len(set.Antecedents)+7)/8)
		for l := range place {
			is, err := set.Data.Features[l].Test.Holds(cells[place[l]])
			holds[l], fails[l] = is && err == nil, !is && err == nil
		}
		for k, x := range set.Antecedents {
			if !slices.ContainsFunc(x.Literals, func(l rules.Literal) bool {
				return !holds[l.Feature] && !l.Negated || !fails[l.Feature] && l.Negated
			}) {
				patterns[i][k/8] |= 1 << (k % 8)
			}
		}
	}
	return patterns, nil
}

// Least returns the least objective of a good model that predicts a class for a row, and false if
// no good model does.
func (f *Further) Least(row, class int) (objective int64, ok bool) {
	objective = f.flips[class][f.pointOf[row]]
	return objective, objective >= 0
}

// Optimum returns the class that the optimum predicts for a row.
func (f *Further) Optimum(row int) int {
	return f.a.Optimum.Decides(func(k int) bool { return f.patterns[row][k/8]>>(k%8)&1 == 1 })
}

// Otherwise returns the class of the best good model that does not predict what the optimum does for
// a row, and its objective; false if every good model does.
func (f *Further) Otherwise(row int) (class int, objective int64, ok bool) {
	own := f.Optimum(row)
	for c := range f.flips {
		if o, there := f.Least(row, c); c != own && there && (!ok || o < objective) {
			class, objective, ok = c, o, true
		}
	}
	return class, objective, ok
}

// Label returns the label text of a class.
func (f *Further) Label(class int) string { return f.a.Best.About().Label(class) }
