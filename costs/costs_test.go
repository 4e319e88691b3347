package costs

import (
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/bitvec"
)

// points are points by definition: what each label costs at each.
type points struct {
	loss [][]int64 // by point and label
	at   []int     // by point, its bit position
}

// draw makes the table of random points of so many labels, those of one label in some points alone if pure is true.
func draw(rng *rand.Rand, labels int, pure bool) (*Table, points) {
	var p points
	var costs []int64
	var byWord []uint16
	gains := make([][]int64, labels)
	for q := labels - 1; q >= 0; q-- {
		for range rng.IntN(3) {
			word := len(byWord)
			byWord = append(byWord, uint16(q))
			costs = append(costs, make([]int64, 64)...)
			for r := range gains {
				gains[r] = append(gains[r], make([]int64, 64)...)
			}
			for i := range 1 + rng.IntN(64) {
				loss := make([]int64, labels)
				most := 1 + rng.Int64N(9)
				for r := range loss {
					if loss[r] = most; r == q {
						loss[r] = 0
					} else if !pure {
						loss[r] = 1 + rng.Int64N(most)
					}
				}
				most = slices.Max(loss)
				p.loss, p.at = append(p.loss, loss), append(p.at, 64*word+i)
				costs[64*word+i] = most
				for r, x := range loss {
					gains[r][64*word+i] = most - x
				}
			}
		}
	}
	if labels == 2 {
		gains = nil
	}
	return New(costs, byWord, gains), p
}

// column returns by definition what a rule does that captures a set of u, and the least that missing a label costs in the set.
func (p *points) column(t *Table, u, set []uint64) (c Column, missing []int64) {
	in, out := make([]int64, t.Labels), make([]int64, t.Labels)
	missing = make([]int64, t.Labels)
	for i, at := range p.at {
		if u[at/64]>>(at%64)&1 == 0 {
			continue
		}
		to := out
		if set[at/64]>>(at%64)&1 == 1 {
			to = in
			c.Cost += slices.Max(p.loss[i])
			others := slices.Sorted(slices.Values(p.loss[i]))
			missing[t.ByWord[at/64]] += others[1]
		}
		for q, x := range p.loss[i] {
			to[q] += x
		}
	}
	c.Errors, c.Stop = slices.Min(in), slices.Min(out)
	c.Label = slices.Index(in, c.Errors)
	return c, missing
}

// TestCounts compares what a table says of sets with sums over points.
func TestCounts(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 1))
		table, p := draw(rng, 2+int(seed%4), seed%3 == 0)
		some := func() []uint64 {
			set := table.All()
			for w := range set {
				set[w] &= rng.Uint64()
			}
			return set
		}
		m, sets := bitvec.NewMatrix(11, table.Words), [][]uint64(nil)
		for i := range 11 {
			sets = append(sets, some())
			m.Set(i, sets[i])
		}
		count := func(prog *bitvec.Program, g1, g0 []int64) bool { m.Count(prog, 0, m.Blocks(), g1, g0); return true }
		x, y, u := table.NewCounts(16), table.NewCounts(16), some()
		if !x.Count(u, count) || !x.CountMissing(u, count) {
			t.Fatal("the count ended")
		}
		left := slices.Clone(u)
		bitvec.AndNot(left, left, sets[3])
		y.Leave(x, 3, left)
		y.Block(m, 1)
		for i, set := range sets {
			want, missing := p.column(table, u, set)
			label, errors, cost := table.Best(u, set)
			if got := x.Column(i); got != want || (Column{label, cost, errors, want.Stop}) != want {
				t.Fatalf("seed %d, column %d: %+v, and %d errs %d of %d, want %+v", seed, i, got, label, errors, cost, want)
			}
			for q, of := range x.Missing {
				if of[i] != missing[q] {
					t.Fatalf("seed %d, column %d: missing label %d costs %d, want %d", seed, i, q, of[i], missing[q])
				}
			}
			for q, of := range x.Gains {
				if g := table.GainOf(q, u, set); of[i] != g {
					t.Fatalf("seed %d, column %d: label %d gains %d, want %d", seed, i, q, of[i], g)
				}
			}
			if i < 8 {
				continue
			}
			if behind, _ := p.column(table, left, set); y.Column(i) != behind {
				t.Fatalf("seed %d, column %d behind column 3: %+v, want %+v", seed, i, y.Column(i), behind)
			}
		}
	}
}

// TestSingle compares what one label gains outside of two columns with sums over points, of points that are counted bit
// by bit and of others, in sets of any number of words.
func TestSingle(t *testing.T) {
	var kept, unpacked int
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 2))
		table, _ := draw(rng, 2+int(seed%4), seed%3 == 0)
		all, sets := table.All(), make([][]uint64, 1+rng.IntN(20))
		for i := range sets {
			sets[i] = table.All()
			for w := range all {
				sets[i][w] &= rng.Uint64()
			}
		}
		a, b, some := rng.IntN(len(sets)), rng.IntN(len(sets)), []int32(nil)
		for i := range sets {
			if rng.IntN(3) > 0 {
				some = append(some, int32(i))
			}
		}
		bitvec.AndNot(all, all, sets[a])
		bitvec.AndNot(all, all, sets[b])
		for q := range table.Labels {
			x, got := table.Single(q, table.All(), sets), make([]int64, len(some))
			if x.planes != nil {
				kept++
			} else {
				unpacked++
			}
			x.Gains(got, a, b, some, make([]uint64, x.Words()))
			for i, v := range some {
				if want := table.GainOf(q, all, sets[v]); got[i] != want {
					t.Fatalf("seed %d: label %d gains %d in column %d outside of %d and %d, want %d", seed, q, got[i], v, a, b, want)
				}
			}
		}
	}
	if kept < 50 || unpacked < 50 {
		t.Errorf("%d tables with weights, %d without", kept, unpacked)
	}
}
