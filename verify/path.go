package verify

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// PathMagic begins the proof of a path, and PathVersion is the one that is read. The proofs of
// its models follow, each with its length before it as 8 bytes, little-endian.
const (
	PathMagic   = "PARCPATH"
	PathVersion = 1
)

// Path reads the proofs of a path one after the other.
type Path struct {
	from *bufio.Reader
	part *io.LimitedReader // the proof at hand
}

// IsPath reports whether what r is about to give begins as the proof of a path does.
func IsPath(r *bufio.Reader) bool {
	head, _ := r.Peek(len(PathMagic))
	return string(head) == PathMagic
}

// OpenPath reads the head of the proof of a path. Its errors wrap ErrFormat, or are those of r.
func OpenPath(r *bufio.Reader) (*Path, error) {
	var head [len(PathMagic) + 4]byte
	switch _, err := io.ReadFull(r, head[:]); {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), err == nil && string(head[:len(PathMagic)]) != PathMagic:
		return nil, fmt.Errorf("%w: it does not begin with %s", ErrFormat, PathMagic)
	case err != nil:
		return nil, err
	}
	if v := binary.LittleEndian.Uint32(head[len(PathMagic):]); v != PathVersion {
		return nil, fmt.Errorf("%w of version %d, which this program reads: it has version %d, make it anew", ErrFormat, PathVersion, v)
	}
	return &Path{from: r}, nil
}

// Next opens the next proof, whose Check must have ended before the next call. At the end of
// the file the error is io.EOF.
func (p *Path) Next() (Proof, error) {
	if p.part != nil && p.part.N > 0 {
		return nil, fmt.Errorf("%w: %d bytes follow a proof of the path", ErrRefused, p.part.N)
	}
	var length [8]byte
	switch _, err := io.ReadFull(p.from, length[:]); {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("%w: it ends within the length of a proof", ErrFormat)
	case err != nil:
		return nil, err
	}
	p.part = &io.LimitedReader{R: p.from, N: int64(binary.LittleEndian.Uint64(length[:]))}
	if p.part.N < 0 {
		return nil, fmt.Errorf("%w: the length of a proof exceeds 2^63", ErrFormat)
	}
	return Open(p.part)
}
