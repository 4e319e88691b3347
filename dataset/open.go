package dataset

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"

	room "parcorels/table"
)

// Open opens a table for [ReadFrom] and [NewRows]. Of a file of Parquet come its columns, as docs/column-protocol.md
// describes them.
func Open(path string) (io.ReadCloser, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return f, nil // a pipe cannot be read twice
	}
	var head [8]byte
	n, _ := f.ReadAt(head[:], 0) // of what is wrong, who reads the file finds out
	if !room.IsParquet(head[:n]) {
		return f, nil
	}
	p, err := room.OpenParquet(f, info.Size())
	if err != nil {
		_ = f.Close() // nothing was written
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	out, in := io.Pipe()
	go func() {
		to := bufio.NewWriterSize(in, 1<<20)
		err := writeColumns(to, p)
		if err == nil {
			err = to.Flush()
		}
		_ = f.Close()
		_ = in.CloseWithError(err) // nil: the end
	}()
	return &conversion{out}, nil
}

// conversion is the columns that come of a file of Parquet.
type conversion struct{ *io.PipeReader }

// openFile opens a file for reading. Its error has the path once.
func openFile(path string) (*os.File, error) {
	f, err := os.Open(path)
	var fault *fs.PathError
	if errors.As(err, &fault) {
		return nil, fmt.Errorf("%s: %w", path, fault.Err)
	}
	return f, err
}

// writeColumns writes a file of Parquet as columns.
func writeColumns(to io.Writer, p *room.Parquet) error {
	h := columnsHeader{Format: "parcorels columns", Version: 1, Rows: int64(p.Rows)}
	all := make([]*room.Cells, len(p.Names))
	for i, name := range p.Names {
		c, err := p.Column(i)
		if err != nil {
			return err
		}
		if all[i] = c; c.Bools != nil && c.Missing != nil {
			c.Texts = []string{"False", "True"}
			for _, v := range c.Bools {
				code := int32(0)
				if v {
					code = 1
				}
				c.Codes = append(c.Codes, code)
			}
			c.Bools = nil
		}
		if c.Ints != nil && c.Missing != nil {
			codes := map[int64]int32{}
			for _, v := range c.Ints {
				code, ok := codes[v]
				if !ok {
					code = int32(len(c.Texts))
					c.Texts = append(c.Texts, strconv.FormatInt(v, 10))
					codes[v] = code
				}
				c.Codes = append(c.Codes, code)
			}
			c.Ints = nil
		}
		h.Columns = append(h.Columns, columnHeader{Name: name, Type: streamType(c), Texts: int64(len(c.Texts))})
		for _, t := range c.Texts {
			h.Columns[i].Bytes += int64(len(t))
		}
	}
	line, err := json.Marshal(h)
	if err == nil {
		_, err = to.Write(append(line, '\n'))
	}
	for i, c := range all {
		if err == nil {
			err = writeCells(to, c, h.Columns[i].Type)
		}
	}
	return err
}

func streamType(c *room.Cells) string {
	switch {
	case c.Ints != nil && c.Missing == nil:
		return "int64"
	case c.Bools != nil && c.Missing == nil:
		return "bool"
	case c.Floats != nil:
		return "float64"
	}
	return "text"
}

func writeCells(to io.Writer, c *room.Cells, kind string) error {
	isMissing := func(row int) bool { return c.Missing != nil && c.Missing.Test(uint(row)) }
	switch {
	case kind == "int64":
		return binary.Write(to, binary.LittleEndian, c.Ints)
	case kind == "bool":
		return binary.Write(to, binary.LittleEndian, c.Bools)
	case c.Floats != nil:
		return binary.Write(to, binary.LittleEndian, c.Floats)
	}
	lengths := make([]int32, len(c.Texts))
	var all []byte
	for i, t := range c.Texts {
		lengths[i], all = int32(len(t)), append(all, t...)
	}
	codes := make([]int32, len(c.Codes))
	for i := range codes {
		if codes[i] = c.Codes[i]; isMissing(i) {
			codes[i] = -1
		}
	}
	_ = binary.Write(to, binary.LittleEndian, lengths) // of bufio.Writer, the last error tells of all
	_, _ = to.Write(all)
	return binary.Write(to, binary.LittleEndian, codes)
}
