package short

import (
	"slices"
	"sync/atomic"

	"parcorels/loop"
	"parcorels/ratio"
	"parcorels/rulelist/problem"
)

// Options say what a search may take and whom it tells.
type Options struct {
	Workers int
	Memory  int64                        // bytes for counts; 0: mostMemory
	Best    func() *problem.Solution     // returns the incumbent
	Offer   func(*problem.Solution) bool // makes a list the incumbent if it is smaller, and reports whether it is
	Running func() bool                  // ends the search where it reports false
	// May reports whether lists of so many rules are worth it, when so many of all first rules are done, first none; nil: they are
	May  func(rules, done, all int) bool
	Most int // rules of a list; 0: as many as May allows
	Done int // no list of at most so many rules is smaller than the incumbent, as was proved before
}

// mostMemory is what counts may take where nobody limits it.
const mostMemory = 1 << 30

// Result is what is proved.
type Result struct {
	Rules    int   // no list of at most so many rules is smaller than the incumbent
	Prefixes int64 // whose extensions were looked at
}

// search is one run.
type search struct {
	p     *problem.Problem
	o     Options
	total int64 // what all points gain, each at most
}

// need returns what a list of so many rules that begins with a prefix must get right to be
// smaller than the incumbent, Unknown if none can be.
func (s *search) need(rules int, prefix ...problem.Antecedent) int64 {
	best := s.o.Best()
	left := best.Left(s.p.RootCost()+s.p.Price*int64(rules), rules)
	if best.Step == 0 && rules == len(best.List) && slices.Compare(prefix, best.List[:len(prefix)]) > 0 {
		left-- // as good, it comes later
	}
	if left < 0 {
		return problem.Unknown
	}
	return s.total - left/s.p.Unit
}

// offer offers a list that gets so much right.
func (s *search) offer(right int64, list ...problem.Antecedent) {
	n := problem.Solution{Objective: s.p.RootCost() + s.p.Price*int64(len(list)) + s.p.Unit*(s.total-right), List: list, Source: 'S'}
	if n.Better(s.o.Best()) {
		n.List = slices.Clone(list)
		s.o.Offer(&n)
	}
}

// each calls body for 0 to n−1 in several goroutines, until the search ends. It reports whether all was done.
func (s *search) each(n int, newBody func() func(i int)) bool {
	loop.ParallelWith(s.o.Workers, n, func() func(i int) {
		body := newBody()
		return func(i int) {
			if s.o.Running() {
				body(i)
			}
		}
	})
	return s.o.Running()
}

// eachFirst is each for the first rules of lists of so many rules, as long as these are worth it. They come in
// an order in which those done are like those left, so that the time left can be told.
func (s *search) eachFirst(rules, n int, newBody func() func(i int)) bool {
	step := n*5/8 | 1
	for n > 0 && ratio.GCD(int64(step), int64(n)) != 1 {
		step += 2
	}
	var done atomic.Int64
	var stopped atomic.Bool
	if s.o.May != nil {
		stopped.Store(!s.o.May(rules, 0, n))
	}
	all := s.each(n, func() func(i int) {
		body := newBody()
		return func(i int) {
			if !stopped.Load() {
				body(i * step % n)
				if s.o.May != nil && !s.o.May(rules, int(done.Add(1)), n) {
					stopped.Store(true)
				}
			}
		}
	})
	return all && !stopped.Load()
}
