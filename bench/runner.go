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
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/cpuid/v2"

	"parcorels/bitvec"
	"parcorels/internal/peakmem"
	"parcorels/internal/wording"
	"parcorels/parallel"
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

// recordVersion is the version of the format of records.
const recordVersion = 4

// Record is one run: what was run, on what, and what came of it. Seconds are
// seconds, bytes bytes, counts exact.
type Record struct {
	Case
	Round int `json:"round,omitempty"` // 0 is the warm-up, which no table counts unless it is the only one
	Outcome
	Error       string  `json:"error,omitempty"` // why there is no outcome
	SecondsWall float64 `json:"seconds_wall"`    // life of the process
	SecondsCPU  float64 `json:"seconds_cpu"`     // user and system, all threads
	Origin      Origin  `json:"-"`               // the line above it in its file
}

// Status says how a run ended: the text of a search's status, Done or Failed. "" is a run without an outcome.
type Status string

const Done Status = "done"     // a measurement of a part of the search came to its end
const Failed Status = "failed" // the process did not

// optimal and timeLimit are the statuses of searches that figures depend on.
var optimal, timeLimit = Status(parallel.Optimal.String()), Status(parallel.TimeLimit.String())

// Outcome is what a run found and what it took, as the process that ran it says. Most names are those of
// report.Summary and report.Stats.
type Outcome struct {
	Status     Status  `json:"status,omitempty"`
	Objective  float64 `json:"objective,omitempty"`
	LowerBound float64 `json:"lower_bound,omitempty"`
	Gap        float64 `json:"gap,omitempty"`
	Wrong      float64 `json:"wrong,omitempty"` // share of the weight that the model gets wrong
	Length     int     `json:"length,omitempty"`

	Samples     int64 `json:"samples,omitempty"`
	Antecedents int   `json:"antecedents,omitempty"`
	Points      int   `json:"distinct_points,omitempty"`
	Expanded    int64 `json:"expanded,omitempty"`
	Inserted    int64 `json:"inserted,omitempty"`
	Evaluations int64 `json:"evaluations,omitempty"`
	MapEntries  int64 `json:"map_entries,omitempty"`
	Longest     int   `json:"longest,omitempty"`
	Searchers   int   `json:"searchers,omitempty"` // workers that searched

	SecondsTotal   float64 `json:"seconds_total,omitempty"`
	SecondsRead    float64 `json:"seconds_read,omitempty"`
	SecondsReduce  float64 `json:"seconds_reduce,omitempty"`
	SecondsSearch  float64 `json:"seconds_search,omitempty"`
	SecondsFirst   float64 `json:"seconds_first,omitempty"`
	SecondsOptimum float64 `json:"seconds_optimum,omitempty"`
	SecondsParked  float64 `json:"seconds_parked,omitempty"` // of all workers together

	SearchBytes int64 `json:"search_bytes,omitempty"`
	PeakBytes   int64 `json:"peak_bytes,omitempty"` // most memory of the process that was resident at once

	Rates []Rate `json:"rates,omitempty"` // of kernels
}

// Rate is the throughput of a kernel.
type Rate struct {
	Name  string  `json:"name"`
	Size  int     `json:"size"` // words a column
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
}

// Origin says where the runs below it in a file come from.
type Origin struct {
	Version int     `json:"v"`
	Machine Machine `json:"machine"`
	Commit  string  `json:"commit"`
	Date    string  `json:"date"`    // the day, such as 2026-11-23, UTC
	Command string  `json:"command"` // that repeats it
}

// Machine says where a figure comes from.
type Machine struct {
	CPU    string `json:"cpu"`    // the model as the processor names itself
	Cores  int    `json:"cores"`  // that this process may use
	System string `json:"system"` // "linux/amd64"
	Go     string `json:"go"`
	Note   string `json:"note,omitempty"` // what the user says about it, such as "shared with other work"
}

// NewOrigin describes this machine, with the user's note, this program, its command line and the day.
func NewOrigin(note, program string, args ...string) Origin {
	command := program
	for _, a := range args {
		command += " " + wording.ShellWord(a)
	}
	m := Machine{strings.TrimSpace(cpuid.CPU.BrandName), runtime.GOMAXPROCS(0), runtime.GOOS + "/" + runtime.GOARCH, runtime.Version(),
		note}
	if m.CPU == "" {
		m.CPU = runtime.GOARCH
	}
	return Origin{recordVersion, m, commit(), time.Now().UTC().Format(time.DateOnly), command}
}

// commit returns the commit that the program was built from, with "+" if files
// were changed, and "unknown" if the build does not say.
func commit() string {
	text, changed := "unknown", ""
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return text
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= 12:
			text = s.Value[:12]
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = "+"
		}
	}
	return text + changed
}

// Own is the software that models of measurements name.
const Own = "parcorels"

// Writer writes records, a line of JSON for each run and one for each origin.
type Writer struct {
	W    io.Writer
	last Origin
}

// Write writes a record, below a line with its origin unless that is written already.
func (w *Writer) Write(r *Record) error {
	var b bytes.Buffer
	lines := json.NewEncoder(&b)
	lines.SetEscapeHTML(false)
	if r.Origin != w.last {
		if err := lines.Encode(r.Origin); err != nil {
			return err
		}
	}
	if err := lines.Encode(r); err != nil {
		return err
	}
	w.last = r.Origin
	_, err := w.W.Write(b.Bytes())
	return err
}

// ReadFiles reads files of records, one after the other. An error names the file and the line.
func ReadFiles(paths ...string) (all []Record, err error) {
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		records, err := read(text, path)
		if err != nil {
			return nil, err
		}
		all = append(all, records...)
	}
	return all, nil
}

// read reads records, a line each; name stands for the file in errors.
func read(text []byte, name string) (records []Record, err error) {
	var origin Origin
	number := 0
	for line := range bytes.Lines(text) {
		number++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var r struct {
			Record
			Origin
		}
		err = json.Unmarshal(line, &r)
		switch {
		case err != nil:
			err = fmt.Errorf("not a record of a run: %w", err)
		case r.Version == recordVersion:
			origin = r.Origin
		case r.Version != 0:
			err = fmt.Errorf("records of version %d, this program reads version %d", r.Version, recordVersion)
		case origin.Version == 0 || r.Instance == "":
			err = errors.New("a record without its origin above it, or without an instance")
		default:
			r.Record.Origin = origin
			records = append(records, r.Record)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, number, err)
		}
	}
	if len(records) == 0 {
		return nil, fmt.Errorf("%s: no records, expected a line of JSON for each run", name)
	}
	return records, nil
}
