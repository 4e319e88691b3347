package rulelist

import (
	"errors"
	"math/bits"
)

// The separation bound of a prefix P, perhaps the empty one. A record gives weights
// y to sets Q of groups that hold two labels or more; the label of a group is its heaviest class. Take a list that begins with P, the
// rules that it has behind P and the groups that it gets wrong. In each Q that P
// leaves whole, a group is wrong, or a rule "a then q" is behind P that is pure on
// Q, that is, the groups of Q with a have label q, and there are some. For if all of
// Q is right and some rule touches Q, the first one that does captures all groups of
// Q with its antecedent, gives them one label, and is right; and if none touches Q,
// the default gives one label to groups of several.
//
// Add y times this up over the sets that P leaves whole: what lists cost behind P
// for rules and groups is at least Σ y, but for loads above costs, where the load of
// a rule or group is the sum of y over the sets in whose sentence it is. So they
// cost at least
//
//	LB = Σ y − Σ max(0, load(a,q) − price) − Σ max(0, load(e) − cost(e))
//
// beside cost(P), and with the rule "a then q" at least LB + max(0, price −
// load(a,q)). If LB alone exceeds the room that L* leaves behind P, P is closed. If
// the other exceeds it, the rule is excluded: no smaller list than L* has it behind
// P. So are the rules that gain no more than λN behind P, and those of antecedents
// that are useless there. The smallest list has none of them, so excluded rules
// may be left out of the loads, behind P and behind all that begins with P.
//
// The same weights bound the extensions of P. P+s leaves the sets whole that s does
// not touch, and with those alone no load is larger: the rules with s lose
// theirs, and so do the groups with s. So LB(P+s) is at least LB less the
// weights of the sets that s touches, and with the penalties of the groups and rules
// with s added.
//
// A group that is wrong costs the second smallest of its losses at least, which is all of them
// where there are two classes.
//
// Where lists have at most K rules, a record may name a surcharge m. A rule then costs its
// price and m, and a list with a prefix of k rules m·(K−k) less: no more than before, as it
// has at most K−k rules behind the prefix. So LB with price + m for a rule, less m·(K−k), is
// a bound, and what it excludes is excluded.
//
// All is in integers: a unit of the objective counts 2^scale, and a rule one more if
// scale is 17 or above, more than any list has rules: then LB orders lists by
// objective and length at once. The objective alone is at least the value, less the
// most that rules count for, rounded up; and what is known of P is true of all that
// begins with P.

// bound is a record of weights.
type bound struct {
	scale int   // an objective counts 2^scale
	more  int64 // what a rule costs beside its price, as a multiplier of the limit of rules
	links [][]weighed
}

// weighed is a set, by its number in a tree, with its weight.
type weighed struct {
	set    uint32
	weight int64
}

const (
	tieScale  = 17
	mostRules = 1 << 16 // of a list: antecedents are numbered by 16 bits
	mostScale = 40
	mostSum   = 1 << 62
)

var errBoundScale = errors.New("the scale of a bound takes objectives beyond 2^61")
var errOneLabel = errors.New("a set of a bound holds one label only")

// checkSets makes sure that sets hold groups that there are, of two labels at least.
func (p *problem) checkSets(sets [][]uint32) error {
	for k, set := range sets {
		mixed := false
		for _, g := range set {
			if int(g) >= len(p.labels) {
				return refused("a set of a bound: there is no group %d among %d", g, len(p.labels))
			}
			mixed = mixed || p.labels[g] != p.labels[set[0]]
		}
		if !mixed {
			return refused("set %d of the bounds: %w", k+1, errOneLabel)
		}
	}
	return nil
}

// fits reports whether all that a bound is compared with fits 62 bits. A bound is true, so
// it is no more than what all errors cost, and a sum of that, a prefix and a rule fits 63.
func (p *problem) fits(b *bound) bool {
	hi, extra := bits.Mul64(uint64(b.more), uint64(p.most+1))
	return hi == 0 && extra < mostSum && bits.Len64(uint64(p.unit*p.samples.Total+p.price)+extra)+b.scale <= 61
}

// transpose makes the set of antecedents that each group satisfies.
func (p *problem) transpose() {
	p.width = (len(p.captured) + 63) / 64
	p.satisfies = make([]uint64, len(p.losses)*p.width)
	for g := range p.losses {
		for _, a := range p.list(g) {
			p.row(uint32(g))[a>>6] |= 1 << (a & 63)
		}
	}
}

func (p *problem) row(g uint32) []uint64 { return p.satisfies[int(g)*p.width : (int(g)+1)*p.width] }
