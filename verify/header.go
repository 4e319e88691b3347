package verify

import (
	"io"
	"math"

	"parcorels/ratio"
	"parcorels/rules"
	"parcorels/verify/framing"
)

const (
	magic   = "PARCPROF"
	version = 4 // those before are read as well: 3 has no bounds, 2 no symmetries, 1 no expanded prefix twice
)

var (
	// ErrRefused reports that a proof does not prove what it claims, or not of
	// these data. What is wrong with it is in the error that wraps this one.
	ErrRefused = framing.ErrRefused
	// ErrFormat reports a file that is no proof, or one of another version.
	ErrFormat = framing.ErrFormat
)

func refused(format string, args ...any) error { return framing.Refused(format, args...) }

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
	blocks *framing.Reader
}

// Open reads the header of a proof. Its errors wrap ErrFormat or ErrRefused,
// or are those of r.
func Open(r io.Reader) (*Proof, error) {
	blocks, err := framing.NewReader(r, magic, version)
	if err != nil {
		return nil, err
	}
	kind, payload, err := blocks.Next()
	if err != nil {
		return nil, err
	}
	if kind != framing.Header {
		return nil, refused("block 0: it is of type %q, expected %q", kind, framing.Header)
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
	p := newParser(payload)
	copy(h.Digest[:], p.Take(uint64(len(h.Digest))))
	h.Lambda.Num = p.Below64("numerator of λ", math.MaxInt64)
	h.Lambda.Den = p.Below64("denominator of λ", math.MaxInt64)
	h.Antecedents = p.Below("number of antecedents", rules.MaxAntecedents+1)
	h.Weight = p.Below64("total weight", math.MaxInt64)
	h.Settings = p.Take(p.Varint())
	if p.More() {
		p.Fail(framing.ErrBehind)
	}
	return h, p.Err
}
