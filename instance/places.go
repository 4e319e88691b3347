package instance

import "parcorels/rules"

// Places are the points of a data set with the point of each sample. Instances and points of the
// same samples with other labels are made of them in less time than of the samples: only the
// weights of the points change. They are immutable.
type Places struct {
	keys        keyed
	of          []int32 // by sample, its point
	antecedents int
}

// PlacesFromSet groups the samples of a data set by its antecedents, whatever their labels.
func PlacesFromSet(s *rules.Set) (*Places, error) {
	columns, d := deriving(s)
	if err := labellingOf(s).check(columns, s.Data.Weights, s.Data.N); err != nil {
		return nil, err
	}
	g := newGrouping(len(columns), labellingOf(s).classes)
	g.derivation = d
	g.expect(s.Data.N)
	from := tableSamples{columns: wordsOf(columns), n: s.Data.N}
	b := g.newBlock(s.Data.N)
	p := &Places{antecedents: len(s.Antecedents), of: make([]int32, 0, s.Data.N)}
	for len(p.of) < s.Data.N {
		b.read(&from, len(p.of)/blockSamples)
		for i := range b.n {
			p.of = append(p.of, int32(g.find(b.keys[i*g.width:(i+1)*g.width], b.hashes[i])))
		}
	}
	p.keys = g.keyed
	return p, nil
}

// weighed returns the points with the weights that the labels of a data set give them.
func (p *Places) weighed(l labelling, weights []int64) *keyed {
	k := p.keys
	k.weights = make([]int64, k.classes*k.n)
	for i, at := range p.of {
		l.add(k.weights[int(at)*k.classes:][:k.classes], i, weights)
	}
	return &k
}

// Instance returns what FromSet does of the set, which has the samples, classes and antecedents of that
// which the places were made of.
func (p *Places) Instance(s *rules.Set) (*Instance, error) {
	l := labellingOf(s)
	total, byClass, err := l.weigh(s.Data.Weights)
	if err != nil {
		return nil, err
	}
	in := &Instance{Samples: s.Data.N, Total: total, Weight1: byClass[1], Antecedents: p.antecedents}
	in.lay(p.weighed(l, s.Data.Weights))
	return in, nil
}

// Points returns what PointsWithoutColumns does of such a set.
func (p *Places) Points(s *rules.Set) (*Points, error) {
	l := labellingOf(s)
	total, byClass, err := l.weigh(s.Data.Weights)
	if err != nil {
		return nil, err
	}
	return newPoints(p.weighed(l, s.Data.Weights), p.antecedents, s.Data.N, total, byClass), nil
}
