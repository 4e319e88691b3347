package main

import (
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/must"
)

// TestServe: one process, with two workers beside it, learns the list of parcorels fit, and
// proves it.
func TestServe(t *testing.T) {
	t.Parallel()
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
	if status := p.ended(); status != 0 {
		t.Fatalf("status %d\n%s", status, p.out.String())
	}
	j.proved(proof, p)
	for _, w := range []*process{w1, w2} {
		if status := w.ended(); status != 0 {
			t.Errorf("a worker ended with status %d\n%s", status, w.out.String())
		}
	}
	all := looks(p)
	if len(all) == 0 || all[0].Best == 0 {
		t.Errorf("no progress:\n%s", p.out.String())
	}
}

// TestCutConnection has two workers whose connections are cut again and again.
func TestCutConnection(t *testing.T) {
	t.Parallel()
	j := newJob(t, 2, 1)
	p := j.serve("--no-work")
	wire := newWire(j)
	for range 2 {
		j.workWith(wire.file)
	}
	rng := rand.New(rand.NewPCG(1, 98))
	cuts := 0
	for range 6 {
		time.Sleep(time.Duration(200+rng.IntN(600)) * time.Millisecond)
		cuts += wire.cut()
	}
	if status := p.ended(); status != 0 || cuts == 0 {
		t.Fatalf("status %d, %d cuts\n%s", status, cuts, p.out.String())
	}
	j.same(p)
}

// TestGone: a worker ends if its server goes and does not come back, though it has a block.
func TestGone(t *testing.T) {
	t.Parallel()
	j := &jobOf{t: t, table: table(t, 300, 80, 2, 1), folder: filepath.Join(t.TempDir(), "job"), lambda: "0.001"}
	p := j.serve("--no-work")
	w := j.work("--patience", "1s")
	for ; ; time.Sleep(100 * time.Millisecond) {
		if all := looks(p); len(all) > 0 && len(all[len(all)-1].Workers) > 0 && all[len(all)-1].Workers[0].Expanded > 0 {
			break
		}
	}
	p.signal(syscall.SIGKILL)
	if status := w.ended(); status != 1 {
		t.Errorf("status %d\n%s", status, w.out.String())
	}
}

// history is a job to which things happen.
func history(t *testing.T, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 96))
	j := newJob(t, 2, seed%8)
	var options []string
	proof := ""
	if rng.IntN(2) == 0 {
		options = append(options, "--no-work")
	}
	if rng.IntN(2) == 0 {
		proof = filepath.Join(t.TempDir(), "proof")
		options = append(options, "--proof", proof)
	}
	server := j.serve(options...)
	full := false
	wire := newWire(j)
	work := func(i int) *process { // the first one is behind a wire that is cut
		if i == 0 {
			return j.workWith(wire.file)
		}
		return j.work()
	}
	workers := []*process{work(0), work(1)}
	calm := time.Now().Add(6 * time.Second)
	for {
		select {
		case <-server.done:
			switch {
			case server.ProcessState.ExitCode() == 0 && proof != "":
				j.proved(proof, server)
				return
			case server.ProcessState.ExitCode() == 0:
				j.same(server)
				return
			case server.ProcessState.ExitCode() != 130 && server.ProcessState.ExitCode() != -1:
				t.Fatalf("seed %d: status %d\n%s", seed, server.ProcessState.ExitCode(), server.out.String())
			}
			time.Sleep(time.Duration(rng.IntN(300)) * time.Millisecond)
			more := options
			if full = time.Now().Before(calm) && rng.IntN(4) == 0; full {
				more = append(slices.Clip(options), "--disk", "0.0001")
			}
			server = j.serve(more...)
			for i, w := range workers { // one that heard of a stop has left
				if ended(w) {
					workers[i] = work(i)
				}
			}
		case <-time.After(time.Duration(100+rng.IntN(700)) * time.Millisecond):
		}
		i := rng.IntN(len(workers))
		switch event := rng.IntN(12); {
		case time.Now().After(calm): // it comes to its end, if there is room
			if full {
				full = false
				server.signal(syscall.SIGTERM)
			}
		case event >= 10:
			wire.cut()
		case event < 3:
			workers[i].signal(syscall.SIGKILL)
			workers[i] = work(i)
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
			workers[i] = work(i)
		}
	}
}

// wire passes bytes on until it cuts all connections.
type wire struct {
	file string // lets workers join through it
	mu   sync.Mutex
	open []net.Conn
}

func newWire(j *jobOf) *wire {
	t := j.t
	t.Helper()
	at := j.join()
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	t.Cleanup(func() { _ = l.Close() })
	w := &wire{file: filepath.Join(t.TempDir(), "wire")}
	at.Host = l.Addr().String()
	must.Do(t, os.WriteFile(w.file, []byte(at.String()), 0o600))
	pass := func(to, from net.Conn) { _, _ = io.Copy(to, from); _ = to.Close() }
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", j.join().Host)
			if err != nil {
				_ = in.Close()
				continue
			}
			w.mu.Lock()
			w.open = append(w.open, in, out)
			w.mu.Unlock()
			go pass(in, out)
			go pass(out, in)
		}
	}()
	return w
}

// cut returns how many connections there were.
func (w *wire) cut() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.open {
		_ = c.Close()
	}
	defer func() { w.open = nil }()
	return len(w.open)
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

// TestHistories kills, stops and interrupts workers and servers, cuts connections, and leaves no
// room on the disk: the list is always the same, and its proof holds.
func TestHistories(t *testing.T) {
	t.Parallel()
	for seed := range uint64(cases.Count(20)) {
		t.Run(strconv.Itoa(int(seed)), func(t *testing.T) { history(t, seed) })
	}
}
