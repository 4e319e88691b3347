package separation

import (
	"reflect"
	"runtime"
	"testing"
	"time"

	"parcorels/internal/testing/testgen"
)

// TestGoroutinesMakeTheSameSteps solves roots with one goroutine and with several, and
// asks for the same weights, bit by bit.
func TestGoroutinesMakeTheSameSteps(t *testing.T) {
	parted := false
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	for seed := range uint64(2) {
		x := layOut(t, testgen.Noisy(seed))
		room := x.p.rule * 60
		solve := func(goroutines int, patience int32) *Root {
			r := x.p.NewRoot(1<<40, goroutines)
			r.s.least, r.s.patience, r.s.eager = 1<<10, patience, true
			r.Solve(room, Effort{Work: 1 << 20})
			parted = parted || len(r.s.parts) > 2 && goroutines > 2
			return r
		}
		want := solve(1, 0)
		for goroutines, patience := range map[int]int32{2: 0, 3: 64, 4: -1} { // -1: one does it all after a step
			got := solve(goroutines, patience)
			if got.Value != want.Value || got.s.steps != want.s.steps || got.s.work != want.s.work ||
				!reflect.DeepEqual(got.Weights, want.Weights) || !reflect.DeepEqual(got.y, want.y) {
				t.Errorf("seed %d: %d goroutines: bound %d after %d steps, one goroutine %d after %d",
					seed, goroutines, got.Value, got.s.steps, want.Value, want.s.steps)
			}
		}
	}
	if !parted {
		t.Error("no program was divided among more than two goroutines")
	}
}

// TestAdmittedAfterTheTurn lets one goroutine in while another one ends a step, and asks that it
// comes in after the turn has changed: before, it would pass the next barrier without waiting.
func TestAdmittedAfterTheTurn(t *testing.T) {
	b := barrier{running: 1}
	b.admitted.Store(1)
	seen := make(chan uint32)
	go func() {
		if b.isAdmitted(1) {
			seen <- b.turn.Load()
		}
		close(seen)
	}()
	b.meet(func() {
		b.running = 2
		time.Sleep(20 * time.Millisecond) // as if this goroutine had lost its core
	})
	if turn := <-seen; turn != 1 {
		t.Errorf("a goroutine came in at turn %d", turn)
	}
}
