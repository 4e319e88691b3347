package search

import (
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
)

// TestOptimal gives searches the optimum for a larger λ, or the same one: most for the λ at which
// the optima of two others are equally good, where a bound without its list would lose the answer.
func TestOptimal(t *testing.T) {
	t.Parallel()
	generators := []testgen.Generator{testgen.Small, testgen.Ties, testgen.Nearly}
	given, tied, better, done := 0, 0, 0, 0
	seeds(t, 8000, func(seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 101))
		in := generators[seed%uint64(len(generators))](seed)
		larger := in
		larger.Lambda = ratio.New(in.Lambda.Num+rng.Int64N(4*in.Lambda.Num+1), in.Lambda.Den)
		if !larger.Lambda.Within() || !in.Lambda.Within() {
			return
		}
		p, err := larger.Best()
		q, err2 := in.Best()
		if err != nil || err2 != nil {
			return // more digits than the oracle adds up
		}
		if rng.IntN(4) > 0 && len(q.Antecedents) > len(p.Antecedents) {
			in.Lambda = ratio.New(p.Errors-q.Errors, int64(len(q.Antecedents)-len(p.Antecedents))*in.Total())
			if q, err = in.Best(); err != nil {
				return
			}
			if slices.Equal(q.Antecedents, p.Antecedents) {
				tied++
			} else {
				better++
			}
		}
		done++
		if len(p.Antecedents) > 0 {
			given++
		}
		all := configurations(rng)
		for range 2 {
			o := pick(rng, all)
			o.Optimal = append([]int{}, p.Antecedents...)
			if rng.IntN(2) == 0 {
				o.Known = append(o.Known, o.Optimal)
			}
			if rng.IntN(2) == 0 {
				o = Separated(o)
			}
			solves(t, in, q, o)
		}
	})
	if given < done/4 || tied < done/10 || better < done/100 {
		t.Errorf("of %d searches %d had a list with rules, %d one that is as good as the optimum of a smaller λ, %d a better one than "+
			"both", done, given, tied, better)
	}
}
