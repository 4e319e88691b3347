package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"parcorels/bench"
	"parcorels/internal/resident"
)

func benchCommand() *command {
	return &command{
		name:    "bench",
		summary: "measure the search, and compare and report what was measured",
		usage:   "SUITE|INSTANCE|FILE… [options]",
		details: []string{
			"Runs every case of the suites and instances named, each run in a process of its own, and prints a table of medians. -o FILE keeps the records: a line of JSON for each run, with machine, commit and command.",
			"parcorels bench list prints the names of suites and instances. parcorels bench compare A B says what changed from the records in A to those in B, and whether beyond noise. parcorels bench report FILE… prints the tables of records; with --write DOCUMENT it renews the tables between the marks of a Markdown file.",
			"Instances of the papers are read from the folder that --data or PARCORELS_DATA names; those that are not there are skipped.",
		},
		min: 1, max: 1 << 16,
		groups:   func(s *settings) []group { return []group{benchGroup(s), benchReportGroup(s)} },
		complete: benchNames,
		run:      runBench,
	}
}

// runBench does what the first argument says.
func runBench(ctx context.Context, e *env, s *settings, args []string) error {
	switch verb := args[0]; verb {
	case "list", "run":
		if len(args) > 1 {
			return fmt.Errorf("bench %s: unexpected argument %q", verb, args[1])
		}
		if verb == "list" {
			return e.print(benchList())
		}
		return benchOnce(ctx, e)
	case "compare":
		return benchCompare(e, args[1:])
	case "report":
		return benchReport(e, s, args[1:])
	}
	return benchCases(ctx, e, s, args)
}

// benchList names what can be run.
func benchList() string {
	var b strings.Builder
	b.WriteString("suites\n")
	for _, suite := range bench.Suites() {
		b.WriteString(row("  "+suite.Name, suite.About, 20))
	}
	b.WriteString("\ninstances\n")
	for _, in := range append(bench.Instances(), bench.Families()...) {
		b.WriteString(row("  "+in.Name, in.About, 20))
	}
	b.WriteString(row("  FILE", "a table or an .out file of yours", 20))
	return b.String()
}

// benchOnce is the hidden command of a child process: one case from stdin.
func benchOnce(ctx context.Context, e *env) error {
	return bench.Serve(ctx, e.stdin, e.stdout, func(c *bench.Case) { c.Memory = boundMemory(c.Memory) }, resident.Peak)
}

// benchCases runs suites and instances.
func benchCases(ctx context.Context, e *env, s *settings, names []string) error {
	cases, err := s.cases(names)
	if err != nil {
		return err
	}
	if err := checkOutputs([]string{s.output}, nil); err != nil {
		return err
	}
	r, err := s.runner(e)
	if err != nil {
		return err
	}
	records, err := e.collect(ctx, s, r, cases)
	if len(records) > 0 && s.output != "-" {
		if err := e.print(bench.Tables(records)); err != nil {
			return err
		}
	}
	switch {
	case errors.Is(err, bench.ErrRuns), errors.Is(err, bench.ErrDisagree):
		return outputError{err}
	case ctx.Err() != nil:
		return errStopped
	}
	return err
}

// cases returns what is to be run, with the options of the command line.
func (s *settings) cases(names []string) (cases []bench.Case, err error) {
	for _, name := range names {
		list, err := bench.Find(name, s.bench.lambdas, s.search.Workers)
		if err != nil {
			return nil, err
		}
		cases = append(cases, list...)
	}
	if s.search.Time > 0 {
		for i := range cases {
			cases[i].Limit = s.search.Time.Seconds()
		}
	}
	if s.bench.only != "" {
		if cases = bench.Select(cases, s.bench.only); len(cases) == 0 {
			return nil, fmt.Errorf("--only %q: no case has that in its name", s.bench.only)
		}
	}
	return cases, nil
}

// runner returns the runner that the settings ask for.
func (s *settings) runner(e *env) (*bench.Runner, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("cannot find this program to run it again: %w", err)
	}
	r := &bench.Runner{
		Program: []string{program, "bench", "run"},
		Data:    s.bench.data, Warmup: s.bench.warmup, Repeats: s.bench.repeats, Each: s.bench.each,
		Machine: bench.ThisMachine(), Command: bench.CommandLine("parcorels", e.args...),
		Log: func(string) {},
	}
	r.Machine.Note = s.bench.note
	if !s.quiet {
		r.Log = func(line string) { _, _ = fmt.Fprintln(e.stderr, onTerminal(flagged(line))) }
	}
	if s.bench.external == "" {
		if s.given["external-name"] {
			return nil, errors.New("--external-name goes with --external")
		}
		return r, nil
	}
	if r.External, err = bench.NewExternal(s.bench.external, s.bench.externalName); err != nil {
		return nil, fmt.Errorf("--external: %w", err)
	}
	r.External.Limit = s.search.Time
	if s.bench.externalTime > 0 {
		r.External.Limit = s.bench.externalTime
	}
	return r, nil
}

// collect runs the cases. Each record is written as soon as there is one, so
// that an interruption loses none.
func (e *env) collect(ctx context.Context, s *settings, r *bench.Runner, cases []bench.Case) (records []bench.Record, err error) {
	out, err := s.recordsFile(e)
	if err != nil {
		return nil, err
	}
	r.Emit = func(rec *bench.Record) error {
		records = append(records, *rec)
		return out.write(rec)
	}
	if err = r.Run(ctx, cases); err == nil {
		err = bench.Check(records)
	}
	if bad := out.close(); err == nil {
		err = bad
	}
	return records, err
}

// recordsFile is where records go.
type recordsFile struct {
	path string
	to   io.Writer // nil: nowhere, or a file that is not there yet
	file *os.File
}

// recordsFile returns the place that -o names. Records are only added to a
// file that has some if the user says so.
func (s *settings) recordsFile(e *env) (*recordsFile, error) {
	f := &recordsFile{path: s.output}
	switch info, err := os.Stat(s.output); {
	case s.output == "-":
		f.to = &stdout{env: e}
	case err == nil && info.Mode().IsRegular() && info.Size() > 0 && !s.bench.appending:
		return nil, fmt.Errorf("%s: holds something already; --append adds to it", s.output)
	}
	return f, nil
}

// write adds a record. The file is made for the first one.
func (f *recordsFile) write(rec *bench.Record) (err error) {
	if f.path == "" {
		return nil
	}
	if f.to == nil {
		if f.file, err = os.OpenFile(f.path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644); err != nil {
			return err
		}
		f.to = f.file
	}
	return f.failed(rec.Write(f.to))
}

func (f *recordsFile) close() error {
	if f.file == nil {
		return nil
	}
	return f.failed(f.file.Close())
}

func (f *recordsFile) failed(err error) error {
	if err == nil || f.path == "-" {
		return err
	}
	return outputError{fmt.Errorf("%s: cannot be written: %w", f.path, cause(err))}
}
