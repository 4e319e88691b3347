// Parcorels-bench measures the searches and makes tables. Begin with "parcorels-bench --help".
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"parcorels/bench"
	"parcorels/cmd/internal/console"
	"parcorels/cmd/internal/memory"
	"parcorels/internal/wording"
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
