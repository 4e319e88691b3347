package rules

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"parcorels/dataset"
	"parcorels/internal/testing/must"
)

func TestGivenRefusesTooMany(t *testing.T) {
	d := &dataset.Dataset{Source: "big.out", Features: make([]dataset.Feature, MaxAntecedents+1)}
	if _, err := Given(d); err == nil || !strings.Contains(err.Error(), `"big.out" has 65537 antecedents`) {
		t.Errorf("error %v", err)
	}
	d.Features = d.Features[1:]
	if _, err := Given(d); err != nil {
		t.Errorf("the limit itself is refused: %v", err)
	}
}

// full fails after some bytes, as a full disk does.
type full struct{ left int }

var errFull = errors.New("disk full")

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestWriteErrorsComeBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 6))
	s := must.Get(Given(wideData(20, 5000)))(t)
	for range 20 {
		if err := s.WriteOut(&full{rng.IntN(100_000)}); !errors.Is(err, errFull) {
			t.Fatalf("WriteOut returns %v", err)
		}
	}
	if err := s.WriteLabel(&full{10}); !errors.Is(err, errFull) {
		t.Fatalf("WriteLabel returns %v", err)
	}
}
