// Parcorels-bench measures the searches and makes tables. Begin with "parcorels-bench --help".
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parcorels/bench"
	"parcorels/cmd/internal/console"
	"parcorels/cmd/internal/memory"
	"parcorels/family"
	"parcorels/internal/atomicfile"
	"parcorels/internal/generate"
	"parcorels/internal/option"
	"parcorels/internal/wording"
	"parcorels/rules"
	_ "parcorels/table/excel" // opened by table
	_ "parcorels/table/parquet"
)

func main() {
	ctx := console.Interruptible(context.Background())
	p := program{os.Stdin, os.Stdout, os.Stderr, os.Args[1:], memory.New()}
	os.Exit(p.run(ctx))
}

// Exit statuses, as those of parcorels.
const (
	exitDone        = 0
	exitOutput      = 1
	exitInput       = 2
	exitInterrupted = 130
)

// program is what a command has of the process around it.
type program struct {
	in       io.Reader
	out, err io.Writer
	args     []string
	memory   *memory.Manager
}

// outputError is a result that could not be had or written, which is no fault of what was
// given.
type outputError struct{ error }

func (e outputError) Unwrap() error { return e.error }

// run executes the command line and returns the exit status.
func (p *program) run(ctx context.Context) int {
	root := p.root()
	root.SetArgs(p.args)
	root.SetIn(p.in)
	root.SetOut(p.out)
	root.SetErr(p.err)
	err := p.checkDashes()
	if err == nil {
		err = root.ExecuteContext(ctx)
	}
	if err == nil {
		return exitDone
	}
	if ctx.Err() != nil {
		return exitInterrupted
	}
	fmt.Fprintf(p.err, "parcorels-bench: %s\n", wording.OneLine(err))
	if errors.As(err, new(outputError)) || errors.Is(err, bench.ErrRuns) || errors.Is(err, bench.ErrDisagree) {
		return exitOutput
	}
	return exitInput
}

// checkDashes refuses a long option with one dash: -output=x would write a file utput=x.
func (p *program) checkDashes() error {
	for _, arg := range p.args {
		if len(arg) > 2 && arg[0] == '-' && arg[1] != '-' {
			return fmt.Errorf("%s: an option of more than one letter has two dashes", arg)
		}
	}
	return nil
}

// root returns the tree of commands.
func (p *program) root() *cobra.Command {
	var o options
	root := &cobra.Command{
		Use:   "parcorels-bench SUITE|INSTANCE|FILE…",
		Short: "Measure the searches of parcorels, and compare and report what was measured.",
		Long: `Parcorels-bench runs every case of the suites and instances named.
Each run has a process of its own. A table of medians is printed.
-o FILE keeps the records: a line of JSON for each run, with machine, commit and command.

Instances of the papers are read from the folder that --data names.
Those that are not there are skipped.`,
		Example:       "  parcorels-bench quick\n  parcorels-bench table -o new.jsonl\n  parcorels-bench compare old.jsonl new.jsonl",
		Args:          cobra.MinimumNArgs(1),
		SilenceErrors: true, SilenceUsage: true,
		RunE: func(cmd *cobra.Command, names []string) error { return p.measure(cmd.Context(), &o, names) },
	}
	o.flags(root.Flags())
	root.AddCommand(
		&cobra.Command{
			Use: "list", Short: "Print the names of suites and instances.", Args: cobra.NoArgs,
			RunE: func(*cobra.Command, []string) error { return p.print(list()) },
		},
		&cobra.Command{
			Use: "compare A B", Short: "Print what changed from the records in A to those in B, and whether beyond noise.",
			Args: cobra.ExactArgs(2),
			RunE: func(_ *cobra.Command, files []string) error { return p.compare(files[0], files[1]) },
		},
		&cobra.Command{
			Use: "report FILE…", Short: "Print the tables of records.", Args: cobra.MinimumNArgs(1),
			RunE: func(_ *cobra.Command, files []string) error { return p.report(files) },
		},
		&cobra.Command{
			Use: "run", Short: "Run one case from stdin, as a child of this program.", Hidden: true, Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error {
				return bench.RunCase(cmd.Context(), p.in, p.out, func(c *bench.Case) { c.Memory = p.memory.Search(c.Memory) })
			},
		},
		p.stopsCommand(), p.mineCommand(),
	)
	return root
}

