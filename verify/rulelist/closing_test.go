package rulelist_test

import (
	"cmp"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/internal/testing/oracle"
	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
)

// This file computes by the text of docs/proof-format.md alone which extensions the bounds of
// a prefix close, and holds the checker against it.

// closer knows an instance as the page does.
type closer struct {
	in     testgen.Instance
	num    int64
	den    int64
	total  int64
	base   int64
	groups []pageGroup // in the order of their numbers
	best   struct {
		objective int64
		length    int64
	}
}

// pageGroup is a group of equal samples that costs anything.
type pageGroup struct {
	satisfies []bool
	label     int
	cost      int64
	first     int // sample
}

func newCloser(p *prover) *closer {
	in := p.Instance
	c := &closer{in: in, num: in.Lambda.Num, den: in.Lambda.Den, total: in.Total()}
	c.best.objective, c.best.length = p.best.Objective, int64(len(p.best.Antecedents))
	for k, w := range p.all() {
		c.base += min(w[0], w[1])
		if cost := max(w[0], w[1]) - min(w[0], w[1]); cost > 0 {
			g := pageGroup{first: slices.Index(p.groupOf, k), label: one(w[1] > w[0]), cost: cost}
			for _, column := range in.Columns {
				g.satisfies = append(g.satisfies, column[g.first])
			}
			c.groups = append(c.groups, g)
		}
	}
	slices.SortStableFunc(c.groups, func(a, b pageGroup) int {
		return cmp.Or(b.label-a.label, cmp.Compare(b.cost, a.cost), a.first-b.first)
	})
	return c
}

// leaves reports whether a prefix leaves a group.
func (c *closer) leaves(prefix []int, e int) bool {
	return !slices.ContainsFunc(prefix, func(s int) bool { return c.groups[e].satisfies[s] })
}

// costs returns g1 and g0 of what s captures behind a prefix, by label; of all that the
// prefix leaves if s is −1.
func (c *closer) costs(prefix []int, s int) (g [2]int64) {
	for e, group := range c.groups {
		if c.leaves(prefix, e) && (s < 0 || group.satisfies[s]) {
			g[group.label] += group.cost
		}
	}
	return g
}

// cost is cost(P).
func (c *closer) cost(prefix []int) int64 {
	cost := c.den*c.base + c.num*c.total*int64(len(prefix))
	for k, s := range prefix {
		g := c.costs(prefix[:k], s)
		cost += c.den * min(g[0], g[1])
	}
	return cost
}

// pageLink is a link of a bound: sets of groups with weights.
type pageLink struct {
	sets    [][]int
	weights []int64
}

