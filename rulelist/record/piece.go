package record

import (
	"bufio"
	"errors"
	"io"

	"parcorels/verify/framing"
)

// Records that searches of parts of a problem have written. Every record is true by itself, and a block of records can be read
// without any other. So the proof of all parts is what each has written, one after another.

// AddRaw adds blocks that are framed already.
func (w *Writer) AddRaw(framed []byte, records uint64) {
	if _, err := w.held.Write(framed); err != nil {
		w.Fail(err)
	}
	w.Records += records
}

// AddPiece copies the blocks of so many records, which a search of a part has written.
func (w *Writer) AddPiece(r io.Reader, records int64) error {
	from := bufio.NewReaderSize(r, blockSize)
	blocks := framing.File{Refused: ErrProof}.Blocks(from)
	for {
		if _, err := from.Peek(1); errors.Is(err, io.EOF) {
			w.Records += uint64(records)
			return nil
		} else if err != nil {
			return err
		}
		kind, payload, err := blocks.Next()
		if err != nil {
			return err
		}
		if kind != framing.Records {
			return blocks.Refused("block %d holds no records", blocks.Last())
		}
		w.addRecords(payload, 0)
	}
}
