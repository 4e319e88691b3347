package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parcorels/bench"
	"parcorels/cmd/internal/console"
	"parcorels/ratio"
)

// options say what is run, and how often.
type options struct {
	data, only, output, note   string
	lambdas                    []string
	workers, repeats           int
	limit, each, externalTime  time.Duration
	noWarmup, appending, quiet bool
	external, externalName     string
}

func (o *options) flags(f *pflag.FlagSet) {
	f.SortFlags = false
	f.StringVar(&o.data, "data", os.Getenv(bench.DataEnv), "`folder` with the papers' data: corels/, binary/ and tables/")
	f.StringSliceVar(&o.lambdas, "lambda", []string{"0.01"}, "`prices` of the instances named; suites have their own")
	f.IntVar(&o.workers, "workers", 0, "worker goroutines for the instances named; 0 for one a core")
	f.StringVar(&o.only, "only", "", "run only the cases with this `text` in their names, as they are printed")
	f.DurationVar(&o.limit, "time", 0, "stop each search after this long; 0 for the suite's own limit")
	f.IntVar(&o.repeats, "repeats", 5, "runs of each case that count")
	f.DurationVar(&o.each, "each", 20*time.Second, "run a case no more once its runs took this long together")
	f.BoolVar(&o.noWarmup, "no-warmup", false, "count the first run of each case too")
	f.StringVar(&o.external, "external", "", "also run this `command` on each instance; {out}, {label}, {minor}, {rows}, {lambda} and {depth} are replaced")
	f.StringVar(&o.externalName, "external-name", "", "`name` of that solver in tables")
	f.DurationVar(&o.externalTime, "external-time", 0, "end that solver after this long (default: the value of --time)")
	f.StringVarP(&o.output, "output", "o", "", "keep the records in this `file`; - for stdout")
	f.BoolVar(&o.appending, "append", false, "add to the records that are there")
	f.StringVar(&o.note, "note", "", "a `text` about the machine, for the records")
	f.BoolVar(&o.quiet, "quiet", false, "print no line for each run")
}

// check finds values out of range.
func (o *options) check() error {
	for _, lambda := range o.lambdas {
		if l, err := ratio.Parse(lambda); err != nil || !l.Within() {
			return fmt.Errorf("--lambda %q: expected a number between 0 and 1", lambda)
		}
	}
	switch {
	case o.workers < 0 || o.workers > 4096:
		return fmt.Errorf("--workers %d: expected an integer from 0 to 4096", o.workers)
	case o.repeats < 1 || o.repeats > 1000:
		return fmt.Errorf("--repeats %d: expected an integer from 1 to 1000", o.repeats)
	case min(o.limit, o.each, o.externalTime) < 0:
		return errors.New("a time limit is negative")
	case o.externalName != "" && o.external == "":
		return errors.New("--external-name goes with --external")
	}
	return nil
}

// measure runs suites and instances.
func (p *program) measure(ctx context.Context, o *options, names []string) error {
	if err := o.check(); err != nil {
		return err
	}
	cases, err := o.cases(names)
	if err != nil {
		return err
	}
	r, err := p.runner(o)
	if err != nil {
		return err
	}
	out, err := p.openRecords(o)
	if err != nil {
		return err
	}
	var records []bench.Record
	r.Emit = func(rec *bench.Record) error {
		err := out.write(rec)
		records = append(records, *rec)
		return err
	}
	if err = r.Run(ctx, cases); err == nil {
		err = bench.Check(records)
	}
	if closed := out.close(); err == nil {
		err = closed
	}
	if len(records) > 0 && o.output != "-" {
		if bad := p.print(bench.Tables(records)); bad != nil {
			return bad
		}
	}
	if errors.Is(err, bench.ErrRuns) || errors.Is(err, bench.ErrDisagree) {
		return outputError{err}
	}
	return err
}

// cases returns what is to be run.
func (o *options) cases(names []string) (cases []bench.Case, err error) {
	for _, name := range names {
		list, err := bench.Find(name, o.lambdas, o.workers)
		if err != nil {
			return nil, err
		}
		cases = append(cases, list...)
	}
	if o.limit > 0 {
		for i := range cases {
			cases[i].Limit = o.limit.Seconds()
		}
	}
	if o.only != "" {
		if cases = bench.Select(cases, o.only); len(cases) == 0 {
			return nil, fmt.Errorf("--only %q: no case has that in its name", o.only)
		}
	}
	return cases, nil
}

// runner returns what runs the cases, each run in a child process.
func (p *program) runner(o *options) (*bench.Runner, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("cannot find this program to run it again: %w", err)
	}
	r := &bench.Runner{
		Program: []string{self, "run"},
		Data:    o.data, Warmup: !o.noWarmup, Repeats: o.repeats, Each: o.each,
		Origin: bench.NewOrigin(o.note, "parcorels-bench", p.args...),
		Log:    func(string) {},
	}
	if !o.quiet {
		r.Log = func(line string) { fmt.Fprintln(p.err, console.Escape(line)) }
	}
	if o.external == "" {
		return r, nil
	}
	if r.External, err = bench.NewExternal(o.external, o.externalName); err != nil {
		return nil, fmt.Errorf("--external: %w", err)
	}
	r.External.Limit = cmp.Or(o.externalTime, o.limit)
	return r, nil
}

// recordsFile is where records go.
type recordsFile struct {
	path string
	to   bench.Writer // to nil: nowhere, or a file that is not there yet
	file *os.File
}

// openRecords returns the place that -o names. Records are added to a file that has some
// only with --append.
func (p *program) openRecords(o *options) (*recordsFile, error) {
	f := &recordsFile{path: o.output}
	switch info, err := os.Stat(o.output); {
	case o.output == "-":
		f.to.W = p.out
	case err == nil && info.Mode().IsRegular() && info.Size() > 0 && !o.appending:
		return nil, fmt.Errorf("%s: holds something already; --append adds to it", o.output)
	}
	return f, nil
}

// write adds a record as soon as there is one, so that an interruption loses none. The file
// is made for the first one.
func (f *recordsFile) write(rec *bench.Record) (err error) {
	if f.path == "" {
		return nil
	}
	if f.to.W == nil {
		if f.file, err = os.OpenFile(f.path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644); err != nil {
			return err
		}
		f.to.W = f.file
	}
	return failed(f.to.Write(rec))
}

func (f *recordsFile) close() error {
	if f.file == nil {
		return nil
	}
	return failed(f.file.Close())
}

func failed(err error) error {
	if err == nil {
		return nil
	}
	return outputError{err}
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
	if bad := p.print(text); bad != nil {
		return bad
	}
	if errors.Is(err, bench.ErrDisagree) {
		return outputError{err}
	}
	return err
}

func (p *program) reportCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "report FILE…",
		Short: "Print the tables of records.",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, files []string) error {
			records, err := bench.ReadFiles(files...)
			if err != nil {
				return err
			}
			return p.print(bench.Tables(records))
		},
	}
}
