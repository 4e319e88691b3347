package family_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"parcorels/family"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
	"parcorels/model"
)

// TestF1 compares lists of two rules and trees of two levels with all of them, by F1, and checks the proofs.
func TestF1(t *testing.T) {
	t.Parallel()
	proved := 0
	for seed := range testgen.Seeds(2000) {
		rng := rand.New(rand.NewPCG(uint64(seed), 64))
		n := 4 + rng.IntN(20)
		c := &f1Case{holds: make([][3]bool, n), class: make([]int, n), weight: make([]int64, n)}
		var b strings.Builder
		b.WriteString("a,b,c,w,y\n")
		for i := range n {
			for j := range c.holds[i] {
				c.holds[i][j] = rng.IntN(2) == 0
				b.WriteString(map[bool]string{true: "p,", false: "q,"}[c.holds[i][j]])
			}
			c.class[i], c.weight[i] = min(1, rng.IntN(3)), 1+rng.Int64N(3)
			if seed%5 == 1 { // too many digits for an exact number
				c.weight[i] = 100_000 + rng.Int64N(1000)
			}
			fmt.Fprintf(&b, "%d,%d\n", c.weight[i], c.class[i])
			c.total += c.weight[i]
		}
		data := must.Get(family.ReadFrom(strings.NewReader(b.String()), "t.csv", family.Reading{Target: "y", Weight: "w"}))(t)
		tenths := rng.Int64N(3)
		list := family.Options{Lambda: fmt.Sprintf(".%d", tenths), MaxRules: 2, MaxCard: 1, MinSupport: "0", Workers: 1, Maximise: "f1"}
		tree := family.Options{Family: model.Tree, Lambda: list.Lambda, Depth: 2, Workers: 1, Maximise: "f1"}
		for k, o := range []family.Options{list, tree} {
			var to bytes.Buffer
			if seed%5 == 0 {
				o.Proof = &family.Proof{To: &to}
			}
			if seed%5 == 2 {
				o.Nodes = 1
			}
			m, err := family.Fit(t.Context(), data, o)
			price := (tenths*c.total + 9) / 10
			if err != nil && (strings.Contains(err.Error(), "one class") || (o.Proof != nil || price >= 2*c.ones()) &&
				strings.Contains(err.Error(), "worth that much")) {
				continue
			}
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, b.String())
			}
			want, got := c.best(price), m.F1
			if k == 1 {
				want = c.bestTree(price)
			}
			ok := got.Price == price && got.Score < want+1e-12 && got.Bound > want-1e-12
			switch seed % 5 {
			case 1:
				ok = ok && got.Bound < want+.02
			case 2:
			default:
				ok = ok && got.Score > want-1e-12 && got.Bound == got.Score
			}
			if !ok {
				t.Fatalf("seed %d: %+v, the best has %v\n%s\n%s", seed, m.F1, want, m.Text(80), b.String())
			}
			if o.Proof == nil {
				continue
			}
			if v := verified(t, to.Bytes(), data, o); *v.F1 != *m.F1 {
				t.Fatalf("seed %d: the proof says %+v; the search %+v", seed, v.F1, m.F1)
			}
			proved++
		}
	}
	if proved == 0 {
		t.Error("no proof was checked")
	}
}

type f1Case struct {
	holds  [][3]bool
	class  []int
	weight []int64
	total  int64
}

// best returns the largest F1 of lists less prices.
func (c *f1Case) best(price int64) float64 {
	best := 0.0
	for code := range 6 * 6 * 6 * 16 * 3 {
		if rules := code / (216 * 16); code/36%6 == 0 && code/216%16 <= 7 {
			best = max(best, c.f1(int64(rules)*price, func(h *[3]bool) int {
				return decides(h, [3]int{code % 6, code / 6 % 6, code / 36 % 6}, code/216%16, rules, false)
			}))
		}
	}
	return best
}

// bestTree returns the largest F1 of trees of two levels less prices.
func (c *f1Case) bestTree(price int64) float64 {
	type small struct{ split, first, second int } // split 3: a leaf of the first label
	var smalls []small
	for code := range 14 {
		smalls = append(smalls, small{min(3, code/4), code % 2, code / 2 % 2})
	}
	leaves := func(x small) int64 { return 2 - int64(x.split/3) }
	label := func(x small, h *[3]bool) int {
		if x.split == 3 || h[x.split] {
			return x.first
		}
		return x.second
	}
	best := 0.0
	for _, x := range smalls {
		best = max(best, c.f1(leaves(x)*price, func(h *[3]bool) int { return label(x, h) }))
		for _, y := range smalls {
			for root := range 3 {
				best = max(best, c.f1((leaves(x)+leaves(y))*price, func(h *[3]bool) int {
					if h[root] {
						return label(x, h)
					}
					return label(y, h)
				}))
			}
		}
	}
	return best
}

// f1 returns F1 of what decides says, where so much is wrong besides; 0 where nothing is 1.
func (c *f1Case) f1(wrong int64, decides func(h *[3]bool) int) float64 {
	below := int64(0)
	for i, w := range c.weight {
		d := decides(&c.holds[i])
		below += w * int64(c.class[i]+d)
		if d != c.class[i] {
			wrong += w
		}
	}
	return 1 - float64(wrong)/float64(max(1, below))
}

// ones is the weight of class 1.
func (c *f1Case) ones() (sum int64) {
	for i, w := range c.weight {
		sum += w * int64(c.class[i])
	}
	return sum
}
