package serve

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"parcorels/ask/crossval"
	"parcorels/ask/fair"
	"parcorels/dataset"
	"parcorels/family"
	"parcorels/table"
)

// A model does better on the rows that it was learned from than on others. So beside each search a
// model of the same kind is judged on rows that it was not learned from. The model that the page shows is still that
// of all rows, with its proof.

// Names of files of a run: a model that was learned without some rows, and the numbers of those rows.
const (
	unseenModel   = "unseen.json"
	unseenNumbers = "unseen-rows.json"
)

// longestJudging bounds what the figures of unseen rows may take, beside a quarter of the limit of time.
const longestJudging = 15 * time.Second

// judge measures models like that of the run on unseen rows, within the same limits, beside the search and with one worker.
func (r *run) judge(ctx context.Context, p *family.Problem, d *family.Data, o family.Options, within []fair.Limit) *sync.WaitGroup {
	var working sync.WaitGroup
	if d.N < 20 {
		return &working
	}
	o.Workers = 1
	if o.Time = longestJudging; r.o.Time > 0 {
		o.Time = min(o.Time, r.o.Time/4)
	}
	learns := crossval.Models{Options: o}
	like := crossval.Family(learns)
	if within != nil {
		like = fair.Folds{Models: learns, Limits: within}
	}
	working.Go(func() {
		u, err := crossval.OnUnseen(ctx, p, d, o, like)
		if err == nil && u.Model != nil {
			err = errors.Join(r.files.Put(unseenModel, u.Model.Encode), r.files.WriteJSON(unseenNumbers, u.Rows))
		}
		if err != nil || ctx.Err() != nil {
			return // the run tells what is wrong with the table
		}
		r.update(func(x *facts) { x.Unseen = u; x.Version++ })
	})
	return &working
}

// only returns some rows of a table, by their numbers from 1, which ascend.
func only(rows *dataset.Rows, numbers []int64) *dataset.Rows {
	n := int64(0)
	return table.NewRows(rows.Header(), func() ([]string, int, error) {
		for len(numbers) > 0 {
			cells, err := rows.Next()
			if n++; err != nil {
				return nil, 0, err
			}
			if n == numbers[0] {
				numbers = numbers[1:]
				return cells, rows.Line(), nil
			}
		}
		return nil, 0, io.EOF
	})
}
