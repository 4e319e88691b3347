package search_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"parcorels/internal/testing/testgen"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/search"
)

// shrink returns a run that still fails and of which nothing more can be left
// out: legs, limits, options, workers.
func (run soakRun) shrink(fails func(soakRun) bool) soakRun {
	for again := true; again; {
		again = false
		for _, smaller := range run.smaller() {
			if fails(smaller) {
				run, again = smaller, true
				break
			}
		}
	}
	return run
}

// smaller returns the runs that are one step simpler, the greatest steps first.
func (run soakRun) smaller() (all []soakRun) {
	with := func(change func(*soakRun)) {
		other := run
		other.Legs = slices.Clone(run.Legs)
		change(&other)
		all = append(all, other)
	}
	for i := range run.Legs {
		if len(run.Legs) > 1 {
			with(func(r *soakRun) { r.Legs = slices.Delete(r.Legs, i, i+1) })
		}
	}
	if run.Kernel != "" {
		with(func(r *soakRun) { r.Kernel = "" })
	}
	if run.Separate {
		with(func(r *soakRun) { r.Separate = false })
	}
	for i, leg := range run.Legs {
		for _, simpler := range leg.simpler() {
			with(func(r *soakRun) { r.Legs[i] = simpler })
		}
	}
	return all
}

// simpler returns the legs that differ in one field, which has its default.
func (l soakLeg) simpler() (all []soakLeg) {
	with := func(change func(*soakLeg)) {
		other := l
		change(&other)
		if other = repeatless(other); other != l {
			all = append(all, other)
		}
	}
	for _, n := range []int{1, 2, l.Workers / 2, l.Workers - 1} {
		if 0 < n && n < l.Workers {
			with(func(l *soakLeg) { l.Workers = n })
		}
	}
	with(func(l *soakLeg) { l.Procs = 0 })
	with(func(l *soakLeg) { l.Policy = 0 })
	with(func(l *soakLeg) { l.Symmetry = 0 })
	with(func(l *soakLeg) { l.Without = 0 })
	with(func(l *soakLeg) { l.Memory = 0 })
	with(func(l *soakLeg) { l.Nodes = 0 })
	with(func(l *soakLeg) { l.Time = 0 })
	with(func(l *soakLeg) { l.CancelAfter = 0 })
	with(func(l *soakLeg) { l.CancelAt = 0 })
	with(func(l *soakLeg) { l.CutAt = 0 })
	with(func(l *soakLeg) { l.Room, l.Chunks = 0, 0 })
	with(func(l *soakLeg) { l.Report = 0 })
	with(func(l *soakLeg) { l.Proof = 0 })
	with(func(l *soakLeg) { l.Save, l.SaveEvery, l.SaveFails, l.Killed = false, 0, false, false })
	with(func(l *soakLeg) { l.SaveEvery, l.Killed = 0, false })
	with(func(l *soakLeg) { l.SaveFails = false })
	with(func(l *soakLeg) { l.Killed = false })
	for p := problem.Prunings(1); p <= l.Without; p <<= 1 {
		with(func(l *soakLeg) { l.Without &^= p })
	}
	return all
}

// shrinkFailure makes run and instance of a failure smaller in turns, by so
// many tries at most. Some failures depend on timing, so each step is
// tried several times.
func shrinkFailure(run soakRun, in testgen.Instance, fails func(soakRun, testgen.Instance) bool) (soakRun, testgen.Instance) {
	tries := 0
	persists := func(run soakRun, in testgen.Instance) bool {
		for range 5 {
			if tries++; tries < mostTries && fails(run, in) {
				return true
			}
		}
		return false
	}
	for range 2 {
		run = run.shrink(func(r soakRun) bool { return persists(r, in) })
		in = testgen.Shrink(in, func(in testgen.Instance) bool { return persists(run, in) })
	}
	return run, in
}

// TestShrinkRun shrinks a run that fails for two reasons together.
func TestShrinkRun(t *testing.T) {
	leg := soakLeg{
		Procs: 4, Workers: 13, Policy: search.Curiosity, Symmetry: search.Permutation, Without: problem.Support | problem.Similar,
		Memory: 1 << 20, Nodes: 30, Time: time.Second, CancelAfter: 7, CancelAt: 9, Report: 1, Proof: -1, Save: true, SaveEvery: 1,
		Killed: true,
	}
	fails := func(r soakRun, in testgen.Instance) bool {
		return len(in.Columns) > 2 && slices.ContainsFunc(r.Legs, func(l soakLeg) bool {
			return l.Workers >= 3 && l.Without&problem.Similar != 0 && l.Memory > 0
		})
	}
	run, in := shrinkFailure(soakRun{Kernel: "generic", Separate: true, Legs: []soakLeg{{Workers: 1}, leg, {Workers: 2}}}, testgen.Wide(1),
		fails)
	want := soakRun{Legs: []soakLeg{{Workers: 3, Without: problem.Similar, Memory: 1 << 20}}}
	if got := run.String(); got != want.String() || len(in.Columns) != 3 || len(in.Labels) != 1 {
		t.Errorf("%v of\n%v\nwant %v", got, in, want)
	}
	text := `soakRun{Kernel:"", Separate:false, Legs:[]soakLeg{soakLeg{Procs:0, Workers:3, `
	if got := fmt.Sprint(run); len(got) < len(text) || got[:len(text)] != text {
		t.Errorf("a run is printed as %s", got)
	}
}
