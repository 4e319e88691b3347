package graph

import (
	"context"
	"errors"
	"io"
	"slices"

	"parcorels/ratio"
)

// ReadTrees reads the graph from a proof, as Read does.
func ReadTrees(from io.Reader, about Proof, problem func(lambda ratio.Ratio) (*Problem, error)) (*Set, error) {
	var b *treeBuilder
	named := map[int64]int32{} // of each state of the file that a split has led to, its place here
	begin := func(p *Problem, threshold, depth int64) (err error) {
		if depth > 1<<20 {
			return ErrFile
		}
		p.Depth = int(depth)
		if b, err = newTreeBuilder(context.Background(), p, threshold, Options{}); err != nil {
			return errors.Join(ErrFile, err)
		}
		b.threshold, b.complete = threshold-b.base, true
		b.begin()
		all, level := b.root()
		named[0] = b.reach(all, level, 0, 0)
		return nil
	}
	trees := proofFormat{"proof of good trees", treeMagic, treeVersion, treeStateRecord}
	err := trees.read(from, about, problem, begin, func(number, n int64, r *numbers) error {
		at, ok := named[number]
		if !ok || b.states[at].leaves != nil {
			return ErrFile
		}
		f := b.frame(0)
		b.count(f, b.states[at].set)
		for _, lost := range f.all {
			b.states[at].leaves = append(b.states[at].leaves, b.p.Price+lost)
		}
		next := max(b.states[at].level-1, -1)
		for ; n > 0 && !r.short; n-- {
			antecedent, with, without := r.next(), r.next(), r.next()
			if r.short || antecedent >= int64(len(b.p.Columns)) || b.states[at].level == 0 ||
				!f.split(b.states[at].set, b.p.Columns[antecedent], b.samples) {
				return ErrFile
			}
			x := split{column: int32(antecedent), with: b.reach(f.sides[1], next, 0, 0), without: b.reach(f.sides[0], next, 0, 0)}
			b.states[at].splits = append(b.states[at].splits, x)
			named[with], named[without] = x.with, x.without
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(b.states, func(s treeState) bool { return s.leaves == nil }) {
		return nil, ErrFile // it does not tell of all states
	}
	return b.finish(), nil
}
