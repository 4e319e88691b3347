//go:build unix

package cli

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
)

// processLimit is how many bytes a file of the test process may have: a disk
// that is full after so many, for those who may not mount one.
const processLimit = "PARCORELS_TEST_FILE_SIZE"

// limitFiles sets that limit in a test process.
func limitFiles() {
	text := os.Getenv(processLimit)
	if text == "" {
		return
	}
	var limit syscall.Rlimit
	if _, err := fmt.Sscan(text, &limit.Cur); err != nil {
		panic(err)
	}
	limit.Max = limit.Cur
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		panic(err)
	}
}

// TestFullDisk: wherever the disk is full, the error says so, the result is
// printed all the same, and what is under the final name is what was there.
func TestFullDisk(t *testing.T) {
	testgen.NotRaced(t)
	t.Chdir(t.TempDir())
	exampleTable(t, "monk1", "t.csv")
	if status, _, stderr := run("fit", "t.csv", "-o", "good.json"); status != exitDone {
		t.Fatal(stderr)
	}
	if status, _, stderr := run(words("fit t.csv --checkpoint t.ckpt --nodes 1 --test-without incumbent")...); status != exitDone {
		t.Fatal(stderr)
	}
	checkpoint, err := os.ReadFile("t.ckpt")
	if err != nil {
		t.Fatal(err)
	}
	limits := []string{"0", "1", "300"}
	for i, c := range []struct {
		line    string
		outputs []string // any of which may be the one that is full
		prints  string   // on stdout all the same
	}{
		{"fit t.csv --chance none -o model.json", []string{"model.json"}, "\noptimal: "},
		{"fit t.csv --chance none --json r.json", []string{"r.json"}, "\noptimal: "},
		{"fit t.csv --chance none -o model.json --json r.json", []string{"model.json", "r.json"}, "\noptimal: "},
		{"fit t.csv --chance none -o model.json --nodes 1 --test-without incumbent", []string{"model.json"}, "\nnode limit reached"},
		{"fit t.csv --chance none --proof t.proof", []string{"t.proof"}, "\noptimal: "},
		{"fit t.csv --chance none --proof t.proof -o model.json", []string{"t.proof", "model.json"}, "\noptimal: "},
		{"fit t.csv --chance none --checkpoint new --nodes 1 --test-without incumbent", []string{"new"}, "\nnode limit reached"},
		{"fit t.csv --chance none --checkpoint new --nodes 1 --test-without incumbent -o model.json", []string{"new", "model.json"},
			"\nnode limit reached"},
		{"fit t.csv --chance none --resume t.ckpt --nodes 1 --test-without incumbent", []string{"t.ckpt"}, "\nnode limit reached"},
		{"predict good.json t.csv -o p.csv", []string{"p.csv"}, ""},
	} {
		if !cases.All() {
			limits = []string{[]string{"0", "1", "300"}[i%3]}
		}
		for _, limit := range limits {
			before := map[string]string{}
			for _, name := range c.outputs {
				switch name {
				case "new": // is not to be there
				case "t.ckpt":
					before[name] = string(checkpoint)
				default:
					before[name] = "old"
				}
			}
			write(t, before)
			status, stdout, stderr := limited(t, limit, words(c.line)...)
			if status != exitOutput || !strings.Contains(stdout, c.prints) {
				t.Errorf("%s, %s bytes: status %d, stdout %q, stderr %q", c.line, limit, status, stdout, stderr)
			}
			named := false
			for _, name := range c.outputs {
				named = named || stderr == "parcorels: "+name+": cannot be written: file too large\n"
				kept := name
				if name == "t.proof" && before[name] != "" {
					kept = "t.proof.old" // where it is not taken for the new one
				}
				if text, err := os.ReadFile(kept); string(text) != before[name] || (err == nil) != (name != "new") {
					t.Errorf("%s, %s bytes: %s holds %q, %v", c.line, limit, name, text, err)
				}
			}
			if !named {
				t.Errorf("%s, %s bytes: stderr %q", c.line, limit, stderr)
			}
		}
	}
	if left, err := filepath.Glob(".*"); err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}

