package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// TestServe: one process, with two workers beside it, learns the list of parcorels fit, and
// proves it.
func TestServe(t *testing.T) {
	for _, classes := range []int{2, 3} {
		t.Run(strconv.Itoa(classes), func(t *testing.T) { testServe(t, classes) })
	}
}

func testServe(t *testing.T, classes int) {
	t.Parallel()
	j := newJob(t, classes, 1)
	proof := filepath.Join(t.TempDir(), "proof")
	p := j.serve("--proof", proof)
	w1, w2 := j.work(), j.work()
	if status := p.ended(t, time.Minute); status != 0 {
		t.Fatalf("status %d\n%s", status, p.out.String())
	}
	j.proved(proof, p)
	for _, w := range []*process{w1, w2} {
		if status := w.ended(t, time.Minute); status != 0 {
			t.Errorf("a worker ended with status %d\n%s", status, w.out.String())
		}
	}
	all := looks(p)
	if len(all) == 0 || all[0].Best == 0 {
		t.Errorf("no progress:\n%s", p.out.String())
	}
}

// history is a job to which things happen.
func history(t *testing.T, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 96))
	j := newJob(t, 2, seed%8)
	alone := []string{}
	if rng.IntN(2) == 0 {
		alone = []string{"--no-work"}
	}
	server := j.serve(alone...)
	workers := []*process{j.work(), j.work()}
	began := time.Now()
	calm, deadline := began.Add(6*time.Second), began.Add(3*time.Minute)
	for {
		select {
		case <-server.done:
			switch {
			case server.ProcessState.ExitCode() == 0:
				j.same(server)
				return
			case time.Now().After(deadline):
				t.Fatalf("seed %d: no end\n%s", seed, server.out.String())
			case server.ProcessState.ExitCode() != 130 && server.ProcessState.ExitCode() != -1:
				t.Fatalf("seed %d: status %d\n%s", seed, server.ProcessState.ExitCode(), server.out.String())
			}
			time.Sleep(time.Duration(rng.IntN(300)) * time.Millisecond)
			server = j.serve(alone...)
			for i, w := range workers { // one that heard of a stop has left
				if ended(w) {
					workers[i] = j.work()
				}
			}
		case <-time.After(time.Duration(100+rng.IntN(700)) * time.Millisecond):
		}
		i := rng.IntN(len(workers))
		switch event := rng.IntN(10); {
		case time.Now().After(calm): // it comes to its end
		case event < 3:
			workers[i].signal(syscall.SIGKILL)
			workers[i] = j.work()
		case event < 5:
			server.signal(syscall.SIGKILL)
		case event == 5:
			server.signal(os.Interrupt)
		case event < 8: // longer than its block waits for it
			w := workers[i]
			w.signal(syscall.SIGSTOP)
			time.AfterFunc(time.Duration(500+rng.IntN(4000))*time.Millisecond, func() { w.signal(syscall.SIGCONT) })
		default:
			workers[i].signal(os.Interrupt)
			workers[i] = j.work()
		}
	}
}

func ended(p *process) bool {
	select {
	case err := <-p.done:
		p.done <- err
		return true
	default:
		return false
	}
}

// TestHistories kills, stops and interrupts workers and servers: the list is always the same.
func TestHistories(t *testing.T) {
	count := 2
	if os.Getenv("PARCORELS_ORACLE") == "all" {
		count = 200
	}
	if n, err := strconv.Atoi(os.Getenv("PARCORELS_ORACLE")); err == nil {
		count = n
	}
	for seed := range uint64(count) {
		t.Run(strconv.Itoa(int(seed)), func(t *testing.T) { history(t, seed) })
	}
}
