// Package invariants turns on checks of what must always hold: under the race detector, or
// with the build tag invariants. Begin with [On], a constant, so that without them the
// compiler drops the checks:
//
//	if invariants.On && used < 0 {
//		panic("memory was released twice")
//	}
package invariants
