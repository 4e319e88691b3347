package prune

import (
	"slices"

	"parcorels/rulelist/problem"
)

// A pruning says which prefixes need not be looked at. It is asked at one or more of five moments, and implements the
// interface of each. The tests of the bound (1) and of support (2) stay in the worker's loops.
type (
	// bySet is asked before a prefix is expanded, by the points that it leaves: whether nothing below it is better.
	bySet interface{ closesSet(f *Frame) bool }

	// byCounts is asked when all columns were counted. If it does not close the prefix, it is ready for the children.
	byCounts interface{ closes(f *Frame) bool }

	// byOpen is asked about the children that the bound leaves, all at once: it takes those that it closes out of f.Open.
	byOpen interface{ closesOpen(f *Frame) }

	// byParent is asked about each child that the bound leaves, by what is known of its parent.
	byParent interface{ closesChild(f *Frame, c *Child) bool }

	// byLeft is asked about a child by the points that it leaves.
	byLeft interface {
		closesLeft(f *Frame, c *Candidate) bool
	}

	// accounted keeps an account of what it costs and saves, and switches itself off. It hears how many steps of the
	// counting kernel an expansion took.
	accounted interface{ expanded(steps int64) }

	// judged hears how many children of a prefix went to the queue.
	judged interface{ judged(f *Frame, placed int64) }
)

// prunings lists what is asked, in this order. A pruning has a name by which it is left out. It writes a record that says
// why (package record), unless a checker finds the reason by itself. If it can do neither, it is off when a proof is
// written. make returns nil where the pruning is of no use.
var prunings = []struct {
	name     problem.Prunings
	unproved bool
	make     func(*Context) any
}{
	{name: problem.Redundant, make: newRedundancy},
	{name: problem.Similar, make: newDominators},
	{name: problem.Separation, make: newFixed},
	{name: problem.Commuting, make: newCommuting},
	{name: problem.LookAhead, make: newLookAhead},
	{name: problem.Split, make: newSplitter, unproved: true},
	{name: problem.Separation, make: newSeparator},
}

// Set is what a worker asks, by the moment.
type Set struct {
	sets     []bySet
	counts   []byCounts
	opens    []byOpen
	parents  []byParent
	lefts    []byLeft
	accounts []accounted
	ends     []judged
}

// New makes the prunings of one worker that are not left out.
func New(x *Context) (s Set) {
	for _, q := range prunings {
		if !x.P.Uses(q.name) || q.unproved && x.Proof != nil {
			continue
		}
		made := q.make(x)
		take(&s.sets, made)
		take(&s.counts, made)
		take(&s.opens, made)
		take(&s.parents, made)
		take(&s.lefts, made)
		take(&s.accounts, made)
		take(&s.ends, made)
	}
	return s
}

// take appends a pruning to a list of those that have some methods, if it has them.
func take[T any](list *[]T, made any) {
	if x, ok := made.(T); ok {
		*list = append(*list, x)
	}
}

// ClosesSet reports whether f's prefix need not be expanded.
func (s *Set) ClosesSet(f *Frame) bool {
	return slices.ContainsFunc(s.sets, func(x bySet) bool { return x.closesSet(f) })
}

// Closes reports whether nothing below f's prefix, whose columns are counted, is better than the incumbent.
func (s *Set) Closes(f *Frame) bool {
	return slices.ContainsFunc(s.counts, func(x byCounts) bool { return x.closes(f) })
}

// ClosesOpen takes out of f.Open the children of f that are closed together.
func (s *Set) ClosesOpen(f *Frame) {
	for _, x := range s.opens {
		x.closesOpen(f)
	}
}

// ClosesChild reports whether nothing below a child of f is better, by what is known of f.
func (s *Set) ClosesChild(f *Frame, c *Child) bool {
	return slices.ContainsFunc(s.parents, func(x byParent) bool { return x.closesChild(f, c) })
}

// ClosesLeft reports whether nothing below a child is better, by what it leaves.
func (s *Set) ClosesLeft(f *Frame, c *Candidate) bool {
	return slices.ContainsFunc(s.lefts, func(x byLeft) bool { return x.closesLeft(f, c) })
}

// Expanded tells the accounts how many steps of the counting kernel an expansion took.
func (s *Set) Expanded(steps int64) {
	for _, x := range s.accounts {
		x.expanded(steps)
	}
}

// Judged tells how many children of f's prefix went to the queue.
func (s *Set) Judged(f *Frame, placed int64) {
	for _, x := range s.ends {
		x.judged(f, placed)
	}
}
