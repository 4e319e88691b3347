//go:build unix

package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"parcorels/internal/peakmem"
)

// childEnv makes this test program behave like a child of the runner, or like
// another solver.
const childEnv = "PARCORELS_BENCH_TEST"

func TestMain(m *testing.M) {
	switch mode := os.Getenv(childEnv); mode {
	case "":
		os.Exit(m.Run())
	case "serve":
		if err := RunCase(context.Background(), os.Stdin, os.Stdout, func(*Case) {}); err != nil {
			fmt.Fprintln(os.Stderr, "parcorels:", err)
			os.Exit(2)
		}
	case "hang":
		fmt.Println("ready")
		time.Sleep(time.Hour)
	case "family": // hangs, and so does its child, which tells its id
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), childEnv+"=hang")
		if err := child.Start(); err != nil {
			panic(err)
		}
		if err := os.WriteFile(os.Args[1], []byte(strconv.Itoa(child.Process.Pid)), 0o600); err != nil {
			panic(err)
		}
		time.Sleep(time.Hour)
	case "garbage":
		fmt.Println("not JSON")
	case "fail":
		fmt.Fprintln(os.Stderr, "first line\nno such luck")
		os.Exit(7)
	case "solver": // checks what it was given
		solver(os.Args[1:])
	}
}

// solver fails unless its arguments are the files of an instance and λ.
func solver(args []string) {
	complain := func(text string) {
		fmt.Fprintln(os.Stderr, text)
		os.Exit(3)
	}
	if len(args) != 5 || args[0] != "-r" || args[1] != "0.1" {
		complain(fmt.Sprintf("arguments %q", args))
	}
	for i, want := range []string{"{", "{", "{group_minority} 1"} {
		text, err := os.ReadFile(args[2+i])
		if err != nil {
			complain(err.Error())
		}
		if !strings.HasPrefix(string(text), want) {
			complain(fmt.Sprintf("file %d begins %.40q", i, text))
		}
	}
}

// as returns a command line that makes this program what mode says.
func as(mode string) process {
	return process{args: []string{os.Args[0]}, env: append(os.Environ(), childEnv+"="+mode)}
}

func TestLimitEndsTheFamily(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	p := as("family")
	p.args = append(p.args, file)
	p.limit = 2 * time.Second
	var rec Record
	if _, err := p.run(t.Context(), &rec); err != nil || rec.Status != timeLimit || rec.Error == "" {
		t.Fatalf("%+v, error %v", rec, err)
	}
	gone(t, file)
}

// gone waits for a process to end whose id is in the file.
func gone(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(string(text))
	if err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); ; {
		state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil || strings.Contains(string(state), ") Z ") {
			break
		}
		if time.Now().After(end) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			t.Fatalf("process %d is still there", pid)
		}
	}
}

func TestCancelEndsTheFamily(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	p := as("family")
	p.args = append(p.args, file)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for {
			if text, err := os.ReadFile(file); err == nil && len(text) > 0 {
				cancel()
				return
			}
		}
	}()
	if _, err := p.run(ctx, &Record{}); err != context.Canceled {
		t.Fatalf("error %v", err)
	}
	gone(t, file)
}

func TestFailures(t *testing.T) {
	var rec Record
	if _, err := as("fail").run(t.Context(), &rec); err != nil || rec.Status != Failed || rec.Error != "exit status 7: no such luck" {
		t.Errorf("%+v, error %v", rec, err)
	}
	if _, err := (process{args: []string{filepath.Join(t.TempDir(), "absent")}}).run(t.Context(), &rec); err == nil {
		t.Error("a program that is not there ran")
	}
}

// TestPeakIsTheChilds: a small child of a large parent does not inherit its
// peak.
func TestPeakIsTheChilds(t *testing.T) {
	if peakmem.PeakOf(os.Getpid()) == 0 {
		t.Skip("the system does not tell")
	}
	held := make([]byte, 256<<20)
	for i := range held {
		held[i] = 1
	}
	p := as("hang")
	p.limit = 500 * time.Millisecond
	var rec Record
	if _, err := p.run(t.Context(), &rec); err != nil || rec.PeakBytes == 0 || rec.PeakBytes > int64(len(held))/2 {
		t.Errorf("peak %d, error %v", rec.PeakBytes, err)
	}
	_ = held[len(held)-1]
}

// testRunner runs cases with this test program as the child.
func testRunner(t *testing.T, mode string) (*Runner, *[]Record, *[]string) {
	t.Setenv(childEnv, mode)
	var records []Record
	var lines []string
	r := &Runner{
		Program: []string{os.Args[0]}, Repeats: 2, Warmup: true, Origin: NewOrigin("", "test"),
		Log:  func(line string) { lines = append(lines, line) },
		Emit: func(rec *Record) error { records = append(records, *rec); return nil },
	}
	return r, &records, &lines
}

func TestRunner(t *testing.T) {
	r, records, lines := testRunner(t, "serve")
	cases := []Case{
		{Suite: "s", Instance: "monk1", Lambda: "0.01", Workers: 2, Traced: true},
		{Suite: "s", Instance: "monk1", Lambda: "0.01", Workers: 2, Variant: "apart", Separate: true, Kernel: "generic"},
		{Suite: "s", Instance: "compas", Lambda: "0.01"},
	}
	if err := r.Run(t.Context(), cases); err != nil {
		t.Fatal(err)
	}
	if len(*records) != 6 {
		t.Fatalf("%d records, want those of a warm-up and two rounds of two cases", len(*records))
	}
	for i, rec := range *records {
		if rec.Round != i/2 || rec.Status != "optimal" || rec.Objective != .04 || rec.Length != 4 || rec.Error != "" {
			t.Errorf("record %d: %+v", i, rec)
		}
		if rec.SecondsWall < rec.SecondsTotal || rec.SecondsTotal < rec.SecondsSearch || rec.PeakBytes == 0 || rec.SecondsSearch == 0 || rec.Searchers != 2 {
			t.Errorf("record %d: %+v", i, rec)
		}
		if traced := len(rec.Trace) > 0; traced != (i == 2) { // the first run that counts of the case that asks for it
			t.Errorf("record %d: trace of %d points", i, len(rec.Trace))
		}
	}
	if !strings.Contains((*lines)[0], "skipped: compas is not there") {
		t.Errorf("lines %q", *lines)
	}
	if err := Check(*records); err != nil {
		t.Error(err)
	}
}

