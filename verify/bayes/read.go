package bayes

import (
	"errors"
	"fmt"

	"parcorels/verify/framing"
)

// reader reads records, which stand in preorder: behind a prefix come those of its
// expanded children, one after the other, each with all below it.
type reader struct {
	in     *framing.Reader
	c      *checker
	number int64
	rules  []int   // the prefix that comes next
	later  [][]int // by length: the expanded children that come later
	ended  bool    // whether every expanded prefix has its record
}

var errRecords = errors.New("more records than expanded prefixes")
var errMissing = errors.New("an expanded prefix has no record")

// all reads all records, and hands each to send.
func (r *reader) all(goOn func() error, send func(*record)) error {
	_, err := r.in.Content(goOn, func(p *framing.Parser) {
		if x := r.next(p); p.Err == nil {
			send(x)
		}
	}, func(p *framing.Parser) {
		if !r.ended {
			p.Fail(errMissing)
		}
	})
	return err
}

// next reads a record.
func (r *reader) next(p *framing.Parser) *record {
	x := &record{number: r.number, rules: append([]int(nil), r.rules...), closed: map[int][]int{}}
	if r.ended {
		p.Fail(errRecords)
		return x
	}
	antecedents := len(r.c.columns)
	a := -1
	for n := p.Below("number of children", antecedents+1); n > 0 && p.Err == nil; n-- {
		a += 1 + p.Below("antecedent", antecedents)
		if a >= antecedents {
			p.Fail(fmt.Errorf("antecedent %d, expected less than %d", a, antecedents))
			return x
		}
		if p.Below("kind of child", 2) == 0 {
			x.expanded = append(x.expanded, a)
			continue
		}
		var by []int
		for range len(r.rules) + 1 {
			by = append(by, p.Below("antecedent", antecedents))
		}
		x.closed[a] = by
	}
	r.number++
	r.advance(x.expanded)
	return x
}

// advance finds the prefix of the next record: the first child of the last, or of the next
// prefix that has children left.
func (r *reader) advance(expanded []int) {
	r.later = append(r.later, expanded)
	for last := len(r.later) - 1; last >= 0; last-- {
		r.rules = r.rules[:last]
		if left := r.later[last]; len(left) > 0 {
			r.rules, r.later = append(r.rules, left[0]), r.later[:last+1]
			r.later[last] = left[1:]
			return
		}
	}
	r.ended = true
}
