package bayes

import (
	"context"
	"io"
	"math"
	"runtime"
	"slices"
	"sync"

	"parcorels/ratio"
	"parcorels/rules"
	"parcorels/verify/framing"

	"golang.org/x/sync/errgroup"
)

// Magic begins every proof about Bayesian rule lists.
const Magic = "PARCBAYE"

const version = 2

// Header is what a proof is about. Lambda is the expected number of rules.
type Header struct {
	framing.About
	Width          ratio.Ratio // η, the expected number of conditions of a rule
	Alpha1, Alpha0 ratio.Ratio // pseudo-samples of the classes
	MaxRules       int         // 0: no limit
	List           []int       // antecedents of the list that is claimed to come first
	Posterior      int64       // its F, in units of 2^−32 nats
}

// Proof is an open proof file of which the header has been read. It is good for
// one call of Check.
type Proof struct {
	header Header
	blocks *framing.Reader
}

// Open reads the header of a proof. Its errors wrap framing.ErrFormat or
// framing.ErrRefused, or are those of r.
func Open(r io.Reader) (*Proof, error) {
	var h Header
	blocks, about, err := framing.Open(r, Magic, version, func(p *framing.Parser) {
		for _, x := range []*ratio.Ratio{&h.Width, &h.Alpha1, &h.Alpha0} {
			x.Num, x.Den = p.Below64("numerator", math.MaxInt64), p.Below64("denominator", math.MaxInt64)
		}
		h.MaxRules = p.Below("most rules", math.MaxInt32)
		for n := p.Below("number of rules", rules.MaxAntecedents+1); n > 0 && p.Err == nil; n-- {
			h.List = append(h.List, p.Below("antecedent", rules.MaxAntecedents))
		}
		h.Posterior = -p.Below64("minus log posterior", math.MaxInt64)
	})
	if err != nil {
		return nil, err
	}
	h.About = about
	return &Proof{h, blocks}, nil
}

// About returns what the proof is about. All about it is for Check to find out.
func (p *Proof) About() framing.About { return p.header.About }

// Header returns all that the header says.
func (p *Proof) Header() Header { return p.header }

// Options says how to check. The result does not depend on it.
type Options struct {
	Workers  int            // goroutines; 0: all that GOMAXPROCS allows
	Progress func(Progress) // called now and then, never twice at a time; may be nil
}

// Progress tells how far a check has come.
type Progress struct {
	Records int64 // checked so far
	Final   bool
}

// Result is what was proved, and what it took.
type Result struct {
	Header
	Records int64 // prefixes that are expanded in the proof
}

// Check makes sure that the proof is about set, and that no list on it comes before
// the claimed one. Otherwise it returns an error that wraps framing.ErrRefused. Other
// errors are those of the reader and of ctx.
func (p *Proof) Check(ctx context.Context, set *rules.Set, o Options) (Result, error) {
	c, err := newChecker(&p.header, set)
	if err != nil {
		return Result{}, err
	}
	records, err := c.run(ctx, p.blocks, o)
	if err != nil {
		return Result{}, err
	}
	if o.Progress != nil {
		o.Progress(Progress{records, true})
	}
	return Result{p.header, records}, nil
}

// checker is a proof being checked. It is immutable while records are.
type checker struct {
	*samples
	*tables
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
	t, err := newTables(h, cardinalities(set), s.total[1], s.total[0])
	if err != nil {
		return nil, framing.Refused("%w", err)
	}
	c := &checker{samples: s, tables: t, h: h}
	x, ok := c.walk(h.List)
	if !ok {
		return nil, framing.Refused("its list is none: it has an antecedent twice, one that there is not, or too many rules")
	}
	y := c.tally(x.set, x.set)
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
	before []uint64 // what is left before its last rule
	set    []uint64 // what it leaves
}

// walk makes a prefix of its rules. It returns false if it cannot be one.
func (c *checker) walk(list []int) (*prefix, bool) {
	x := &prefix{set: c.all}
	if len(list) > c.most {
		return nil, false
	}
	for i, a := range list {
		if a >= len(c.columns) || slices.Contains(list[:i], a) {
			return nil, false
		}
		y := c.tally(x.set, c.columns[a])
		x = c.extend(x, a, &y)
	}
	return x, true
}

// extend adds a rule, which captures y, to a prefix.
func (c *checker) extend(x *prefix, a int, y *tally) *prefix {
	z := &prefix{
		rules: append(slices.Clone(x.rules), a), use: x.use,
		sum: x.sum + c.price(&x.use, c.card[a]) + c.leaf(y.n[1], y.n[0]), before: x.set, set: c.without(x.set, a),
	}
	z.use[c.card[a]]++
	return z
}

// record is an expanded prefix: children that are expanded in the proof, and such that
// another prefix closes, both by antecedent.
type record struct {
	number   int64
	rules    []int
	expanded []int
	closed   map[int][]int
}

