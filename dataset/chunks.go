package dataset

import (
	"bufio"
	"bytes"
	"hash"
	"io"
	"runtime"
	"slices"
	"sync"
)

// A file is read in portions. A portion with what the ones before have left, cut
// where a record ends, is a chunk, which can be parsed by itself (pipeline.go).

// chunkSize is how much text is read at a time: enough for the steps to pass on
// seldom, and little enough for the portions at hand, with what is made of them, to
// stay in the second-level cache. Wider tables take up to mostChunkSize for as many
// rows, some cellsAtOnce of each column.
const (
	chunkSize     = 1 << 16
	mostChunkSize = 1 << 18
	cellsAtOnce   = 1 << 10
	usualCell     = 1 << 2 // bytes
)

// plan is how a file is read; the zero value stands for what this machine has.
type plan struct {
	size    int // of a chunk
	workers int
}

// withDefaults completes a plan, for a table of so many columns.
func (p plan) withDefaults(columns int) plan {
	if p.size == 0 {
		p.size = min(max(chunkSize, columns*cellsAtOnce*usualCell), mostChunkSize)
	}
	if p.workers == 0 {
		p.workers = runtime.GOMAXPROCS(0)
	}
	return p
}

// chunk is a piece of a file.
type chunk struct {
	text []byte // to be parsed, which may write behind it
	end  error  // why the text of the file ends behind it: io.EOF or worse; nil: it does not
	mid  bool   // it begins within a record (see cutter)
}

// cutter says where to cut the text of a file that is still to be read. It returns the
// length of the part to parse, 0 if it takes more text to tell, and an error if
// no text can be parsed. The next chunk is told mid if it begins within a
// record.
type cutter interface {
	cut(text []byte, mid bool) (n int, nextMid bool, err error)
}

// source cuts what is left of a file into chunks.
type source struct {
	text   *text
	cutter cutter
	size   int         // of a portion
	file   io.ReaderAt // what is left of a plain file; nil: it is read from text
	from   int64       // where that begins
	upTo   int64       // where it ended when it was opened
	first  []byte      // text that comes before that of text
	hashed int         // bytes of what is left that are hashed already
	carry  []byte      // text that is not cut yet
	least  int         // bytes that are worth a look for a place to cut
	mid    bool

	sum hash.Hash // nil: not asked for
}

// newSource goes on where in, made by openText, stands. The bytes that wait in
// it are hashed already; all others are not hashed on their way in any more, but
// portion by portion.
func newSource(t *text, in *bufio.Reader, c cutter, size int) *source {
	waiting, _ := in.Peek(in.Buffered())
	s := &source{text: t, cutter: c, size: size, hashed: len(waiting), sum: t.hash}
	t.hash, t.row.cut = nil, nil
	if t.raw != nil && t.err == nil {
		s.file, s.from, s.upTo = t.raw.rest()
	}
	if s.file == nil {
		s.first = bytes.Clone(waiting)
		return s
	}
	s.from -= int64(len(waiting))
	t.line -= bytes.Count(waiting, []byte{'\n'})
	return s
}

// workers returns how many of the workers have something to do: a small file is
// not worth a buffer for each.
func (s *source) workers(all int) int {
	if s.file == nil {
		return all
	}
	return int(min(int64(all), 1+s.left()/int64(s.size)))
}

// left returns about how many bytes there are from the first portion on; 0 if nobody
// knows.
func (s *source) left() int64 {
	if s.file == nil {
		return 0
	}
	return max(0, s.upTo-s.from)
}

// portion is what is read of a file at a time.
type portion struct {
	buffer []byte // headRoom bytes and the text
	end    error  // why no more was read
	null   bool   // a NUL byte is behind it, of a file that is read at any place
}

// headRoom is how much of the text before a portion can be copied to its
// beginning. Of a table, that is a part of a row.
const headRoom = 1 << 15

// tailRoom is for what a parser writes behind the text.
const tailRoom = 1 << 6

