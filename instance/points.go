package instance

import "iter"

// Points are the distinct points of a data set with the weight of every class
// at each: all that a model built from the antecedents can know of the samples.
// A set of points is a []uint64 of Words words; point p is bit p%64 of word
// p/64. Points come in the order of their first samples. Points are immutable
// once made and may be shared between goroutines.
type Points struct {
	Samples     int     // samples they were made from
	Count       int     // points
	Antecedents int     // number of columns
	Classes     int     // k ≥ 2
	Total       int64   // the weight of all samples, at most MaxTotal
	ClassTotals []int64 // by class: the weight of its samples

	Words   int        // words of a set of points: ⌈Count/64⌉
	Columns [][]uint64 // Columns[a] is the set of points that satisfy antecedent a; nil: see WithColumns

	// Weights[c][p] is the weight of the samples of class c at point p, 0 behind
	// the last point (64·Words). With two classes, Weights[1] is w1, Weights[0] w0.
	// Every point has a weight above 0 in one class at least.
	Weights [][]int64

	keys *keyed // of the points, without weights
}

// points groups the samples. The points have no columns yet.
func (s *tableSamples) points() (*Points, error) {
	total, byClass, err := s.weigh()
	if err != nil {
		return nil, err
	}
	k := s.group(false).keyed // without what finds points
	p := &Points{
		Samples: len(s.of), Count: k.n, Antecedents: s.antecedents, Classes: s.classes,
		Total: total, ClassTotals: byClass, Words: (k.n + 63) / 64, keys: &k,
	}
	p.Weights = make([][]int64, p.Classes)
	for c := range p.Weights {
		p.Weights[c] = make([]int64, 64*p.Words)
	}
	k.eachPart(func(points iter.Seq2[int, []int64]) {
		for i, w := range points {
			for c, x := range w {
				p.Weights[c][i] = x
			}
		}
	})
	k.drop()
	k.weights = nil
	collect(k.n)
	return p, nil
}

// WithColumns returns the points with their columns, nil of nil.
func (p *Points) WithColumns() *Points {
	if p == nil || p.Columns != nil {
		return p
	}
	all := make([]int32, p.Count)
	for i := range all {
		all[i] = int32(i)
	}
	with := *p
	with.Columns = columnsOf(p.Arranged(all), p.Antecedents, p.Words)
	return &with
}

// Arranged returns the columns of some of the points, in the order given: one behind the other, and an empty one behind
// the last.
func (p *Points) Arranged(list []int32) []uint64 {
	words := (len(list) + 63) / 64
	all := make([]uint64, (p.Antecedents+1)*words)
	columns, k := columnsOf(all, p.Antecedents, words), p.keys
	k.place(k.derivation.keysOf(columns), [][]int32{list}, []int{0})
	k.derivation.make(columns)
	return all
}
