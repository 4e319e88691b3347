package main

import (
	"encoding/binary"
	"hash/maphash"
	"math"
)

// texts are the different texts of a column, each with a code: 0, 1, 2, …. A column may have as many as the
// table has rows. So nothing here holds pointers, which the garbage collector would follow again and again.
type texts struct {
	seed maphash.Seed
	last map[uint64]int32 // by hash, the code of the last text that has it
	next []int32          // of each text, the one before it with the same hash, or −1
	ends []int            // of each text, in bytes
	all  []byte           // the texts, one behind the other
}

func newTexts() *texts { return &texts{seed: maphash.MakeSeed(), last: map[uint64]int32{}} }

// count is how many texts there are.
func (t *texts) count() int { return len(t.ends) }

// at returns a text.
func (t *texts) at(code int32) []byte {
	from := 0
	if code > 0 {
		from = t.ends[code-1]
	}
	return t.all[from:t.ends[code]]
}

// code returns the code of a text, or −1.
func (t *texts) code(text []byte) int32 { return t.find(text, maphash.Bytes(t.seed, text)) }

func (t *texts) find(text []byte, hash uint64) int32 {
	code, known := t.last[hash]
	if !known {
		return -1
	}
	for code >= 0 && string(t.at(code)) != string(text) {
		code = t.next[code]
	}
	return code
}

// enter returns the code of a text, a new one if there is none.
func (t *texts) enter(text []byte) int32 {
	hash := maphash.Bytes(t.seed, text)
	code := t.find(text, hash)
	if code < 0 {
		before, known := t.last[hash]
		if !known {
			before = -1
		}
		code = t.add(text, before)
		t.last[hash] = code
	}
	return code
}

// add gives a text that is new a code.
func (t *texts) add(text []byte, before int32) int32 {
	t.all = append(t.all, text...)
	t.ends, t.next = append(t.ends, len(t.all)), append(t.next, before)
	return int32(len(t.ends) - 1)
}

// kind is the narrowest kind of column that holds the codes.
func (t *texts) kind() string {
	switch n := t.count(); {
	case n <= math.MaxInt8:
		return "text8"
	case n <= math.MaxInt16:
		return "text16"
	}
	return "text"
}

// head returns the bytes that stand before the cells of a column: the lengths of the texts, and these.
func (t *texts) head() []byte {
	head := make([]byte, 0, 4*t.count()+len(t.all))
	from := 0
	for _, end := range t.ends {
		head = binary.LittleEndian.AppendUint32(head, uint32(end-from))
		from = end
	}
	return append(head, t.all...)
}
