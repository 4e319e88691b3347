package rulelist

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"
)

// A symmetry is a permutation g of the antecedents that leaves the data as they
// are, as far as the smallest list S can tell.
//
// S has no antecedent that is useless behind the empty prefix, because it is
// useless wherever it stands; and none that captures the same groups as one with a
// smaller index: with that one in its place S would
// be smaller, or the second of the two captures nothing and is useless. Let T be
// all other antecedents, and those that g moves. What a list of these predicts
// for a sample goes by the set R ⊆ T of those that the sample satisfies. Let d(R)
// be the weight of the samples of class 1 with R, less that of class 0. A list
// errs by the weight of all samples of class 1, less d(R) for each R for which it
// predicts class 1. So if d(R) is that of the images of R, for every R, then the
// image of S, rule by rule and with the labels that its rules have, errs as much
// as S. It has as many rules. So it is not smaller than S, and lexicographically
// not before it. Hence S does not begin with P+s if g leaves every rule of P alone
// and maps s to a smaller index.
//
// R with d(R) = 0 need not be looked at: g maps the others among themselves if it
// keeps d for them, one to one, so to all of them.

// symmetry maps from[i] to to[i], and leaves the other antecedents alone.
type symmetry struct {
	from, to []uint16 // the same ones, from in ascending order
}

// errNoPermutation reports a record of a symmetry that is no permutation, or not
// as the format has it.
var errNoPermutation = errors.New("it does not move each antecedent of some, in ascending order, to another one of them")

// mostSymmetries is how many a file may name, each counted once. Each is compared
// with all rows, and with what follows the prefixes that it leaves alone.
const mostSymmetries = 8192

var errSymmetries = fmt.Errorf("it names more than %d symmetries", mostSymmetries)

// symmetry reads what a record of one says.
func (r *recordReader) symmetry(p *parser) error {
	g := &symmetry{}
	begin := p.At
	for n := p.Below("number of antecedents", r.limits.antecedents+1); n > 0 && p.Err == nil; n-- {
		g.from = append(g.from, uint16(p.Below("antecedent", r.limits.antecedents)))
		g.to = append(g.to, uint16(p.Below("antecedent", r.limits.antecedents)))
	}
	if p.Err == nil && !g.isPermutation(r.seen) {
		p.Fail(errNoPermutation)
	}
	if p.Err != nil {
		return p.Err
	}
	// One that is there again is of a search that went on.
	if code := string(p.Bytes[begin:p.At]); !r.symmetries[code] {
		if len(r.symmetries) == mostSymmetries {
			return errSymmetries
		}
		r.symmetries[code] = true
		r.tree.symmetries = append(r.tree.symmetries, g)
	}
	return nil
}

func (g *symmetry) isPermutation(seen *epochSet) bool {
	seen.clear()
	for i, a := range g.from {
		if i > 0 && a <= g.from[i-1] || a == g.to[i] {
			return false
		}
		seen.add(int(g.to[i]))
	}
	for _, a := range g.from {
		if !seen.has(int(a)) {
			return false
		}
	}
	return len(g.from) > 0
}

// image returns what an antecedent is mapped to.
func (g *symmetry) image(a uint16) uint16 {
	if i, moved := slices.BinarySearch(g.from, a); moved {
		return g.to[i]
	}
	return a
}

// lowers reports whether a symmetry that leaves the prefix of f alone maps s to
// a smaller index.
func (f *frame) lowers(s int) bool {
	for _, g := range f.fixing {
		if int(g.image(uint16(s))) < s {
			return true
		}
	}
	return false
}

// useSymmetries makes sure that all that a proof names are symmetries, and has
// them used.
func (p *problem) useSymmetries(ctx context.Context, all []*symmetry) error {
	switch {
	case len(all) == 0:
		return nil
	case p.classes > 2:
		return refused("it has records of symmetries, which are about two classes")
	}
	possible := p.possible()
	var r *rows
	for i, g := range all {
		if err := ctx.Err(); err != nil {
			return err
		}
		of := slices.Clone(possible)
		for _, a := range g.from {
			of[a>>6] |= 1 << (a & 63)
		}
		if r == nil || !slices.Equal(r.of, of) {
			r = p.rows(of)
		}
		if !r.keptBy(g) {
			return refused("symmetry %d is none: it moves %d antecedents, and does not leave the data as they are", i+1, len(g.from))
		}
	}
	p.symmetries = all
	return nil
}

// possible returns the antecedents that the smallest list may have.
func (p *problem) possible() []uint64 {
	set := make([]uint64, (len(p.captured)+63)/64)
	counts := make([]int64, len(p.captured)*p.numbers)
	p.countSome(p.every, p.all, p.all, counts)
	known := map[string]bool{}
	captured := make([]uint64, len(p.all))
	var key []byte
	for a := range p.captured {
		if p.useless(p.at(counts, a), p.groups.sum) {
			continue
		}
		intersect(captured, p.captured[a], p.all)
		key = key[:0]
		for _, w := range captured {
			key = binary.LittleEndian.AppendUint64(key, w)
		}
		if !known[string(key)] {
			known[string(key)] = true
			set[a>>6] |= 1 << (a & 63)
		}
	}
	return set
}

// rows are the groups, put together if their samples satisfy the same antecedents
// of a set. (Of samples without a group there is as much of class 1 as of class 0.)
type rows struct {
	of    []uint64 // the set
	lists [][]uint16
	d     []int64
	known map[string]int // number of a list
	key   []byte
	set   []uint64
}

// rows puts together the groups by what they satisfy of a set.
func (g *groups) rows(of []uint64) *rows {
	r := &rows{of: of, known: map[string]int{}, set: make([]uint64, len(of))}
	for i, losses := range g.losses {
		list := g.list(i)
		r.key = r.key[:0]
		for _, a := range list {
			if of[a>>6]>>(a&63)&1 == 1 {
				r.key = binary.LittleEndian.AppendUint16(r.key, a)
			}
		}
		row, ok := r.known[string(r.key)]
		if !ok {
			row = len(r.lists)
			r.known[string(r.key)] = row
			r.lists = append(r.lists, r.within(list))
			r.d = append(r.d, 0)
		}
		if x := losses[0]; g.labels[i] == 1 {
			r.d[row] += x.is
		} else {
			r.d[row] -= x.is
		}
	}
	return r
}

// within returns those of a list that are in the set.
func (r *rows) within(list []uint16) []uint16 {
	outside := func(a uint16) bool { return r.of[a>>6]>>(a&63)&1 == 0 }
	return slices.DeleteFunc(slices.Clone(list), outside)
}

// keptBy reports whether d of every row is that of its image.
func (r *rows) keptBy(g *symmetry) bool {
	for i, list := range r.lists {
		if r.d[i] == 0 {
			continue
		}
		if image, known := r.image(g, list); !known || r.d[image] != r.d[i] {
			return false
		}
	}
	return true
}

// image returns the row that a list is mapped to, if there is such a row.
func (r *rows) image(g *symmetry, list []uint16) (row int, known bool) {
	clear(r.set)
	for _, a := range list {
		to := g.image(a)
		r.set[to>>6] |= 1 << (to & 63)
	}
	r.key = r.key[:0]
	for k, w := range r.set {
		for ; w != 0; w &= w - 1 {
			r.key = binary.LittleEndian.AppendUint16(r.key, uint16(k<<6+bits.TrailingZeros64(w)))
		}
	}
	row, known = r.known[string(r.key)]
	return row, known
}
