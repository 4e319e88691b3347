package graph

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"parcorels/bitvec"
	"parcorels/ratio"
	"parcorels/verify/framing"
	"parcorels/verify/goodmodels"
)

// ErrFile reports a file that is no proof of good models, or is not about these data.
var ErrFile = errors.New("not a file of good models of these data")

var errGraph = errors.New("its splits make no graph")

// reading is what a reader knows of lists or trees.
type reading struct {
	*Set
	named  map[int][]uint64 // the set of each state that a split has led to
	column []int32          // by antecedent
	layout *layout
}

// Read reads the graph of lists or trees from a proof, which it does not check. About has digest and weight of the
// data; problem makes the problem for the λ that the file tells.
func Read(from io.Reader, about Proof, trees bool, problem func(lambda ratio.Ratio) (*Problem, error)) (*Set, error) {
	proof, err := goodmodels.Open(from)
	if err != nil {
		return nil, fault(err)
	}
	of := proof.About()
	if of.Digest != about.Digest || !of.Lambda.Within() || proof.Trees() != trees || len(proof.Limits()) > 0 {
		return nil, ErrFile
	}
	p, err := problem(of.Lambda)
	if err != nil {
		return nil, err
	}
	if err := of.OfData(about.Digest, len(p.Columns), about.Weight); err != nil {
		return nil, fault(err)
	}
	p.Trees, p.Depth = trees, proof.Depth()
	l, err := newLayout(p)
	if err != nil {
		return nil, errors.Join(ErrFile, err)
	}
	x := &reading{Set: l.empty(proof.Threshold() - l.base), layout: l, named: map[int][]uint64{0: l.all},
		column: make([]int32, len(p.Columns))}
	for c, list := range x.antecedents {
		for _, a := range list {
			x.column[a] = int32(c)
		}
	}
	if err := proof.States(x.state); err != nil {
		return nil, fault(err)
	}
	if len(x.named) != max(len(x.states), 1) {
		return nil, fault(framing.Refused("it does not tell of all states"))
	}
	x.settle()
	return x.Set, nil
}

// fault says of what is wrong with a file that it is none of good models. Other errors are those of the reader.
func fault(err error) error {
	if errors.Is(err, framing.ErrFormat) || errors.Is(err, framing.ErrRefused) {
		return fmt.Errorf("%w: %w", ErrFile, err)
	}
	return err
}

// state takes the splits of the next state.
func (x *reading) state(list []goodmodels.Split) error {
	at := len(x.states)
	set, ok := x.named[at]
	if !ok {
		return errGraph
	}
	of := state{set: set, ends: x.layout.ends(nil, set)}
	for _, y := range list {
		s := split{x.column[y.Antecedent], int32(y.With), int32(y.Without)}
		ok := splits(set[:x.layout.realWords], x.layout.columns[s.column])
		for side, child := range []int{y.Without, y.With}[:x.layout.sides()] {
			of := make([]uint64, len(set))
			bitvec.AndNot(of, set, x.layout.outside[1-side][s.column])
			ok = ok && x.name(at, child, of)
		}
		if x.lists {
			s.with, ok = rule, ok && y.With == 0
		}
		if !ok {
			return errGraph
		}
		of.splits = append(of.splits, s)
	}
	x.states = append(x.states, of)
	return nil
}

// name notes that a split of a state leads to a child with such a set, and reports whether that may be.
func (x *reading) name(state, child int, set []uint64) bool {
	known, ok := x.named[child]
	if child <= state || ok && !slices.Equal(known, set) {
		return false
	}
	x.named[child] = set
	return true
}
