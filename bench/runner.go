package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"parcorels/bitvec"
)

// Runner runs cases, each run in a process of its own.
type Runner struct {
	Program  []string      // this program and its hidden command, which reads a case
	Data     string        // folder of the papers' data; "": none
	Warmup   bool          // run each case once before those that count
	Repeats  int           // runs that count
	Each     time.Duration // no further run of a case once its runs took this long together; 0: no limit
	External *External     // another solver; nil: none
	Machine  Machine       // of the records
	Command  string        // that repeats them
	Log      func(string)  // a line for each run and each case that is skipped
	Emit     func(*Record) error
}

// ErrRuns reports runs that failed; their records say why.
var ErrRuns = errors.New("runs failed")

// Run runs the cases in rounds: first each once, then each a second time, and
// so on. It returns the error of Emit, ErrRuns, ErrAbsent if nothing is there
// to be run, or that of ctx.
func (r *Runner) Run(ctx context.Context, cases []Case) error {
	folder, err := os.MkdirTemp("", "parcorels-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	jobs, err := r.jobs(cases, folder)
	if err != nil {
		return err
	}
	first := 1
	if r.Warmup {
		first = 0
	}
	failed, done := 0, 0
	for round := first; round <= r.Repeats; round++ {
		for _, j := range jobs {
			if j.over || r.Each > 0 && round > first && j.spent >= r.Each.Seconds() {
				continue
			}
			ok, err := r.once(ctx, j, round)
			if err != nil {
				return err
			}
			if !ok {
				failed++
			}
			done++
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d %w", failed, done, ErrRuns)
	}
	return nil
}

// once makes a run and its record, and reports whether there is a result.
func (r *Runner) once(ctx context.Context, j *job, round int) (bool, error) {
	rec, err := j.run(ctx)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err != nil {
		// Nothing that a record could tell, and no other round would do better.
		j.over = true
		r.Log(fmt.Sprintf("skipped: %s on %s: %v", j.who, j.c.Name(), err))
		return j.who != Own, nil
	}
	limit := rec.Limit
	rec.Case, rec.Solver, rec.Round = j.c, j.who, round
	if limit > 0 {
		rec.Limit = limit
	}
	rec.Origin = newOrigin(r.Machine, r.Command)
	j.spent += rec.SecondsWall
	if round > 1 || round == 0 && (r.Each == 0 || j.spent < r.Each.Seconds()) {
		rec.Trace = nil // one trace of each case is enough to draw
	}
	if err := r.Emit(&rec); err != nil {
		return false, err
	}
	j.over = rec.Error != ""
	r.Log(rec.line())
	return rec.Error == "" || j.who != Own, nil
}

// own runs a case with this program.
func (r *Runner) own(ctx context.Context, c Case) (rec Record, err error) {
	request, err := json.Marshal(Request{c, r.Data})
	if err != nil {
		return rec, err
	}
	p := process{args: r.Program, stdin: append(request, '\n')}
	if c.Kernel != "" {
		p.env = append(os.Environ(), bitvec.KernelEnv+"="+c.Kernel)
	}
	u, err := p.run(ctx)
	if err != nil {
		return rec, err
	}
	rec.fill(&u)
	if fail := u.failure(); fail != nil {
		rec.Error = fail.Error()
		return rec, nil
	}
	var reply Reply
	if err := json.Unmarshal(u.stdout, &reply); err != nil {
		rec.Error = "no result that can be read: " + err.Error()
		return rec, nil
	}
	rec.Outcome = reply.Outcome
	if reply.PeakBytes > 0 {
		rec.PeakBytes = reply.PeakBytes
	}
	return rec, nil
}

// fill copies what the system tells of a process.
func (r *Record) fill(u *usage) {
	r.SecondsWall, r.SecondsCPU, r.PeakBytes = u.wall, u.cpu, u.peak
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

// job is a case with the solver that runs it.
type job struct {
	c     Case
	run   func(ctx context.Context) (Record, error)
	who   string
	spent float64
	over  bool // skipped, or failed
}

// jobs returns the cases that can be run, or why the first cannot be where none can. Another solver runs an instance once for each λ, beside the first
// case that has them.
func (r *Runner) jobs(cases []Case, folder string) (jobs []*job, err error) {
	var absent error
	var skipped, beside []string
	for _, c := range cases {
		if err := r.ready(c); errors.Is(err, ErrAbsent) {
			if line := "skipped: " + err.Error(); !slices.Contains(skipped, line) {
				skipped = append(skipped, line)
				r.Log(line)
			}
			if absent == nil {
				absent = err
			}
			continue
		} else if err != nil {
			return nil, err
		}
		jobs = append(jobs, &job{c: c, who: Own, run: func(ctx context.Context) (Record, error) { return r.own(ctx, c) }})
		same := fmt.Sprint(c.Model, " ", c.Instance, " ", c.Lambda, " ", c.Depth)
		if r.External == nil || c.Lambda == "" || slices.Contains(beside, same) {
			continue
		}
		beside = append(beside, same)
		plain := Case{Suite: c.Suite, Part: c.Part, Instance: c.Instance, Model: c.Model, Lambda: c.Lambda, Depth: c.Depth}
		jobs = append(jobs, &job{c: plain, who: r.External.Name, run: func(ctx context.Context) (Record, error) {
			return r.External.run(ctx, &plain, folder, r.Data)
		}})
	}
	if len(jobs) == 0 && absent != nil {
		return nil, fmt.Errorf("nothing to run: %w", absent)
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

// Select keeps the cases whose name, suite or part contains the text.
func Select(cases []Case, text string) []Case {
	return slices.DeleteFunc(slices.Clone(cases), func(c Case) bool {
		return !strings.Contains(c.Suite+" "+c.Part+" "+c.Name(), text)
	})
}