// covers reports whether the links of a record of type 4 of a prefix cover its extension by s.
func (c *closer) covers(prefix []int, s, scale int, links []pageLink) bool {
	tie := int64(0)
	if scale >= 17 {
		tie = 1
	}
	length := int64(len(prefix))
	price := c.num*c.total<<scale + tie
	listCost := c.best.objective<<scale + tie*c.best.length
	prefixCost := c.cost(prefix)<<scale + tie*length
	room := listCost - prefixCost
	least := func(cost, bound int64) int64 {
		if bound -= tie << 16; bound > 0 {
			cost += (bound + 1<<scale - 1) >> scale
		}
		return cost
	}
	beyond := func(least, rules int64) bool {
		return least > c.best.objective || least == c.best.objective && rules > c.best.length
	}

	excluded := map[[2]int]bool{} // rules (antecedent, label)
	for a := range c.in.Columns {
		g := c.costs(prefix, a)
		useless := slices.Contains(prefix, a) || c.den*max(g[0], g[1]) <= c.num*c.total
		for q := range 2 {
			excluded[[2]int{a, q}] = useless || c.den*g[q] <= c.num*c.total
		}
	}
	extension := append(slices.Clone(prefix), s)
	g := c.costs(prefix, s)
	label := 0
	if g[1] > g[0] {
		label = 1
	}
	for _, link := range links {
		loads, groups := map[[2]int]int64{}, map[int]int64{}
		var bound, touched int64
		for k, set := range link.sets {
			if slices.ContainsFunc(set, func(e int) bool { return !c.leaves(prefix, e) }) {
				continue
			}
			bound += link.weights[k]
			for _, e := range set {
				groups[e] += link.weights[k]
			}
			for a := range c.in.Columns {
				var labels [2]bool
				for _, e := range set {
					if c.groups[e].satisfies[a] {
						labels[c.groups[e].label] = true
					}
				}
				if a == s && (labels[0] || labels[1]) {
					touched += link.weights[k]
				}
				for q := range 2 {
					if labels[q] && !labels[1-q] && !excluded[[2]int{a, q}] {
						loads[[2]int{a, q}] += link.weights[k]
					}
				}
			}
		}
		behind := -touched // what is added to LB for LB(s)
		for rule, load := range loads {
			bound -= max(0, load-price)
			if rule[0] == s {
				behind += max(0, load-price)
			}
		}
		for e, load := range groups {
			over := max(0, load-c.den*c.groups[e].cost<<scale)
			bound -= over
			if c.groups[e].satisfies[s] {
				behind += over
			}
		}
		if bound <= 0 {
			continue
		}
		if bound > room || beyond(least(c.cost(prefix), bound), length+1) {
			return true
		}
		for a := range c.in.Columns {
			for q := range 2 {
				rule := [2]int{a, q}
				excluded[rule] = excluded[rule] || bound+max(0, price-loads[rule]) > room
			}
		}
		if excluded[[2]int{s, 0}] && excluded[[2]int{s, 1}] {
			break
		}
		if behind += bound; behind > 0 {
			if c.cost(extension)<<scale+tie*(length+1)+behind > listCost || beyond(least(c.cost(extension), behind), length+2) {
				return true
			}
		}
	}
	return excluded[[2]int{s, label}]
}

// TestBoundsCloseWhatThePageSays takes the record of one extension from a proof that needs
// it, and gives the prefix a bound of several links: the proof holds if and only if one
// of them, not only the last, covers the extension by the formulas of the page, whose sums
// are over what is in those of LB alone.
func TestBoundsCloseWhatThePageSays(t *testing.T) {
	var closed, open int
	for seed := range seeds(30) {
		rng := rand.New(rand.NewPCG(seed, 31))
		in := paired(rng)
		p := newProver(t, in, nil, 0, rng)
		p.expand(nil)
		var at []int
		for i, r := range p.script.records {
			if r[0] == 1 && r[1] > 0 && r[1] < 3 {
				at = append(at, i)
			}
		}
		if len(at) == 0 {
			continue
		}
		rng.Shuffle(len(at), func(i, j int) { at[i], at[j] = at[j], at[i] })
		c, records := newCloser(p), p.script.records
		for _, i := range at[:min(len(at), 5)] {
			fewer := slices.Delete(slices.Clone(records), i, i+1)
			p.script.records = fewer
			if _, err := check(t, p.script.file(), p.set, 1); !isRefusal(err) {
				continue // the record is not needed
			}
			var path []int
			for _, a := range records[i][2 : 2+records[i][1]] {
				path = append(path, int(a))
			}
			prefix, s := path[:len(path)-1], path[len(path)-1]
			for range 9 {
				scale := []int{0, 1, 3, 17, 19}[rng.IntN(5)]
				links := c.drawLinks(rng, scale)
				p.script.records = append(slices.Clip(fewer), record4(prefix, scale, links))
				_, err := check(t, p.script.file(), p.set, 1)
				if err != nil && !isRefusal(err) {
					t.Fatal(err)
				}
				want := c.covers(prefix, s, scale, links)
				if want != (err == nil) {
					t.Fatalf("seed %d: behind %v the extension by %d is closed: %v by the page, the checker says %v\nscale %d, links "+
						"%v\n%v", seed, prefix, s, want, err, scale, links, in)
				}
				if !want {
					open++
					continue
				}
				closed++
				// What says less, or nothing, takes nothing back, in the same record or another.
				weak := pageLink{links[0].sets, make([]int64, len(links[0].sets))}
				for k := range weak.weights {
					weak.weights[k] = links[0].weights[k] - links[0].weights[k]>>3
				}
				later := []pageLink{weak, {}}
				for _, more := range [][][]byte{
					{record4(prefix, scale, slices.Concat(links, later))},
					{record4(prefix, scale, links), record4(prefix, scale, later)},
					{record4(prefix, scale, slices.Concat(links, later)), record4(prefix, scale, nil)},
				} {
					p.script.records = append(slices.Clip(fewer), more...)
					p.script.perBlock = 1
					if _, err := check(t, p.script.file(), p.set, 1); err != nil {
						t.Fatalf("seed %d: behind %v the extension by %d is closed no longer: %v\nscale %d, links %v\n%v", seed, prefix, s,
							err, scale, links, in)
					}
				}
			}
		}
	}
	t.Logf("%d extensions are closed, %d are open", closed, open)
	if closed == 0 || open == 0 {
		t.Error("too few to tell")
	}
}

