package save

import (
	"encoding/binary"
	"sync"
	"sync/atomic"

	"parcorels/rulelist/problem"
	"parcorels/verify/framing"
)

// The backlog: open prefixes of a checkpoint for which the memory budget has
// no nodes, since it may be smaller than that of the search that saved it.
//
// They stay in the code of the checkpoint, some bytes each, and are counted as
// inserted, so that termination and the best bound need no special case. When
// every queue is empty a worker takes one and expands it, depth-first if there
// is still no memory for a node. The backlog only shrinks while workers run,
// so a worker that finds it empty may park without being woken for its sake.
type Backlog struct {
	left atomic.Int64 // prefixes

	mu     sync.Mutex
	blocks [][]byte // the first is being taken from
	code   prefixCode
	column []int32 // of each antecedent
}

const backlogBlock = 64 << 10 // bytes

// Put adds a prefix, given as antecedents, before the workers run, with by how much its bound
// exceeds that of its cost, and returns the bytes that this took.
func (b *Backlog) Put(prefix []problem.Antecedent, more int64) (taken int64) {
	last := len(b.blocks) - 1
	if last < 0 || len(b.blocks[last]) >= backlogBlock {
		b.blocks = append(b.blocks, make([]byte, 0, backlogBlock+backlogBlock/8))
		b.code.reset()
		taken = backlogBlock
		last++
	}
	b.blocks[last] = binary.AppendUvarint(b.code.append(b.blocks[last], prefix), uint64(more))
	b.left.Add(1)
	return taken
}

// Ready ends the putting. The prefixes have only antecedents with a column.
func (b *Backlog) Ready(column []int32) {
	b.code.reset()
	b.column = column
}

// Clear leaves nothing in it. Nobody takes meanwhile.
func (b *Backlog) Clear() {
	b.left.Store(0)
	b.blocks = nil
	b.code.reset()
}

// Take reads the next prefix into dst, as columns, and returns the bytes that
// became free beside it. It reports false if there is none.
func (b *Backlog) Take(dst []problem.Column) (prefix []problem.Column, more, freed int64, ok bool) {
	if b.left.Load() == 0 {
		return dst, 0, 0, false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.left.Load() == 0 {
		return dst, 0, 0, false
	}
	b.left.Add(-1)
	f := framing.Parser{Bytes: b.blocks[0]}
	more = b.next(&b.code, &f)
	dst = dst[:0]
	for _, a := range b.code.last {
		dst = append(dst, problem.Column(b.column[a]))
	}
	if b.blocks[0] = b.blocks[0][f.At:]; !f.More() {
		freed = backlogBlock
		b.blocks = b.blocks[1:]
		b.code.reset()
	}
	return dst, more, freed, true
}

// Each calls f with what is left, as antecedents. Nobody takes meanwhile.
func (b *Backlog) Each(f func(prefix []problem.Antecedent, more int64)) {
	code := prefixCode{last: append([]problem.Antecedent(nil), b.code.last...)}
	for _, block := range b.blocks {
		for p := (framing.Parser{Bytes: block}); p.More(); {
			more := b.next(&code, &p)
			f(code.last, more)
		}
		code.reset()
	}
}

// next reads a prefix into the code, and what put was told of its bound.
func (b *Backlog) next(code *prefixCode, f *framing.Parser) (more int64) {
	code.next(f, len(b.column))
	if more = int64(f.Varint()); f.Err != nil {
		panic("save: the backlog is not what was put there")
	}
	return more
}

// Len returns how many prefixes are left.
func (b *Backlog) Len() int64 { return b.left.Load() }
