// Package rulelist checks proofs of optimality: that no rule list is smaller than
// the one that a proof file claims to be the smallest. Begin with [Open] and
// [Proof.Check].
//
// It shares no code with the solver and none of its data: what the claimed list
// gets wrong is counted sample by sample, and everything else by plain loops over
// the samples, put together if they satisfy the same antecedents. It imports of this
// program only what makes the samples and the antecedents: dataset, rules,
// rulelist, ratio. docs/proof-format.md has the file byte by byte.
//
// # The argument
//
// Lists are compared by objective, then number of rules, then the indices of
// their antecedents: a strict total order. λ is positive, so only finitely many
// lists are no larger than the empty one, and there is a smallest list S of
// all. Suppose that S is smaller than the claimed list L*. [Check] goes down
// the prefixes of S from the empty one, whatever S is, because it goes down all
// of them. At each prefix P it has made sure of one of these:
//
//   - P+s is useless or commuting: then a smaller list than any that begins
//     with P+s can be written down, so S does not begin with it (domination.go,
//     commuting.go).
//   - P+s is bounded: every longer list that begins with it is larger than L*,
//     and P+s itself was compared with L*, so S does not begin with it (bound.go).
//   - P+s is dominated: some prefix A is named, and A with the rest of S behind
//     it is smaller than S, so S does not begin with P+s (domination.go).
//   - P+s is closed: all its extensions are useless, commuting or bounded, and
//     neither they nor P+s itself are smaller than L* (closed.go).
//   - P+s is expanded: it was compared with L*, and its own extensions have been
//     through this list (expanded.go).
//
// S ends somewhere, and every prefix at which it could end was compared with
// L*. So no such S exists. Records only say where to look: one that is missing or
// false leads to a refusal. Records that the argument has no use for are checked too.
//
// A proof is data from elsewhere: reading one never panics, and takes memory in
// proportion to the bytes that are there, not to what they say.
package rulelist

import (
	"context"
	"fmt"

	"parcorels/ratio"
	"parcorels/rulelist"
	"parcorels/rules"
	"parcorels/verify/framing"
	"parcorels/verify/rulelist/pairs"

	"golang.org/x/sync/errgroup"
)

// Result is what was proved, and what it took.
type Result struct {
	Rules    []rulelist.Rule // the smallest of all rule lists
	Default  int             // what it predicts where no rule captures
	Lambda   ratio.Ratio
	MaxRules int     // most rules of the lists that it is about; 0: no limit
	Counted  int     // only of lists of at most so many rules it is proved that none is smaller; 0: of all
	MinRows  int     // samples that each rule of them decides at least; 0: any number
	Labels   []uint8 // by antecedent, the labels that their rules may predict, bit q for q; nil: any

	Errors    int64 // weight of the samples that it gets wrong
	Objective int64 // Den·Errors + Num·N·rules, with λ = Num/Den
	Scale     int64 // Den·N: the objective as a share is Objective/Scale

	Records     int64 // in the file
	Bounds      int64 // among them, of the empty prefix and of others
	Prefixes    int64 // that were checked extension by extension
	Extensions  int64 // of them
	Dominations int64 // that were checked

	Explanation *Explanation // of a checked proof of two classes; nil unless asked for
}

// Options says how to check, and what to explain. The verdict does not depend on it.
type Options struct {
	framing.Options

	// Explain asks for an Explanation. It is called when the proof has been checked, with
	// the largest objective that is smaller than the verified one. It may return weights that
	// show by themselves that no list has it, or nil. They are evaluated like any
	// others, so nothing rests on where they come from.
	Explain func(smaller int64) *Weights
}

// Check makes sure that the proof is about set, and that no rule list on it is
// smaller than the claimed one, in the order of the package comment. Otherwise
// it returns an error that wraps framing.ErrRefused; where a step of the argument does
// not hold that is a *Failure, always the same one for the same file, whatever
// the number of workers. Other errors are those of the reader and of ctx.
func (p *Proof) Check(ctx context.Context, set *rules.Set, o Options) (Result, error) {
	samples, err := framing.NewSamples(set, maxScaled)
	if err != nil {
		return Result{}, err
	}
	counts := &framing.Counts{}
	defer o.Watch(counts)()
	problem, err := newProblem(samples, p.About(), p, set.Digest())
	if err != nil {
		return Result{}, err
	}
	limits := problem.limits()
	tree, claim, err := p.readAll(ctx.Err, limits, &counts.Records)
	if err != nil {
		return Result{}, err
	}
	if err := problem.claim(claim); err != nil {
		return Result{}, err
	}
	if err := problem.useBounds(tree); err != nil {
		return Result{}, err
	}
	c := &checker{
		problem: problem, tree: tree, limits: limits, counts: counts,
		names: func(a uint16) string { return set.Antecedents[a].Name },
	}
	r := c.result(claim, p.About())
	if tree.counted > 0 {
		return r, c.count(ctx, o.Goroutines(), &r)
	}
	if err := c.run(ctx, o.Goroutines(), &r); err != nil {
		return Result{}, err
	}
	if o.Explain != nil && problem.classes == 2 {
		r.Explanation = problem.explain(tree, o.Explain)
		return r, ctx.Err()
	}
	return r, nil
}

