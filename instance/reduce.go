package instance

import (
	"math/bits"
	"slices"

	"github.com/bits-and-blooms/bitset"

	"parcorels/rules"
)

// instance reduces the samples. It makes no Points in
// between: their columns would be as large as those of the instance. With separate, every sample is a point of its own.
func (s *tableSamples) instance(separate bool) (*Instance, error) {
	total, byClass, err := s.weigh()
	if err != nil {
		return nil, err
	}
	in := &Instance{Samples: len(s.of), Separate: separate, Total: total, Weight1: byClass[1], Antecedents: s.antecedents}
	in.lay(&s.group(separate).keyed)
	return in, nil
}

// Reduce returns the cost reduction of points of two classes with other weights of class
// 1 and class 0: what FromSet makes of such samples. Samples and Total are not those of a table; they are 0.
func (p *Points) Reduce(weights1, weights0 []int64) *Instance {
	k := *p.keys
	k.weights = make([]int64, 2*k.n)
	for i := range k.n {
		k.weights[2*i], k.weights[2*i+1] = weights0[i], weights1[i]
	}
	in := &Instance{Antecedents: p.Antecedents}
	in.lay(&k)
	return in
}

// Split returns points of two classes in the layout of an instance, without the
// reduction: the samples of each class at a point have a place of their own, of
// their weight, so that a set of places counts both classes. At[c][i] is the place
// of class c of point i, −1 where it has no such samples.
func (p *Points) Split() (in *Instance, at [2][]int) {
	in = &Instance{Samples: p.Samples, Total: p.Total, Weight1: p.ClassTotals[1], Antecedents: p.Antecedents}
	l := arrange([][]int32{heaviestFirst(p.Weights[0], nil, 0), heaviestFirst(p.Weights[1], nil, 1)})
	in.fill(p.keys, l, nil, func(label int) []int64 { return p.Weights[label] })
	for class, list := range l.lists {
		at[class] = slices.Repeat([]int{-1}, p.Count)
		for n, i := range list {
			at[class][i] = 64*l.begins[class] + n
		}
	}
	return in, at
}

// Restrict returns the instance of the points of set over some columns alone, in
// the order given. Points that satisfy the same of these columns are one: what all labels
// gain there cancels out, and those that cost nothing
// are gone. Samples and Total are not those of a table; they are 0.
func (in *Instance) Restrict(set []uint64, columns []int) *Instance {
	picked := make([][]uint64, len(columns))
	for i, c := range columns {
		picked[i] = in.Columns[c]
	}
	count := 0
	for _, x := range set {
		count += bits.OnesCount64(x)
	}
	g := newGrouping(len(columns), in.Labels)
	g.expect(count)
	keys := make([]uint64, 64*g.width)
	for w, x := range set {
		if x == 0 {
			continue
		}
		readKeys(keys, g.width, picked, w)
		for ; x != 0; x &= x - 1 {
			i := bits.TrailingZeros64(x)
			key := keys[i*g.width : (i+1)*g.width]
			weights := g.weightsOf(g.find(key, g.hash(key)))
			if in.Gains == nil {
				weights[in.ByWord[w]] += in.Costs[64*w+i]
			}
			for q, gains := range in.Gains {
				weights[q] += gains[64*w+i]
			}
		}
	}
	out := &Instance{Antecedents: len(columns)}
	out.lay(&g.keyed)
	return out
}

// deriving returns the columns of the key of a set, as sets of samples.
func deriving(s *rules.Set) (columns []*bitset.BitSet, d *derivation) {
	d = &derivation{made: make([][]int32, len(s.Antecedents))}
	at := map[*bitset.BitSet]int32{}
	for a, x := range s.Antecedents {
		if len(x.Parts) == 1 {
			at[x.Parts[0]] = int32(a)
		}
	}
	for a := range s.Antecedents {
		x := &s.Antecedents[a]
		var of []int32
		for _, part := range x.Parts {
			if b, ok := at[part]; ok && len(x.Parts) > 1 {
				of = append(of, b)
			}
		}
		if len(x.Parts) > 1 && len(of) == len(x.Parts) {
			d.made[a] = of
			continue
		}
		d.own, columns = append(d.own, int32(a)), append(columns, x.Captured())
	}
	return columns, d
}

// FromSet reduces a data set by its antecedents: column a of the instance is
// antecedent a of s.
//
// There may be no antecedent (then there is one point at most), a single class, or nothing left
// to separate (then Points and Words are 0). It returns an error when a
// weight is not positive and when the weights add up to more than MaxTotal.
//
// It takes time and memory proportional to the bits of the columns; what it keeps is
// proportional to the bits of the distinct points.
func FromSet(s *rules.Set) (*Instance, error) { return samplesOf(s).instance(false) }

// FromSetSeparate is FromSet without the reduction, to measure what the equivalent points bound is
// worth: every sample is a point of its own, of its own label and weight, and the base is 0.
// The invariant that no two points satisfy the same antecedents does not hold, all others
// do. Each list has the same errors, so the same list is smallest.
func FromSetSeparate(s *rules.Set) (*Instance, error) { return samplesOf(s).instance(true) }

// samplesOf returns the samples of a set.
func samplesOf(s *rules.Set) *tableSamples {
	columns, d := deriving(s)
	return &tableSamples{
		len(s.Antecedents), wordsOf(columns), d, s.Data.ClassOf, s.Data.ClassCount(), s.Data.Weights, s.Data.Gains,
	}
}

// PointsFromSet groups the samples of a data set by its antecedents, with all of
// its classes: column a is antecedent a of s. It returns the errors of FromSet.
func PointsFromSet(s *rules.Set) (*Points, error) {
	p, err := PointsWithoutColumns(s)
	return p.WithColumns(), err
}

// PointsWithoutColumns is PointsFromSet without columns, for searches that put the points in an order of their own.
func PointsWithoutColumns(s *rules.Set) (*Points, error) { return samplesOf(s).points() }
