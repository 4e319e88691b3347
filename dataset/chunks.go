package dataset

import (
	"runtime"
	"sync"
)

// A text is read in chunks of whole records, which are parsed side by side and merged
// in their order. So the result and the first error are those of a reader that goes
// through the file once, whatever the size of chunks and the number of workers.
// Memory is bounded by two chunks a worker, each of chunkSize or of the longest record.

// chunkSize is how much text is read at a time: little enough for the chunks at hand,
// with what is made of them, to stay in the second-level cache. Wider tables take up to
// mostChunkSize for as many rows, some cellsAtOnce of each column.
const (
	chunkSize     = 1 << 16
	mostChunkSize = 1 << 21
	cellsAtOnce   = 1 << 10
	usualCell     = 1 << 2 // bytes
)

// tailRoom is for what a parser writes behind the text.
const tailRoom = 1 << 6

// plan is how a file is read; the zero value stands for what this machine has.
type plan struct {
	size    int   // of a chunk
	workers int   // that parse
	length  int64 // bytes of the file; 0: nobody knows
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

// chunk is a piece of a text that ends where a record ends.
type chunk struct {
	text []byte
	end  error // why the text ends behind it, maybe within a record; nil: it goes on
}

// chunker cuts a text into chunks.
type chunker struct {
	text  *text
	size  int // bytes that are read at a time
	least int // of which there are at least so many
	// cut returns how much of a text can be parsed by itself, 0 if it takes more text to
	// tell, and an error if no text can be parsed.
	cut   func(text []byte) (n int, err error)
	carry []byte // text that is not cut yet
}

func newChunker(t *text, size int, cut func([]byte) (int, error)) *chunker {
	return &chunker{text: t, size: size, least: size, cut: cut, carry: t.head}
}

// next returns the next chunk, in memory that is used again.
func (c *chunker) next(memory []byte) chunk {
	text := c.carry
	if memory == nil { // what is carried is large at the beginning
		c.carry = nil
	} else {
		text, c.carry = append(memory[:0], text...), text[:0]
	}
	size, least := c.size, c.least
	for {
		if c.text.end == nil {
			text = withRoom(text, size+tailRoom)
			text = c.text.read(text, least, size)
		}
		if c.text.end != nil {
			return chunk{text, c.text.end}
		}
		n, err := c.cut(text)
		switch {
		case err != nil:
			return chunk{text, err}
		case n > 0:
			c.carry = append(c.carry, text[n:]...)
			return chunk{text: text[:n]}
		case len(text) > c.size: // a long row is not looked at with every portion
			size = min(len(text), max(maxRow, len(text))+peekSize-len(text))
			least = size
		}
	}
}

// job is a chunk on its way from the reader to a worker and on to where it is merged.
type job[R any] struct {
	chunk  chunk
	parse  func(chunk) R
	result R
	parsed chan struct{}
}

// inChunks parses what c has left and merges the results in order, as many at once as are
// ready, up to one for each worker. It returns the first error of merge, and reads no more
// then. Each parser may use the memory of a result again once it is merged.
func inChunks[R any](c *chunker, workers int, newParser func() func(chunk) R, merge func([]R) error) error {
	slots := 2 * workers
	free, todo, order := make(chan *job[R], slots), make(chan *job[R], slots), make(chan *job[R], slots)
	for range slots {
		free <- &job[R]{parse: newParser(), parsed: make(chan struct{}, 1)}
	}
	var group sync.WaitGroup
	defer group.Wait()
	group.Go(func() {
		defer close(todo)
		defer close(order)
		for j := range free {
			j.chunk = c.next(j.chunk.text)
			last := j.chunk.end != nil // the job is out of hand then
			order <- j
			todo <- j
			if last {
				return
			}
		}
	})
	for range workers {
		group.Go(func() {
			for j := range todo {
				j.result = j.parse(j.chunk)
				j.parsed <- struct{}{}
			}
		})
	}
	ready := make(chan *job[R], slots) // in order
	group.Go(func() {
		defer close(ready)
		for j := range order {
			<-j.parsed
			ready <- j
		}
	})
	defer close(free)
	var jobs []*job[R]
	var results []R
	for j := range ready {
		jobs, results = append(jobs[:0], j), append(results[:0], j.result)
		for len(jobs) < workers && len(ready) > 0 {
			j := <-ready
			jobs, results = append(jobs, j), append(results, j.result)
		}
		if err := merge(results); err != nil {
			return err
		}
		for _, j := range jobs {
			free <- j
		}
	}
	return nil
}
