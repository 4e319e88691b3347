package family

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"time"

	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/internal/blockfile"
	"parcorels/model"
	"parcorels/optionerr"
	"parcorels/ratio"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/record"
	"parcorels/rulelist/save"
	listsearch "parcorels/rulelist/search"
	"parcorels/rules"
)

// Fit finds the best model of the family on the data, and proves that none is
// better unless a limit or ctx ends the search first: then the model is the best
// so far, and its Certificate says what bound is proved. If ctx ends while
// antecedents are mined there is no model, and the error is that of ctx.
//
// Options that cannot be are a *optionerr.Error. Several fits may run at the same time: Fit
// changes nothing of the process.
func Fit(ctx context.Context, data *Data, o Options) (*Model, error) {
	p, err := NewProblem(ctx, data, o)
	if err != nil {
		return nil, err
	}
	return p.Fit(ctx, o)
}

// NewProblem mines the antecedents that the options ask for, and reduces the samples to
// distinct points. An .out file holds its own antecedents.
func NewProblem(ctx context.Context, data *Data, o Options) (*Problem, error) {
	if data == nil || data.Dataset == nil {
		return nil, optionerr.Errorf("Data", "no data: begin with Read")
	}
	s, err := o.resolve(data.reading)
	if err != nil {
		return nil, err
	}
	return s.problem(ctx, data)
}

// problem is NewProblem with options that are resolved. A fit with 99 shuffles, each of which resolves them once and not three
// times, takes a seventh less time.
func (s *resolved) problem(ctx context.Context, data *Data) (*Problem, error) {
	set, err := s.mine(ctx, data)
	if err != nil {
		return nil, err
	}
	return s.problemOf(set, data.reading)
}

// Mine returns the antecedents that the options ask for.
func Mine(ctx context.Context, data *Data, o Options) (*rules.Set, error) {
	s, err := o.resolve(data.reading)
	if err != nil {
		return nil, err
	}
	return s.mine(ctx, data)
}

func (s *resolved) mine(ctx context.Context, data *Data) (*rules.Set, error) {
	if k := data.ClassCount(); k > 2 && !s.family.Multiclass {
		if data.Gains != nil {
			return nil, optionerr.Errorf("Costs", "%d decisions, a %s tells two apart: rule lists and trees tell more", k, s.Family)
		}
		return nil, optionerr.Errorf("Positive", "%d classes, a %s tells two apart: choose one by option Positive", k, s.Family)
	}
	if data.Format == "out" {
		set, err := rules.Given(data.Dataset)
		if err == nil && len(s.Forbid) > 0 {
			if set, err = set.Without(s.Forbid); err != nil {
				err = optionerr.Errorf("Forbid", "option Forbid: %v", err)
			}
		}
		return set, err
	}
	support, _ := ratio.Parse(s.MinSupport) // was checked
	return rules.Mine(ctx, data.Dataset, rules.Options{MaxCard: s.MaxCard, Budget: s.MaxAntecedents, Negations: s.Negations,
		MinSupport: support, Forbid: s.Forbid})
}

// MineWithin is Mine in so much time; 0 has no limit. Where the time ends before conjunctions
// were mined, single conditions are left, as with option MaxCard 1, which o then has, and ended is true.
func MineWithin(ctx context.Context, data *Data, o *Options, limit time.Duration) (set *rules.Set, ended bool, err error) {
	limited, cancel := context.WithCancel(ctx)
	if limit > 0 {
		limited, cancel = context.WithTimeout(ctx, limit)
	}
	defer cancel()
	set, err = Mine(limited, data, *o)
	if !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
		return set, false, err
	}
	o.MaxCard = 1
	set, err = Mine(ctx, data, *o)
	return set, true, err
}

// ProblemOf returns the problem on antecedents that are there. The data were read with r.
func ProblemOf(set *rules.Set, r Reading, o Options) (*Problem, error) {
	s, err := o.resolve(r)
	if err != nil {
		return nil, err
	}
	return s.problemOf(set, r)
}

func (s *resolved) problemOf(set *rules.Set, r Reading) (*Problem, error) {
	r.NoHeader = set.Data.NoHeader
	p := &Problem{Set: set, kind: s.Family, given: s.First, reading: r, file: set.Data.Source}
	if of := s.family.defaultPrice; of != nil {
		p.usual = sync.OnceValues(func() (ratio.Ratio, bool) { return of(set.Data) })
	}
	return p, s.family.reduce(p)
}

// Fit finds the best model of the problem, as the function Fit does. The family of the
// options is that of the problem.
func (p *Problem) Fit(ctx context.Context, o Options) (*Model, error) {
	m, _, err := p.FitFrom(ctx, o, Start{})
	return m, err
}

