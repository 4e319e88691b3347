package main

import (
	"math/rand/v2"
	"os"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// TestServe: one process, and one with two workers beside it, learn the list of parcorels fit.
func TestServe(t *testing.T) {
	j := newJob(t, 1)
	p := j.serve()
	w1, w2 := j.work(), j.work()
	if status := p.ended(t, time.Minute); status != 0 {
		t.Fatalf("status %d\n%s", status, p.out.String())
	}
	j.same(p)
	for _, w := range []*process{w1, w2} {
		if status := w.ended(t, time.Minute); status != 0 {
			t.Errorf("a worker ended with status %d\n%s", status, w.out.String())
		}
	}
	t.Log(p.out.String())
}

// history is a job to which things happen.
func history(t *testing.T, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 96))
	j := newJob(t, seed%8)
	alone := []string{}
	if rng.IntN(2) == 0 {
		alone = []string{"--no-work"}
	}
	server := j.serve(alone...)
	workers := []*process{j.work(), j.work()}
	deadline := time.Now().Add(2 * time.Minute)
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
		case <-time.After(time.Duration(100+rng.IntN(700)) * time.Millisecond):
		}
		i := rng.IntN(len(workers))
		switch event := rng.IntN(10); {
		case time.Now().After(deadline.Add(-time.Minute)): // let it come to the end
			if len(workers) == 0 || workers[i].ProcessState != nil {
				workers[i] = j.work()
			}
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

// TestHistories kills, stops and interrupts workers and servers: the list is always the same.
func TestHistories(t *testing.T) {
	count := 3
	if os.Getenv("PARCORELS_ORACLE") == "all" {
		count = 200
	}
	if n, err := strconv.Atoi(os.Getenv("PARCORELS_ORACLE")); err == nil {
		count = n
	}
	if testing.Short() {
		count = 1
	}
	for seed := range uint64(count) {
		t.Run(strconv.Itoa(int(seed)), func(t *testing.T) { history(t, seed) })
	}
}
