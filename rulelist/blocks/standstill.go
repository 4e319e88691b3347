package blocks

import (
	"bytes"
	"slices"

	"parcorels/rulelist/problem"
	"parcorels/rulelist/save"
	"parcorels/rulelist/search"
	"parcorels/trie"
)

// What can be done with a block while its workers stand still.
//
// A part that is given away is a contiguous range of the open prefixes, sorted by their
// antecedents in ascending order. Prefixes with the same remaining set mostly have the same
// antecedents in another order, so most of them stay together. Of 2 to 64 blocks that were made
// so, all together expanded 1.00 to 1.12 times as many prefixes as one search; of blocks that
// were dealt in turn up to 1.6 times.
//
// In a large block a gift looks only at some prefixes, side by side in memory: to look at all of them for each gift would take
// minutes.
//
// Prefixes that were given away are closed here, as if they had been expanded: they still say which prefixes
// with the same remaining set are larger. The rest is not written: search/part.go says why
// the last save is enough.

// Standstill is a search of a block whose workers stand still, or have ended. It is of use only
// in the call of Search's pause.
type Standstill struct {
	*search.Run
	last  *trie.ID  // where the last gift of a large block ended
	Ended bool      // whether the search has ended before the end of its block
	given []trie.ID // by the last Split
	kept  int64     // prefixes that it did not give
}

// Part is a part of a block.
type Part struct {
	Content  []byte // a block
	Prefixes int    // open prefixes in it
}

// Save returns what is left of the block.
func (x *Standstill) Save() (Part, error) {
	part := new(partWriter)
	part.Writer = x.Writer(&part.to, true, 1, 1)
	x.EachNode(trie.Root, func(_ trie.ID, prefix []problem.Column, more int64) bool {
		part.Columns(save.KindOpen, prefix, more)
		return true
	})
	x.EachOther(func(prefix []problem.Antecedent, more int64) { part.Prefix(save.KindOpen, prefix, more) })
	return part.end()
}

// Shares say what to give away.
type Shares struct {
	Parts int // at most
	Least int // prefixes of a part on average
	Large int // prefixes of a gift beyond which it is a quarter of the block, about; 0: no limit
}

const partOfLarge = 4 // of a large block, what a gift is

// Split divides parts from what is left of the block, of about the same size, and about that of
// what is left, if the block is not large. Without Give nothing is given away. There may be no part.
func (x *Standstill) Split(h Shares) ([]Part, error) {
	x.given = x.given[:0]
	at, looked, window := x.pivots(h)
	if x.Ended || len(at) == 0 {
		return nil, nil
	}
	x.kept = max(looked, x.Open())
	if !window {
		x.kept = looked
		x.EachOther(func([]problem.Antecedent, int64) { x.kept++ })
	}
	all := x.kept
	writers := make([]*partWriter, len(at))
	for i := range writers {
		writers[i] = new(partWriter)
		writers[i].Writer = x.Writer(&writers[i].to, false, looked/int64(len(at)+1), all)
	}
	var key []problem.Antecedent
	*x.last = x.eachOpen(looked, func(id trie.ID, prefix []problem.Column, more int64) {
		key = x.sorted(key, prefix)
		i := len(at) // the last pivot that is not larger
		for i > 0 && slices.Compare(key, at[i-1]) < 0 {
			i--
		}
		if i > 0 {
			if x.Proved() {
				more = 0 // what it rests on may never be told
			}
			writers[i-1].Columns(save.KindOpen, prefix, more)
			x.given = append(x.given, id)
		}
	})
	x.kept = max(1, x.kept-int64(len(x.given)))
	var parts []Part
	for _, w := range writers {
		part, err := w.end()
		if err != nil {
			return nil, err
		}
		if part.Prefixes > 0 {
			parts = append(parts, part)
		}
	}
	return parts, nil
}

// eachOpen calls f with so many open prefixes at most, from where the gift before ended, and
// returns where it has ended.
func (x *Standstill) eachOpen(most int64, f func(id trie.ID, prefix []problem.Column, more int64)) trie.ID {
	return x.EachNode(*x.last, func(id trie.ID, prefix []problem.Column, more int64) bool {
		f(id, prefix, more)
		most--
		return most > 0
	})
}

// mostSorted is how many prefixes are sorted, about, to find where to divide them.
const mostSorted = 1 << 14

// pivots returns the keys at which parts begin, how many prefixes were looked at, and whether that
// is only some of the block.
func (x *Standstill) pivots(h Shares) (at [][]problem.Antecedent, looked int64, window bool) {
	open := x.Open()
	parts := min(h.Parts, int(open)/max(h.Least, 1)-1)
	if parts < 1 {
		return nil, 0, false
	}
	most := open * int64(parts) / int64(parts+1)
	if window = h.Large > 0 && most > int64(h.Large); window {
		most = max(int64(h.Large), open/partOfLarge)
		parts = min(parts, int(most)/max(h.Least, 1))
	} else {
		*x.last, most = trie.Root, problem.Unknown
	}
	step := max(1, min(open, most)/mostSorted)
	var keys [][]problem.Antecedent
	x.eachOpen(most, func(_ trie.ID, prefix []problem.Column, _ int64) {
		if looked%step == 0 {
			keys = append(keys, x.sorted(nil, prefix))
		}
		looked++
	})
	slices.SortFunc(keys, slices.Compare)
	kept := 0
	if !window {
		kept = len(keys) / (parts + 1)
	}
	if parts = min(parts, int(looked)/max(h.Least, 1)); kept >= len(keys) {
		return nil, looked, window
	}
	for i := range parts {
		at = append(at, keys[kept+(len(keys)-kept)*i/parts])
	}
	return at, looked, window
}

// sorted returns the antecedents of a prefix in ascending order.
func (x *Standstill) sorted(key []problem.Antecedent, prefix []problem.Column) []problem.Antecedent {
	key = x.Antecedents(key, prefix)
	slices.Sort(key)
	return key
}

// Give gives away what the last Split divided from the block.
func (x *Standstill) Give() {
	x.GiveAway(x.given, x.kept)
	x.given = x.given[:0]
}

// partWriter writes a block.
type partWriter struct {
	*save.Writer
	to bytes.Buffer
}

func (w *partWriter) end() (Part, error) {
	err := w.Finish()
	return Part{w.to.Bytes(), int(w.Counts[0])}, err
}
