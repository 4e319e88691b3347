// Parcorels-fleet searches for one optimal rule list on several machines.
// Begin with "parcorels-fleet help".
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/pflag"

	"parcorels/cmd/parcorels/program"
	"parcorels/fleet"
	"parcorels/instance"
	"parcorels/rulelist/search"
)

const help = `parcorels-fleet: one optimal rule list on several machines

usage: parcorels-fleet serve TABLE --lambda λ --dir FOLDER [options]
       parcorels-fleet work FILE [options]

serve learns the list that "parcorels fit" learns, byte for byte. It starts an embedded server in
the folder, searches with all processors of this machine, and prints the command that lets another
machine join. Ctrl-C, or the end of the process, loses nothing: the same command continues.
work joins until the job is done.

Each command has --help.
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	go func() {
		<-ctx.Done()
		stop() // a second one ends the process
	}()
	fleet.Release = program.Version()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// exitStatus is that of a command that has said itself what is wrong.
type exitStatus int

func (s exitStatus) Error() string { return fmt.Sprintf("status %d", int(s)) }

// usageError is a wrong command line.
type usageError struct{ error }

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	commands := map[string]func(context.Context, []string, io.Writer, io.Writer) error{
		"serve": serve, "work": work,
	}
	if len(args) == 0 || args[0] == "help" || args[0] == "--help" || args[0] == "-h" {
		fmt.Fprint(stdout, help)
		return 0
	}
	command := commands[args[0]]
	if command == nil {
		fmt.Fprintf(stderr, "parcorels-fleet: no command %q: expected serve or work\n", args[0])
		return 2
	}
	err := command(ctx, args[1:], stdout, stderr)
	var ended exitStatus
	switch {
	case err == nil:
		return 0
	case errors.As(err, &ended):
		return int(ended)
	case errors.Is(err, context.Canceled):
		return 130
	default:
		fmt.Fprintf(stderr, "parcorels-fleet: %v\n", err)
		if _, ok := errors.AsType[usageError](err); ok {
			return 2
		}
		return 1
	}
}

func work(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var w fleet.Worker
	var memory float64
	var patience time.Duration
	f := newFlags("work", "FILE [options]", stdout)
	f.IntVarP(&w.Workers, "workers", "w", 0, "goroutines of the search (default: all processors)")
	f.Float64Var(&memory, "memory", 0, "most gigabytes of the search (default: no limit)")
	f.StringVar(&w.Name, "name", "", "name of this worker (default: of the host and the process)")
	f.DurationVar(&patience, "patience", 10*time.Minute, "how long to wait for a server that is away")
	switch err := f.Parse(args); {
	case errors.Is(err, pflag.ErrHelp):
		return nil
	case err != nil:
		return usageError{err}
	case f.NArg() != 1:
		return usageError{errors.New("work: expected the file that serve has made: join in its folder")}
	case w.Workers < 0 || memory < 0 || patience <= 0:
		return usageError{errors.New("--workers, --memory and --patience: expected no negative number")}
	}
	w.Memory = int64(memory * (1 << 30))
	w.Say = func(text string) { fmt.Fprintf(stderr, "parcorels-fleet: %s\n", text) }
	nc, err := fleet.Connect(ctx, f.Arg(0), patience, w.Say)
	if err != nil {
		return err
	}
	defer nc.Close()
	return w.Run(ctx, nc)
}

// newFlags returns the flags of a command, whose help goes to out.
func newFlags(name, usage string, out io.Writer) *pflag.FlagSet {
	f := pflag.NewFlagSet(name, pflag.ContinueOnError)
	f.SetOutput(out)
	f.SortFlags = false
	f.Usage = func() { fmt.Fprintf(out, "usage: parcorels-fleet %s %s\n\n%s", name, usage, f.FlagUsagesWrapped(80)) }
	return f
}

// serve learns a rule list as "parcorels fit" does, with workers on several machines.
func serve(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var (
		fo   fleet.Options
		disk float64
		show = &shown{to: stderr}
	)
	f := newFlags("serve", "TABLE --dir FOLDER [options]", stdout)
	f.StringVar(&fo.Folder, "dir", "", "folder of the job: server, results, key; a job that is there is continued")
	f.BoolVar(&fo.Alone, "no-work", false, "coordinate only: search nothing in this process")
	f.DurationVar(&fo.Pace.AckWait, "ack-wait", 30*time.Second, "after which what a silent worker had goes to another")
	f.Float64Var(&disk, "disk", 16, "most gigabytes of all that is stored")
	f.BoolVar(&show.quiet, "no-progress", false, "say nothing while it runs")
	f.DurationVar(&fo.Pace.SaveEvery, "save-every", time.Minute, "how often what is left of a block is saved")
	f.IntVar(&fo.Pace.Least, "least-part", 5000, "fewest prefixes of a part that is given away; down to a tenth where prefixes take long")
	f.DurationVar(&fo.Pace.GiveAfter, "give-after", 2*time.Second,
		"how long a block is searched before parts of it are given away; less among few workers")
	f.BoolVar(&show.plain, "json-progress", false, "progress as a line of JSON a second")
	own, rest := divide(f, args)
	if slices.Contains(rest, "--help") || slices.Contains(rest, "-h") {
		f.Usage()
		fmt.Fprintf(stdout, "\nand all options of\n\n")
		program.Run(ctx, []string{"fit", "--help"}, nil, stdout, stderr, nil)
		return nil
	}
	switch err := f.Parse(own); {
	case err != nil:
		return usageError{err}
	case fo.Folder == "":
		return usageError{errors.New("--dir FOLDER is missing: it keeps the job, so that nothing is lost")}
	}
	for i, a := range rest {
		if v, ok := strings.CutPrefix(a, "--model"); ok && v != "=list" && (v != "" || i+1 == len(rest) || rest[i+1] != "list") {
			return usageError{errors.New("--model: several machines search for rule lists only")}
		}
	}
	fo.Disk = int64(disk * (1 << 30))
	fo.Say, fo.Look = show.say, show.look
	fo.Ready = func() { show.ready(fleet.JoinFile(fo.Folder)) }
	return fit(ctx, rest, fo, stdout, stderr)
}

// divide returns the arguments that the flags know, and the others.
func divide(f *pflag.FlagSet, args []string) (own, rest []string) {
	for i := 0; i < len(args); i++ {
		name, _, whole := strings.Cut(strings.TrimPrefix(args[i], "--"), "=")
		flag := f.Lookup(name)
		switch {
		case !strings.HasPrefix(args[i], "--") || flag == nil:
			rest = append(rest, args[i])
		case whole || flag.NoOptDefVal != "" || i+1 == len(args):
			own = append(own, args[i])
		default:
			own = append(own, args[i], args[i+1])
			i++
		}
	}
	return own, rest
}

// fit leaves the first search, which is for the list itself, to the fleet. Others, as those of
// shuffled labels, are short.
func fit(ctx context.Context, rest []string, fo fleet.Options, stdout, stderr io.Writer) error {
	var stats *fleet.Stats
	command := append(append([]string{"fit"}, rest...), "--progress", "never")
	if !slices.ContainsFunc(rest, func(a string) bool { return strings.HasPrefix(a, "--time") }) {
		command = append(command, "--time", "none")
	}
	ended := program.Run(ctx, command, os.Stdin, stdout, stderr, func(ctx context.Context, in *instance.Instance,
		o search.Options) (search.Result, error) {
		switch {
		case stats != nil:
			return search.Solve(ctx, in, o)
		case o.Checkpoint != nil || o.Nodes > 0:
			return search.Result{}, errors.New("leave --checkpoint, --resume and --nodes out: the folder keeps what is left")
		}
		stats = &fleet.Stats{}
		return fleet.Solver(fo, stats)(ctx, in, o)
	})
	if stats != nil && stats.Blocks > 0 {
		fmt.Fprintf(stdout, "(%d prefixes expanded in %d blocks by %d workers)\n", stats.Expanded, stats.Blocks, stats.Workers)
	}
	if stats != nil && stats.Refused > 0 {
		fmt.Fprintf(stdout, "(%d messages of workers were refused, because they say what is not so)\n", stats.Refused)
	}
	switch ended {
	case 0:
		return nil
	case 130:
		fmt.Fprintf(stdout, "(saved: the same command continues)\n")
	}
	return exitStatus(ended)
}

// shown prints what people see of a job.
type shown struct {
	to           io.Writer
	quiet, plain bool

	mu    sync.Mutex
	lines int
}

func (s *shown) say(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.quiet {
		fmt.Fprintf(s.to, "parcorels-fleet: %s\n", text)
	}
}

// ready says how other machines join.
func (s *shown) ready(file string) {
	s.say(fmt.Sprintf("another process joins by: parcorels-fleet work %s", file))
	if at, err := fleet.ReadJoin(file); err == nil {
		s.say(fmt.Sprintf("on another machine, with that file, after: ssh -N -L %s:%s THIS_MACHINE", at.Port(), at.Host))
	}
}

// look prints progress: a line of the job, and one of each worker every ten seconds.
func (s *shown) look(l fleet.Look) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.quiet {
		return
	}
	if s.plain {
		if b, err := json.Marshal(l); err == nil {
			fmt.Fprintf(s.to, "%s\n", b)
		}
		return
	}
	fmt.Fprint(s.to, lines(l, s.lines%10 == 0))
	s.lines++
}

// lines are progress as people read it.
func lines(l fleet.Look, workers bool) string {
	var b strings.Builder
	gap := 0.0
	if l.Best > 0 {
		gap = float64(l.Best-l.Bound) / float64(l.Best)
	}
	scale := float64(max(l.Scale, 1))
	fmt.Fprintf(&b, "%6.0f s  rules %d  best %.6f  bound %.6f  gap %.1f%%  blocks %d open, %d done  prefixes %d left, %d done  workers "+
		"%d\n",
		l.Seconds, len(l.List), float64(l.Best)/scale, float64(l.Bound)/scale, 100*gap, l.Blocks, l.Done, l.Open, l.Expanded,
		len(l.Workers))
	if workers {
		for _, w := range l.Workers {
			if w.Block == "" {
				fmt.Fprintf(&b, "    %s: waits for a block, %d prefixes done\n", w.Worker, w.Total)
				continue
			}
			fmt.Fprintf(&b, "    %s: %.0f s on block %s, %d prefixes left, %d done\n", w.Worker, w.Seconds, w.Block, w.Open, w.Expanded)
		}
	}
	return b.String()
}
