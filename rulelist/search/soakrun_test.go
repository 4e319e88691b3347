package search

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"parcorels/bitvec"
	"parcorels/internal/testing/testgen"
	"parcorels/rulelist/problem"
)

// soakRun is all that can be said about how an instance is solved. It holds no
// pointers, so that a failing one can be printed, shrunk, and pasted into a
// test.
type soakRun struct {
	Kernel   string // "": the one chosen at start-up
	Separate bool   // every sample is a point of its own
	Legs     []soakLeg
}

// soakLeg is one search. Each but the first resumes from the last checkpoint
// that was kept of those before it.
type soakLeg struct {
	Procs       int // GOMAXPROCS; 0: as it is
	Workers     int
	Policy      Policy
	Symmetry    Symmetry
	Without     problem.Prunings
	Memory      int64
	Nodes       int64
	Time        time.Duration
	CancelAfter time.Duration // cancel the context so long after the start; −1: before it
	CancelAt    int64         // cancel it when so many prefixes are reported as expanded
	CutAt       int64         // stop when so many children have been judged
	Bounded     bool          // with the separation bound, even where it does not pay
	Charged     int64         // and this surcharge for each rule, if it is not 0
	Trial       int64         // without that bound for so many prefixes, and then anew with it; 0: at once
	Improved    bool          // with rounds of improvement after hardly any work
	Room        int           // n > 0: from the start there is memory for n−1 prefixes
	Chunks      int           // and for so many chunks of each queue; with Room
	Report      time.Duration // between two reports of progress; 0: none
	Proof       int           // −1: write a proof, or continue it; n > 0: begin it in a file that takes n bytes
	Save        bool          // checkpoints, at the end and
	SaveEvery   time.Duration // so often; 0: not before the end
	SaveFails   bool          // the disk is full
	Killed      bool          // the checkpoint of the end is lost
}

// String returns the run as a Go expression.
func (r soakRun) String() string {
	return strings.ReplaceAll(fmt.Sprintf("%#v", r), "search_test.", "")
}

// options returns those that need no more than the leg.
func (l soakLeg) options() Options {
	return Options{
		Workers: l.Workers, Policy: l.Policy, Symmetry: l.Symmetry, Without: l.Without,
		Memory: l.Memory, Nodes: l.Nodes, Time: l.Time, ProgressEvery: l.Report,
	}
}

// straits returns the circumstances that options do not tell.
func (l soakLeg) straits() Straits {
	return Straits{Starved: l.Room > 0, Nodes: l.Room - 1, Chunks: l.Chunks, CutAt: l.CutAt,
		Bounded: l.Bounded, Charged: l.Charged, Trial: l.Trial, Improved: l.Improved}
}

// cut reports whether anything may end the leg before its time.
func (l soakLeg) cut() bool {
	return l.Nodes > 0 || l.Time > 0 || l.CancelAfter != 0 || l.CancelAt > 0 || l.CutAt > 0
}

// drawRun draws a run. That of an instance beyond the oracle ends after so many
// prefixes, if mostNodes is not 0, and keeps the prunings without which it
// would hardly begin.
func drawRun(rng *rand.Rand, mostNodes int64) soakRun {
	run := soakRun{Kernel: pick(rng, append(bitvec.Kernels(), "")), Separate: mostNodes == 0 && rng.IntN(8) == 0}
	legs := 1
	if rng.IntN(2) == 0 {
		legs = 2 + rng.IntN(1+rng.IntN(12))
	}
	for i := range legs {
		leg := drawLeg(rng)
		leg.Save = legs > 1
		if last := i == legs-1; !last || rng.IntN(3) == 0 {
			drawCut(rng, &leg, mostNodes)
		}
		if legs > 1 {
			drawSaving(rng, &leg)
		}
		if i == 0 && rng.IntN(3) == 0 {
			leg.Proof = pick(rng, []int{-1, -1, -1, 1 + rng.IntN(5000)})
		} else if i > 0 && run.Legs[i-1].Proof != 0 && rng.IntN(10) > 0 {
			leg.Proof = -1
		}
		if mostNodes > 0 {
			leg.Improved = false // or each prefix has a round
			leg.Without = (few(rng) | pick(rng, []problem.Prunings{0, problem.Incumbent,
				problem.Incumbent | problem.LookAhead})) &^ problem.Bound
			if leg.Nodes == 0 {
				leg.Nodes = mostNodes
			}
		}
		if leg.SaveEvery > 0 && (mostNodes > 0 || leg.Without&problem.Bound != 0) {
			leg.SaveEvery = max(leg.SaveEvery, 10*time.Millisecond) // saving thousands of prefixes after each takes for ever
		}
		run.Legs = append(run.Legs, repeatless(leg))
	}
	return run
}

