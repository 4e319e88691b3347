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
	told, err := r.Blocks(goOn, func(p *Parser) {
		for ; p.More(); records++ {
			record(p)
		}
		if p.Err != nil {
			p.Err = fmt.Errorf("record %d: %w", records, p.Err)
		}
	}, claim)
	if err == nil && told != records {
		err = Refused("block %d, the claim: it tells of %d records, there are %d", r.Last(), told, records)
	}
	return records, err
}

// Blocks is Content with whole blocks of records. It returns how many records the claim tells of.
func (r *Reader) Blocks(goOn func() error, block, claim func(*Parser)) (told uint64, err error) {
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
			if block(p); p.Err != nil {
				return 0, Refused("block %d, %w", r.Last(), p.Err)
			}
		case Claim:
			claim(p)
			if told = r.end(p, blocks); p.Err != nil {
				return 0, Refused("block %d, the claim: %w", r.Last(), p.Err)
			}
			return told, r.End()
		default:
			return 0, Refused("block %d: it is of type %q, expected %q or %q", r.Last(), kind, Records, Claim)
		}
	}
}

// end reads the end of a claim, which must be that of a file of so many blocks. It returns how many records
// the claim tells of.
func (r *Reader) end(p *Parser, blocks uint64) (records uint64) {
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
