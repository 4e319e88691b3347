package rulelist_test

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
)

// What docs/proof-format.md says of records that are not as a solver would write them, one test
// for each sentence that checkers written from the page alone had to guess.

// TestExpandedThatNobodyLedTo: an expanded record of a prefix that is dominated, or that begins
// with one, may leave extensions open. (What any record says of a domination must be true:
// TestFalseDominationIsRefused.)
func TestExpandedThatNobodyLedTo(t *testing.T) {
	tried := 0
	for seed := range seeds(900) {
		in := sample(seed)
		rng := rand.New(rand.NewPCG(seed, 51))
		p := prove(t, in, nil, 4, rng)
		for _, d := range p.dominations {
			for _, behind := range [][]int{d.b, another(rng, append(slices.Clone(d.b), 0), len(in.Columns))} {
				if len(behind) < len(d.b) || !slices.Equal(behind[:len(d.b)], d.b) || repeats(behind) {
					continue
				}
				tried++
				p.script.records = append(p.script.records, append(append([]byte{1}, ints(behind)...), 0))
			}
		}
		if _, err := check(t, p.script.file(), p.set, 1+int(seed%3)); err != nil {
			t.Fatalf("seed %d: %v\n%v", seed, err, in)
		}
	}
	if tried < int(seeds(100)) {
		t.Errorf("only %d records", tried)
	}
}

func repeats(list []int) bool {
	for i, a := range list {
		if slices.Contains(list[:i], a) {
			return true
		}
	}
	return false
}

// closed is the definition, for the useless and the bounded extensions of b alone: every list
// that is two rules longer than the prefix of b is beaten by then, by what it captures itself.
func (p *prover) closed(b []int) bool {
	left := func(list []int) (g [2]int64) {
		_, samples := p.walk(list)
		for _, x := range p.groups(samples) {
			if x[0] > x[1] {
				g[0] += x[0] - x[1]
			} else {
				g[1] += x[1] - x[0]
			}
		}
		return g
	}
	before := left(b)
	for t := range p.Instance.Columns {
		if slices.Contains(b, t) {
			continue
		}
		c := append(slices.Clip(b), t)
		after := left(c)
		gain := max(before[0]-after[0], before[1]-after[1])
		if p.Instance.Lambda.Den*gain <= p.price() {
			continue // useless
		}
		value := p.cost(c) + p.Instance.Lambda.Den*min(after[0], after[1])
		longer := p.cost(c) + p.price()
		if value < p.best.Objective || value == p.best.Objective && len(c) <= len(p.best.Antecedents) ||
			longer < p.best.Objective || longer == p.best.Objective && len(c)+1 <= len(p.best.Antecedents) {
			return false
		}
	}
	return true
}

// TestClosedNeedsNoRecord leaves the records out of prefixes that are closed by the costs of what
// their extensions capture behind them, and those of all that lies behind.
func TestClosedNeedsNoRecord(t *testing.T) {
	left := 0
	for seed := range seeds(900) {
		in := sample(seed)
		p := prove(t, in, nil, 0, rand.New(rand.NewPCG(seed, 52)))
		var closed [][]int
		for _, r := range p.script.records {
			if b := prefixOf(r); r[0] == 1 && len(b) > 0 && p.closed(b) {
				closed = append(closed, b)
			}
		}
		before := len(p.script.records)
		p.script.records = slices.DeleteFunc(p.script.records, func(r []byte) bool {
			b := prefixOf(r)
			return r[0] == 1 && slices.ContainsFunc(closed, func(c []int) bool { return len(b) >= len(c) && slices.Equal(b[:len(c)], c) })
		})
		left += before - len(p.script.records)
		if _, err := check(t, p.script.file(), p.set, 1); err != nil {
			t.Fatalf("seed %d: without the records of %v: %v\n%v", seed, closed, err, in)
		}
	}
	if left < int(seeds(300)) {
		t.Errorf("only %d records were left out", left)
	}
}

// prefixOf reads the prefix of an expanded or dominated record.
func prefixOf(r []byte) (prefix []int) {
	if r[0] != 1 && r[0] != 2 {
		return nil
	}
	n, k := binary.Uvarint(r[1:])
	r = r[1+k:]
	for range n {
		a, k := binary.Uvarint(r)
		prefix, r = append(prefix, int(a)), r[k:]
	}
	return prefix
}

// TestBoundThatClosesNothing: a prefix that is led to and has records of bounds, but none that it
// is expanded, must be closed by them. That is not asked of the empty prefix, nor of one that is
// not led to, nor of one that is expanded as well. A weaker bound beside it does no harm.
func TestBoundThatClosesNothing(t *testing.T) {
	nothing := func(prefix []int) []byte { return append(append([]byte{4}, ints(prefix)...), 0, 0) }
	tried := 0
	for seed := range seeds(900) {
		p := prove(t, sample(seed), nil, 4, rand.New(rand.NewPCG(seed, 53)))
		best := p.best.Antecedents
		if len(best) < 3 {
			continue
		}
		tried++
		records := p.script.records
		holds := func(what string, want bool, more ...[]byte) {
			t.Helper()
			p.script.records = append(slices.Clip(records), more...)
			if _, err := check(t, p.script.file(), p.set, 1); (err == nil) != want || err != nil && !isRefusal(err) {
				t.Errorf("seed %d: %s: %v", seed, what, err)
			}
		}
		holds("a bound of the empty prefix", true, nothing(nil))
		holds("a bound beside the record that its prefix is expanded", true, nothing(best[:1]))
		holds("two of them", true, nothing(best[:1]), nothing(best[:1]))
		for _, d := range p.dominations {
			holds("a bound of a prefix that is not led to", true, nothing(d.b))
			break
		}
		records = slices.DeleteFunc(slices.Clone(records), func(r []byte) bool { return r[0] == 1 && slices.Equal(prefixOf(r), best[:1]) })
		holds("a bound in place of that record", false, nothing(best[:1]))
	}
	if tried < int(seeds(30)) {
		t.Errorf("only %d proofs", tried)
	}
}
