//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"parcorels/bench"
)

// TestBench runs cases in processes of their own, from the command line to the
// records and their tables.
func TestBench(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv(processEnv, "main")
	t.Setenv(bench.DataEnv, "")
	var stdout, stderr strings.Builder
	args := []string{"bench", "monk3", "compas", "--lambda", "0.01,1/50", "--repeats", "2", "--workers", "2", "-o", "r.jsonl", "--note", "a test"}
	if status := Run(t.Context(), args, nil, &stdout, &stderr); status != exitDone {
		t.Fatalf("status %d, stderr %s", status, stderr.String())
	}
	records, err := bench.ReadFile("r.jsonl")
	if err != nil || len(records) != 6 {
		t.Fatalf("%d records, error %v", len(records), err)
	}
	typed := "parcorels " + strings.Join(args[:len(args)-1], " ") + " 'a test'" // can be pasted into a shell
	for _, r := range records {
		if r.Status != "optimal" || r.Workers != 2 || r.Command != typed || r.Machine.Note != "a test" || r.Machine.Cores < 1 {
			t.Errorf("%+v", r)
		}
	}
	if !strings.Contains(stdout.String(), "| monk3, 2 workers | .01") || !strings.Contains(stderr.String(), "skipped: compas") || strings.Count(stderr.String(), "monk3") != 6 {
		t.Errorf("stdout\n%s\nstderr\n%s", stdout.String(), stderr.String())
	}
	before := stdout.String()
	stdout.Reset()
	if status := Run(t.Context(), []string{"bench", "report", "r.jsonl"}, nil, &stdout, &stderr); status != exitDone || stdout.String() != before {
		t.Errorf("status %d, report\n%s\nand after the runs\n%s", status, stdout.String(), before)
	}
}

// TestBenchInterrupted keeps the records of the runs that ended.
func TestBenchInterrupted(t *testing.T) {
	file := filepath.Join(t.TempDir(), "r.jsonl")
	p := start(t, "main", "bench", "monk3", "planted/100000x160", "--lambda", "0.0001", "--only", "λ", "-o", file)
	line(t, p.stderr) // of the warm-up of monk3; the other instance takes hours
	if err := p.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = p.Wait()
	if got := p.ProcessState.ExitCode(); got != exitInterrupted {
		t.Errorf("exit status %d, want %d", got, exitInterrupted)
	}
	if records, err := bench.ReadFile(file); err != nil || len(records) != 1 {
		t.Errorf("%d records, error %v", len(records), err)
	}
}

// TestBenchFailure: a child that fails is told of, and gives status 1.
func TestBenchFailure(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv(processEnv, "main")
	if err := os.WriteFile("bad.csv", []byte("a,b\n1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr strings.Builder
	status := Run(t.Context(), []string{"bench", "bad.csv", "--repeats", "1"}, nil, &stdout, &stderr)
	if status != exitOutput || !strings.Contains(stderr.String(), "bad.csv:2") || !strings.Contains(stderr.String(), "1 of 1 runs failed") || !strings.Contains(stdout.String(), "failed") {
		t.Errorf("status %d\n%s%s", status, stdout.String(), stderr.String())
	}
}