// list names what can be run.
func list() string {
	var b strings.Builder
	row := func(name, about string) { fmt.Fprintf(&b, "  %-24s %s\n", name, about) }
	b.WriteString("suites\n")
	for _, s := range bench.Suites() {
		row(s.Name, s.About)
	}
	b.WriteString("\ninstances\n")
	for _, in := range append(bench.Instances(), bench.Families()...) {
		row(in.Name, in.About)
	}
	row("FILE", "a table or an .out file of yours")
	return b.String()
}

// print writes a text to stdout.
func (p *program) print(text string) error {
	if _, err := io.WriteString(p.out, text); err != nil {
		return outputError{err}
	}
	return nil
}

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

func (p *program) stopsCommand() *cobra.Command {
	var stops generate.StopFrisk
	var output string
	cmd := &cobra.Command{
		Use:   "stopfrisk",
		Short: "Make a table of any number of rows to experiment with.",
		Long: `The table has the shape of New York's stops with a frisk or search in 2014: 18 flags for
reasons (cs_) and circumstances (ac_), city, location, inside or outside, and whether a
weapon was found, as in every second row. Shares and dependences are those of the NYPD's
data, but the rows are made up. The same rows and seed give the same bytes everywhere.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.write(output, func(w io.Writer) error { return stops.Write(cmd.Context(), w) })
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&output, "output", "o", "-", "write the table to this `file`; - for stdout")
	f.Int64Var(&stops.Rows, "rows", 29595, "stops")
	f.Uint64Var(&stops.Seed, "seed", 1, "seed of the random numbers")
	return cmd
}

// write writes a whole file, or to stdout for "-".
func (p *program) write(path string, write func(io.Writer) error) error {
	if path == "-" {
		return write(p.out)
	}
	return atomicfile.Write(path, write)
}

func (p *program) mineCommand() *cobra.Command {
	var reading family.Reading
	var mining family.Options
	var output string
	cmd := &cobra.Command{
		Use:   "mine FILE -o X.out",
		Short: "Write the conditions of a table as .out and .label files.",
		Long: `Mine writes the conditions (antecedents) that fit would search, in the format of the
reference implementation of CORELS: X.out has one line {name} 0 1 … for each condition,
X.label has one for each class.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.mine(cmd.Context(), args[0], output, reading, mining)
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVarP(&output, "output", "o", "", "write the conditions to this `file` and the labels to X.label")
	for _, o := range family.OptionTable(&reading, &mining) {
		if o.Group == family.ReadingGroup || o.Group == family.MiningGroup {
			flag := &pflag.Flag{Name: o.Name, Usage: o.Help, Value: flagValue{o}}
			if o.Holder == "" {
				flag.NoOptDefVal = "true"
			}
			cmd.Flags().AddFlag(flag)
		}
	}
	return cmd
}

// mine writes the conditions of a table.
func (p *program) mine(ctx context.Context, path, output string, reading family.Reading, mining family.Options) error {
	base, ok := strings.CutSuffix(output, ".out")
	if !ok || base == "" {
		return errors.New("mine: say where to write the conditions: -o X.out")
	}
	d, err := family.Read(path, reading)
	if err != nil {
		return err
	}
	problem, err := family.NewProblem(ctx, d, mining)
	if err != nil {
		return err
	}
	set := problem.Set
	if err := p.write(base+".label", set.WriteLabel); err != nil {
		return err
	}
	if err := p.write(output, set.WriteOut); err != nil {
		return err
	}
	return p.print(mined(set, output, base+".label"))
}

// mined says what was written and what was not.
func mined(set *rules.Set, out, label string) string {
	d := set.Data
	text := fmt.Sprintf("%s: %s\n%s: %s, class 1 is %q\n", wording.Escape(out), wording.Count(int64(len(set.Antecedents)), "condition"),
		wording.Escape(label), wording.Count(int64(d.N), "sample"), d.Classes[1])
	if d.Weights != nil {
		text += "the format has no place for weights: they decided the support, no more\n"
	}
	return text
}

// flagValue is a row of the table of options as package pflag sees it.
type flagValue struct{ *option.Option }

func (flagValue) String() string { return "" }

func (v flagValue) Type() string { return strings.ToLower(v.Holder) }

func (v flagValue) Set(text string) error {
	err := v.Option.Set(text)
	if errors.Is(err, option.ErrExpected) {
		return errors.New("expected " + v.Expect)
	}
	return err
}
