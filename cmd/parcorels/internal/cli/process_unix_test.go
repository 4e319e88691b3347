//go:build unix

package cli

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"parcorels/cmd/internal/console"
	"parcorels/cmd/internal/memory"
	"parcorels/internal/testing/must"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"parcorels/bitvec"
)

// processEnv makes this test program behave like parcorels.
const processEnv = "PARCORELS_TEST_PROCESS"

func TestMain(m *testing.M) {
	switch os.Getenv(processEnv) {
	case "main":
		debug.SetGCPercent(100) // the program's, where package cases set the tests'
		limitFiles()
		ctx := console.Interruptible(context.Background())
		p := Process{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Memory: memory.New(), ProgressEvery: 20 * time.Millisecond}
		os.Exit(p.Run(ctx, os.Args[1:]))
	case "": // "go test"
		if flag.Parse(); flag.Lookup("test.run").Value.String() == "" && !*update {
			elsewhere = program("scripts", "-test.run=^TestScripts$", "-test.timeout="+flag.Lookup("test.timeout").Value.String())
			elsewhere.Stdout = &strings.Builder{}
			elsewhere.Stderr = elsewhere.Stdout
			_ = elsewhere.Start() // where that fails, Wait says that it did
		}
	}
	os.Exit(m.Run())
}

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

// Scripts have a full disk and pipes where the system has them.
func init() {
	steps["limited"] = func(t *testing.T, _, limits, line string) (blocks string) {
		for limit := range strings.SplitSeq(limits, ",") {
			cmd := program("main", words(line)...)
			cmd.Env = append(cmd.Env, processLimit+"="+limit)
			var out, errs strings.Builder
			cmd.Stdout, cmd.Stderr = &out, &errs
			if err := cmd.Run(); cmd.ProcessState == nil {
				t.Fatal(err)
			}
			if now := printed(cmd.ProcessState.ExitCode(), out.String(), errs.String()); now != blocks {
				blocks += now
			}
		}
		return blocks
	}
	steps["link"] = func(t *testing.T, _, name, to string) string {
		must.Do(t, os.Symlink(to, name))
		return ""
	}
	steps["fifo"] = func(t *testing.T, arg, _, _ string) string {
		if err := syscall.Mkfifo(arg, 0o600); err != nil {
			t.Skip(err)
		}
		return ""
	}
}

// program returns a command that behaves like parcorels, or as mode says.
func program(mode string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), processEnv+"="+mode)
	return cmd
}

// child is a started program.
type child struct {
	*exec.Cmd
	stdout, stderr *bufio.Reader
}

func start(t *testing.T, mode string, args ...string) *child {
	t.Helper()
	p := &child{Cmd: program(mode, args...)}
	stdout := must.Get(p.StdoutPipe())(t)
	stderr := must.Get(p.StderrPipe())(t)
	p.stdout, p.stderr = bufio.NewReader(stdout), bufio.NewReader(stderr)
	must.Do(t, p.Start())
	t.Cleanup(func() { _ = p.Process.Kill() })
	return p
}

// line waits for a line.
func line(t *testing.T, r *bufio.Reader) string {
	t.Helper()
	text, err := r.ReadString('\n')
	if err != nil {
		t.Fatalf("no line: %v", err)
	}
	return text
}

func TestSignalsInterrupt(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Chdir(t.TempDir())
			hard(t)
			signalled(t, signal)
		})
	}
}

// signalled sends a signal to a hard search, with further options, as soon as
// it has begun, and returns what it prints.
func signalled(t *testing.T, signal syscall.Signal, options ...string) (stdout string) {
	t.Helper()
	p := start(t, "main", append(slices.Clone(hardFit), options...)...)
	line(t, p.stderr)
	must.Do(t, p.Process.Signal(signal))
	text := must.Get(io.ReadAll(p.stdout))(t)
	_ = p.Wait()
	if got := p.ProcessState.ExitCode(); got != exitInterrupted {
		t.Errorf("exit status %d, want %d", got, exitInterrupted)
	}
	checkInterrupted(t, string(text))
	return string(text)
}

// TestClosedPipe: a reader that has enough ends the program silently.
func TestClosedPipe(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	_ = read.Close()
	cmd := program("main", "fit", "--help")
	var stderr strings.Builder
	cmd.Stdout, cmd.Stderr = write, &stderr
	if err := cmd.Run(); err == nil || stderr.Len() > 0 {
		t.Errorf("error %v, stderr %q", err, stderr.String())
	}
	_ = write.Close()
}

// TestUnknownKernel: the environment may ask for a kernel; what it asks for is
// never replaced silently.
func TestUnknownKernel(t *testing.T) {
	cmd := program("main", "fit", "-")
	cmd.Env = append(cmd.Env, bitvec.KernelEnv+"=abacus")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	_ = cmd.Run()
	if cmd.ProcessState.ExitCode() != exitInput || !strings.HasPrefix(stderr.String(),
		`parcorels: PARCORELS_KERNEL="abacus": no such kernel`) {
		t.Errorf("status %d, stderr %q", cmd.ProcessState.ExitCode(), stderr.String())
	}
}