// buffers are those of portions of files that are read to the end.
var buffers sync.Pool

// release lets another file have the buffer, which nothing refers to any more.
func (p *portion) release() {
	if b := p.buffer; b != nil { // a pointer to p would keep all portions
		buffers.Put(&b)
	}
}

// fresh is the text of a portion.
func (p *portion) fresh() []byte { return p.buffer[headRoom:] }

// read reads the portion of that number. Portions of a plain file are read side
// by side.
func (s *source) read(p *portion, number int) {
	if p.buffer == nil {
		if b, ok := buffers.Get().(*[]byte); ok {
			p.buffer = *b
		}
	}
	p.buffer = slices.Grow(p.buffer[:0], headRoom+s.size+tailRoom)[:headRoom+s.size]
	p.null, p.end = false, nil
	if s.file == nil {
		n := copy(p.fresh(), s.first)
		s.first = s.first[n:]
		for n < s.size && p.end == nil {
			var more int
			more, p.end = s.text.Read(p.fresh()[n:])
			n += more
		}
		p.keep(n)
		return
	}
	n, err := s.file.ReadAt(p.fresh(), s.from+s.place(number))
	p.end = err
	p.keep(n)
	if null := bytes.IndexByte(p.fresh(), 0); null >= 0 {
		p.keep(null)
		p.null = true
	}
}

// place returns where a portion begins, counted from the first.
func (s *source) place(number int) int64 { return int64(number) * int64(s.size) }

// explain returns why the text of a file that is read at any place ends with p, the
// portion of that number. Only then are lines counted, as few files end in an error.
func (s *source) explain(p *portion, number int) error {
	if !p.null && (p.end == nil || p.end == io.EOF) {
		return p.end
	}
	before := io.NewSectionReader(s.file, s.from, s.place(number))
	for block := make([]byte, s.size); ; {
		n, err := before.Read(block)
		s.text.line += bytes.Count(block[:n], []byte{'\n'})
		if err != nil {
			break
		}
	}
	s.text.line += bytes.Count(p.fresh(), []byte{'\n'})
	return s.text.because(p.null, p.end)
}

// keep shortens the text to n bytes.
func (p *portion) keep(n int) { p.buffer = p.buffer[:headRoom+n] }

// hash adds a portion to the hash of the text, portion by portion.
func (s *source) hash(p *portion) {
	known := min(s.hashed, len(p.fresh()))
	s.hashed -= known
	s.sum.Write(p.fresh()[known:])
}

// cut makes a chunk, which may be empty, of p and what the portions before it
// have left. It reports whether it is the last.
func (s *source) cut(p *portion, number int) (c chunk, last bool) {
	text, joined := s.join(p)
	end := p.end
	if s.file != nil {
		end = s.explain(p, number)
	}
	if end == nil && len(text) >= s.least {
		n, mid, err := s.cutter.cut(text, s.mid)
		if n > 0 {
			c = chunk{text: text[:n], mid: s.mid}
			s.carry, s.mid, s.least = append(s.carry[:0], text[n:]...), mid, 0
			return c, false
		}
		// A long row is not looked at with every portion.
		s.least, end = min(2*len(text), max(maxRow, len(text))+peekSize), err
	}
	if end == nil {
		if joined {
			s.carry = text // not copied again: a long row would take quadratic time
		} else {
			s.carry = append(s.carry[:0], text...)
		}
		return chunk{mid: s.mid}, false
	}
	return chunk{text: text, mid: s.mid, end: end}, true
}

// join puts what is left of the portions before in front of p. It reports whether
// the text took memory of its own, as the room in p is too small.
func (s *source) join(p *portion) (text []byte, joined bool) {
	if first := headRoom - len(s.carry); first >= 0 {
		copy(p.buffer[first:], s.carry)
		return p.buffer[first:], false
	}
	text = append(s.carry, p.fresh()...)
	s.carry = nil // a chunk may have it now
	return text, true
}
