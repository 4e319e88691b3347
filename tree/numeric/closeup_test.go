package numeric

import (
	"math/rand/v2"
	"testing"

	"parcorels/internal/testing/cases"
	"parcorels/tree/price"
)

// TestCloseUp: places in close-ups, and in those within them, have the values that they have without.
func TestCloseUp(t *testing.T) {
	looked := 0
	for seed := range uint64(cases.Some(600)) {
		rng := rand.New(rand.NewPCG(seed, 9))
		p := larger(rng, 20+rng.IntN(200), 1+rng.IntN(4), 2+rng.IntN(3))
		if kind := rng.IntN(4); kind > 0 {
			for range p.class {
				p.weights = append(p.weights, rng.Int64N([]int64{3, 1e5, 1 << 32}[kind-1])+1)
			}
		}
		w := p.alone(t)
		two := w.two
		if !two.begin(&w.root) {
			continue
		}
		if rng.IntN(2) == 0 {
			n := two.n
			two.part(rng.IntN(len(w.root.lists)), 1+rng.IntN(n-1))
			two.show(rng.IntN(2))
		}
		c := &two.columns[two.used[rng.IntN(len(two.used))]]
		two.arrange(c)
		two.positioned = false
		two.begun()
		last := len(two.places) - 1
		a, b := 0, last
		for last > 3 && b-a > 1 {
			a += rng.IntN(b - a)
			b -= rng.IntN(b - a)
			two.approach(end{place: a}, end{place: b})
			level := two.near.level
			for place := a + 1; place < b; place++ {
				left, right := two.nearby(place)
				two.near.level, two.budget = 0, price.Far
				want, _ := two.look(place, &zone{})
				two.near.level = level
				if looked++; left != want.left || right != want.right {
					t.Fatalf("seed %d: level %d, place %d between %d and %d of %d: %d and %d, want %d and %d", seed, level, place, a, b,
						last, left, right, want.left, want.right)
				}
			}
		}
		two.near.level = 0
	}
	if looked < 200 {
		t.Errorf("%d places were looked at", looked)
	}
}