// TestFullDiskProving: a search whose proof does not fit says so and is kept
// without it.
func TestFullDiskProving(t *testing.T) {
	testgen.NotRaced(t)
	t.Chdir(t.TempDir())
	exampleTable(t, "monk1", "t.csv")
	status, stdout, stderr := limited(t, "500", words("fit t.csv --lambda 0.01 --workers 1 --nodes 20 --checkpoint run.ckpt --proof "+
		"t.proof")...)
	if status != exitNoProof || !strings.Contains(stdout, "\n(saved: resume with --resume run.ckpt)\n") ||
		stderr != "parcorels: run.ckpt.proof.part: cannot be written: file too large\n" {
		t.Errorf("status %d, %s%s", status, stdout, stderr)
	}
	status, _, stderr = run(words("fit t.csv --lambda 0.01 --resume run.ckpt --proof t.proof")...)
	if status != exitInput || !strings.HasPrefix(stderr, "parcorels: run.ckpt: unusable checkpoint: it was saved by a search without a "+
		"proof") {
		t.Errorf("status %d, %s", status, stderr)
	}
	done(t, "fit t.csv --lambda 0.01 --resume run.ckpt")
}

// TestFullDiskForAMoment: when the proof of a resumed search cannot
// be written, the checkpoint that has its proof stays, stopped or not, and the
// proof is completed when there is room.
func TestFullDiskForAMoment(t *testing.T) {
	testgen.NotRaced(t)
	t.Chdir(t.TempDir())
	exampleTable(t, "monk1", "t.csv")
	const how = "--test-without incumbent --workers 1"
	done(t, "fit t.csv --lambda 0.01 --nodes 5 --checkpoint run.ckpt --proof t.proof "+how)
	info, err := os.Stat("run.ckpt.proof.part")
	if err != nil {
		t.Fatal(err)
	}
	full := strconv.FormatInt(info.Size(), 10)
	for _, more := range []string{" --nodes 5", ""} {
		status, stdout, stderr := limited(t, full, words("fit t.csv --lambda 0.01 --resume run.ckpt --proof t.proof "+how+more)...)
		if status != exitNoProof || stderr != "parcorels: run.ckpt.proof.part: cannot be written: file too large\n" ||
			!strings.Contains(strings.Join(strings.Fields(stdout), " "),
				"(the last checkpoint that has its proof is kept: complete the proof with --resume run.ckpt --proof t.proof)") {
			t.Errorf("%q: status %d, %s%s", more, status, stdout, stderr)
		}
	}
	done(t, "fit t.csv --lambda 0.01 --resume run.ckpt --proof t.proof")
	done(t, "verify t.proof t.csv")
	if _, err := os.Stat("run.ckpt"); err == nil {
		t.Error("the checkpoint is left behind")
	}
}

// TestFullDiskForCheckpoint: where the last checkpoint cannot be written, the one before
// stays, and the way to resume from it is told.
func TestFullDiskForCheckpoint(t *testing.T) {
	testgen.NotRaced(t)
	t.Chdir(t.TempDir())
	exampleTable(t, "monk1", "t.csv")
	const how = "--test-without incumbent,separation --workers 1"
	done(t, "fit t.csv --lambda 0.01 --nodes 5 --checkpoint run.ckpt "+how)
	saved := contents(t, "run.ckpt")
	status, stdout, stderr := limited(t, "300", words("fit t.csv --lambda 0.01 --nodes 5 --resume run.ckpt "+how)...)
	if status != exitOutput || !strings.HasSuffix(stderr, "parcorels: run.ckpt: cannot be written: file too large\n") ||
		!strings.Contains(stdout, "(an earlier checkpoint is kept: resume with --resume run.ckpt)\n") || contents(t, "run.ckpt") != saved {
		t.Errorf("status %d, %s%s", status, stdout, stderr)
	}
	done(t, "fit t.csv --lambda 0.01 --resume run.ckpt")
}

// limited runs a command line in a process whose files are limited.
func limited(t *testing.T, limit string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	cmd := program("main", args...)
	cmd.Env = append(cmd.Env, processLimit+"="+limit)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

// TestTwoInterrupts: the first stops the search, and the program prints and
// saves; the second ends it at once. To know where it is in between, the model
// goes to a named pipe, and what it prints to a pipe that is full.
func TestTwoInterrupts(t *testing.T) {
	t.Chdir(t.TempDir())
	hard(t)
	if err := syscall.Mkfifo("model.json", 0o600); err != nil {
		t.Skip(err)
	}
	p := &child{Cmd: program("main", hardFit...)}
	p.Stdout = fullPipe(t)
	stderr, err := p.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Process.Kill() })
	p.stderr = bufio.NewReader(stderr)
	line(t, p.stderr) // the search has begun
	p.interrupt(t)
	if m, err := loadList("model.json"); err != nil || m.Status != parallel.Interrupted {
		t.Errorf("the model: %v, %v", m, err)
	}
	p.interrupt(t)
	_ = p.Wait()
	if status, ok := p.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGINT {
		t.Errorf("ended by %v", p.ProcessState)
	}
}

