package search

import (
	"cmp"
	"runtime"
	"time"

	"parcorels/optionerr"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/prune"
	"parcorels/rulelist/save"
)

// Options says how to search. The zero value of every field but Lambda means
// its default. But for Lambda, MaxRules and May, no option changes the rule list that is
// found, only the time and memory that it takes to prove it.
type Options struct {
	Lambda   ratio.Ratio         // λ, the price of a rule as a share of the total weight; 0 < λ < 1, or 0 with MaxRules
	MaxRules int                 // most rules of a list; 0: no limit
	May      problem.Restriction // which rules there may be; the zero value allows all
	Workers  int                 // worker goroutines; 0: all that GOMAXPROCS allows
	Policy   Policy              // the order in which prefixes are expanded
	Symmetry Symmetry            // what the symmetry map is keyed by
	Without  problem.Prunings    // prunings to leave out (ablation)
	Time     time.Duration       // stop so long after Solve was called; 0: no limit
	Stalls   bool                // stop where neither the best list nor the bound has moved for long (worker.go)
	Nodes    int64               // stop after this many expanded prefixes; 0: no limit
	// bytes for nodes, queues and map together; 0: no limit. Prefixes of a checkpoint without room are kept beyond it
	Memory        int64
	Progress      func(Progress)   // called from one goroutine, about every ProgressEvery and at the end; nil: never
	ProgressEvery time.Duration    // 0: one second
	Weights       *Weights         // what the root's LP of a search for a λ near has found, where its LP begins; nil: at nothing
	KeepWeights   bool             // have them in the result
	Known         [][]int          // lists to begin with, by the antecedents of their rules, as those for a λ near
	Optimal       []int            // the smallest of the optimal lists for some larger λ; nil: not known. Not believed with a proof
	Proof         *Proof           // nil: no proof is written
	Checkpoint    *save.Checkpoint // nil: nothing is saved or resumed

	hooks *hooks // nil outside tests, noHooks then
}

// Validate reports the first option that is out of range, as a *optionerr.Error.
func (o Options) Validate() error {
	switch {
	case o.MaxRules < 0 || o.MaxRules > problem.MaxDepth:
		return optionerr.Bad("MaxRules", o.MaxRules, "a number from 0 to %d", problem.MaxDepth)
	case !o.Lambda.Within() && (o.MaxRules == 0 || !o.Lambda.Valid() || o.Lambda.Num != 0):
		return optionerr.Bad("Lambda", o.Lambda, "a number between 0 and 1, without the ends; 0 needs a limit of rules")
	case o.Policy < 0 || int(o.Policy) >= len(policyNames):
		return optionerr.Bad("Policy", int(o.Policy), "a number from 0 to %d", len(policyNames)-1)
	case o.Symmetry < 0 || int(o.Symmetry) >= len(symmetryNames):
		return optionerr.Bad("Symmetry", int(o.Symmetry), "a number from 0 to %d", len(symmetryNames)-1)
	case o.Without&^problem.AllPrunings() != 0:
		return optionerr.Bad("Without", uint(o.Without), "prunings of this package")
	case o.Proof != nil && o.Proof.Writer() == nil:
		return optionerr.Errorf("Proof", "option Proof has nowhere to write to")
	case o.Checkpoint != nil && o.Checkpoint.From != nil && o.Proof != nil && o.Proof.File == nil:
		return optionerr.Errorf("Proof", "option Proof has no file: a search that resumes from a checkpoint continues the proof in one")
	}
	return optionerr.Limits{Workers: o.Workers, Time: o.Time, Nodes: o.Nodes, Memory: o.Memory}.Check(parallel.MaxWorkers)
}

func (o Options) withDefaults() Options {
	o.Workers, o.ProgressEvery = cmp.Or(o.Workers, runtime.GOMAXPROCS(0)), cmp.Or(max(o.ProgressEvery, 0), time.Second)
	o.hooks = cmp.Or(o.hooks, &noHooks)
	if o.May.MinRows > 1 {
		o.Symmetry = max(o.Symmetry, Permutation) // problem/restrict.go
	}
	return o
}

// Policy is the order in which the queues hand out prefixes.
type Policy int

// The policies of the CORELS paper (section 5.3 of JMLR 2018).
const (
	LowerBound   Policy = iota // smallest lower bound first, then smallest objective
	Objective                  // smallest objective first
	Curiosity                  // smallest cost per captured weight first
	BreadthFirst               // shortest first
	DepthFirst                 // longest first
)

var policyNames = []string{"lower-bound", "objective", "curiosity", "bfs", "dfs"}

func (p Policy) String() string { return policyNames[p] }

// ParsePolicy reads the name of a policy.
func ParsePolicy(s string) (Policy, error) {
	i, err := problem.Find("Policy", policyNames, s)
	return Policy(i), err
}

// Symmetry is the key of the symmetry map.
type Symmetry int

const (
	// Captured keys by the remaining set: Theorem 15, of which Corollary 16
	// (permutations) is a special case.
	Captured Symmetry = iota
	// Permutation keys by the set of antecedents, as the CORELS paper does.
	Permutation
	// NoSymmetry keeps no map.
	NoSymmetry
)

var symmetryNames = []string{"captured", "permutation", "none"}

func (s Symmetry) String() string { return symmetryNames[s] }

// ParseSymmetry reads the name of a symmetry mode.
func ParseSymmetry(s string) (Symmetry, error) {
	i, err := problem.Find("Symmetry", symmetryNames, s)
	return Symmetry(i), err
}

func (o *Options) settings() problem.Settings {
	return problem.Settings{Lambda: o.Lambda, MaxRules: o.MaxRules, May: o.May, Without: o.Without, Proved: o.Proof != nil}
}

// hooks let tests make the search unsound, to show that what should catch it
// does: a checker of proofs that accepts the proof of a broken search checks
// nothing. They also bring about what options cannot, such as a memory that
// ends after a few prefixes. There is no way to set them from outside the
// package. None is called in the loop over children.
type hooks struct {
	problem func(*problem.Problem)      // alters the problem before the search
	built   func(*search)               // alters the structures before anything is put into them
	opened  func(*worker, *prune.Frame) // alters which children of a prefix are judged, or judges some itself
	always  bool                        // has the separation bound where it does not pay
	trial   int64                       // ends a search without the separation bound after the least work of so many prefixes; 0: none
	rounds  int64                       // makes a round of improvement after so many entries of work, each this long, if it is not 0
	charged int64                       // takes the place of the surcharge, if it is not 0
	stalled int64                       // so many entries take the place of a worker's work until the search may end by itself, if not 0
	short   bool                        // looks at short lists at the beginning of the search
}

// noHooks are those of a search outside tests.
var noHooks hooks

// alter changes the problem if a test asks for it.
func (h *hooks) alter(p *problem.Problem) {
	if h.problem != nil {
		h.problem(p)
	}
}
