//go:build unix

package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"parcorels/bench"
	"parcorels/internal/testing/must"
)

// TestBench runs cases in processes of their own, from the command line to the
// records and their tables.
func TestBench(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv(processEnv, "main")
	t.Setenv(bench.DataEnv, "")
	args := []string{"monk3", "compas", "--lambda", "0.01,1/50", "--repeats", "2", "--workers", "2", "-o", "r.jsonl", "--note", "a test"}
	status, stdout, stderr := run(args...)
	if status != exitDone {
		t.Fatalf("status %d, stderr %s", status, stderr)
	}
	records, err := bench.ReadFiles("r.jsonl")
	if err != nil || len(records) != 6 {
		t.Fatalf("%d records, error %v", len(records), err)
	}
	typed := "parcorels-bench " + strings.Join(args[:len(args)-1], " ") + " 'a test'" // can be pasted into a shell
	for _, r := range records {
		if r.Status != "optimal" || r.Workers != 2 || r.Origin.Command != typed || r.Origin.Machine.Note != "a test" ||
			r.Origin.Machine.Cores < 1 {
			t.Errorf("%+v", r)
		}
	}
	if !strings.Contains(stdout, "| monk3, 2 workers | .01") || !strings.Contains(stderr, "skipped: compas") ||
		strings.Count(stderr, "monk3") != 6 {
		t.Errorf("stdout\n%s\nstderr\n%s", stdout, stderr)
	}
	before := stdout
	if status, stdout, _ = run("report", "r.jsonl"); status != exitDone || stdout != before {
		t.Errorf("status %d, report\n%s\nand after the runs\n%s", status, stdout, before)
	}
}

// TestBenchInterrupted keeps the records of the runs that ended.
func TestBenchInterrupted(t *testing.T) {
	file := filepath.Join(t.TempDir(), "r.jsonl")
	p := exec.Command(os.Args[0], "monk3", "planted/100000x160", "--lambda", "0.0001", "--only", "λ", "-o", file)
	p.Env = append(os.Environ(), processEnv+"=main")
	stderr := must.Get(p.StderrPipe())(t)
	must.Do(t, p.Start())
	if _, err := bufio.NewReader(stderr).ReadString('\n'); err != nil { // of the warm-up of monk3; the other instance takes hours
		t.Fatal(err)
	}
	must.Do(t, p.Process.Signal(syscall.SIGINT))
	_ = p.Wait()
	if got := p.ProcessState.ExitCode(); got != exitInterrupted {
		t.Errorf("exit status %d, want %d", got, exitInterrupted)
	}
	if records, err := bench.ReadFiles(file); err != nil || len(records) != 1 {
		t.Errorf("%d records, error %v", len(records), err)
	}
}

// TestBenchFailure: a child that fails is told of, and gives status 1.
func TestBenchFailure(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv(processEnv, "main")
	must.Do(t, os.WriteFile("bad.csv", []byte("a,b\n1\n"), 0o600))
	status, stdout, stderr := run("bad.csv", "--repeats", "1")
	if status != exitOutput || !strings.Contains(stderr, "bad.csv:2") || !strings.Contains(stderr, "1 of 1 runs failed") ||
		!strings.Contains(stdout, "failed") {
		t.Errorf("status %d\n%s%s", status, stdout, stderr)
	}
}