// FitFrom is Fit with what is known before. It returns weights for the next search, where there are any.
func (p *Problem) FitFrom(ctx context.Context, o Options, start Start) (*Model, *listsearch.Weights, error) {
	s, err := p.resolve(o)
	if err != nil {
		return nil, nil, err
	}
	s.Start = start
	m, err := p.fit(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	m.Model.About().Options = append(o.reproducing(p.reading), model.Option{Name: s.family.Price, Value: s.price.String()})
	weights := m.weights
	m.weights = nil
	return m, weights, nil
}

// fit searches.
func (p *Problem) fit(ctx context.Context, s *resolved) (*Model, error) {
	if p.first == nil && len(s.First) > 0 && p.kind == model.RuleList {
		return nil, optionerr.Errorf("First", "option First was not given when the problem was made")
	}
	if s.Family != p.kind {
		return nil, optionerr.Errorf("Family", "option Family is %q, the problem was made for a %s", s.Family, p.kind)
	}
	if s.Maximise != "" && p.weighed == "" {
		return p.fitF1(ctx, s)
	}
	p, err := p.everyCut(s.MinRows)
	if err != nil {
		return nil, err
	}
	if s.Proof != nil {
		settings, err := p.proofSettings(s, "")
		if err != nil {
			return nil, err
		}
		s.proof = &blockfile.Proof{To: s.Proof.To, File: s.Proof.File, Digest: p.searched().Digest(), Settings: settings}
	}
	m, err := s.family.fit(ctx, p, s)
	if err != nil {
		return nil, err
	}
	m.notes, m.stats.MemoryBytes = p.Set.Data.Notes, s.Memory
	m.stats.Kept, m.stats.Mined = int64(len(p.Set.Antecedents)), p.Set.Mined
	return m, nil
}

// Kind returns the family of the models that the problem is made for.
func (p *Problem) Kind() model.Family { return p.kind }

// Reading returns how the table was read.
func (p *Problem) Reading() Reading { return p.reading }

// EveryThreshold reports that trees may split numbers anywhere.
func (p *Problem) EveryThreshold() bool { return p.numbers != nil }

// PointsWithoutColumns returns the distinct points of the samples with the antecedents that hold there.
func (p *Problem) PointsWithoutColumns() (*instance.Points, error) {
	if p.points == nil {
		return instance.PointsFromSet(p.Set)
	}
	return p.points.WithColumns(), nil
}

// reproducing returns the options, by their names, by which the same model is learned again,
// but for the price. An option that only decides when a search ends is not among them.
func (o Options) reproducing(r Reading) (list []model.Option) {
	for _, row := range OptionTable(&r, &o) {
		if !row.Decides || row.Name == "lambda" || row.Name == "length" {
			continue
		}
		for _, text := range row.Texts() {
			if row.Name == "labels" {
				text = filepath.Base(text)
			}
			list = append(list, model.Option{Name: row.Name, Value: text})
		}
	}
	return list
}

// Errors of a checkpoint and of the proof beside it that cannot be continued.
var ErrCheckpoint = save.ErrCheckpoint
var ErrProof = record.ErrProof

// AsGood asks whether some model of data with other labels is as good as want says.
func (p *Problem) AsGood(ctx context.Context, o Options, d *dataset.Dataset, want *model.Certificate) (AsGood, error) {
	o = p.withDefaults(o)
	o.Forbid = rules.Known(d, o.Forbid) // other labels may cut numbers elsewhere
	s, err := o.resolve(p.reading)
	if err != nil {
		return 0, err
	}
	q, err := s.problem(ctx, &Data{d, p.reading})
	if err != nil {
		return 0, err
	}
	objective := want.Objective.Rat()
	if s.family.reaches != nil && q.first == nil {
		target := ratio.Floor(ratio.Product(ratio.Int(s.price.Den), ratio.Int(d.TotalWeight()), objective))
		if !target.IsInt64() {
			return 0, problem.ErrOverflow
		}
		return s.family.reaches(ctx, q, s, target.Int64())
	}
	other, err := q.Fit(ctx, o)
	if err != nil {
		return 0, err
	}
	got := other.Certificate()
	better := func(x model.Fraction) bool {
		order := x.Rat().Cmp(objective)
		return order <= 0 && !want.Maximize || order >= 0 && want.Maximize
	}
	switch {
	case better(got.Objective):
		return Yes, nil
	case better(got.Bound):
		return Unknown, nil
	}
	return No, ctx.Err()
}
