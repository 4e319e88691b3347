package instance

import "slices"

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
