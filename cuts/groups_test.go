package cuts

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// randomTexts returns texts of some rows each, of which a share that differs by so much from text to text is of class 1.
func randomTexts(rng *rand.Rand, most, rows int, share, differ float64) []Text {
	texts := make([]Text, 2+rng.IntN(most))
	for i := range texts {
		texts[i].Text = fmt.Sprint("t", i*7%97)
		own := min(1, max(0, share+differ*(rng.Float64()-0.5)))
		for range 1 + rng.IntN(rows) {
			class := 0
			if rng.Float64() < own {
				class = 1
			}
			texts[i].Rows[class]++
			texts[i].Weights[class] += 1 + rng.Int64N(3)
		}
	}
	return texts
}

// TestGroupsErrLeast compares the groups with all others: where there is a cut, one errs as little as any. Exchanged classes and
// another order of texts give the same groups.
func TestGroupsErrLeast(t *testing.T) {
	cut := 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 1))
		texts := randomTexts(rng, 7, 40, 0.5, 0.9)
		blocks := Groups(texts)
		errors := func(in func(i int) bool) int64 {
			var sides [2][2]int64
			for i, x := range texts {
				side := 0
				if in(i) {
					side = 1
				}
				sides[side][0], sides[side][1] = sides[side][0]+x.Weights[0], sides[side][1]+x.Weights[1]
			}
			return min(sides[0][0], sides[0][1]) + min(sides[1][0], sides[1][1])
		}
		least, own := errors(func(int) bool { return true }), errors(func(int) bool { return true })
		for set := range 1 << len(texts) {
			least = min(least, errors(func(i int) bool { return set>>i&1 == 1 }))
		}
		for k := range blocks {
			group := slices.Concat(blocks[:k]...)
			own = min(own, errors(func(i int) bool { return slices.Contains(group, texts[i].Text) }))
		}
		if cut += len(blocks); len(blocks) > 0 && own != least {
			t.Fatalf("seed %d: %v err %d, the best group of %v errs %d", seed, blocks, own, texts, least)
		}
		if len(blocks) > 0 && len(slices.Concat(blocks...)) != len(texts) {
			t.Fatalf("seed %d: %v of %v", seed, blocks, texts)
		}
		for i := range texts {
			x := &texts[i]
			x.Rows, x.Weights = [2]int64{x.Rows[1], x.Rows[0]}, [2]int64{x.Weights[1], x.Weights[0]}
		}
		rng.Shuffle(len(texts), func(i, j int) { texts[i], texts[j] = texts[j], texts[i] })
		if again := Groups(texts); !reflect.DeepEqual(again, blocks) {
			t.Fatalf("seed %d: exchanged classes: %v, before %v", seed, again, blocks)
		}
	}
	if cut == 0 {
		t.Fatal("no column has groups")
	}
}

// TestGroupsOfNoise: of columns of noise, 5 of 100 have groups, whatever the class weighs and how rare it is.
func TestGroupsOfNoise(t *testing.T) {
	for _, c := range []struct {
		share float64
		rows  int // most of a text
	}{{0.5, 200}, {0.1, 200}, {0.02, 200}, {0.5, 3}, {0.2, 3}, {0.1, 6}} {
		found, columns := 0, 1500
		for seed := range uint64(columns) {
			if Groups(randomTexts(rand.New(rand.NewPCG(seed, 2)), 50, c.rows, c.share, 0)) != nil {
				found++
			}
		}
		if t.Logf("%d of %d columns at %v", found, columns, c); found*1000 > columns*55 || found*1000 < columns*5 {
			t.Errorf("%d of %d columns of noise have groups: %+v", found, columns, c)
		}
	}
}
