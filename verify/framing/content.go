package framing

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
)

// errSeal reports a file of which something was changed.
var errSeal = errors.New("its seal is not the SHA-256 of what is before it")

// Content reads what is behind the header: records one by one, and the claim but for its end, which is the numbers of
// blocks and records, and the seal. What record and claim find wrong they tell the parser. It
// returns the number of records.
func (r *Reader) Content(goOn func() error, record, claim func(*Parser)) (records uint64, err error) {
	for blocks := uint64(0); ; blocks++ {
		if err := goOn(); err != nil {
			return 0, err
		}
		kind, payload, err := r.Next()
		if err != nil {
			return 0, err
		}
		p := &Parser{Bytes: payload}
		switch kind {
		case Records:
			for ; p.More(); records++ {
				record(p)
			}
			if p.Err != nil {
				return 0, Refused("block %d, record %d: %w", r.Last(), records, p.Err)
			}
		case Claim:
			claim(p)
			if told := r.Seal(p, blocks); told != records {
				p.Fail(fmt.Errorf("it tells of %d records, there are %d", told, records))
			}
			if p.Err != nil {
				return 0, Refused("block %d, the claim: %w", r.Last(), p.Err)
			}
			return records, r.End()
		default:
			return 0, Refused("block %d: it is of type %q, expected %q or %q", r.Last(), kind, Records, Claim)
		}
	}
}

// Seal reads the end of a claim, which must be that of a file of so many blocks. It returns how many records
// the claim tells of.
func (r *Reader) Seal(p *Parser, blocks uint64) (records uint64) {
	told, records, seal := p.Varint(), p.Varint(), p.Take(sha256.Size)
	if p.More() {
		p.Fail(ErrBehind)
	}
	switch {
	case p.Err != nil:
	case !bytes.Equal(seal, r.Sum()):
		p.Fail(errSeal)
	case told != blocks:
		p.Fail(fmt.Errorf("it tells of %d blocks, there are %d", told, blocks))
	}
	return records
}
