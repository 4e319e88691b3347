// Package cli is the command line of parcorels: what a user types and sees.
//
// Begin with [Process.Run]. It is the whole program but for the process around it, so that tests can
// call it. A command reads its settings from the table of options (options.go),
// which also makes its help, calls the packages that do the work, and writes
// to the standard streams it was given.
//
// # The framework
//
// Commands and flags run on package cobra: it is kept by many, completes command
// lines in four shells, tells which errors
// are unknown names and which are values (so that every mistake keeps its own
// line), and adds .4 MB and no measurable time to a start. Packages kong and
// urfave/cli complete less. Help stays ours, since theirs shows
// neither ranges nor groups of options.
//
// # Conventions
//
//   - Results go to stdout, progress and errors to stderr. An error is exactly
//     one line, "parcorels: file:line: column "x": …".
//   - Exit status 0: done, also when a limit ended the search. 1: a result
//     could not be written, or a proof is refused. 2: bad input or usage. 3: no proof, or one
//     that a limit kept from being checked. 130: interrupted.
//   - Files appear whole or not at all (internal/atomicfile).
//   - Lines fit 80 columns where the names in the data allow it.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parcorels/bitvec"
	"parcorels/cmd/internal/console"
	"parcorels/cmd/internal/memory"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/family"
	"parcorels/internal/option"
	"parcorels/internal/wording"
	"parcorels/optionerr"
	runs "parcorels/run"
	"parcorels/verify"
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
	for _, o := range options(made.groups) {
		c.describe(o)
	}
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

// options returns the options under all headings.
func options(groups []process.Group) (all []*option.Option) {
	for _, g := range groups {
		all = append(all, g.Options...)
	}
	return all
}

// addFlags gives the command a flag for each option. The defaults of the library's options
// are the library's to fill in.
func (c *call) addFlags(cmd *cobra.Command) {
	for _, o := range options(c.groups) {
		if o.Default != "" && o.Group == "" {
			if err := o.Set(o.Default); err != nil {
				panic(complain(o, o.Default, err)) // a row of the table is wrong
			}
		}
		f := cmd.Flags().VarPF(&value{o, c}, o.Name, o.Short, o.Help)
		if o.Holder == "" {
			f.NoOptDefVal = "true"
			continue
		}
		// An error would say that the flag has a completion already: it is new.
		_ = cmd.RegisterFlagCompletionFunc(o.Name, completion(o))
	}
}

// option returns the option of a name; nil if there is none.
func (c *command) option(name string) *option.Option {
	for _, o := range options(c.call().groups) {
		if o.Name == name || o.Short == name && name != "" {
			return o
		}
	}
	return nil
}

// translate turns an error of package pflag into a line for people.
func (c *command) translate(err error) error {
	var unknown *pflag.NotExistError
	var valueless *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &invalid):
		return invalid.Unwrap()
	case errors.As(err, &valueless):
		if o := c.option(valueless.GetSpecifiedName()); o != nil {
			return optionerr.Errorf(o.Name, "%s needs a value: expected %s", dashed(o), o.Expect)
		}
	case errors.As(err, &unknown):
		return c.unknown(unknown)
	}
	return fmt.Errorf("%s: %w (see parcorels %s --help)", c.name, err, c.name)
}

// unknown names an option that there is not, and those that were meant perhaps.
func (c *command) unknown(err *pflag.NotExistError) error {
	name := "--" + err.GetSpecifiedName()
	if shorts := err.GetSpecifiedShortnames(); shorts != "" {
		name = "-" + shorts
	}
	var names []string
	for _, o := range options(c.call().groups) {
		names = append(names, "--"+o.Name)
	}
	meant := didYouMean("--"+strings.TrimLeft(name, "-"), names, "")
	return fmt.Errorf("%s: unknown option %s%s (see parcorels %s --help)", c.name, name, meant, c.name)
}

// value is an option as package pflag sees it.
type value struct {
	*option.Option
	call *call
}

func (v *value) String() string { return v.Default }

// Type is the name of the value in texts of package pflag, which nobody sees.
func (v *value) Type() string { return v.Holder }

// Set reads a value. While a shell completes a line, package cobra reads it
// twice, and what is wrong with it does not matter yet.
func (v *value) Set(text string) error {
	if err := v.read(text); !v.call.completing {
		return err
	}
	return nil
}

func (v *value) read(text string) error {
	if v.Holder == "" {
		on, err := strconv.ParseBool(text)
		if err != nil {
			return optionerr.Errorf(v.Name, "%s takes no value, not %q", dashed(v.Option), text)
		}
		if !on {
			return nil
		}
	}
	if v.call.given[v.Name] && !v.Many && !v.call.completing {
		return optionerr.Errorf(v.Name, "%s is given twice", dashed(v.Option))
	}
	v.call.given[v.Name] = true
	if err := v.Option.Set(text); err != nil {
		return complain(v.Option, text, err)
	}
	return nil
}

