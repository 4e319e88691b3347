package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// job is a case with the solver that runs it.
type job struct {
	c     Case
	run   func(ctx context.Context) (Record, error)
	who   string
	spent float64
	over  bool // skipped, or failed
}

// jobs returns the cases that can be run, or why the first cannot be where none can. Another solver runs an instance once for each λ, beside the first
// case that has them.
func (r *Runner) jobs(cases []Case, folder string) (jobs []*job, err error) {
	var absent error
	var skipped, beside []string
	for _, c := range cases {
		if err := r.ready(c); errors.Is(err, ErrAbsent) {
			if line := "skipped: " + err.Error(); !slices.Contains(skipped, line) {
				skipped = append(skipped, line)
				r.Log(line)
			}
			if absent == nil {
				absent = err
			}
			continue
		} else if err != nil {
			return nil, err
		}
		jobs = append(jobs, &job{c: c, who: Own, run: func(ctx context.Context) (Record, error) { return r.own(ctx, c) }})
		same := fmt.Sprint(c.Model, " ", c.Instance, " ", c.Lambda, " ", c.Depth)
		if r.External == nil || c.Lambda == "" || slices.Contains(beside, same) {
			continue
		}
		beside = append(beside, same)
		plain := Case{Suite: c.Suite, Part: c.Part, Instance: c.Instance, Model: c.Model, Lambda: c.Lambda, Depth: c.Depth}
		jobs = append(jobs, &job{c: plain, who: r.External.Name, run: func(ctx context.Context) (Record, error) {
			return r.External.run(ctx, &plain, folder, r.Data)
		}})
	}
	if len(jobs) == 0 && absent != nil {
		return nil, fmt.Errorf("nothing to run: %w", absent)
	}
	return jobs, nil
}

// ready reports what a case has wrong, or ErrAbsent.
func (r *Runner) ready(c Case) error {
	if _, ok := goBenchmarks[c.Instance]; ok {
		_, err := sources()
		return err
	}
	if _, err := c.options(); err != nil {
		return fmt.Errorf("%s: %w", c.Name(), err)
	}
	in, err := find(c.Instance)
	if err != nil {
		return err
	}
	_, err = in.path(r.Data)
	return err
}

// Select keeps the cases whose name, suite or part contains the text.
func Select(cases []Case, text string) []Case {
	return slices.DeleteFunc(slices.Clone(cases), func(c Case) bool {
		return !strings.Contains(c.Suite+" "+c.Part+" "+c.Name(), text)
	})
}