func (p *child) interrupt(t *testing.T) {
	t.Helper()
	if err := p.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
}

// fullPipe returns the end of a pipe to which no more can be written.
func fullPipe(t *testing.T) *os.File {
	t.Helper()
	var fds [2]int
	err := syscall.Pipe(fds[:])
	if err != nil {
		t.Fatal(err)
	}
	syscall.CloseOnExec(fds[0])
	syscall.CloseOnExec(fds[1])
	t.Cleanup(func() { _ = syscall.Close(fds[0]) })
	if err := syscall.SetNonblock(fds[1], true); err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{1 << 12, 1} {
		for err = nil; err == nil; { // to EAGAIN
			_, err = syscall.Write(fds[1], make([]byte, size))
		}
	}
	if err := syscall.SetNonblock(fds[1], false); err != nil {
		t.Fatal(err)
	}
	f := os.NewFile(uintptr(fds[1]), "full pipe")
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// TestInterruptedWhileWaiting: one interrupt ends a command that waits for a
// pipe with nothing in it, and leaves no half of a file.
func TestInterruptedWhileWaiting(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, map[string]string{"t.csv": "a,class\nx,1\ny,0\n", "out.csv": "old\n"})
	if status, _, stderr := run("fit", "t.csv", "--lambda", "0.1", "-o", "model.json"); status != exitDone {
		t.Fatal(stderr)
	}
	if err := syscall.Mkfifo("pipe", 0o600); err != nil {
		t.Skip(err)
	}
	for _, line := range []string{
		"fit pipe", "fit -", "cv -", "show pipe", "show -", "predict pipe t.csv", "predict - t.csv",
		"verify pipe t.csv", "verify t.csv -", "predict model.json pipe -o out.csv", "predict model.json - -o out.csv",
		"predict model.json -",
	} {
		stdin, input := io.Pipe()
		ctx, cancel := context.WithCancel(t.Context())
		var stdout, stderr bytes.Buffer
		begun := make(chan struct{})
		go func() {
			if strings.Contains(line, "model.json -") {
				_, _ = io.WriteString(input, "a,class\nx,1\n") // and then no more
			}
			close(begun)
		}()
		if strings.Contains(line, "model.json -") {
			go func() { <-begun; cancel() }()
		} else {
			<-begun
			cancel()
		}
		status := Run(ctx, words(line), stdin, &stdout, &stderr)
		cancel()
		_ = input.Close()
		if status != exitInterrupted || strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("%s: status %d, stdout %q, stderr %q", line, status, stdout.String(), stderr.String())
		}
	}
	if text, err := os.ReadFile("out.csv"); err != nil || string(text) != "old\n" {
		t.Errorf("out.csv holds %q, %v", text, err)
	}
	if left, err := filepath.Glob(".*"); err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}

// TestStrangeFiles: what is no regular file is read like one, or refused.
func TestStrangeFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := syscall.Mkfifo("pipe.csv", 0o600); err != nil {
		t.Skip(err)
	}
	go func() { _ = os.WriteFile("pipe.csv", []byte("a,class\nx,1\ny,0\n"), 0o600) }()
	if status, stdout, stderr := run("fit", "pipe.csv", "--lambda", "0.1"); status != exitDone || !strings.Contains(stdout, "optimal") {
		t.Errorf("a named pipe: status %d, %s%s", status, stdout, stderr)
	}
	for _, c := range []struct{ path, want string }{
		{"/dev/null", "/dev/null: the file is empty"},
		{"/dev/zero", "/dev/zero:1: a NUL byte: this is no text file, or not UTF-8"},
		{"/dev/full", "/dev/full:1: a NUL byte: this is no text file, or not UTF-8"},
		{".", ".: is a directory"},
	} {
		if _, err := os.Stat(c.path); err != nil {
			continue
		}
		if status, stdout, stderr := run("fit", c.path); status != exitInput || stdout != "" || stderr != "parcorels: "+c.want+"\n" {
			t.Errorf("%s: status %d, %s%s", c.path, status, stdout, stderr)
		}
	}
	closed := exec.Command("sh", "-c", `exec "$0" fit - <&-`, os.Args[0])
	closed.Env = append(os.Environ(), processEnv+"=main")
	if text, _ := closed.CombinedOutput(); string(text) != "parcorels: stdin: the file is empty\n" {
		t.Errorf("closed stdin: %s", text)
	}
}
