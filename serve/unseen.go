package serve

import (
	"context"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"sync"
	"time"

	"parcorels/ask/crossval"
	"parcorels/dataset"
	"parcorels/family"
)

// A model does better on the rows that it was learned from than on others. So beside each search a
// model of the same kind is judged on rows that it was not learned from. The model that the page shows is still that
// of all rows, with its proof.

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
		u, err := crossval.OnUnseen(ctx, p, d, read, o)
		if err == nil && u.Model != nil {
			err = errors.Join(r.files.Put("unseen.json", u.Model.Encode),
				r.files.Put("unseen.csv", func(w io.Writer) error { return r.copyRows(w, u.Rows) }))
		}
		if err != nil || ctx.Err() != nil {
			return // the run tells what is wrong with the table
		}
		r.update(func() { r.Unseen = u; r.touch() })
	})
	return &working
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
	f, err := r.files.Open("unseen.csv")
	if err != nil {
		return nil, err
	}
	rows, err := dataset.NewRows(f, "unseen.csv", dataset.Options{Header: true, Comma: ','})
	if err != nil {
		_ = f.Close() // it was only read from
	}
	return rows, err
}
