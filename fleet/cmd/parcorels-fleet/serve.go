package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"parcorels"
	"parcorels/fleet"
	"parcorels/internal/atomicfile"
	"parcorels/internal/option"
	"parcorels/optionerr"
	"parcorels/parallel"
)

// value makes a flag of a row of the table of options.
type value struct{ *option.Option }

func (v value) String() string { return "" }
func (v value) Type() string   { return v.Holder }
func (v value) Set(text string) error {
	if err := v.Option.Set(text); errors.Is(err, option.ErrExpected) {
		return fmt.Errorf("expected %s", v.Expect)
	} else if err != nil {
		return err
	}
	return nil
}

// notHere are options of a search that a fleet does not have.
var notHere = []string{"model", "nodes"}

func tableFlags(f *pflag.FlagSet, r *parcorels.Reading, o *parcorels.Options) {
	for _, row := range parcorels.OptionTable(r, o) {
		if !row.Of("list") || slices.Contains(notHere, row.Name) || f.Lookup(row.Name) != nil {
			continue
		}
		help := row.Help
		if row.Default != "" {
			help += " (default: " + row.Default + ")"
		}
		flag := f.VarPF(value{row}, row.Name, row.Short, help)
		if row.Type == "switch" {
			flag.NoOptDefVal = "true"
		}
	}
}

// newFlags returns the flags of a command, whose help goes to out.
func newFlags(name, usage string, out io.Writer) *pflag.FlagSet {
	f := pflag.NewFlagSet(name, pflag.ContinueOnError)
	f.SetOutput(out)
	f.SortFlags = false
	f.Usage = func() { fmt.Fprintf(out, "usage: parcorels-fleet %s %s\n\n%s", name, usage, f.FlagUsagesWrapped(80)) }
	return f
}

// parse parses arguments of which so many are no flags.
func parse(f *pflag.FlagSet, args []string, positional int, what string) ([]string, bool, error) {
	switch err := f.Parse(args); {
	case errors.Is(err, pflag.ErrHelp):
		return nil, true, nil
	case err != nil:
		return nil, false, usageError{err}
	case f.NArg() != positional:
		return nil, false, usageError{fmt.Errorf("%s: expected %s", f.Name(), what)}
	}
	return f.Args(), false, nil
}

func serve(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var (
		reading           parcorels.Reading
		o                 parcorels.Options
		fo                fleet.Options
		proof, out, creds string
		quiet, plain      bool
		disk              float64
	)
	f := newFlags("serve", "TABLE --lambda λ --dir FOLDER [options]", stdout)
	f.StringVar(&fo.Server.Folder, "dir", "", "folder of the job: server, blocks, credentials; a job that is there is continued")
	f.StringVarP(&out, "output", "o", "", "write the model to this file")
	f.StringVar(&proof, "proof", "", "write a proof of optimality, which parcorels verify checks")
	f.StringVar(&fo.Server.Listen, "listen", "", "address for workers on other machines, as 0.0.0.0:4222; with TLS")
	f.StringVar(&fo.Server.Cert, "tls-cert", "", "certificate of the server (default: one is made)")
	f.StringVar(&fo.Server.Key, "tls-key", "", "its key")
	f.StringVar(&fo.URL, "nats", "", "URL of a NATS server or cluster with JetStream, instead of an embedded one")
	f.StringVar(&creds, "creds", "", "credentials for that")
	f.IntVar(&fo.Replicas, "replicas", 1, "copies that a cluster keeps of all")
	f.BoolVar(&fo.Alone, "no-work", false, "coordinate only: search nothing in this process")
	f.DurationVar(&fo.SaveEvery, "save-every", time.Minute, "how often what is left of a block is saved")
	f.DurationVar(&fo.AckWait, "ack-wait", 30*time.Second, "after which a block of a silent worker goes to another")
	f.IntVar(&fo.Gifts.Least, "least-part", 5000, "fewest prefixes of a part that is given away")
	f.DurationVar(&fo.Gifts.After, "give-after", 2*time.Second, "how long a block is searched before parts of it are given away")
	f.Float64Var(&disk, "disk", 16, "most gigabytes of all that is stored")
	f.BoolVarP(&quiet, "quiet", "q", false, "no progress")
	f.BoolVar(&plain, "json", false, "progress as a line of JSON a second")
	tableFlags(f, &reading, &o)
	rest, helped, err := parse(f, args, 1, "one table")
	if helped || err != nil {
		return err
	}
	switch {
	case fo.Server.Folder == "" && fo.URL == "":
		return usageError{errors.New("--dir FOLDER is missing: it keeps the job, so that nothing is lost")}
	case f.Changed("proof") && proof == "":
		return usageError{errors.New("--proof is empty: expected a file")}
	case !f.Changed("lambda") && !f.Changed("max-rules"):
		return usageError{errors.New("--lambda is missing: a job for several machines has one that somebody chose")}
	}
	fo.Disk = int64(disk * (1 << 30))
	if fo.URL != "" && creds != "" {
		if fo.Creds, err = fleet.ReadCredentials(creds); err != nil {
			return usageError{err}
		}
	}
	for _, file := range []string{out, proof} {
		if file != "" {
			if err := atomicfile.Check(file); err != nil {
				return usageError{err}
			}
		}
	}
	return fitOn(ctx, rest[0], reading, o, fo, &shown{to: stderr, quiet: quiet, plain: plain}, out, proof, stdout)
}

