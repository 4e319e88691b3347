// Package testgen makes random rule-list problems for tests, and changes them in
// ways whose effect on the optimum is known. Begin with
// [Small] and [Seeds]; [Transforms] take what a generator made.
//
// An [Instance] depends on its family and its seed alone: [Small], [Ties],
// [Nearly], [Knotty] and [Wide] stay within reach of the oracle's
// exhaustive search, [Medium] and [Table] do not. The generators aim at what a
// solver can get wrong, not at what data looks like: objectives that tie, gains equal to λN, classes that balance,
// samples and columns that repeat, complement or contain one another.
package testgen

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bits-and-blooms/bitset"

	"parcorels/instance"
	"parcorels/internal/testing/given"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/oracle"
	"parcorels/rules"
)

// Instance is a problem with its origin.
type Instance struct {
	oracle.Problem
	Family string // the generator it came from, and what was done to it since
	Seed   uint64
}

// Generator makes the instance of a seed.
type Generator func(seed uint64) Instance

// Bits returns the column that String writes as s, a character 0 or 1 for
// each sample.
func Bits(s string) []bool {
	bits := make([]bool, len(s))
	for i := range s {
		bits[i] = s[i] == '1'
	}
	return bits
}

// Columns returns a column for each text, as Bits does.
func Columns(texts ...string) [][]bool {
	columns := make([][]bool, len(texts))
	for j, s := range texts {
		columns[j] = Bits(s)
	}
	return columns
}

// String returns the instance as a Go expression.
func (in Instance) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "testgen.Instance{Family: %q, Seed: %d, Problem: oracle.Problem{\n", in.Family, in.Seed)
	b.WriteString("\tColumns: testgen.Columns(\n")
	for _, column := range in.Columns {
		fmt.Fprintf(&b, "\t\t%q,\n", text(column))
	}
	fmt.Fprintf(&b, "\t),\n\tLabels: testgen.Bits(%q),\n", text(in.Labels))
	if in.Weights != nil {
		fmt.Fprintf(&b, "\tWeights: %#v,\n", in.Weights)
	}
	fmt.Fprintf(&b, "\tLambda: ratio.Ratio{Num: %d, Den: %d},\n\tMaxRules: %d,\n}}", in.Lambda.Num, in.Lambda.Den, in.MaxRules)
	return b.String()
}

// Set returns the antecedents of the instance, as searches and checkers take them.
func (in Instance) Set() *rules.Set {
	return given.Set(bitsets(in.Columns), asBitset(in.Labels), in.Weights, len(in.Labels))
}

// Points returns the points of a set, as searches for trees take them.
func Points(t testing.TB, set *rules.Set) *instance.Points {
	t.Helper()
	points := must.Get(instance.PointsFromSet(set))(t)
	return points
}

// Reduced returns the points of a set, as searches for lists take them.
func Reduced(t testing.TB, set *rules.Set) *instance.Instance {
	t.Helper()
	in := must.Get(instance.FromSet(set))(t)
	return in
}

func bitsets(columns [][]bool) (all []*bitset.BitSet) {
	for _, c := range columns {
		all = append(all, asBitset(c))
	}
	return all
}

func asBitset(column []bool) *bitset.BitSet {
	b := bitset.New(uint(len(column)))
	for i, x := range column {
		b.SetTo(uint(i), x)
	}
	return b
}

func text(bits []bool) string {
	b := make([]byte, len(bits))
	for i, bit := range bits {
		b[i] = '0'
		if bit {
			b[i] = '1'
		}
	}
	return string(b)
}

// source returns the random numbers of one family and seed.
func source(family string, seed uint64) *rand.Rand {
	stream := uint64(14695981039346656037) // FNV-1a
	for i := range len(family) {
		stream = (stream ^ uint64(family[i])) * 1099511628211
	}
	return rand.New(rand.NewPCG(seed, stream))
}

// between returns a number in [low, high].
func between(rng *rand.Rand, low, high int) int { return low + rng.IntN(high-low+1) }

// chance is true with probability p.
func chance(rng *rand.Rand, p float64) bool { return rng.Float64() < p }

// pick returns one of the choices.
func pick[T any](rng *rand.Rand, choices ...T) T { return choices[rng.IntN(len(choices))] }
