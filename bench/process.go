package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
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

const (
	sampleEvery = 2 * time.Millisecond
	pipeDelay   = time.Second // that a child of the child may hold a pipe open
)

// run runs the process to its end, to the limit or until ctx is cancelled. Then it
// kills the process and all that it started in its group. It writes into the record what the process took, and why
// there is no result. The error says that the process could not be started or was cancelled.
func (p process) run(ctx context.Context, rec *Record) (stdout []byte, err error) {
	limited, cancel := context.WithCancel(ctx)
	if p.limit > 0 {
		limited, cancel = context.WithTimeout(ctx, p.limit)
	}
	defer cancel()
	cmd := exec.CommandContext(limited, p.args[0], p.args[1:]...)
	cmd.Cancel = func() error {
		killGroup(cmd)
		return nil
	}
	cmd.Env, cmd.WaitDelay = p.env, pipeDelay
	ownGroup(cmd)
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	var pipe io.WriteCloser
	if p.stdin != nil {
		if pipe, err = cmd.StdinPipe(); err != nil {
			return nil, err
		}
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("cannot start %s: %w", p.args[0], err)
	}
	if pipe != nil {
		// A process that ends early breaks the pipe; its exit status says so.
		_, _ = pipe.Write(p.stdin)
	}
	rec.PeakBytes = watch(cmd)
	state := cmd.ProcessState
	rec.SecondsWall, rec.SecondsCPU = time.Since(start).Seconds(), (state.UserTime() + state.SystemTime()).Seconds()
	if peak := peakmem.PeakOfEnded(state); peak > peakmem.Peak()+countedLate || rec.PeakBytes == 0 {
		rec.PeakBytes = peak
	}
	rec.Status = Done
	switch {
	case errors.Is(limited.Err(), context.DeadlineExceeded):
		rec.Status, rec.Error = timeLimit, "ended at its time limit"
	case !state.Success():
		lines := strings.Split(strings.TrimSpace(complaint.String()), "\n")
		rec.Status, rec.Error = Failed, strings.TrimSuffix(fmt.Sprintf("%v: %s", state, lines[len(lines)-1]), ": ")
	}
	return out.Bytes(), ctx.Err()
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
