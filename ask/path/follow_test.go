package path

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
)

// fewest returns the fewest errors of a list of exactly k rules or fewer, for each k, by
// going through all lists.
func fewest(in testgen.Instance) (errors []int64) {
	for range len(in.Columns) + 1 {
		errors = append(errors, in.Total())
	}
	weight := func(i int) int64 {
		if in.Weights == nil {
			return 1
		}
		return in.Weights[i]
	}
	cost := func(rows []int) (rest int64) {
		var classes [2]int64
		for _, i := range rows {
			class := 0
			if in.Labels[i] {
				class = 1
			}
			classes[class] += weight(i)
		}
		return min(classes[0], classes[1])
	}
	used := make([]bool, len(in.Columns))
	var visit func(k int, left []int, wrong int64)
	visit = func(k int, left []int, wrong int64) {
		errors[k] = min(errors[k], wrong+cost(left))
		for j, column := range in.Columns {
			if used[j] {
				continue
			}
			var captured, rest []int
			for _, i := range left {
				if column[i] {
					captured = append(captured, i)
				} else {
					rest = append(rest, i)
				}
			}
			used[j] = true
			visit(k+1, rest, wrong+cost(captured))
			used[j] = false
		}
	}
	var all []int
	for i := range in.Labels {
		all = append(all, i)
	}
	visit(0, all, 0)
	for k := 1; k < len(errors); k++ {
		errors[k] = min(errors[k], errors[k-1])
	}
	return errors
}

// smallest is a solver that knows the fewest errors for each size.
func smallest(total int64, errors []int64) Solver[int] {
	return func(_ context.Context, lambda ratio.Ratio, _ ...int) (Solution[int], error) {
		best, at := Solution[int]{Errors: errors[0]}, big.NewRat(lambda.Num, lambda.Den)
		for k, e := range errors {
			if value(total, e, k, at).Cmp(value(total, best.Errors, best.Size, at)) < 0 {
				best = Solution[int]{Model: k, Size: k, Errors: e}
			}
		}
		return best, nil
	}
}

// value is errors/total + λ·size.
func value(total, errors int64, size int, lambda *big.Rat) *big.Rat {
	v := new(big.Rat).Mul(lambda, new(big.Rat).SetInt64(int64(size)))
	return v.Add(v, big.NewRat(errors, total))
}

// check asks that every vertex is optimal at both ends of its interval and inside it, and
// that no model is left out: by T2 these ends decide.
func check(t *testing.T, name string, total int64, errors []int64, p *Path[int]) {
	t.Helper()
	for i, v := range p.Vertices {
		ends := []*big.Rat{v.From}
		if v.To != nil {
			ends = append(ends, v.To, new(big.Rat).Quo(new(big.Rat).Add(v.From, v.To), big.NewRat(2, 1)))
		}
		for _, lambda := range ends {
			if lambda.Cmp(p.Down) < 0 {
				t.Fatalf("%s: vertex %d is said to be optimal at %v, the path ends at %v", name, i, lambda, p.Down)
			}
			mine := value(total, v.Errors, v.Size, lambda)
			for k, e := range errors {
				if value(total, e, k, lambda).Cmp(mine) < 0 {
					t.Fatalf("%s: %d rules and %d errors beat vertex %d (%d, %d) at λ = %v", name, k, e, i, v.Size, v.Errors, lambda)
				}
			}
		}
		if i > 0 && (v.To.Cmp(p.Vertices[i-1].From) != 0 || v.Size <= p.Vertices[i-1].Size || v.From.Cmp(v.To) > 0) {
			t.Fatalf("%s: vertex %d is %+v behind %+v", name, i, v, p.Vertices[i-1])
		}
	}
}

// TestFollow compares paths with all lists, of random tables with weights and ties.
func TestFollow(t *testing.T) {
	for seed := range testgen.Seeds(3000) {
		for _, generate := range []testgen.Generator{testgen.Small, testgen.Ties} {
			in := generate(uint64(seed))
			if len(in.Columns) > 5 {
				continue
			}
			name := fmt.Sprintf("%s %d", in.Family, seed)
			total, errors := in.Total(), fewest(in)
			least := ratio.New(1, []int64{3, 50, 1000, 7919}[seed%4])
			p := must.Get(Follow(t.Context(), total, least, smallest(total, errors)))(t)
			if p.Down.Cmp(big.NewRat(least.Num, least.Den)) != 0 || len(p.Open) > 0 {
				t.Fatalf("%s: certified down to %v, open %v", name, p.Down, p.Open)
			}
			check(t, name, total, errors, p)
		}
	}
}

