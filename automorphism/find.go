package automorphism

import (
	"cmp"
	"slices"
)

// Instance is a set of points with costs, and the antecedents that capture them.
type Instance struct {
	Columns [][]uint64 // antecedent → points that it captures, 64 a word
	Costs   []int64    // of every bit position; 0 where there is no point
	Words1  int        // the first words hold the points of class 1
}

// Permutation maps every antecedent to its image.
type Permutation []uint16

// Limits say when to leave off. Effort is counted, not timed, so that the result
// is the same everywhere.
type Limits struct {
	Most int         // permutations
	Work int         // visits of an antecedent at a point: 2^26 are about half a second
	GoOn func() bool // asked now and then, ends it early
}

// Find returns permutations of the antecedents, the identity not among them,
// under which for every set of antecedents the cost per class of the points that
// are captured by these alone stays the same: all of them, or fewer within the
// limits.
func Find(in *Instance, l Limits) []Permutation {
	g := newGraph(in, l)
	if g == nil {
		return nil
	}
	return g.group(l.Most)
}

// group collects images along a chain of antecedents and multiplies them out.
func (g *graph) group(most int) []Permutation {
	c := g.first()
	g.refine(&c)
	var chain [][]Permutation
	for g.goesOn() {
		cell := c.ambiguous()
		if cell == nil {
			break
		}
		pick := cell[0]
		fixed := c.single(pick)
		g.refine(&fixed)
		var images []Permutation
		for _, to := range cell[1:] {
			other := c.single(to)
			g.refine(&other)
			tries := maxTries
			if m := g.match(&fixed, &other, &tries); m != nil {
				images = append(images, m)
			}
		}
		chain = append(chain, images)
		c = fixed
	}
	return multiply(chain, len(g.captured), most)
}

// multiply returns the products of one image of each link, the last link first
// to be applied, without the identity. A link that would make them more than
// most is left out.
func multiply(chain [][]Permutation, n, most int) []Permutation {
	group := []Permutation{identity(n)}
	for _, images := range slices.Backward(chain) {
		if len(group)*(len(images)+1) > most+1 {
			continue
		}
		of := group
		for _, m := range images {
			for _, h := range of {
				product := make(Permutation, n)
				for a := range product {
					product[a] = m[h[a]]
				}
				group = append(group, product)
			}
		}
	}
	return group[1:]
}

func identity(n int) Permutation {
	m := make(Permutation, n)
	for a := range m {
		m[a] = uint16(a)
	}
	return m
}

// maxTries bounds the pairs that are tried for one image.
const maxTries = 1000

// match extends two colourings, of which the second is to be the image of the
// first, to a permutation. It returns nil if it finds none.
func (g *graph) match(from, to *colouring, tries *int) Permutation {
	if *tries--; *tries < 0 || !g.goesOn() || !from.like(to) {
		return nil
	}
	cell := from.ambiguous()
	if cell == nil {
		return g.checked(from, to)
	}
	fixed := from.single(cell[0])
	g.refine(&fixed)
	for a, colour := range to.antecedents {
		if colour != from.antecedents[cell[0]] {
			continue
		}
		image := to.single(a)
		g.refine(&image)
		if m := g.match(&fixed, &image, tries); m != nil {
			return m
		}
	}
	return nil
}

// checked returns the permutation that two colourings name, if it is a symmetry.
func (g *graph) checked(from, to *colouring) Permutation {
	image := map[uint64]int{}
	for a, colour := range to.antecedents {
		image[colour] = a
	}
	m := make(Permutation, len(from.antecedents))
	for a, colour := range from.antecedents {
		b, ok := image[colour]
		if !ok {
			return nil
		}
		delete(image, colour)
		m[a] = uint16(b)
	}
	if !g.symmetric(m) {
		return nil
	}
	return m
}

// ambiguous returns the antecedents of one colour that several have, in
// ascending order: the fewest, and of as many those with the smallest; nil if
// all colours are different.
func (c *colouring) ambiguous() []int {
	cells := map[uint64][]int{}
	for a, colour := range c.antecedents {
		cells[colour] = append(cells[colour], a)
	}
	var found []int
	for _, cell := range cells {
		if len(cell) > 1 && (found == nil || cmp.Or(cmp.Compare(len(cell), len(found)), cmp.Compare(cell[0], found[0])) < 0) {
			found = cell
		}
	}
	return found
}
