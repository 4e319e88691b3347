package search

import (
	"errors"
	"slices"
	"testing"

	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/prune"
	"parcorels/verify"
)

// The ways in which the search is made unsound. Each loses the optimum on some
// instances, as a mistake in a pruning would.
var unsound = map[string]hooks{
	"support that is worth twice its price": {problem: func(p *problem.Problem) { p.Support = 2*p.Support + 1 }},
	"every third child lost":                losing(func(p *problem.Problem, f *prune.Frame, col int) bool { return (f.Depth+col)%3 == 0 }),
	"longer prefixes lost":                  losing(func(p *problem.Problem, f *prune.Frame, col int) bool { return f.Depth >= 1 }),
	"dear children lost": losing(func(p *problem.Problem, f *prune.Frame, col int) bool {
		return f.Cost+p.Unit*f.Counts.Column(col).Errors > p.RootCost()
	}),
}

// enoughWrong is how many wrong answers show that a way loses the optimum.
func enoughWrong() int {
	if cases.All() {
		return 5
	}
	return 2
}

// TestUnsoundPruningIsCaught: when a search loses the optimum, or only might
// have, the checker does not accept its proof.
func TestUnsoundPruningIsCaught(t *testing.T) {
	testgen.NotRaced(t)
	t.Parallel()
	for name, h := range unsound {
		t.Run(name, func(t *testing.T) {
			var c caught
			for seed := range uint64(300) {
				if !cases.All() && int(seed) >= testgen.Few(9) && c.wrong >= enoughWrong() {
					break
				}
				in := []testgen.Generator{testgen.Small, testgen.Ties, testgen.Nearly}[seed%3](seed)
				// Without a first incumbent, which most often is the optimum already.
				c.solve(t, in, Options{Lambda: in.Lambda, Workers: 1, Without: problem.Incumbent, hooks: &h})
			}
			c.check(t)
		})
	}
}

// TestUnsoundLimitIsCaught does the same with searches that have a limit of rules, and forget it
// where they compare prefixes of different lengths.
func TestUnsoundLimitIsCaught(t *testing.T) {
	testgen.NotRaced(t)
	t.Parallel()
	forgets := &hooks{problem: func(p *problem.Problem) { p.Limited = false }}
	var c caught
	for seed := range uint64(20_000) {
		if c.wrong >= enoughWrong() {
			break
		}
		in := []testgen.Generator{testgen.Small, testgen.Ties, testgen.Wide}[seed%3](seed)
		in.MaxRules, in.Lambda = 3, ratio.New(0, 1)
		if len(in.Columns) > 10 {
			continue
		}
		c.solve(t, in, Options{Lambda: in.Lambda, MaxRules: in.MaxRules, Workers: 1,
			Without: problem.Incumbent | problem.LookAhead | problem.Separation, hooks: forgets})
	}
	c.check(t)
}

// caught counts the wrong answers of unsound searches, and the proofs that the checker refused.
type caught struct{ wrong, refused int }

// solve counts a search whose proof must not be accepted if its answer is wrong. If it was lucky, the proof may hold all the same.
func (c *caught) solve(t *testing.T, in testgen.Instance, o Options) {
	t.Helper()
	want := must.Get(in.Best())(t)
	set := in.Set()
	r, proof, err := prove(set, o)
	if err != nil || r.Status != parallel.Optimal {
		t.Fatal(r.Status, err)
	}
	got := antecedents(r)
	_, err = checkProof(proof, set, 1)
	wrong := !slices.Equal(got, want.Antecedents)
	if wrong {
		c.wrong++
	}
	switch {
	case err == nil && wrong:
		t.Fatalf("seed %d: %v is accepted as the smallest list; it is %v\n%v", in.Seed, got, want.Antecedents, in)
	case errors.Is(err, verify.ErrRefused):
		c.refused++
	case err != nil:
		t.Fatal(err)
	}
}

func (c *caught) check(t *testing.T) {
	if c.wrong < enoughWrong() || c.refused < c.wrong {
		t.Errorf("%d wrong answers, %d proofs refused: this test shows nothing", c.wrong, c.refused)
	}
}
