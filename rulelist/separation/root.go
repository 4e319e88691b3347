package separation

import (
	"maps"
	"math/bits"
	"slices"
)

// Root is what is known of a problem from its root's LP.
type Root struct {
	P       *Problem
	Pool    *Pool
	Context *Context // the live rules shrink as rules are fixed
	Weights []Weight // of the best bound
	Value   int64    // of it, beyond the root's cost
	Bound   Bound

	s    solver
	sets []int32 // rows of the last program
	sep  separator
}

// Effort limits the root's LP.
type Effort struct {
	Work int64 // entries of vectors and matrices touched
}

// nearest is the number of nearest pairs of each point in the first pool.
const nearest = 7

// NewRoot makes the first pool. It returns nil if the problem is too large.
func (p *Problem) NewRoot(most int64) *Root { return p.newRoot(p.NewContext(), most) }

func (p *Problem) newRoot(c *Context, most int64) *Root {
	r := &Root{P: p, Pool: p.NewPool(), Context: c}
	if !p.addNearest(r.Pool, r.Context, nearest, most) {
		return nil
	}
	r.sets = make([]int32, r.Pool.Len())
	for k := range r.sets {
		r.sets[k] = int32(k)
	}
	r.sep = separator{p: p, c: r.Context, l: r.Pool}
	return r
}

// Solve improves the bound and fixes rules, against an incumbent that costs room
// beyond the root, until neither makes progress or the work is done.
func (r *Root) Solve(room int64, effort Effort) {
	s := &r.s
	s.weight = 1
	s.build(r.P, r.Context, r.Pool, r.sets)
	s.now.resize(len(s.name), len(s.sets))
	clear(s.now.v)
	clear(s.now.y)
	s.start()
	for s.work < effort.Work {
		fixed, stalled := 0, 0
		before := r.Value
		for s.work < effort.Work {
			last := s.bestValue
			s.advance(50)
			r.take()
			n := r.P.Fix(&r.Bound, r.Context, room)
			fixed += n
			if r.Value >= room {
				return
			}
			if fixed*10 > s.rules {
				break
			}
			if s.bestValue > 0 && s.bestValue-last < 2e-2*(float64(room)/float64(r.P.rule)-s.bestValue) {
				if stalled++; stalled == 3 {
					break
				}
			} else {
				stalled = 0
			}
		}
		fresh := r.sep.find(&s.lp, s.bestV, 400)
		if len(fresh) == 0 && fixed == 0 && r.Value-before < (room-r.Value)/100 {
			return
		}
		r.rebuild(fresh)
	}
}

// Live returns the number of rules that a completion may use.
func (r *Root) Live() (n int) {
	for _, live := range r.Context.Live {
		for _, w := range live {
			n += bits.OnesCount64(w)
		}
	}
	return n
}

// take makes the LP's best weights exact.
func (r *Root) take() {
	scale := float64(r.P.rule)
	weights := make([]Weight, 0, 1024)
	for i, y := range r.s.best {
		if y > 0 {
			weights = append(weights, Weight{r.s.sets[i], int64(y * scale)})
		}
	}
	old := r.Value
	if r.P.Evaluate(&r.Bound, r.Context, r.Pool, weights) >= old {
		r.Weights, r.Value = weights, r.Bound.Value
	}
}

// rebuild makes the program anew with further sets, from where it was.
func (r *Root) rebuild(fresh []int32) {
	s := &r.s
	values := [2]map[int32]float64{{}, {}} // of rules, of points
	for v, name := range s.name {
		values[s.kind(v)][name] = s.now.v[v]
	}
	y := make(map[int32]float64, len(s.sets))
	for i, k := range s.sets {
		y[k] = s.now.y[i]
	}
	for _, k := range fresh {
		y[k] = 0
	}
	r.sets = slices.Sorted(maps.Keys(y))
	s.build(r.P, r.Context, r.Pool, r.sets)
	s.now.resize(len(s.name), len(s.sets))
	for v, name := range s.name {
		s.now.v[v] = values[s.kind(v)][name]
	}
	for i, k := range s.sets {
		s.now.y[i] = y[k]
	}
	s.start()
}
