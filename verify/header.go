package verify

import (
	"io"
	"math"

	"parcorels/ratio"
	"parcorels/rules"
)

// Header is what a proof is about.
type Header struct {
	Digest      [32]byte    // of the instance, see rules.Set.Digest
	Lambda      ratio.Ratio // λ
	Antecedents int         // M
	Weight      int64       // N, the total weight of the samples
	Settings    []byte      // how the data were read, in the words of the program that did
}

// Proof is an open proof file of which the header has been read. It is good
// for one call of Check.
type Proof struct {
	header Header
	blocks *blockReader
}

// Open reads the header of a proof. Its errors wrap ErrFormat or ErrRefused,
// or are those of r.
func Open(r io.Reader) (*Proof, error) {
	blocks, err := newBlockReader(r)
	if err != nil {
		return nil, err
	}
	kind, payload, err := blocks.next()
	if err != nil {
		return nil, err
	}
	if kind != blockHeader {
		return nil, refused("block 0: it is of type %q, expected %q", kind, blockHeader)
	}
	h, err := parseHeader(payload)
	if err != nil {
		return nil, refused("block 0, the header: %w", err)
	}
	return &Proof{h, blocks}, nil
}

// Header returns what the proof is about. The checksum of its block matched; all
// else about it is for Check to find out.
func (p *Proof) Header() Header { return p.header }

func parseHeader(payload []byte) (h Header, err error) {
	p := parser{bytes: payload}
	copy(h.Digest[:], p.take(uint64(len(h.Digest))))
	h.Lambda.Num = int64(p.below("numerator of λ", math.MaxInt64))
	h.Lambda.Den = int64(p.below("denominator of λ", math.MaxInt64))
	h.Antecedents = p.below("number of antecedents", rules.MaxAntecedents+1)
	h.Weight = int64(p.below("total weight", math.MaxInt64))
	h.Settings = p.take(p.varint())
	if p.more() {
		p.fail(errBehind)
	}
	return h, p.err
}
