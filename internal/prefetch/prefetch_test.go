package prefetch

import (
	"testing"
	"unsafe"
)

// TestLine asks for memory that is there, is not there, and is the last of what there is:
// no call faults, changes what it asks for, or makes it escape to the heap.
func TestLine(t *testing.T) {
	allocs := testing.AllocsPerRun(10, func() {
		x := [2]int{1, 2}
		for _, p := range []unsafe.Pointer{unsafe.Pointer(&x[1]), nil, unsafe.Add(unsafe.Pointer(&x), len(x)*8-1)} {
			Line(p)
		}
		if x != [2]int{1, 2} {
			t.Errorf("it has become %v", x)
		}
	})
	if allocs > 0 {
		t.Errorf("%v allocations", allocs)
	}
}
