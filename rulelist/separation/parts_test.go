package separation

import (
	"reflect"
	"runtime"
	"testing"

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
		solve := func(goroutines int) *Root {
			r := x.p.NewRoot(1<<40, goroutines)
			r.s.least = 1 << 10
			r.Solve(room, Effort{Work: 1 << 20})
			parted = parted || len(r.s.parts) > 2 && goroutines > 2
			return r
		}
		want := solve(1)
		for goroutines := 2; goroutines <= 4; goroutines++ {
			got := solve(goroutines)
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