// result returns what there is to prove.
func (c *checker) result(claim *claim, h framing.About) Result {
	r := Result{
		Default: int(claim.labels[len(claim.list)]), Lambda: h.Lambda, MaxRules: c.most, MinRows: c.may.rows, Labels: c.may.labels,
		Errors: claim.errors, Objective: c.objective, Scale: c.unit * c.samples.Total,
		Records: c.counts.Records.Load(), Bounds: int64(len(c.tree.bounds)),
	}
	for _, b := range c.tree.weighed {
		r.Bounds += int64(len(b))
	}
	for i, a := range claim.list {
		r.Rules = append(r.Rules, rulelist.Rule{Antecedent: int(a), Class: int(claim.labels[i])})
	}
	return r
}

// count makes sure, in place of all other records, that no list of few rules is smaller.
func (c *checker) count(ctx context.Context, workers int, r *Result) error {
	most := int(min(c.tree.counted, pairs.Most+1))
	if c.may.rows > 1 || c.may.labels != nil || most > pairs.Most {
		return refused("lists are to be counted, which is for 1 to %d rules, and for rules of any kind", pairs.Most)
	}
	if c.most == 0 || most < c.most {
		r.Counted = most
	}
	counted := pairs.Problem{Samples: c.samples, Unit: c.unit, Price: c.price, Claimed: c.claimed, Objective: c.objective}
	smaller, err := counted.Smaller(ctx, most, workers)
	if err != nil {
		return err
	}
	if smaller != nil {
		f := &Failure{What: "it is smaller than the claimed list"}
		for _, a := range smaller {
			f.Prefix = append(f.Prefix, c.names(a))
		}
		return fmt.Errorf("%w: %w", framing.ErrRefused, f)
	}
	m := int64(len(c.captured))
	if r.Prefixes, r.Extensions = 1, m; most > 1 {
		r.Prefixes, r.Extensions = m+1, m*m
	}
	return nil
}

// run checks the records, on the way down from the empty prefix first.
func (c *checker) run(ctx context.Context, workers int, r *Result) error {
	c.ctx, c.group = ctx, &errgroup.Group{}
	c.idle = make(chan *walker, workers)
	walkers := make([]*walker, workers)
	for i := range walkers {
		walkers[i] = newWalker(c)
		c.idle <- walkers[i]
	}
	c.counts.Of.Store(c.tree.expanded)
	first := <-c.idle
	f := first.frame(0)
	f.begin(c.problem)
	c.group.Go(func() error {
		first.down(f, root)
		c.idle <- first
		return nil
	})
	_ = c.group.Wait() // no walker returns an error
	if c.failed.Load() == nil {
		c.group = &errgroup.Group{}
		for _, w := range walkers {
			c.group.Go(func() error {
				w.remaining()
				return nil
			})
		}
		_ = c.group.Wait()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if f := c.failed.Load(); f != nil {
		return fmt.Errorf("%w: %w", framing.ErrRefused, f.Failure)
	}
	r.Prefixes = c.counts.Checked.Load()
	for _, w := range walkers {
		r.Extensions += w.extensions
		r.Dominations += w.dominations
	}
	return nil
}

// useBounds makes sure of the sets that bounds name, and makes the bounds of the
// empty prefix those of the problem.
func (p *problem) useBounds(t *tree) error {
	if len(t.bounds) == 0 && len(t.weighed) == 0 || p.objective > p.unit*p.samples.Total {
		return nil // without the latter, costs fit; a list that errs on all samples is not the smallest
	}
	if err := p.checkSets(t.sets); err != nil {
		return err
	}
	for i, b := range t.bounds {
		if !p.fits(b) {
			return refused("bound %d: %w", i+1, errBoundScale)
		}
	}
	for _, all := range t.weighed {
		for _, b := range all {
			if !p.fits(b) {
				return refused("the bound of a prefix: %w", errBoundScale)
			}
		}
	}
	p.transpose()
	f, e := newFrame(p), newEvaluator(p, t)
	f.begin(p)
	for _, b := range t.bounds {
		e.use(f, b)
	}
	if len(t.bounds) > 0 {
		p.usable, p.least = f.usable, f.least
	}
	return nil
}