// TestLimits: a solver that ends now and then with a bound leaves intervals open, and
// whatever is said of the rest is true.
func TestLimits(t *testing.T) {
	opened, short := 0, 0
	for seed := range testgen.Seeds(3000) {
		in := testgen.Small(uint64(seed))
		if len(in.Columns) > 5 {
			continue
		}
		rng := rand.New(rand.NewPCG(uint64(seed), 1))
		total, errors := in.Total(), fewest(in)
		optimal := smallest(total, errors)
		p := must.Get(Follow(t.Context(), total, ratio.New(1, 500), func(ctx context.Context, lambda ratio.Ratio,
			_ ...int) (Solution[int], error) {
			best, err := optimal(ctx, lambda)
			if rng.IntN(3) > 0 {
				return best, err
			}
			at := big.NewRat(lambda.Num, lambda.Den)
			bound := value(total, best.Errors, best.Size, at)
			bound.Sub(bound, big.NewRat(rng.Int64N(5), 400))
			size := rng.IntN(len(errors))
			return Solution[int]{Model: size, Size: size, Errors: errors[size], Bound: bound}, err
		}))(t)
		opened += len(p.Open)
		if p.Down.Cmp(big.NewRat(1, 500)) > 0 {
			short++
		}
		// At any λ of the path that is not open, the vertex there is optimal.
		for range 20 {
			lambda := new(big.Rat).Add(p.Down, big.NewRat(rng.Int64N(1000), 2000))
			if isOpen(p.Open, lambda) {
				continue
			}
			for _, v := range p.Vertices {
				if v.From.Cmp(lambda) <= 0 && (v.To == nil || lambda.Cmp(v.To) <= 0) {
					for k, e := range errors {
						if value(total, e, k, lambda).Cmp(value(total, v.Errors, v.Size, lambda)) < 0 {
							t.Fatalf("seed %d: %d rules and %d errors beat (%d, %d) at λ = %v, open are %v", seed, k, e, v.Size, v.Errors,
								lambda, p.Open)
						}
					}
				}
			}
		}
	}
	if opened == 0 || short == 0 {
		t.Errorf("%d open intervals, %d short paths: too few for a test", opened, short)
	}
}

func isOpen(list []Interval, lambda *big.Rat) bool {
	for _, o := range list {
		if o.Low.Cmp(lambda) < 0 && lambda.Cmp(o.High) < 0 {
			return true
		}
	}
	return false
}

// TestShorterSteps: where no search below some λ ends with a proof, a path with a deadline goes on almost
// down to there, and without one it ends a step before.
func TestShorterSteps(t *testing.T) {
	for _, hard := range []float64{.0011, .004, .013, .02, .07, .13} {
		for _, limited := range []bool{true, false} {
			total, errors := int64(1000), []int64{600, 300, 180, 110, 70, 45, 30, 20, 13, 8, 5, 3, 1, 0}
			optimal, ctx := smallest(total, errors), t.Context()
			if limited {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, time.Hour)
				defer cancel()
			}
			p := must.Get(Follow(ctx, total, ratio.New(1, 1000), func(ctx context.Context, lambda ratio.Ratio,
				near ...int) (Solution[int], error) {
				s, err := optimal(ctx, lambda, near...)
				at := big.NewRat(lambda.Num, lambda.Den)
				if x, _ := at.Float64(); x < hard {
					s.Bound = value(total, s.Errors, s.Size, at)
					s.Bound.Quo(s.Bound, big.NewRat(2, 1))
				}
				return s, err
			}))(t)
			check(t, fmt.Sprint(hard), total, errors, p)
			down, _ := p.Down.Float64()
			if down < hard || limited && down > 1.22*hard || !limited && p.Solves > 20 {
				t.Errorf("no proof below λ = %v: certified down to %v by %d searches", hard, down, p.Solves)
			}
		}
	}
}