func TestRunnerWithoutData(t *testing.T) {
	r, records, lines := testRunner(t, "serve")
	for _, r.Data = range []string{"", t.TempDir()} {
		*lines = nil
		err := r.Run(t.Context(), []Case{{Instance: "compas", Lambda: "0.01"}, {Instance: "compas", Lambda: "0.02"}})
		if err == nil || !strings.Contains(err.Error(), "nothing to run: compas is not there") || len(*records) > 0 || len(*lines) != 1 {
			t.Errorf("folder %q: %v, %d records, lines %q", r.Data, err, len(*records), *lines)
		}
	}
	for _, c := range []Case{{Instance: "monk1", Lambda: "2"}, {Instance: "monk1", Lambda: "0.1", Without: "luck"}, {Instance: "nowhere", Lambda: "0.1"}, {Instance: "planted/axb", Lambda: "0.1"}} {
		if err := r.Run(t.Context(), []Case{c}); err == nil {
			t.Errorf("%+v ran", c)
		}
	}
}

// TestChildThatFails leaves a record that says why.
func TestChildThatFails(t *testing.T) {
	for mode, want := range map[string]string{"fail": "exit status 7: no such luck", "garbage": "no result that can be read"} {
		r, records, _ := testRunner(t, mode)
		err := r.Run(t.Context(), []Case{{Instance: "monk1", Lambda: "0.01"}})
		if err == nil || len(*records) != 1 || !strings.Contains((*records)[0].Error, want) {
			t.Errorf("%s: %v, %+v", mode, err, *records)
		}
		if text := Tables(*records); !strings.Contains(text, "failed") {
			t.Errorf("%s: tables\n%s", mode, text)
		}
	}
}

func TestRunCase(t *testing.T) {
	serve := func(in io.Reader) (Outcome, error) {
		var out strings.Builder
		err := RunCase(t.Context(), in, &out, func(*Case) {})
		var r Outcome
		if err == nil {
			err = json.Unmarshal([]byte(out.String()), &r)
		}
		return r, err
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer write.Close()
	if _, err := write.WriteString(`{"instance":"monk3","lambda":"0.01","workers":1}` + "\n"); err != nil {
		t.Fatal(err)
	}
	if r, err := serve(read); err != nil || r.Status != "optimal" || r.PeakBytes == 0 && peakmem.Peak() > 0 {
		t.Errorf("%+v, error %v", r, err)
	}
	// The end of stdin ends a search that would take hours.
	hard := `{"instance":"planted/100000x160","lambda":"0.0001"}`
	if r, err := serve(strings.NewReader(hard)); err == nil {
		t.Errorf("an orphan went on: %+v", r)
	}
	for _, bad := range []string{"", "{", `{"instance":"monk1","lambda":"x"}`, `{"instance":"compas","lambda":"0.1"}`} {
		if _, err := serve(strings.NewReader(bad)); err == nil {
			t.Errorf("%q was served", bad)
		}
	}
}

func TestExternal(t *testing.T) {
	r, records, _ := testRunner(t, "serve")
	command := "env " + childEnv + "=solver " + os.Args[0] + " -r {lambda} {out} {label} {minor}"
	var err error
	if r.External, err = NewExternal(command, "other", 0); err != nil {
		t.Fatal(err)
	}
	r.Warmup, r.Repeats = false, 2
	cases := []Case{{Instance: "planted/500x6", Lambda: "0.1"}, {Instance: "planted/500x6", Lambda: "0.1", Variant: "again"}}
	if err := r.Run(t.Context(), cases); err != nil {
		t.Fatal(err)
	}
	var others int
	for _, rec := range *records {
		if rec.Solver != "other" {
			continue
		}
		others++
		if rec.Status != "done" || rec.Error != "" || rec.SecondsWall == 0 || rec.Variant != "" {
			t.Errorf("%+v", rec)
		}
	}
	if others != 2 {
		t.Errorf("%d runs of the other solver, want one a round", others)
	}
	if text := Tables(*records); !strings.Contains(text, "other s") || !strings.Contains(text, "×") {
		t.Errorf("tables\n%s", text)
	}
}

// TestExternalThatFailsOrHangs does not keep the runs of this program from
// being recorded.
func TestExternalThatFailsOrHangs(t *testing.T) {
	for mode, want := range map[string]string{"fail": "failed", "hang": "time-limit"} {
		r, records, _ := testRunner(t, "serve")
		x, err := NewExternal("env "+childEnv+"="+mode+" "+os.Args[0]+" {out} {lambda}", "other", time.Second)
		if err != nil {
			t.Fatal(err)
		}
		r.External, r.Warmup, r.Repeats = x, false, 2
		if err := r.Run(t.Context(), []Case{{Instance: "monk1", Lambda: "0.1"}}); err != nil {
			t.Fatal(err)
		}
		statuses := map[string]int{}
		for _, rec := range *records {
			statuses[rec.Solver+" "+string(rec.Status)]++
		}
		if statuses["parcorels optimal"] != 2 || statuses["other "+want] != 1 {
			t.Errorf("%s: %v", mode, statuses)
		}
	}
}
