package table

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"
)

// A text is read in chunks of whole rows, which are parsed side by side and added to the columns in their order. So the
// result and the first error are those of a reader that goes through the file once, whatever the number of workers.
//
// One goroutine reads the file, hashes its text and looks for a line end outside quotes near the end of each chunk. On 16
// processors the SHA-256 is what the others wait for.

// usualChunk is the bytes of a chunk.
const usualChunk = 1 << 17

// chunk is a piece of a text that ends where a row ends, unless the text ends there.
type chunk struct {
	text []byte
	end  error // why the text ends behind it; nil: it goes on
}

// cutRows cuts a text between rows. A line end is between rows if an even number of
// quotes is before it: quotes stand in pairs around a field, and in pairs inside one.
// That holds up to the first row with a stray quote, which is an error, so that no
// chunk behind the one with this row matters.
func cutRows(text []byte) (n int, err error) {
	odd := bytes.Count(text, []byte{'"'})&1 == 1
	for end := len(text); end > 0; {
		line := bytes.LastIndexByte(text[:end], '\n')
		if line < 0 {
			break
		}
		if bytes.Count(text[line:end], []byte{'"'})&1 == 1 {
			odd = !odd
		}
		if !odd {
			return line + 1, nil
		}
		end = line
	}
	if len(text) > maxRow {
		return 0, errLongRow
	}
	return 0, nil
}

// eachChunk calls yield with the chunks of a text, the last of which has an end. Chunks are of so many bytes, or of the
// longest row.
func eachChunk(in *bufio.Reader, t *text, size int, memory *sync.Pool, yield func(chunk) bool) {
	var carry []byte
	usual := size
	for {
		var buffer []byte
		if again, ok := memory.Get().(*[]byte); ok {
			buffer = (*again)[:0]
		}
		buffer = append(slices.Grow(buffer, len(carry)+size), carry...)[:len(carry)+size]
		t.row = 0 // cutRows looks for rows that are too long
		n, err := io.ReadFull(in, buffer[len(carry):])
		all := buffer[:len(carry)+n]
		cut, long := cutRows(all)
		switch {
		case err != nil && t.end != nil && t.end != io.EOF:
			yield(chunk{all[:cut], t.end}) // what is behind the last row is cut off
			return
		case long != nil:
			yield(chunk{nil, long})
			return
		case err != nil:
			yield(chunk{all, io.EOF})
			return
		}
		if carry = all; cut > 0 {
			carry, size = bytes.Clone(all[cut:]), usual
			if !yield(chunk{text: all[:cut]}) {
				return
			}
		} else {
			size = min(2*size, maxRow) // a long row is not looked at with every portion
		}
	}
}

// inChunks has chunks parsed side by side and added in order. It returns the first error of add, and reads no more then.
func inChunks(read func(yield func(chunk) bool), workers int, parse func(chunk) *chunkRows, add func(*chunkRows) error) error {
	order, stop := make(chan chan *chunkRows, 2*workers), make(chan struct{})
	var reader sync.WaitGroup
	defer reader.Wait()
	defer close(stop)
	reader.Go(func() {
		var parsers errgroup.Group
		parsers.SetLimit(workers)
		read(func(c chunk) bool {
			parsed := make(chan *chunkRows, 1)
			select {
			case order <- parsed:
			case <-stop:
				return false
			}
			parsers.Go(func() error { parsed <- parse(c); return nil })
			return true
		})
		close(order)
		_ = parsers.Wait() // none has an error
	})
	for parsed := range order {
		if err := add(<-parsed); err != nil {
			return err
		}
	}
	return nil
}
