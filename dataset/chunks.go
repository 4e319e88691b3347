package dataset

import (
	"bufio"
	"bytes"
	"hash"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// A file is read in chunks that are parsed on all processors. Each worker takes
// a chunk through four stages: it reads the chunk and cuts it where a record
// ends, hashes it, parses it, and merges what it parsed into the result. Reading,
// hashing and merging go in the order of the file, one chunk at a time each;
// parsing does not. So the result and the first error are those of a reader that
// goes through the file once, whatever the size of chunks and the number of
// workers.
//
// A chunk holds at least one record, so that memory is bounded by the workers
// times chunkSize or the longest record. On many processors the hash is the
// first stage to be busy all the time: SHA-256 takes one to two GB/s.

// chunkSize is how much text is read at a time: enough for the stages to pass
// on seldom, and little enough for the second-level cache.
const chunkSize = 1 << 18

// plan is how a file is read; the zero value stands for what this machine has.
type plan struct {
	size    int // of a chunk
	workers int
}

func (p plan) withDefaults() plan {
	if p.size == 0 {
		p.size = chunkSize
	}
	if p.workers == 0 {
		p.workers = runtime.GOMAXPROCS(0)
		if p.workers > 1 {
			p.workers += 2 // for those that wait for their turn
		}
	}
	return p
}

// chunk is a piece of a file.
type chunk struct {
	text []byte // to be parsed
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
	text    *text
	cutter  cutter
	size    int
	carry   []byte // text that is not cut yet
	waiting []byte // text that comes next, hashed already
	mid     bool
	end     error // why there is no more text
	ended   bool  // the last chunk was handed out
}

// newSource goes on where in, made by openText, stands. The bytes that wait in
// it are hashed already; all others are not hashed on their way in any more, but
// as the fresh parts of chunks.
func newSource(t *text, in *bufio.Reader, c cutter, size int) *source {
	waiting, _ := in.Peek(in.Buffered())
	t.hash, t.row.cut = nil, nil
	return &source{text: t, cutter: c, size: size, waiting: bytes.Clone(waiting)}
}

// next reads a chunk into buffer, which it returns as it has grown, with the
// fresh bytes at its end. It is not ok behind the last chunk.
func (s *source) next(buffer []byte) (c chunk, grown, fresh []byte, ok bool) {
	if s.ended {
		return chunk{}, buffer, nil, false
	}
	buffer = append(buffer[:0], s.carry...)
	known := len(buffer) + len(s.waiting)
	for want := s.size; s.end == nil; want = min(2*len(buffer), max(maxRow, len(buffer))+peekSize) {
		if buffer = s.fill(buffer, want); s.end != nil {
			break
		}
		n, mid, err := s.cutter.cut(buffer, s.mid)
		if n > 0 {
			c = chunk{text: buffer[:n], mid: s.mid}
			s.carry, s.mid = append(s.carry[:0], buffer[n:]...), mid
			return c, buffer, buffer[known-len(s.waiting):], true
		}
		s.end = err
	}
	s.ended = true
	return chunk{text: buffer, mid: s.mid, end: s.end}, buffer, buffer[known-len(s.waiting):], true
}

// fill reads until buffer has want bytes, or the text ends.
func (s *source) fill(buffer []byte, want int) []byte {
	if want <= len(buffer) {
		return buffer
	}
	buffer = slices.Grow(buffer, want-len(buffer))
	n := copy(buffer[len(buffer):want], s.waiting)
	buffer, s.waiting = buffer[:len(buffer)+n], s.waiting[n:]
	for len(buffer) < want && s.end == nil {
		var n int
		n, s.end = s.text.Read(buffer[len(buffer):want])
		buffer = buffer[:len(buffer)+n]
	}
	return buffer
}

// inChunks parses what s has left and merges the results in order. It returns
// the first error of merge, and reads no more then. Each worker has a parser,
// which may use the memory of a result again once it is merged.
func inChunks[R any](s *source, h hash.Hash, workers int, newParser func() func(chunk) R, merge func(R) error) error {
	var reading, hashing, merging turns
	var result error // of merging
	var failed atomic.Bool
	work := func() {
		var buffer []byte
		parse := newParser()
		for {
			var c chunk
			var fresh []byte
			number, ok := reading.next(func() (ok bool) {
				if !failed.Load() {
					c, buffer, fresh, ok = s.next(buffer)
				}
				return ok
			})
			if !ok {
				return
			}
			hashing.wait(number, func() {
				if h != nil {
					h.Write(fresh) // which never fails
				}
			})
			r := parse(c)
			merging.wait(number, func() {
				if result == nil {
					if result = merge(r); result != nil {
						failed.Store(true)
					}
				}
			})
		}
	}
	var group sync.WaitGroup
	for range workers - 1 {
		group.Go(work)
	}
	work()
	group.Wait()
	return result
}

// turns admits one worker at a time, in the order of numbers from 0.
type turns struct {
	mu    sync.Mutex
	moved sync.Cond
	done  int
}

// next runs f as the next of all, and returns its number if f is ok.
func (t *turns) next(f func() (ok bool)) (number int, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !f() {
		return 0, false
	}
	t.done++
	return t.done - 1, true
}

// wait runs f when those of all smaller numbers are done.
func (t *turns) wait(number int, f func()) {
	t.mu.Lock()
	if t.moved.L == nil {
		t.moved.L = &t.mu
	}
	for t.done != number {
		t.moved.Wait()
	}
	t.mu.Unlock()
	f()
	t.mu.Lock()
	t.done++
	t.moved.Broadcast()
	t.mu.Unlock()
}