// fitOn learns the list, and puts it where it is to go.
func fitOn(ctx context.Context, path string, reading parcorels.Reading, o parcorels.Options, fo fleet.Options, show *shown, out, proof string, stdout io.Writer) error {
	if err := o.Validate(reading); err != nil {
		return usageError{asFlag(err)}
	}
	data, err := parcorels.Read(path, reading)
	if err != nil {
		return usageError{asFlag(err)}
	}
	o.Software = software()
	var stats fleet.Stats
	fo.Say, fo.Look = show.say, show.look
	fo.Ready = func(url string) { show.ready(url, &fo) }
	o.Solve = fleet.Solver(fo, &stats)
	learn := func() (*parcorels.Model, error) { return parcorels.Fit(ctx, data, o) }
	m, err := prove(&o, proof, learn)
	if err != nil {
		return asFlag(err)
	}
	if out != "" {
		if err := m.Save(out); err != nil {
			return err
		}
	}
	fmt.Fprintf(stdout, "%s\n", strings.TrimRight(m.String(), "\n"))
	fmt.Fprintf(stdout, "(%d prefixes expanded in %d blocks by %d workers)\n", stats.Expanded, stats.Blocks, stats.Workers)
	if stats.Refused > 0 {
		fmt.Fprintf(stdout, "(%d messages of workers were refused, because they say what is not so)\n", stats.Refused)
	}
	if m.Certificate().Status != parallel.Optimal {
		fmt.Fprintf(stdout, "(saved: the same command continues)\n")
		return errStopped
	}
	if proof != "" {
		fmt.Fprintf(stdout, "(proof in %s: %d bytes, %d records)\n", proof, stats.Proof, stats.Records)
	}
	return nil
}

// prove learns with a proof, if a file is named, which then is whole or as it was.
func prove(o *parcorels.Options, file string, learn func() (*parcorels.Model, error)) (m *parcorels.Model, err error) {
	if file == "" {
		return learn()
	}
	errUnproved, sum := errors.New("unproved"), sha256.New()
	fault := atomicfile.Write(file, func(w io.Writer) error {
		o.Proof = &parcorels.Proof{To: io.MultiWriter(w, sum)}
		if m, err = learn(); err != nil {
			return err
		}
		if !m.Search.Proved {
			return errors.Join(errUnproved, m.Search.ProofErr)
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case m != nil && m.Search.ProofErr == nil && errors.Is(fault, errUnproved):
		return m, nil // it was stopped
	case fault != nil:
		return nil, fault
	}
	m.About().Proof = "sha256:" + hex.EncodeToString(sum.Sum(nil))
	return m, nil
}

// asFlag names flags instead of fields in an error.
func asFlag(err error) error {
	var wrong *optionerr.Error
	if !errors.As(err, &wrong) {
		return err
	}
	names := map[string]string{}
	for _, row := range parcorels.OptionTable(&parcorels.Reading{}, &parcorels.Options{}) {
		names[row.Field] = "--" + row.Name
	}
	return errors.New(optionerr.Rename(err.Error(), func(field string) string { return names[field] }))
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
func (s *shown) ready(url string, fo *fleet.Options) {
	file := "FILE"
	if fo.URL == "" {
		file = fleet.WorkerCredentials(fo.Server.Folder)
	}
	s.say(fmt.Sprintf("another machine joins by: parcorels-fleet work %s --creds %s", url, file))
	if fo.URL == "" && fo.Server.Listen != "" {
		s.say("copy that file to it, over a channel that nobody reads: it is the key")
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
	fmt.Fprintf(&b, "%6.0f s  rules %d  best %.6f  bound %.6f  gap %.1f%%  blocks %d open, %d done  prefixes %d left, %d done  workers %d\n",
		l.Seconds, len(l.List), float64(l.Best)/scale, float64(l.Bound)/scale, 100*gap, l.Blocks, l.Done, l.Open, l.Expanded, len(l.Workers))
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
