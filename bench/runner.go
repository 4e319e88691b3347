package bench

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"parcorels"
	"parcorels/bitvec"
	"parcorels/internal/peakmem"
)

// Runner runs cases, each run in a process of its own.
type Runner struct {
	Program  []string         // this program and its hidden command, which reads a case; nil: cases run in this process
	Solve    parcorels.Solver // takes the place of the search for a rule list in this process; nil: nothing does
	AtOnce   int              // cases at the same time; 0: one
	Data     string           // folder of the papers' data; "": none
	Warmup   bool             // run each case once before those that count
	Repeats  int              // runs that count
	Each     time.Duration    // no further run of a case once its runs took this long together; 0: no limit
	External *External        // another solver; nil: none
	Origin   Origin           // of the records
	Log      func(string)     // a line for each run and each case that is skipped
	Emit     func(*Record) error

	mutex        sync.Mutex // of Log, Emit and what follows
	done, failed int
}

// ErrRuns reports runs that failed; their records say why.
var ErrRuns = errors.New("runs failed")

// job is a case with the solver that runs it.
type job struct {
	c     Case
	who   string
	spent float64
	over  bool // skipped, or failed
}

// Run runs the cases in rounds: first each once, then each a second time, and
// so on. It returns the error of Emit, ErrRuns, ErrAbsent if nothing is there
// to be run, or that of ctx.
func (r *Runner) Run(ctx context.Context, cases []Case) error {
	jobs, err := r.jobs(cases)
	if err != nil {
		return err
	}
	if r.External != nil {
		r.External.data = r.Data
		if r.External.folder, err = os.MkdirTemp("", "parcorels-bench"); err != nil {
			return err
		}
		defer os.RemoveAll(r.External.folder)
	}
	first := 1
	if r.Warmup {
		first = 0
	}
	for round := first; round <= r.Repeats; round++ {
		running, ctx := errgroup.WithContext(ctx)
		running.SetLimit(max(1, r.AtOnce))
		for _, j := range jobs {
			if j.over || r.Each > 0 && round > first && j.spent >= r.Each.Seconds() {
				continue
			}
			running.Go(func() error { return r.once(ctx, j, round) })
		}
		if err := running.Wait(); err != nil {
			return err
		}
	}
	if r.failed > 0 {
		return fmt.Errorf("%d of %d %w", r.failed, r.done, ErrRuns)
	}
	return nil
}

// once makes a run and its record.
func (r *Runner) once(ctx context.Context, j *job, round int) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	run := r.own
	if j.who != Own {
		run = r.External.run
	}
	rec, err := run(ctx, j.c)
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	r.done++
	if j.over = err != nil || rec.Error != ""; j.over && j.who == Own {
		r.failed++
	}
	if err != nil {
		// Nothing that a record could tell, and no other round would do better.
		r.Log(fmt.Sprintf("skipped: %s on %s: %v", j.who, j.c.Name(), err))
		return nil
	}
	rec.Solver, rec.Round, rec.Origin = j.who, round, r.Origin
	j.spent += rec.SecondsWall
	if round > 1 || round == 0 && (r.Each == 0 || j.spent < r.Each.Seconds()) {
		rec.Trace = nil // one trace of each case is enough to draw
	}
	r.Log(rec.line())
	return r.Emit(&rec)
}

// own runs a case with this program.
func (r *Runner) own(ctx context.Context, c Case) (rec Record, err error) {
	rec.Case = c
	if r.Program == nil {
		if rec.Outcome, err = Execute(ctx, c, r.Data, r.Solve); err != nil {
			rec.Error = err.Error()
		}
		rec.SecondsWall = rec.SecondsRead + rec.SecondsReduce + rec.SecondsSearch // without those of waiting
		return rec, nil
	}
	request, err := json.Marshal(c)
	if err != nil {
		return rec, err
	}
	p := process{args: r.Program, stdin: append(request, '\n'), env: append(os.Environ(), DataEnv+"="+r.Data)}
	if c.Kernel != "" {
		p.env = append(p.env, bitvec.KernelEnv+"="+c.Kernel)
	}
	answer, err := p.run(ctx, &rec)
	if err != nil || rec.Error != "" {
		return rec, err
	}
	peak := rec.PeakBytes
	if err := json.Unmarshal(answer, &rec.Outcome); err != nil {
		rec.Error = "no result that can be read: " + err.Error()
	}
	rec.PeakBytes = cmp.Or(rec.PeakBytes, peak)
	return rec, nil
}

// RunCase is the hidden command: it reads a case, has its memory bounded, runs
// it and prints the outcome. It ends early when in ends, as it does when its parent is gone.
func RunCase(ctx context.Context, in io.Reader, out io.Writer, bound func(*Case)) error {
	lines := json.NewDecoder(in)
	var c Case
	if err := lines.Decode(&c); err != nil {
		return fmt.Errorf("stdin holds no case: %w", err)
	}
	bound(&c)
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		_, _ = io.Copy(io.Discard, io.MultiReader(lines.Buffered(), in))
		cancel()
	}()
	o, err := Execute(ctx, c, os.Getenv(DataEnv), nil)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return err
	}
	o.PeakBytes = cmp.Or(o.PeakBytes, peakmem.Peak())
	return json.NewEncoder(out).Encode(o)
}

// line tells people of a run as it ends.
func (r *Record) line() string {
	run := "warm-up"
	if r.Round > 0 {
		run = fmt.Sprintf("run %d", r.Round)
	}
	text := fmt.Sprintf("%s, %s, %s: ", r.Case.Name(), r.Solver, run)
	switch {
	case r.Error != "":
		return text + r.Error
	case r.SecondsSearch > 0:
		text += fmt.Sprintf("%s s search, ", figure(r.SecondsSearch))
	}
	return text + fmt.Sprintf("%s s in all, %s MB, %s", figure(r.SecondsWall), figure(float64(r.PeakBytes)/1e6), r.Status)
}

// jobs returns the cases that can be run, or why the first cannot be where none can. Another solver runs an instance
// once for each λ, beside the first case that has them.
func (r *Runner) jobs(cases []Case) (jobs []*job, err error) {
	var absent []string
	var beside []Case
	for _, c := range cases {
		if err := r.ready(c); errors.Is(err, ErrAbsent) {
			if !slices.Contains(absent, err.Error()) {
				absent = append(absent, err.Error())
				r.Log("skipped: " + err.Error())
			}
			continue
		} else if err != nil {
			return nil, err
		}
		jobs = append(jobs, &job{c: c, who: Own})
		plain := Case{Suite: c.Suite, Part: c.Part, Instance: c.Instance, Model: c.Model, Lambda: c.Lambda, Depth: c.Depth}
		if r.External != nil && c.Lambda != "" && !slices.Contains(beside, plain) {
			beside = append(beside, plain)
			jobs = append(jobs, &job{c: plain, who: r.External.Name})
		}
	}
	if len(jobs) == 0 && len(absent) > 0 {
		return nil, fmt.Errorf("nothing to run: %s", absent[0])
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
