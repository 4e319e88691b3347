package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"

	"parcorels/internal/peakmem"
)

// process is a program to run as a process of its own.
type process struct {
	args  []string      // the program and its arguments; no shell sees them
	env   []string      // nil: this process's
	stdin []byte        // written to it; its stdin then stays open until it ends, nil: none
	limit time.Duration // it is ended after this long; 0: no limit
}

// usage is what a process took.
type usage struct {
	wall, cpu float64 // seconds
	peak      int64   // bytes
	exit      int     // −1 if a signal ended it
	timedOut  bool
	stdout    []byte
	stderr    string // the end of it
}

const (
	sampleEvery = 2 * time.Millisecond
	pipeDelay   = time.Second // that a child of the child may hold a pipe open
	mostOutput  = 64 << 20
	mostErrors  = 4 << 10
)

// run runs the process to its end, to the limit or until ctx is cancelled. Then it
// kills the process and all that it started in its group. The error says that the
// process could not be started or was cancelled.
func (p process) run(ctx context.Context) (u usage, err error) {
	limited, cancel := context.WithCancel(ctx)
	if p.limit > 0 {
		limited, cancel = context.WithTimeout(ctx, p.limit)
	}
	defer cancel()
	cmd := exec.CommandContext(limited, p.args[0], p.args[1:]...)
	cmd.Cancel = func() error {
		u.timedOut = ctx.Err() == nil
		killGroup(cmd)
		return nil
	}
	cmd.Env = p.env
	cmd.WaitDelay = pipeDelay
	ownGroup(cmd)
	stdout, stderr := &tail{most: mostOutput}, &tail{most: mostErrors}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	var pipe io.WriteCloser
	if p.stdin != nil {
		if pipe, err = cmd.StdinPipe(); err != nil {
			return u, err
		}
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return u, fmt.Errorf("cannot start %s: %w", p.args[0], err)
	}
	if pipe != nil {
		// A process that ends early breaks the pipe; its exit status says so.
		_, _ = pipe.Write(p.stdin)
	}
	sampled := watch(cmd)
	u.wall = time.Since(start).Seconds()
	state := cmd.ProcessState
	u.exit = state.ExitCode()
	u.cpu = (state.UserTime() + state.SystemTime()).Seconds()
	u.peak = sampled
	if peak := peakmem.PeakOfEnded(state); peak > peakmem.Peak()+countedLate || sampled == 0 {
		u.peak = peak
	}
	u.stdout, u.stderr = stdout.Bytes(), string(bytes.TrimSpace(stderr.Bytes()))
	return u, ctx.Err()
}

// countedLate is how far two figures of one process's memory may be apart, since
// Linux adds up pages for each thread and merges the sums now and then.
const countedLate = 4 << 20

// watch waits for the end of the process and returns the peak that it saw.
func watch(cmd *exec.Cmd) (peak int64) {
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // the state says how it ended
		close(ended)
	}()
	// Whatever the process has left running in its group ends with it.
	defer killGroup(cmd)
	look := time.NewTicker(sampleEvery)
	defer look.Stop()
	for {
		select {
		case <-ended:
			return peak
		case <-look.C:
			peak = max(peak, peakmem.PeakOf(cmd.Process.Pid))
		}
	}
}

// tail keeps the end of what is written to it.
type tail struct {
	bytes.Buffer
	most int
}

func (t *tail) Write(b []byte) (int, error) {
	n, err := t.Buffer.Write(b)
	if t.Len() > 2*t.most {
		t.Next(t.Len() - t.most)
	}
	return n, err
}

// failure says why a process gave no result.
func (u *usage) failure() error {
	switch {
	case u.timedOut:
		return errors.New("ended at its time limit")
	case u.exit < 0:
		return fmt.Errorf("ended by a signal%s", u.said())
	case u.exit > 0:
		return fmt.Errorf("exit status %d%s", u.exit, u.said())
	}
	return nil
}

// said is the last line of stderr.
func (u *usage) said() string {
	if u.stderr == "" {
		return ""
	}
	lines := bytes.Split([]byte(u.stderr), []byte("\n"))
	return ": " + string(lines[len(lines)-1])
}
