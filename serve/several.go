package serve

import (
	"context"
	"fmt"
	"time"

	"parcorels/answer"
	"parcorels/ask/crossval"
	"parcorels/ask/goodmodels"
	askpath "parcorels/ask/path"
	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/wording"
	"parcorels/model/evaluate"
	"parcorels/model/predict"
	"parcorels/ratio"
	"parcorels/report/html"
)

// A run may also find several models: all that are optimal for some λ, or all that are nearly as
// good as the best. Its findings are in its result.json.

// choose finds several models.
func (r *run) choose(ctx context.Context, q *question, p *family.Problem, data *family.Data, o family.Options, start time.Time) (
	*answer.Several, error) {
	if q.Get("kind") == pathKind {
		least, err := ratio.Parse(q.Get("least"))
		if err != nil {
			least, _ = ratio.Parse(askpath.Usual) // none was asked for
		}
		o.Lambda = ""
		path, err := askpath.Ask(ctx, p, askpath.Options{Options: o, Least: least})
		if err != nil {
			return nil, err
		}
		report, err := crossval.OfPath(ctx, data, path, o, start, func(_ *crossval.Fit, done int) {
			r.update(func(x *facts) {
				x.Told = fmt.Sprintf("%s are found. They are tried on rows not seen: %d of %d times.",
					wording.Count(int64(len(path.Vertices)), "model"), done, 10*len(path.Vertices))
			})
		})
		return answer.SeveralOfPath(path, report, err)
	}
	ask, near := goodmodels.Options{Options: o}, "less than the price of one rule behind the best"
	if within, err := ratio.Parse(q.Get("within")); err == nil {
		ask.Within = ratio.New(within.Num, 100*within.Den)
		near = "at most " + q.Get("within") + "% behind the best"
	}
	a, err := goodmodels.Ask(ctx, p, ask)
	if err != nil {
		return nil, err
	}
	c, err := answer.SeveralGood(a, near)
	if err != nil {
		return nil, err
	}
	c.Group = q.Get("by")
	for i := range c.Models {
		if m, err := c.Model(i); err == nil && ctx.Err() == nil && c.Group != "" {
			c.Models[i].Spread = r.spread(q, m)
		}
	}
	return c, nil
}

// spread is the largest difference between groups in the share that is said to be of class 1; nil where it is not known.
func (r *run) spread(q *question, m *family.Model) *float64 {
	page := html.New(m.Model)
	if _, err := overRows(r.store, q.Table, q, func(rows *dataset.Rows) (*predict.Summary, error) {
		return page.Judge(q.Table, rows, predict.Options{By: q.Get("by"), Weight: q.Get("weight")}, true)
	}); err != nil {
		return nil
	}
	for _, d := range page.Evaluation.Differences {
		if d.Measure == evaluate.SelectionRate {
			return new(float64(d.Size))
		}
	}
	return nil
}
