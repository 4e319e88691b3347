package prefetch

import (
	"testing"
	"unsafe"
)

// TestAnyAddress: what is asked for need not be there.
func TestAnyAddress(t *testing.T) {
	x := [2]int{1, 2}
	Line(unsafe.Pointer(&x[1]))
	Line(nil)
	if x != [2]int{1, 2} {
		t.Errorf("it has become %v", x)
	}
}
