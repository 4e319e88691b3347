//go:build unix

package cli

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"parcorels/internal/testing/must"
	"parcorels/parallel"
)

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
	stderr := must.Get(p.StderrPipe())(t)
	must.Do(t, p.Start())
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
	must.Do(t, p.Process.Signal(syscall.SIGINT))
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
	must.Do(t, syscall.SetNonblock(fds[1], true))
	for _, size := range []int{1 << 12, 1} {
		for err = nil; err == nil; { // to EAGAIN
			_, err = syscall.Write(fds[1], make([]byte, size))
		}
	}
	must.Do(t, syscall.SetNonblock(fds[1], false))
	f := os.NewFile(uintptr(fds[1]), "full pipe")
	t.Cleanup(func() { _ = f.Close() })
	return f
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
	closed := exec.Command("sh", "-c", `exec "$0" fit - <&-`, os.Args[0])
	closed.Env = append(os.Environ(), processEnv+"=main")
	if text, _ := closed.CombinedOutput(); string(text) != "parcorels: stdin: the file is empty\n" {
		t.Errorf("closed stdin: %s", text)
	}
}
