package cli

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"parcorels/cmd/parcorels/internal/process"
	"parcorels/internal/wording"
	_ "parcorels/table/excel" // opened by table
	_ "parcorels/table/parquet"

	"github.com/spf13/cobra"
)

// command is one word that may follow "parcorels".
type command struct {
	name     string
	min, max int  // positional arguments
	hidden   bool // no help names it

	// begin returns what the command does, and its options, which fill what it has of its own.
	begin func(c *call) (run work, groups []process.Group)
}

// work is what a command does.
type work func(ctx context.Context, e *process.Env, args []string) error

// call is a command with options that may be filled once.
type call struct {
	command    *command
	groups     []process.Group
	run        work
	given      map[string]bool // the options that were on the command line, by name
	completing bool            // a shell asks what a line may become
}

// call returns a call of the command without any option given.
func (c *command) call() *call {
	made := &call{command: c, given: map[string]bool{}}
	made.run, made.groups = c.begin(made)
	c.describe(options(made.groups))
	return made
}

// commands returns all commands in the order of the overview, those of commands.go. Nobody changes them.
var commands func() []*command

func find(name string) *command {
	for _, c := range commands() {
		if c.name == name {
			return c
		}
	}
	return nil
}

// dispatch runs the command that args begin with.
func dispatch(ctx context.Context, e *process.Env, args []string) error {
	var fault error
	root := root(e, args, &fault)
	root.SetArgs(append([]string{}, args...)) // nil would mean those of the process
	if err := root.ExecuteContext(ctx); err != nil {
		return err
	}
	return fault
}

// root returns the tree of commands, those that the command line does not need
// without their options. It reads no option of its own: what follows "parcorels" is a
// command, or asks for help.
func root(e *process.Env, args []string, fault *error) *cobra.Command {
	root := &cobra.Command{
		Use: "parcorels", Short: "learn interpretable models that are provably optimal",
		SilenceErrors: true, SilenceUsage: true, DisableFlagParsing: true,
		Args:              cobra.ArbitraryArgs,
		RunE:              func(cmd *cobra.Command, args []string) error { return noCommand(cmd.Context(), e, args) },
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	root.SetIn(e.Stdin)
	root.SetOut(e.Stdout)
	root.SetErr(e.Stderr)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		if c := find(cmd.Name()); c != nil {
			*fault = e.Print(c.help())
			return
		}
		if cmd.HasParent() { // completion, which cobra makes
			*fault = e.Print(cmd.Long + "\n\n" + cmd.UsageString())
			return
		}
		*fault = e.Print(overview())
	})
	root.SetHelpCommand(&cobra.Command{
		Use: "help", Short: "print this, or the help of a command", DisableFlagParsing: true,
		RunE:              func(_ *cobra.Command, args []string) error { return printHelp(e, args) },
		ValidArgsFunction: cobra.FixedCompletions(strings.Split(commandNames(), ", "), cobra.ShellCompDirectiveNoFileComp),
	})
	for _, c := range commands() {
		cmd := &cobra.Command{Use: c.name, Hidden: c.hidden}
		if completing(e) || len(args) > 0 && args[0] == c.name {
			_, cmd = c.build(e)
		}
		root.AddCommand(cmd)
	}
	return root
}

// completing reports that a shell asks what may follow on the command line.
func completing(e *process.Env) bool {
	return len(e.Args) > 0 && strings.HasPrefix(e.Args[0], cobra.ShellCompRequestCmd)
}

// build returns the command with its flags.
func (c *command) build(e *process.Env) (*call, *cobra.Command) {
	made := c.call()
	made.completing = completing(e)
	cmd := &cobra.Command{
		Use: c.name, Short: c.summary(), DisableFlagsInUseLine: true,
		Args: func(_ *cobra.Command, args []string) error { return c.count(args) },
		RunE: func(cmd *cobra.Command, args []string) error { return made.run(cmd.Context(), e, args) },
	}
	cmd.Flags().SortFlags = false
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return c.translate(err) })
	made.addFlags(cmd)
	if c.max == 0 {
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	}
	return made, cmd
}

// count checks the number of positional arguments.
func (c *command) count(args []string) error {
	switch {
	case len(args) < c.min:
		return fmt.Errorf("%s: missing argument, usage: %s", c.name, c.line())
	case len(args) > c.max:
		return fmt.Errorf("%s: unexpected argument %q, usage: %s", c.name, args[c.max], c.line())
	case slices.Contains(args, ""):
		return fmt.Errorf("%s: an argument is empty, usage: %s", c.name, c.line())
	}
	return nil
}

// noCommand answers a command line that begins with none of the commands.
func noCommand(ctx context.Context, e *process.Env, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("no command given, expected one of %s (see parcorels help)", commandNames())
	}
	switch args[0] {
	case "--help", "-help", "-h":
		return printHelp(e, args[1:])
	case "--version", "-version":
		return find("version").call().run(ctx, e, nil)
	}
	if info, err := os.Stat(args[0]); err == nil && info.Mode().IsRegular() {
		return fmt.Errorf("no command given: did you mean parcorels fit %s? (see parcorels help)", wording.ShellWord(args[0]))
	}
	return fmt.Errorf("unknown command %q%s (see parcorels help)", args[0], likeCommand(args[0]))
}

// help prints the overview or the help of one command.
func printHelp(e *process.Env, args []string) error {
	if len(args) == 0 {
		return e.Print(overview())
	}
	c := find(args[0])
	if c == nil || len(args) > 1 {
		return fmt.Errorf("no help on %q%s", strings.Join(args, " "), likeCommand(args[0]))
	}
	return e.Print(c.help())
}

// shown are the commands that help names.
func shown() []*command {
	return slices.DeleteFunc(slices.Clone(commands()), func(c *command) bool { return c.hidden })
}

func commandNames() string {
	var names []string
	for _, c := range shown() {
		names = append(names, c.name)
	}
	return strings.Join(names, ", ")
}

// likeCommand returns a question for the commands that are like a word, or lists all.
func likeCommand(word string) string {
	names := commandNames()
	return didYouMean(word, strings.Split(names, ", "), ", expected one of "+names)
}

// didYouMean returns a question for the names that are like the word, or
// otherwise if there are none.
func didYouMean(word string, names []string, otherwise string) string {
	known := &cobra.Command{SuggestionsMinimumDistance: 2}
	for _, name := range names {
		known.AddCommand(&cobra.Command{Use: name, Run: func(*cobra.Command, []string) {}})
	}
	like := known.SuggestionsFor(word)
	if len(like) == 0 {
		return otherwise
	}
	return fmt.Sprintf(": did you mean %s?", strings.Join(like, " or "))
}