// paired draws an instance of four pairs of samples of both labels, each of which costs more
// than a rule, an antecedent for each, and before these two that capture something light as
// well. So four rules are needed, and pairs show it.
func paired(rng *rand.Rand) testgen.Instance {
	const pairs = 4
	var p oracle.Problem
	hold := func(samples ...int) {
		column := make([]bool, 2*pairs+2)
		for _, i := range samples {
			column[i] = true
		}
		p.Columns = append(p.Columns, column)
	}
	for i := range 2*pairs + 2 {
		p.Labels, p.Weights = append(p.Labels, i%2 == 1), append(p.Weights, 25+rng.Int64N(20))
	}
	p.Weights[2*pairs], p.Weights[2*pairs+1] = 1+rng.Int64N(4), 1+rng.Int64N(4)
	for range 2 {
		hold(1+2*rng.IntN(pairs), 2*pairs+rng.IntN(2))
	}
	for i := 1; i < 2*pairs; i++ {
		hold(i)
	}
	p.Lambda = ratio.New(9+rng.Int64N(8), p.Total())
	return testgen.Instance{Problem: p}
}

// drawLinks draws links of random sets that hold both labels, if there are such.
func (c *closer) drawLinks(rng *rand.Rand, scale int) (links []pageLink) {
	ones := 0
	for ones < len(c.groups) && c.groups[ones].label == 1 {
		ones++
	}
	for range 1 + rng.IntN(3) {
		var l pageLink
		ofOne, ofZero, share := rng.Perm(ones), rng.Perm(len(c.groups)-ones), []int64{3, 4, 4, 4, 5}[rng.IntN(5)]
		if rng.IntN(3) > 0 { // the heavy with the heavy
			slices.Sort(ofOne)
			rng.Shuffle(ones-1, func(i, j int) { ofOne[i], ofOne[j] = ofOne[j], ofOne[i] })
			slices.Sort(ofZero)
		}
		for k := range max(0, min(len(ofOne), len(ofZero))-rng.IntN(6)/4) { // disjoint pairs, mostly
			set := []int{ofOne[k], ones + ofZero[k]}
			if extra := rng.IntN(len(c.groups)); rng.IntN(9) == 0 && !slices.Contains(set, extra) {
				set = append(set, extra)
				slices.Sort(set)
			}
			most := min(c.num*c.total, c.den*c.groups[ofOne[k]].cost, c.den*c.groups[ones+ofZero[k]].cost)
			l.sets, l.weights = append(l.sets, set), append(l.weights, (most*share/4)<<scale)
		}
		links = append(links, l)
	}
	return links
}

// record4 is a record of type 4, which spells out all of its sets.
func record4(prefix []int, scale int, links []pageLink) []byte {
	b := append([]byte{4}, ints(prefix)...)
	b = append(b, byte(scale), byte(len(links)))
	for _, l := range links {
		b = append(b, 0, 0, byte(len(l.sets)))
		for k, set := range l.sets {
			b = binary.AppendUvarint(b, uint64(len(set)))
			from := 0
			for _, e := range set {
				b = binary.AppendUvarint(b, uint64(e-from))
				from = e
			}
			b = binary.AppendUvarint(b, uint64(l.weights[k]))
		}
	}
	return b
}
