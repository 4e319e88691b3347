package serve

import (
	"context"
	"encoding/csv"
	"io"
	"slices"
	"sync"
	"time"

	"parcorels/ask/crossval"
	"parcorels/dataset"
	"parcorels/family"
	"parcorels/model"
	"parcorels/ratio"
)

// A model does better on the rows that it was learned from than on others. So beside each search a
// model of the same kind is learned from three quarters of the rows, and judged on the fourth; of
// few rows, ten are learned that each leave a tenth out. The model that the page shows is still that of all
// rows, with its proof.

// unseen is how models like that of a run do on rows that they were not learned from.
type unseen struct {
	Kept *model.KeptBack `json:"kept_back,omitempty"` // nil where rows are few
	// Accuracy is, over ten parts of few rows, the mean share of rows that are predicted right, and its standard error.
	Accuracy float64 `json:"accuracy,omitempty"`
	Error    float64 `json:"error,omitempty"`
	Lambda   string  `json:"lambda,omitempty"`
}

// fewRows is the number of rows below which ten parts take the place of a quarter: of a quarter of fewer rows the
// figure would have an error of more than three per cent.
const fewRows = 1000

// Names of the rows that a model is judged on, beside those of tables.
const (
	unseenRows = "unseen"
	ownRows    = "own"
)

// longestJudging bounds what the figures of unseen rows may take, beside a quarter of the limit of time.
const longestJudging = 15 * time.Second

// judge measures models like that of the run on unseen rows, beside the search, with one worker.
func (r *run) judge(ctx context.Context, p *family.Problem, d *family.Data, read family.Reading, o family.Options) *sync.WaitGroup {
	var working sync.WaitGroup
	if d.N < 20 || d.Format == "out" {
		return &working
	}
	o.Workers, o.Progress, o.Models = 1, nil, false
	if o.Time = longestJudging; r.s.o.Time > 0 {
		o.Time = min(o.Time, r.s.o.Time/4)
	}
	working.Go(func() {
		u, err := r.unseenOf(ctx, p, d, read, o)
		if err != nil || ctx.Err() != nil {
			return // the run tells what is wrong with the table
		}
		r.update(func() { r.Unseen = u; r.touch() })
	})
	return &working
}

func (r *run) unseenOf(ctx context.Context, all *family.Problem, d *family.Data, read family.Reading, o family.Options) (*unseen, error) {
	mining, err := o.Mining()
	if err != nil {
		return nil, err
	}
	if d.N < fewRows {
		return inParts(ctx, all, d, o, crossval.Options{Folds: 10, Seed: 1, Mining: mining})
	}
	held, err := crossval.KeepBack(ctx, d.Dataset, crossval.Options{Holdout: .25, Seed: 1, Mining: mining})
	if err != nil {
		return nil, err
	}
	p, err := family.ProblemOf(held.Set, read, o)
	if err != nil {
		return nil, err
	}
	m, err := p.Fit(ctx, o)
	if err != nil {
		return nil, err
	}
	_, test := held.Evaluate(&crossval.Learned{Model: m.Model, When: m.Antecedents(), Cuts: m.Cuts()})
	t := test.Measures()
	kept := &model.KeptBack{Rows: t.Rows, Accuracy: float64(t.Accuracy), Majority: float64(t.Majority), Frequent: t.Frequent, Refit: true}
	var rows []int64
	for i, row := range d.FileRows() {
		if held.Test.Test(uint(i)) {
			rows = append(rows, int64(row))
		}
	}
	if err := r.s.o.write(r.path("unseen.json"), m.Encode); err != nil {
		return nil, err
	}
	return &unseen{Kept: kept}, r.s.o.write(r.path("unseen.csv"), func(w io.Writer) error { return r.copyRows(w, rows) })
}

// inParts cross-validates where rows are few.
func inParts(ctx context.Context, all *family.Problem, d *family.Data, o family.Options, cv crossval.Options) (*unseen, error) {
	price, err := all.Price(o)
	if err != nil {
		return nil, err
	}
	cv.Family, cv.Lambdas = crossval.Models{Options: o}, []ratio.Ratio{price}
	cv.Limits = crossval.Limits{Workers: 1, Time: o.Time / time.Duration(cv.Folds)}
	report, err := crossval.Run(ctx, d.Dataset, cv)
	if err != nil {
		return nil, err
	}
	a := report.Summaries()[0].Measured.Accuracy
	return &unseen{Accuracy: a.Mean, Error: a.StandardError(), Lambda: price.String()}, nil
}

// copyRows writes some rows of the table, which ascend, as a table of their own.
func (r *run) copyRows(w io.Writer, rows []int64) error {
	q := r.question()
	out := csv.NewWriter(w)
	if err := out.Write(r.s.header(&q)); err != nil {
		return err
	}
	err := r.s.each(&q, func(cells []string, n int64) bool {
		if len(rows) > 0 && rows[0] == n {
			rows = rows[1:]
			_ = out.Write(slices.Clone(cells)) // Flush tells
		}
		return len(rows) > 0
	})
	out.Flush()
	if err == nil {
		err = out.Error()
	}
	return err
}

// unseenTable opens the rows that were kept back.
func (s *Server) unseenTable(r *run) (*dataset.Rows, error) {
	f, err := r.open("unseen.csv")
	if err != nil {
		return nil, err
	}
	rows, err := dataset.NewRows(f, "unseen.csv", dataset.Options{Header: true, Comma: ','})
	if err != nil {
		_ = f.Close() // it was only read from
	}
	return rows, err
}

// unseenModel is the model that was learned without them.
func (r *run) unseenModel() (*family.Model, error) {
	f, err := r.open("unseen.json")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return family.Decode(f, "unseen.json")
}
