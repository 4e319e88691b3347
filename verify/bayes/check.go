// Package bayes checks proofs that a Bayesian rule list has the largest posterior:
// that no list on the antecedents comes before the one that a proof file claims.
//
// It shares no code with the search. Logarithms are tabulated anew with math/big, and sets
// of samples are rebuilt from the samples. Whole sets are compared, and no hash is trusted.
// Everything is counted by plain loops. Begin with [Open] and [Proof.Check].
// docs/proof-format.md has the file byte by byte.
//
// # The argument
//
// F is the logarithm of the posterior, a sum of entries of tables in units of 2^−32 nats
// (tables.go); lists are ordered by F, then fewer rules, then antecedents. The proof is a
// tree of prefixes, those that are expanded. For each one the checker takes all antecedents
// as a next rule. The list that ends there must not come before the claimed one. The lists
// that continue behind it must be expanded in the proof or be closed. They may be closed by
// the bounds on F, from the counts of the prefix or of the child (bounds.go). They may be
// closed because the last two rules in the other order come first. Or another prefix, which
// the proof names, closes them. It leaves the same samples and used as many antecedents of
// each cardinality. It has a larger sum, or as large a one and smaller antecedents.
//
// Suppose that some list comes before the claimed one, and let d be the first of all in the
// order. Follow its prefixes. The empty one is expanded. The next one is not closed by a bound,
// as d is at least as good as the claimed list; nor by exchange or by another prefix,
// as that would give a list before d. So it is expanded, and so on to d itself, which the checker has
// compared with the claimed list.
package bayes

import (
	"cmp"
	"context"
	"io"
	"math"
	"slices"
	"sync"

	"parcorels/bayes"
	"parcorels/ratio"
	"parcorels/rules"
	"parcorels/verify/framing"
)

// Magic begins every proof about Bayesian rule lists.
const Magic = "PARCBAYE"

const version = 4

// Header is what a proof is about. Lambda is the expected number of rules.
type Header struct {
	framing.About
	Width          ratio.Ratio // η, the expected number of conditions of a rule
	Alpha1, Alpha0 ratio.Ratio // pseudo-samples of the classes
	MaxRules       int         // 0: no limit
	MinRows        int         // least samples that a rule decides, whatever they weigh; 0: any number
	Falling        bool        // no rule, nor the default, is likelier to be of class 1 than the one before
	List           []int       // antecedents of the list that is claimed to come first
	Posterior      int64       // its F, in units of 2^−32 nats
}

// Proof is an open proof file of which the header has been read. It is good for
// one call of Check.
type Proof struct {
	framing.Proof
	header Header
}

// Open reads the header of a proof. Its errors wrap framing.ErrFormat or
// framing.ErrRefused, or are those of r.
func Open(r io.Reader) (_ *Proof, err error) {
	proof := &Proof{}
	h := &proof.header
	proof.Proof, err = framing.Open(r, Magic, version, func(p *framing.Parser) {
		for _, x := range []*ratio.Ratio{&h.Width, &h.Alpha1, &h.Alpha0} {
			x.Num, x.Den = p.Below64("numerator", math.MaxInt64), p.Below64("denominator", math.MaxInt64)
		}
		h.MaxRules = p.Below("most rules", math.MaxInt32)
		h.MinRows = p.Below("number of samples", math.MaxInt32)
		h.Falling = p.Below("falling", 2) == 1
		for n := p.Below("number of rules", rules.MaxAntecedents+1); n > 0 && p.Err == nil; n-- {
			h.List = append(h.List, p.Below("antecedent", rules.MaxAntecedents))
		}
		h.Posterior = -p.Below64("minus log posterior", math.MaxInt64)
	})
	h.About = proof.About()
	return proof, err
}

// Header returns all that the header says.
func (p *Proof) Header() Header { return p.header }

// Result is what was proved, and what it took.
type Result struct {
	Header
	Records int64 // prefixes that are expanded in the proof
}

// Check makes sure that the proof is about set, and that no list on it comes before
// the claimed one. Otherwise it returns an error that wraps framing.ErrRefused. Other
// errors are those of the reader and of ctx.
func (p *Proof) Check(ctx context.Context, set *rules.Set, o framing.Options) (Result, error) {
	c, err := newChecker(&p.header, set)
	if err != nil {
		return Result{}, err
	}
	defer o.Watch(&c.counts)()
	records, err := c.run(ctx, p.Blocks, o)
	if err != nil {
		return Result{}, err
	}
	return Result{p.header, records}, nil
}

// checker is a proof being checked. But for counts it is immutable while records are.
type checker struct {
	counts framing.Counts
	*samples
	*tables
	may     restriction
	h       *Header
	longest int
	empty   bool
}