// counted is a prefix with the counts of all antecedents in what it leaves.
type counted struct {
	*prefix
	all     tally
	tallies []tally
	tops    [2][]top
	future  []*future // by cardinality index of one more rule
}

func (c *checker) count(x *prefix) *counted {
	y := &counted{prefix: x, all: c.tally(x.set, x.set)}
	for _, column := range c.columns {
		y.tallies = append(y.tallies, c.tally(x.set, column))
	}
	y.tops = tops(y.tallies)
	for i := range c.quantity {
		use := x.use
		use[i]++
		y.future = append(y.future, nil)
		if use[i] <= c.quantity[i] {
			y.future[i] = c.futureOf(len(x.rules)+1, c.longest, &use)
		}
	}
	return y
}

// children calls f for each antecedent that may be the next rule, with the list that ends
// there and a bound of what goes on. It returns false if f does.
func (c *checker) children(x *counted, f func(a int, list []int, value, bound int64) bool) bool {
	if len(x.rules) >= c.most {
		return true
	}
	for a := range c.columns {
		y := &x.tallies[a]
		if slices.Contains(x.rules, a) || y.n[0]+y.n[1] == 0 && !c.empty {
			continue
		}
		sum := x.sum + c.price(&x.use, c.card[a]) + c.leaf(y.n[1], y.n[0])
		rest := tally{entropy: x.all.entropy - y.entropy}
		for k := range 2 {
			rest.n[k], rest.pure[k] = x.all.n[k]-y.n[k], x.all.pure[k]-y.pure[k]
		}
		value := sum + c.length[len(x.rules)+1] + c.leaf(rest.n[1], rest.n[0])
		bound := c.limit(sum, a, &rest, &x.tops, x.future[c.card[a]], c.h.Posterior)
		if !f(a, append(slices.Clone(x.rules), a), value, bound) {
			return false
		}
	}
	return true
}

// holds makes sure of a record.
func (c *checker) holds(r *record) error {
	x, ok := c.walk(r.rules)
	if !ok {
		return framing.Refused("record %d: %v is no prefix", r.number, r.rules)
	}
	up := c.count(x)
	var err error
	c.children(up, func(a int, list []int, value, bound int64) bool {
		switch by, named := r.closed[a]; {
		case c.first(value, list):
			err = framing.Refused("record %d: the list %v comes before the claimed one", r.number, list)
		case bound < c.h.Posterior || slices.Contains(r.expanded, a) || c.exchanged(up.prefix, a):
		case named:
			if !c.dominated(c.extend(x, a, &up.tallies[a]), by) {
				err = framing.Refused("record %d: the prefix %v does not close %v", r.number, by, list)
			}
		default:
			err = c.looks(r, c.count(c.extend(x, a, &up.tallies[a])))
		}
		return err == nil
	})
	return err
}

// looks makes sure that no list that goes on behind a child comes first, from its own counts.
func (c *checker) looks(r *record, x *counted) (err error) {
	c.children(x, func(a int, list []int, value, bound int64) bool {
		if c.first(value, list) || bound >= c.h.Posterior {
			err = framing.Refused("record %d: lists that begin with %v are not closed", r.number, x.rules)
		}
		return err == nil
	})
	return err
}

// exchanged reports whether the last rule of a prefix and antecedent a behind it give as
// much in the other order, which comes first.
func (c *checker) exchanged(x *prefix, a int) bool {
	if len(x.rules) == 0 {
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
	if !ok || y.use != x.use || !slices.Equal(y.set, x.set) {
		return false
	}
	return y.sum > x.sum || y.sum == x.sum && slices.Compare(y.rules, x.rules) < 0
}

// every is how many records lie between two calls of Options.Progress.
const every = 1 << 10

// run reads the records and makes sure of each. Of several that do not hold it reports the
// first, whatever the number of workers.
func (c *checker) run(ctx context.Context, in *framing.Reader, o Options) (int64, error) {
	workers := o.Workers
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	var (
		mu     sync.Mutex
		failed error
		worst  = int64(math.MaxInt64)
		done   int64
	)
	tasks := make(chan *record, 4*workers)
	group, stop := errgroup.WithContext(ctx)
	for range workers {
		group.Go(func() error {
			for r := range tasks {
				mu.Lock()
				behind := r.number > worst
				mu.Unlock()
				if behind || stop.Err() != nil {
					continue
				}
				err := c.holds(r)
				mu.Lock()
				if err != nil && r.number < worst {
					worst, failed = r.number, err
				}
				if done++; o.Progress != nil && done%every == 0 {
					o.Progress(Progress{Records: done})
				}
				mu.Unlock()
			}
			return nil
		})
	}
	records := &reader{in: in, c: c}
	err := records.all(stop, func(r *record) bool {
		mu.Lock()
		defer mu.Unlock()
		return failed == nil
	}, tasks)
	close(tasks)
	if waited := group.Wait(); waited != nil {
		return 0, waited
	}
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case failed != nil:
		return 0, failed
	case err != nil:
		return 0, err
	}
	return records.number, nil
}
