package bench

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"parcorels/bitvec"
	"parcorels/internal/peakmem"
)

// Runner runs cases, each run in a process of its own.
type Runner struct {
	Program []string      // this program and its hidden command, which reads a case
	Data    string        // folder of the papers' data; "": none
	Warmup  bool          // run each case once before those that count
	Repeats int           // runs that count
	Each    time.Duration // no further run of a case once its runs took this long together; 0: no limit
	Origin  Origin        // of the records
	Log     func(string)  // a line for each run and each case that is skipped
	Emit    func(*Record) error

	done, failed int
}

// ErrRuns reports runs that failed; their records say why.
var ErrRuns = errors.New("runs failed")

// job is a case and what its runs took.
type job struct {
	c     Case
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
	first := 1
	if r.Warmup {
		first = 0
	}
	for round := first; round <= r.Repeats; round++ {
		for _, j := range jobs {
			if j.over || r.Each > 0 && round > first && j.spent >= r.Each.Seconds() {
				continue
			}
			if err := r.once(ctx, j, round); err != nil {
				return err
			}
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
	rec, err := r.own(ctx, j.c)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	r.done++
	if j.over = err != nil || rec.Error != ""; j.over {
		r.failed++
	}
	if err != nil {
		// Nothing that a record could tell, and no other round would do better.
		r.Log(fmt.Sprintf("skipped: %s: %v", j.c.Name(), err))
		return nil
	}
	rec.Round, rec.Origin = round, r.Origin
	j.spent += rec.SecondsWall
	r.Log(rec.line())
	return r.Emit(&rec)
}

// own runs a case in a process of its own. When ctx is cancelled its stdin ends, and it with it.
func (r *Runner) own(ctx context.Context, c Case) (rec Record, err error) {
	rec.Case = c
	request, err := json.Marshal(c)
	if err != nil {
		return rec, err
	}
	cmd := exec.CommandContext(ctx, r.Program[0], r.Program[1:]...)
	cmd.Env = append(os.Environ(), DataEnv+"="+r.Data)
	if c.Kernel != "" {
		cmd.Env = append(cmd.Env, bitvec.KernelEnv+"="+c.Kernel)
	}
	var answer, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &answer, &complaint
	in, err := cmd.StdinPipe()
	if err != nil {
		return rec, err
	}
	cmd.Cancel, cmd.WaitDelay = in.Close, endDelay
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return rec, fmt.Errorf("cannot start %s: %w", r.Program[0], err)
	}
	_, _ = in.Write(append(request, '\n')) // a process that ends early breaks the pipe; its exit status says so
	_ = cmd.Wait()                         // the state says how it ended
	state := cmd.ProcessState
	rec.SecondsWall, rec.SecondsCPU = time.Since(start).Seconds(), (state.UserTime() + state.SystemTime()).Seconds()
	if !state.Success() {
		lines := strings.Split(strings.TrimSpace(complaint.String()), "\n")
		rec.Status, rec.Error = Failed, strings.TrimSuffix(fmt.Sprintf("%v: %s", state, lines[len(lines)-1]), ": ")
	} else if err := json.Unmarshal(answer.Bytes(), &rec.Outcome); err != nil {
		rec.Status, rec.Error = Failed, "no result that can be read: "+err.Error()
	}
	return rec, ctx.Err()
}

// endDelay is how long a process may take to end once its stdin has.
const endDelay = 5 * time.Second

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
	o, err := Execute(ctx, c, os.Getenv(DataEnv))
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
	text := fmt.Sprintf("%s, %s: ", r.Case.Name(), run)
	switch {
	case r.Error != "":
		return text + r.Error
	case r.SecondsSearch > 0:
		text += fmt.Sprintf("%s s search, ", figure(r.SecondsSearch))
	}
	return text + fmt.Sprintf("%s s in all, %s MB, %s", figure(r.SecondsWall), figure(float64(r.PeakBytes)/1e6), r.Status)
}

// jobs returns the cases that can be run, or why the first cannot be where none can.
func (r *Runner) jobs(cases []Case) (jobs []*job, err error) {
	var absent []string
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
		jobs = append(jobs, &job{c: c})
	}
	if len(jobs) == 0 && len(absent) > 0 {
		return nil, fmt.Errorf("nothing to run: %s", absent[0])
	}
	return jobs, nil
}

// ready reports what a case has wrong, or ErrAbsent.
func (r *Runner) ready(c Case) error {
	if c.Instance == countMeasure {
		return nil
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
