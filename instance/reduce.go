package instance

import (
	"fmt"
	"slices"
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

// Rows are points with their rows at hand: instances of the same points with other
// weights are made of them. They are immutable.
type Rows struct {
	keys        keyed
	antecedents int
}

// Rows makes the rows of points of two classes.
func (p *Points) Rows() (*Rows, error) {
	if p.Classes != 2 {
		return nil, fmt.Errorf("an instance has 2 classes, these points have %d", p.Classes)
	}
	return &Rows{*p.keys, p.Antecedents}, nil
}

// Reduce returns the cost reduction of the points with the given weights of class
// 1 and class 0: what FromSet makes of such samples. Samples and Total are not those of a table; they are 0.
func (r *Rows) Reduce(weights1, weights0 []int64) *Instance {
	k := r.keys
	k.weights = make([]int64, 2*k.n)
	for i := range k.n {
		k.weights[2*i], k.weights[2*i+1] = weights0[i], weights1[i]
	}
	in := &Instance{Antecedents: r.antecedents}
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
