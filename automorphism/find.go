package automorphism

import "slices"

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

// leastShare of the work is what the visits of an instance take at most, or nothing is found.
const leastShare = 16

// Least returns less work than which finds nothing in an instance of so many bit positions.
func Least(positions int) int { return leastShare * positions }

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

// step is one of the way down to different colours.
type step struct {
	colouring
	cell []int // the antecedents of one colour of which the first is singled out next; nil at the end
}

// group collects images along a chain of antecedents and multiplies them out.
func (g *graph) group(most int) []Permutation {
	way := g.descend()
	chain := make([][]Permutation, len(way)-1)
	for i := range chain {
		for _, to := range way[i].cell[1:] {
			tries := maxTries
			if m := g.matchWith(way, i, &way[i].colouring, to, &tries); m != nil {
				chain[i] = append(chain[i], m)
			}
		}
	}
	return multiply(chain, len(g.captured), most)
}

// descend singles out one antecedent after the other, until all colours are
// different or the work ends. It takes memory for as many colours as it hashes,
// some 30 MB with the work of half a second.
func (g *graph) descend() []step {
	c := g.first()
	g.refine(&c)
	way := []step{{c, c.ambiguous()}}
	for last := &way[0]; last.cell != nil && g.goesOn(); last = &way[len(way)-1] {
		c := last.single(last.cell[0])
		g.refine(&c)
		way = append(way, step{c, c.ambiguous()})
	}
	return way
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

// match extends a colouring that is to be the image of a step of the way to a
// permutation. It returns nil if it finds none.
func (g *graph) match(way []step, i int, to *colouring, tries *int) Permutation {
	if *tries--; *tries < 0 || !g.goesOn() || way[i].sum != to.sum {
		return nil
	}
	if way[i].cell == nil {
		return g.checked(&way[i].colouring, to)
	}
	if i == len(way)-1 {
		return nil // the work ended there
	}
	single := way[i].antecedents[way[i].cell[0]]
	for a, colour := range to.antecedents {
		if colour != single {
			continue
		}
		if m := g.matchWith(way, i, to, a, tries); m != nil {
			return m
		}
	}
	return nil
}

// matchWith singles out an antecedent as the image of the one that the step
// singles out, and goes on.
func (g *graph) matchWith(way []step, i int, to *colouring, a int, tries *int) Permutation {
	image := to.single(a)
	g.refine(&image)
	return g.match(way, i+1, &image, tries)
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
