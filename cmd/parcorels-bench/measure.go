package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/pflag"

	"parcorels/bench"
	"parcorels/internal/wording"
)

// options say what is run, and how often.
type options struct {
	bench.Runner
	only, output, note         string
	lambdas                    []string
	workers                    int
	limit                      time.Duration
	noWarmup, appending, quiet bool
}

func (o *options) flags(f *pflag.FlagSet) {
	f.SortFlags = false
	f.StringVar(&o.Data, "data", os.Getenv(bench.DataEnv), "`folder` with the papers' data: corels/, binary/ and tables/")
	f.StringSliceVar(&o.lambdas, "lambda", []string{"0.01"}, "`prices` of the instances named; suites have their own")
	f.IntVar(&o.workers, "workers", 0, "worker goroutines for the instances named; 0 for one a core")
	f.StringVar(&o.only, "only", "", "run only the cases with this `text` in their names, as they are printed")
	f.DurationVar(&o.limit, "time", 0, "stop each search after this long; 0 for the suite's own limit")
	f.IntVar(&o.Repeats, "repeats", 5, "runs of each case that count")
	f.DurationVar(&o.Each, "each", 20*time.Second, "run a case no more once its runs took this long together")
	f.BoolVar(&o.noWarmup, "no-warmup", false, "count the first run of each case too")
	f.StringVarP(&o.output, "output", "o", "", "keep the records in this `file`; - for stdout")
	f.BoolVar(&o.appending, "append", false, "add to the records that are there")
	f.StringVar(&o.note, "note", "", "a `text` about the machine, for the records")
	f.BoolVar(&o.quiet, "quiet", false, "print no line for each run")
}

// measure runs suites and instances, each run in a child process.
func (p *program) measure(ctx context.Context, o *options, names []string) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("cannot find this program to run it again: %w", err)
	}
	cases, err := bench.Find(names, o.lambdas, o.workers, o.only)
	if err != nil {
		return err
	}
	if o.limit != 0 {
		for i := range cases {
			cases[i].Limit = o.limit.Seconds()
		}
	}
	if o.Repeats < 1 {
		return fmt.Errorf("--repeats %d: expected at least 1", o.Repeats)
	}
	out, err := p.records(o)
	if err != nil {
		return err
	}
	var records []bench.Record
	keep := bench.Writer{W: out}
	o.Program, o.Warmup, o.Origin = []string{self, "run"}, !o.noWarmup, bench.NewOrigin(o.note, "parcorels-bench", p.args...)
	o.Log = func(line string) {
		if !o.quiet {
			fmt.Fprintln(p.err, wording.Escape(line))
		}
	}
	o.Emit = func(rec *bench.Record) error {
		records = append(records, *rec)
		if err := keep.Write(rec); err != nil {
			return outputError{err}
		}
		return nil
	}
	err = o.Run(ctx, cases)
	err = cmp.Or(err, out.Close(), bench.Check(records))
	if len(records) > 0 && o.output != "-" {
		err = cmp.Or(p.print(bench.Tables(records)), err)
	}
	return err
}

// stream is a stream that stays open.
type stream struct{ io.Writer }

func (stream) Close() error { return nil }

// records returns where -o wants the records. They are added to a file that has some only with --append.
func (p *program) records(o *options) (io.WriteCloser, error) {
	switch info, err := os.Stat(o.output); {
	case o.output == "":
		return stream{io.Discard}, nil
	case o.output == "-":
		return stream{p.out}, nil
	case err == nil && info.Mode().IsRegular() && info.Size() > 0 && !o.appending:
		return nil, errors.New(o.output + ": holds something already; --append adds to it")
	}
	return os.OpenFile(o.output, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
}

// compare says what changed between two files of records.
func (p *program) compare(before, after string) error {
	a, err := bench.ReadFiles(before)
	if err != nil {
		return err
	}
	b, err := bench.ReadFiles(after)
	if err != nil {
		return err
	}
	text, err := bench.Compare(a, b)
	return cmp.Or(p.print(text), err)
}

// report prints the tables of records.
func (p *program) report(files []string) error {
	records, err := bench.ReadFiles(files...)
	if err != nil {
		return err
	}
	return p.print(bench.Tables(records))
}