func newChecker(h *Header, set *rules.Set) (*checker, error) {
	s, err := newSamples(set)
	if err != nil {
		return nil, framing.Refused("%w", err)
	}
	if err := h.OfData(set.Digest(), len(set.Antecedents), s.total[0]+s.total[1]); err != nil {
		return nil, err
	}
	t, err := newTables(h, bayes.Cardinalities(set), s.total[1], s.total[0], s.parts)
	if err != nil {
		return nil, framing.Refused("%w", err)
	}
	may, err := newRestriction(h.MinRows, h.Falling, [2]ratio.Ratio{h.Alpha0, h.Alpha1}, s.rows, s.total[0]+s.total[1],
		s.parts)
	if err != nil {
		return nil, framing.Refused("%w", err)
	}
	c := &checker{samples: s, tables: t, may: may, h: h}
	x, ok := c.walk(h.List)
	if !ok {
		return nil, framing.Refused("its list is none: it has an antecedent twice, one that there is not, too many rules or one that " +
			"may not be")
	}
	y := c.tally(x.set, x.set)
	if c.may.of(y.n).above(x.last) {
		return nil, framing.Refused("its list does not fall: its default is likelier than its last rule")
	}
	if f := x.sum + t.length[len(h.List)] + t.leaf(y.n[1], y.n[0]); f != h.Posterior {
		return nil, framing.Refused("its list is said to have a log posterior of %d/2^32, it has %d/2^32", h.Posterior, f)
	}
	all := c.all
	y = c.tally(all, all)
	if f := t.length[0] + t.leaf(y.n[1], y.n[0]); c.first(f, nil) {
		return nil, framing.Refused("the list without rules comes before it")
	}
	c.longest = t.longestUseful(t.apart(&y), h.Posterior)
	c.empty = t.emptyMayPay(c.longest)
	return c, nil
}

// first reports whether a list with this F comes before the claimed one.
func (c *checker) first(f int64, list []int) bool {
	switch {
	case f != c.h.Posterior:
		return f > c.h.Posterior
	case len(list) != len(c.h.List):
		return len(list) < len(c.h.List)
	}
	return slices.Compare(list, c.h.List) < 0
}

// prefix is a beginning of a list.
type prefix struct {
	rules  []int
	use    used
	sum    int64    // that its rules add to F
	last   chance   // of its last rule
	before []uint64 // what is left before its last rule
	set    []uint64 // what it leaves
}

// walk makes a prefix of its rules. It returns false if it cannot be one.
func (c *checker) walk(list []int) (*prefix, bool) {
	x := &prefix{set: c.all, last: c.may.begins()}
	if len(list) > c.most {
		return nil, false
	}
	for i, a := range list {
		if a >= len(c.columns) || slices.Contains(list[:i], a) {
			return nil, false
		}
		y := c.tally(x.set, c.columns[a])
		if !c.may.lets(x.last, y.n, x.set, c.columns[a]) {
			return nil, false
		}
		x = c.extend(x, a, &y)
	}
	return x, true
}

// extend adds a rule, which captures y, to a prefix.
func (c *checker) extend(x *prefix, a int, y *tally) *prefix {
	z := &prefix{}
	c.extendInto(z, x, a, y)
	return z
}

// extendInto is extend into z, whose memory it uses again.
func (c *checker) extendInto(z, x *prefix, a int, y *tally) {
	z.rules, z.use = append(append(z.rules[:0], x.rules...), a), x.use
	z.sum = x.sum + c.price(&x.use, c.card[a]) + c.leaf(y.n[1], y.n[0])
	z.last = c.may.of(y.n)
	z.before, z.set = x.set, framing.Side(z.set[:0], x.set, c.columns[a], false)
	z.use[c.card[a]]++
}

// record is an expanded prefix: children that are expanded in the proof, and such that
// another prefix closes, both by antecedent.
type record struct {
	number   int64
	rules    []int
	expanded []int
	closed   map[int][]int
}

// counted is a prefix with the counts of all antecedents in what it leaves. It is used again
// for one prefix after the other.
type counted struct {
	*prefix
	all     tally
	tallies []tally
	future  []future // by cardinality index of one more rule
}

func (w *worker) count(y *counted, x *prefix) {
	c := w.checker
	y.prefix, y.all, y.tallies, y.future = x, c.tally(x.set, x.set), y.tallies[:0], y.future[:0]
	for _, column := range c.columns {
		y.tallies = append(y.tallies, c.tally(x.set, column))
	}
	for i := range c.quantity {
		use := x.use
		use[i]++
		y.future = append(y.future, future{})
		if use[i] <= c.quantity[i] {
			y.future[i] = w.futureOf(&use)
		}
	}
}

// worker checks records, one after the other.
type worker struct {
	*checker
	up, below counted
	child     prefix
	futures   map[used]future
}

// futureOf returns the future of prefixes that used u.
func (w *worker) futureOf(u *used) future {
	f, ok := w.futures[*u]
	if !ok {
		length := 0
		for _, n := range u {
			length += n
		}
		list := w.ahead(length, w.longest, u)
		f = future{slices.Max(list), len(list) - 1}
		w.futures[*u] = f
	}
	return f
}