// drawLeg draws a leg that ends with a proof.
func drawLeg(rng *rand.Rand) soakLeg {
	l := soakLeg{
		Procs: pick(rng, []int{0, 1, 2, 3, 4, 8}), Workers: pick(rng, []int{1, 2, 3, 4, 8, 1 + rng.IntN(16)}),
		Policy: pick(rng, policies), Symmetry: pick(rng, []Symmetry{0, 0, 0, 1, 2}),
		Without: pick(rng, []problem.Prunings{
			0, problem.Incumbent, few(rng), early, early | few(rng), wide, wide | few(rng),
			problem.Prunings(rng.Uint64()) & problem.AllPrunings(),
		}),
	}
	switch rng.IntN(4) {
	case 0: // about what the structures take at the start, or a little more
		l.Memory = 350<<10 + rng.Int64N(1<<20)
	case 1:
		l.Memory = 1 << (16 + rng.IntN(11)) // from nothing to plenty
	}
	if x := straits(rng); x.Starved {
		l.Room, l.Chunks = 1+x.Nodes*pick(rng, []int{1, 1, 1, 50}), x.Chunks
	}
	switch rng.IntN(6) {
	case 0, 1:
		l.Bounded, l.Without = true, l.Without&^problem.Separation
	case 2:
		l.Improved, l.Without = true, l.Without&^problem.Incumbent
	}
	if rng.IntN(3) == 0 {
		l.Report = pick(rng, []time.Duration{1, 10 * time.Microsecond, time.Millisecond, time.Second})
	}
	return l
}

// few returns up to three prunings.
func few(rng *rand.Rand) (p problem.Prunings) {
	for range rng.IntN(4) {
		p |= 1 << rng.IntN(12)
	}
	return p & problem.AllPrunings()
}

// drawCut makes something end the leg early, perhaps.
func drawCut(rng *rand.Rand, l *soakLeg, mostNodes int64) {
	soon := func() time.Duration { return time.Duration(1) << rng.IntN(24) } // up to 8 ms
	switch rng.IntN(6) {
	case 5:
		l.CutAt = 1 + rng.Int64N(1+rng.Int64N(100))
	case 0, 1:
		l.Nodes = 1 + rng.Int64N(max(40, mostNodes/4))>>rng.IntN(6)
	case 2:
		l.Time = soon()
	case 3:
		if l.CancelAfter = soon(); rng.IntN(10) == 0 {
			l.CancelAfter = -1
		}
	case 4:
		l.CancelAt, l.Report = 1+rng.Int64N(100), 1
	}
}

// drawSaving says what becomes of the leg's checkpoints.
func drawSaving(rng *rand.Rand, l *soakLeg) {
	if rng.IntN(2) == 0 {
		l.SaveEvery = pick(rng, []time.Duration{1, 20 * time.Microsecond, time.Millisecond})
		l.Killed = rng.IntN(2) == 0
	}
	l.SaveFails = rng.IntN(10) == 0
}

// repeatless takes the heuristics out of a leg that may end early and in which
// nothing keeps them from repeating an antecedent: such a list is not in the
// order, and only a search that goes on replaces it.
func repeatless(l soakLeg) soakLeg {
	if l.Without&problem.Support != 0 && l.cut() {
		l.Without |= problem.Incumbent | problem.LookAhead
	}
	return l
}

// drawInstance draws an instance and says whether the oracle can do it.
func drawInstance(rng *rand.Rand, seed uint64) (in testgen.Instance, small bool) {
	switch rng.IntN(19) {
	case 14:
		return joined(seed), true
	case 15, 16:
		return withLimit(seed, rng), true
	case 0, 1:
		return testgen.Small(seed), true
	case 2, 3:
		return testgen.Ties(seed), true
	case 12, 13:
		return testgen.Nearly(seed), true
	case 10, 11:
		return testgen.Knotty(seed), true
	case 4:
		return testgen.Ties(pick(rng, testgen.Critical)), true
	case 5, 6:
		return testgen.Wide(seed), true
	case 7, 8, 17, 18:
		return testgen.Medium(seed), false
	}
	return testgen.Table(seed), false
}