// complain says what is wrong with a value.
func complain(o *option.Option, text string, err error) error {
	if errors.Is(err, option.ErrExpected) {
		last := strings.TrimSpace(text[strings.LastIndexByte(text, ',')+1:]) // of a list
		return optionerr.Errorf(o.Name, "%s %q: expected %s%s", dashed(o), text, o.Expect, didYouMean(last, o.Among, ""))
	}
	return optionerr.Errorf(o.Name, "%s %q: %v", dashed(o), text, err)
}

// dashed returns the option as a user types it: -o, --lambda.
func dashed(o *option.Option) string {
	if o.Short != "" {
		return "-" + o.Short
	}
	return "--" + o.Name
}

// completion returns how a shell completes the value of an option. The rest is package cobra's: names of commands and
// options, and files.
func completion(o *option.Option) cobra.CompletionFunc {
	switch {
	case o.Among != nil:
		return cobra.FixedCompletions(o.Among, cobra.ShellCompDirectiveNoFileComp)
	case o.Holder == "FILE", o.Holder == "X.out":
		return cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault)
	case o.Holder == "DIR":
		return cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
	}
	return cobra.NoFileCompletions
}

// outputGroup is a group of some options, by their names: those of an output, and others.
func outputGroup(title, names string, out *process.Output, others ...*option.Option) process.Group {
	progress := &option.Option{Name: "progress", Default: "auto", Value: option.Choice(&out.Progress, "auto", "always", "full", "never")}
	progress.Expect = "auto (on a terminal), always, full (with each better model) or never"
	all := append(others, progress,
		&option.Option{Name: "output", Short: "o", Value: option.Text(&out.ModelFile, "a file name")},
		&option.Option{Name: "json", Value: option.Text(&out.JSON, "a file name")},
		&option.Option{Name: "quiet", Value: option.Switch(&out.Quiet)})
	group := process.Group{Title: title}
	for name := range strings.FieldsSeq(names) {
		group.Options = append(group.Options, option.Find(all, name))
	}
	return group
}

// toStdout is -o of what goes to stdout otherwise.
func toStdout(to *string) *option.Option {
	return &option.Option{Name: "output", Short: "o", Unset: "stdout", Value: option.Text(to, "a file name")}
}

// Exit statuses of [Process.Run].
const (
	exitDone        = 0
	exitOutput      = 1
	exitInput       = 2
	exitNoProof     = 3
	exitInterrupted = 130
)

// Run executes a command line, without the program's name, and returns the
// exit status. Cancelling ctx interrupts a search, whose best rule list so far
// is then printed.
func (p Process) Run(ctx context.Context, args []string) int {
	args = testArguments(args)
	e := &process.Env{Stdin: p.Stdin, Stdout: console.ForPeople(p.Stdout), Start: time.Now(), Args: args,
		Memory:        p.Memory,
		ProgressEvery: p.ProgressEvery, Solve: p.Solve, Software: software(), Flag: flagOf}
	e.Stderr, e.Place = console.OnTerminal(p.Stderr)
	ctx, args, err := e.Attach(ctx, args)
	if err == nil {
		err = dispatch(ctx, e, args)
	}
	switch {
	case e.Client != nil && err != nil && !errors.Is(err, process.ErrStopped):
		e.Client.Fail(err)
	case e.Client != nil:
		e.Client.End()
	case err != nil && !errors.Is(err, process.ErrStopped):
		// Nothing can be done if stderr itself fails.
		_, _ = fmt.Fprintf(p.Stderr, "parcorels: %s\n", e.Flagged(wording.OneLine(err)))
	}
	return exitStatus(err)
}

// testArguments returns the arguments as they are but in tests.
var testArguments = func(args []string) []string { return args }

func exitStatus(err error) int {
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, runs.ErrOutput), errors.Is(err, verify.ErrRefused): // of whatever result, the proof among them
		return exitOutput
	case errors.Is(err, runs.ErrNoProof), errors.Is(err, errUnchecked):
		return exitNoProof
	case errors.Is(err, process.ErrInterrupted):
		return exitInterrupted
	}
	return exitInput
}

// Process is what the program has of its process. Streams may be shared with other runs; a
// nil Memory leaves the garbage collector of the process as it is.
type Process struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Memory         *memory.Manager
	ProgressEvery  time.Duration // from one look at a search to the next; 0: a second
	Solve          family.Solver // takes the place of the search for a rule list; nil: nothing does
}

func printVersion(_ context.Context, e *process.Env, _ []string) error {
	return e.Print(fmt.Sprintf("parcorels %s (%s, %s/%s, %s kernels)\n",
		Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, bitvec.Kernel()))
}

// release is the version of a released program, such as "v0.1.0"; .ci/release and the wheel
// set it when they link the program.
var release string

// Version returns the version of the release, or of the module, as "go install" or the
// version control system stamped it on the program.
func Version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

// software is what the program calls itself in models.
func software() string { return "parcorels " + Version() }

// optionsCommand prints the table of options for other front ends, which test theirs against it.
func printOptions(_ context.Context, e *process.Env, _ []string) error {
	return e.WriteJSON("-", process.NewLearning().Table)
}

// without is the begin of a command that has no options.
func without(run work) func(*call) (work, []process.Group) {
	return func(*call) (work, []process.Group) { return run, nil }
}
