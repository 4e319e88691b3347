package interval

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestWilson(t *testing.T) {
	// Newcombe (1998), table I: 81 of 263 and 0 of 20.
	for _, c := range []struct {
		hits, n   int64
		low, high float64
	}{{81, 263, .2553, .3662}, {0, 20, 0, .1611}, {29, 29, .8830, 1}, {0, 0, 0, 1}} {
		got := Wilson(c.hits, c.n)
		if math.Abs(got.Low-c.low) > 5e-5 || math.Abs(got.High-c.high) > 5e-5 {
			t.Errorf("%d of %d: %v", c.hits, c.n, got)
		}
	}
}

// TestAUC compares with the definition, pair by pair, and asks how often the interval
// covers the area of all rows.
func TestAUC(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	covered, drawn := 0, 0
	for range 400 {
		scores := make([]Scored, 6)
		for i := range scores {
			scores[i].Score = float64(i)
		}
		for range 200 {
			i := rng.IntN(6)
			if rng.IntN(8) < i+1 {
				scores[i].Positives++
			} else {
				scores[i].Negatives++
			}
		}
		got, ok := AUC(scores)
		if !ok {
			t.Fatal("no interval")
		}
		var pairs, wins, p, n float64
		for _, a := range scores {
			p, n = p+float64(a.Positives), n+float64(a.Negatives)
			for _, b := range scores {
				k := float64(a.Positives * b.Negatives)
				pairs += k
				switch {
				case a.Score > b.Score:
					wins += k
				case a.Score == b.Score:
					wins += k / 2
				}
			}
		}
		if middle := (got.Low + got.High) / 2; math.Abs(middle-wins/pairs) > 1e-9 {
			t.Fatalf("the middle of %v is not the area %v", got, wins/pairs)
		}
		if drawn++; got.Low <= population && population <= got.High {
			covered++
		}
	}
	if share := float64(covered) / float64(drawn); share < .92 || share > .98 {
		t.Errorf("%v of the intervals cover the area of all rows", share)
	}
	if _, ok := AUC([]Scored{{0, 1, 5}}); ok {
		t.Error("an interval by one positive")
	}
}

// population is the area of the rows that TestAUC draws from: six scores alike often,
// of which score i is positive in (i+1)/8 of the rows.
var population = func() float64 {
	var wins, pairs float64
	for i := range 6 {
		for k := range 6 {
			w := float64(i+1) * float64(7-k)
			pairs += w
			switch {
			case i > k:
				wins += w
			case i == k:
				wins += w / 2
			}
		}
	}
	return wins / pairs
}()