// children calls f for each antecedent that may be the next rule, with F of the list that
// ends there and a bound of what goes on. It ends where f returns false.
func (c *checker) children(x *counted, f func(a int, value, bound int64) bool) {
	if len(x.rules) >= c.most {
		return
	}
	for a := range c.columns {
		y := &x.tallies[a]
		if slices.Contains(x.rules, a) || y.n[0]+y.n[1] == 0 && !c.empty || !c.may.lets(x.last, y.n, x.set, c.columns[a]) {
			continue
		}
		sum := x.sum + c.price(&x.use, c.card[a]) + c.leaf(y.n[1], y.n[0])
		rest := tally{entropy: x.all.entropy - y.entropy}
		for k := range 2 {
			rest.n[k], rest.pure[k] = x.all.n[k]-y.n[k], x.all.pure[k]-y.pure[k]
		}
		value := sum + c.length[len(x.rules)+1] + c.leaf(rest.n[1], rest.n[0])
		if c.may.of(rest.n).above(c.may.of(y.n)) {
			value = nothing
		}
		next := x.future[c.card[a]]
		if !f(a, value, sum+next.prior+c.apart(&rest)+slack*int64(next.rules+2)) {
			return
		}
	}
}

// firstWith is first of the list of x and one more antecedent.
func (c *checker) firstWith(value int64, x *counted, a int) bool {
	return value > c.h.Posterior || value == c.h.Posterior && c.first(value, with(x.rules, a))
}

// with returns a list with one more antecedent.
func with(list []int, a int) []int { return append(slices.Clone(list), a) }

// holds makes sure of a record.
func (w *worker) holds(r *record) error {
	x, ok := w.walk(r.rules)
	if !ok {
		return framing.Refused("record %d: %v is no prefix", r.number, r.rules)
	}
	up := &w.up
	w.count(up, x)
	var err error
	w.children(up, func(a int, value, bound int64) bool {
		switch by, named := r.closed[a]; {
		case w.firstWith(value, up, a):
			err = framing.Refused("record %d: the list %v comes before the claimed one", r.number, with(x.rules, a))
		case bound < w.h.Posterior || slices.Contains(r.expanded, a) || w.exchanged(up, a):
		case named:
			if !w.dominated(w.extend(x, a, &up.tallies[a]), by) {
				err = framing.Refused("record %d: the prefix %v does not close %v", r.number, by, with(x.rules, a))
			}
		default:
			w.extendInto(&w.child, x, a, &up.tallies[a])
			w.count(&w.below, &w.child)
			err = w.looks(r, &w.below)
		}
		return err == nil
	})
	return err
}

// looks makes sure that no list that goes on behind a child comes first, from its own counts.
func (c *checker) looks(r *record, x *counted) (err error) {
	c.children(x, func(a int, value, bound int64) bool {
		if bound >= c.h.Posterior || c.firstWith(value, x, a) {
			err = framing.Refused("record %d: lists that begin with %v are not closed", r.number, x.rules)
		}
		return err == nil
	})
	return err
}

// exchanged reports whether the last rule of a prefix and antecedent a behind it give as
// much in the other order, which comes first.
func (c *checker) exchanged(x *counted, a int) bool {
	if len(x.rules) == 0 || x.last.above(c.may.of(x.tallies[a].n)) {
		return false
	}
	last := x.rules[len(x.rules)-1]
	if a > last || c.meet(x.before, a, last) {
		return false
	}
	before := x.use
	before[c.card[last]]--
	first := before
	first[c.card[a]]++
	return c.price(&before, c.card[a])+c.price(&first, c.card[last]) >= c.price(&before, c.card[last])+c.price(&x.use, c.card[a])
}

// dominated reports whether a prefix with the rules of by closes x.
func (c *checker) dominated(x *prefix, by []int) bool {
	y, ok := c.walk(by)
	if !ok || x.last.above(y.last) || y.use != x.use || !slices.Equal(y.set, x.set) {
		return false
	}
	return y.sum > x.sum || y.sum == x.sum && slices.Compare(y.rules, x.rules) < 0
}

// mostRead is how many records are read before they are checked.
const mostRead = 1 << 14

// run reads the records and makes sure of each. Among several that do not hold it reports the
// first, whatever the number of workers.
func (c *checker) run(ctx context.Context, in *framing.Reader, o framing.Options) (int64, error) {
	var (
		read   []*record
		failed error
		idle   sync.Pool // workers
	)
	check := func() {
		errs := make([]error, len(read))
		i := o.First(ctx, len(read), func() func(int) bool {
			return func(i int) bool {
				w, ok := idle.Get().(*worker)
				if !ok {
					w = &worker{checker: c, futures: map[used]future{}}
				}
				defer idle.Put(w)
				c.counts.Checked.Add(1)
				errs[i] = w.holds(read[i])
				return errs[i] == nil
			}
		})
		if i < len(read) && failed == nil {
			failed = errs[i]
		}
		read = read[:0]
	}
	records := &reader{in: in, c: c}
	err := records.all(func() error { return cmp.Or(ctx.Err(), failed) }, func(r *record) {
		c.counts.Records.Add(1)
		if read = append(read, r); len(read) == mostRead {
			check()
		}
	})
	check()
	return records.number, cmp.Or(ctx.Err(), failed, err)
}
