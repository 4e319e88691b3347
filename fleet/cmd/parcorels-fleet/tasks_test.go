package main

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"parcorels/bench"
	"parcorels/cmd/parcorels/program"
)

// seconds are what two runs do not have in common.
var seconds = regexp.MustCompile(`[0-9.,]+\s+(±\s+[0-9.,]+\s+)?m?s\b`)

// plainly returns what parcorels prints itself, without times.
func plainly(t *testing.T, args ...string) string {
	t.Helper()
	var out, said bytes.Buffer
	if status := program.Run(t.Context(), args, nil, &out, &said, nil); status != 0 {
		t.Fatalf("status %d: %s", status, said.String())
	}
	return seconds.ReplaceAllString(out.String(), "?")
}

// TestTasks: cv and path print what parcorels prints, wherever searches run, and if the process
// that waits for them is killed and begins again.
func TestTasks(t *testing.T) {
	for _, args := range [][]string{
		{"cv", "", "--lambda", "0.02,0.03", "--folds", "4", "--max-card", "1", "--time", "none"},
		{"cv", "", "--lambda", "0.02", "--folds", "3", "--max-card", "1", "--model", "list", "--max-rules", "2", "--pick", "best", "--chance", "20"},
		{"path", "", "--to", "0.03", "--max-card", "1", "--cv"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			t.Parallel()
			classes := 2
			if args[0] == "path" {
				classes = 3
			}
			j := &jobOf{t: t, table: table(t, 300, 80, classes, 3), folder: filepath.Join(t.TempDir(), "job")}
			args[1] = j.table
			want := plainly(t, args...)
			command := append(args, "--dir", j.folder, "--no-work", "--ack-wait", "2s")
			p := start(t, command...)
			w := j.work()
			time.Sleep(300 * time.Millisecond)
			p.signal(syscall.SIGKILL)
			<-p.done
			time.Sleep(300 * time.Millisecond)
			gone := false
			select {
			case <-w.done: // the job was done just before, and its worker has left
				gone = true
				command = slices.DeleteFunc(command, func(arg string) bool { return arg == "--no-work" })
			default:
			}
			p = &process{Cmd: exec.Command(p.Path, command...), done: make(chan error, 1)}
			p.Env = append(p.Environ(), processEnv+"=1")
			p.Stderr = &p.out
			late := time.AfterFunc(long, func() { p.signal(syscall.SIGQUIT) })
			got, err := p.Output()
			late.Stop()
			if err != nil {
				t.Fatalf("%v\n%s\nthe worker:\n%s", err, p.out.String(), w.out.String())
			}
			if got := seconds.ReplaceAllString(string(got), "?"); got != want {
				t.Errorf("%s\nwant\n%s", got, want)
			}
			if gone {
				return
			}
			if status := w.ended(t, long/4); status != 0 {
				t.Errorf("the worker ended with status %d\n%s", status, w.out.String())
			}
		})
	}
}

// TestBench: a suite's table has what parcorels-bench finds.
func TestBench(t *testing.T) {
	t.Parallel()
	j := &jobOf{t: t, folder: filepath.Join(t.TempDir(), "job")}
	records := j.folder + ".jsonl"
	p := start(t, "bench", "monk1", "--lambda", "0.01,0.02", "--dir", j.folder, "--no-work", "--ack-wait", "2s", "-o", records)
	w := j.work()
	if status := p.ended(t, long); status != 0 {
		t.Fatalf("status %d\n%s", status, p.out.String())
	}
	if status := w.ended(t, long); status != 0 {
		t.Errorf("the worker ended with status %d\n%s", status, w.out.String())
	}
	got, err := bench.ReadFiles(records)
	if err != nil || len(got) != 2 {
		t.Fatalf("%d records, %v", len(got), err)
	}
	if table := bench.Tables(got); !strings.Contains(p.out.String(), table) {
		t.Errorf("%s\nhas no table\n%s", p.out.String(), table)
	}
	for _, r := range got {
		want, err := bench.Execute(t.Context(), r.Case, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		if want.Objective != r.Objective || want.Length != r.Length || want.Status != r.Status || want.Expanded != r.Expanded || r.SecondsSearch <= 0 {
			t.Errorf("%s: %+v, want %+v", r.Case.Name(), r.Outcome, want)
		}
	}
}
