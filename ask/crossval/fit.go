package crossval

import (
	"context"
	"slices"
	"strings"
	"time"

	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/status"
	"parcorels/model"
	"parcorels/model/evaluate"
	"parcorels/ratio"
	"parcorels/rules"

	"github.com/bits-and-blooms/bitset"
)

// Lines returns what the model asks for and predicts, case by case, without the
// counts of the fold. The rules of a set come by text: their order means nothing.
func (f *Fit) Lines() (lines []Line) {
	for _, c := range f.Model.Cases() {
		lines = append(lines, Line{c.Text, f.Model.About().Label(c.Class), c.Class})
	}
	if f.Model.Family() == model.RuleSet {
		slices.SortFunc(lines[:len(lines)-1], func(a, b Line) int { return strings.Compare(a.Text, b.Text) })
	}
	return lines
}

// Held is a table of which some samples are kept back from learning.
type Held struct {
	Set         *rules.Set // mined from the samples that are learned from
	Train, Test *bitset.BitSet

	cut *dataset.Dataset // all samples, with the features of the training part
}

// KeepBack keeps a share of the samples back, as Run does with Options.Holdout. Among the
// options, Holdout, Groups, Seed and those of mining count.
func KeepBack(ctx context.Context, d *dataset.Dataset, o Options) (*Held, error) {
	folds, err := split(d, o)
	if err != nil {
		return nil, err
	}
	return keepBack(ctx, d, folds[0], o.Options)
}

// keepBack mines antecedents from all samples but those of test.
func keepBack(ctx context.Context, d *dataset.Dataset, test *bitset.BitSet, o family.Options) (h *Held, err error) {
	h = &Held{Train: test.Complement(), Test: test, cut: d}
	part := d.Subset(h.Train)
	if d.Format != "out" {
		if h.cut = d.Recut(h.Train, part); h.cut != d {
			part.Features, part.Notes = h.cut.Subset(h.Train).Features, h.cut.Notes
		}
	}
	h.Set, err = family.Mine(ctx, &family.Data{Dataset: part}, o)
	return h, err
}

// Evaluate says how good a model of the training part is on it, and on the samples kept
// back. Rows count one each. Probabilities are those of the training part, smoothed.
func (h *Held) Evaluate(m *family.Model) (train, test *evaluate.Evaluation) {
	j := newJudge(m, h)
	return j.evaluation(h.Train, false), j.evaluation(h.Test, false)
}

// Regret says what the decisions of such a model cost in both parts; nil without costs.
func (h *Held) Regret(m *family.Model) (train, test *evaluate.Regret) {
	j := newJudge(m, h)
	return regret(h.cut, h.Train, j.evaluation(h.Train, true).Measures()), regret(h.cut, h.Test, j.evaluation(h.Test, true).Measures())
}

// fit learns from the training part of a fold, and is tested on the other; nil if ctx was cancelled first.
func (h *Held) fit(ctx context.Context, p *family.Problem, o Options, lambda ratio.Ratio) (*Fit, error) {
	start := time.Now()
	m, err := o.fit(ctx, p, lambda)
	if err != nil || m.Certificate().Status == status.Interrupted {
		return nil, err
	}
	f := &Fit{Lambda: lambda, Antecedents: len(h.Set.Antecedents), Model: m.Model, Search: time.Since(start), Work: m.Stats().Expanded}
	j := newJudge(m, h)
	if err := j.check(); err != nil {
		return nil, err
	}
	f.Train, f.Test = j.evaluation(h.Train, true).Measures(), j.evaluation(h.Test, true).Measures()
	f.judged = j.evaluation(h.Test, false)
	f.Measures, f.regret = f.judged.Measures(), regret(h.cut, h.Test, f.Test)
	return f, nil
}
