package rules

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"parcorels/dataset"

	"github.com/bits-and-blooms/bitset"
)

// named makes a data set of one sample in which the given features hold.
func named(column string, names ...string) *dataset.Dataset {
	d := &dataset.Dataset{N: 1, ClassOf: make([]uint16, 1)}
	for _, n := range names {
		d.Features = append(d.Features, dataset.Feature{Name: n, Column: column, Group: -1, Bits: bitset.New(1).Set(0)})
	}
	return d
}

func TestOutNames(t *testing.T) {
	d := named("", "{age:21-22,sex:M}", "plain name")
	d.Features = append(d.Features, named("c", "c = a,b {x}\tz", "c ≤ 3").Features...)
	for want, literals := range map[string][]Literal{
		"{age:21-22,sex:M}":                {{0, false}},
		"plain_name":                       {{1, false}},
		"{not_age:21-22,sex:M}":            {{0, true}},
		"{c_=_a;b_(x)_z,c_≤_3}":            {{2, false}, {3, false}},
		"{age:21-22,sex:M,not_plain_name}": {{0, false}, {1, true}},
	} {
		if got := outName(d, literals); got != want {
			t.Errorf("%v is written %s, want %s", literals, got, want)
		}
	}
}

func TestOutNamesDiffer(t *testing.T) {
	s, err := Given(named("c", "c = a b", "c = a_b", "c = a\tb"))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(outNames(s), " "); got != "{c_=_a_b} {c_=_a_b~2} {c_=_a_b~3}" {
		t.Errorf("names %s", got)
	}
}

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

func TestLabelNames(t *testing.T) {
	d := &dataset.Dataset{Target: "two year recid", Classes: []string{"no", ""}}
	if got := labelName(d, 0) + labelName(d, 1); got != "{two_year_recid:no}{two_year_recid:not_no}" {
		t.Errorf("labels %s", got)
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
	s, err := Given(wideData(20, 5000))
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if err := s.WriteOut(&full{rng.IntN(100_000)}); !errors.Is(err, errFull) {
			t.Fatalf("WriteOut returns %v", err)
		}
	}
	if err := s.WriteLabel(&full{10}); !errors.Is(err, errFull) {
		t.Fatalf("WriteLabel returns %v", err)
	}
}
