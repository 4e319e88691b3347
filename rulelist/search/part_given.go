package search

import (
	"bytes"
	"context"
	"errors"

	"parcorels/rulelist/save"
)

// Parts that a block gave away after it was saved.
//
// Who gives parts away writes those, and not what it keeps. If it dies, another searches the block from
// what was saved last, and is told of the parts: their prefixes are left out, as other blocks
// have them.
//
// # Why nothing is lost
//
// Let L* be the smallest list. No pruning drops a prefix of L* (saver.go), in any search, since each is
// true of the prefix by itself: a smaller list with the same remaining set, or a bound.
// None relies on what was searched before. So the longest prefix of L* that the second search
// makes is either open, or was left out because it is one of the given parts. Then it is open in the
// block that this part became, or a longer one of L* is open in that block or in a part of it.
//
// A prefix that is left out counts as closed (part.go), and so in the symmetry map it says
// of larger ones with its remaining set that they are not of L*, which is true of it wherever it
// is searched. If the second search finds one that is smaller, that takes its place there; what the other
// block does with it is in vain then, and nothing else.
//
// The prefixes above a given one are not closed: the second search has yet to make and
// expand them. Only the given one is put into the symmetry map, below nodes that are not. (A
// checkpoint's closed prefixes are another matter: what lies above those has been expanded.)
// So the second search makes it again, meets it there, and drops it.
//
// Leaving out saves work, and no more: a prefix that is not left out, because memory is short or
// there is no symmetry map, is searched in two blocks. Its completions are in the lists of one.
//
// Lower bounds: that of the block when it gave is of all lists that begin with what was open then, in
// it or in its parts, by what the first search had excluded for good. So it holds of the
// second search, too.
//
// Proofs: a record of an expansion names the children that are dominated, and all others need
// records of their own. So records count only with what is left of the block (Standstill.Records):
// the first search may have made children that it never came to, and that the second
// drops. So those since the last save are lost with it, and a bound of a given prefix, which may rest on them, is
// written as that of its cost.

// leaveOut leaves out what is open in parts that were given away. It reports false if ctx was
// done before.
func (s *search) leaveOut(ctx context.Context, parts [][]byte) (bool, error) {
	if s.symmetry == nil || len(parts) == 0 {
		return true, nil
	}
	x := newRestorer(s)
	x.given = true
	for _, part := range parts {
		r, _, err := save.Open(bytes.NewReader(part), s.head(), s.p)
		if err == nil {
			err = r.Each(ctx, x.put)
		}
		switch {
		case errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
			s.limitReached(ctx)
			return false, nil
		case err != nil:
			return false, err
		}
	}
	x.leave(1)
	x.proof.Flush()
	return true, nil
}

// give closes the prefix at the end of the path, which the queue may have.
func (x *restorer) give() {
	l := &x.levels[len(x.levels)-1]
	if len(x.levels) == 1 || l.dropped || !l.rooted || l.held || !x.s.arena.Node(l.id).Open() {
		return
	}
	x.h.Hold(l.id)
	x.h.Close(l.id)
	x.s.given.Add(1)
}
