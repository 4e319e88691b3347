package framing

import (
	"io"
	"math"

	"parcorels/ratio"
)

// About is what every proof says first, in its header.
type About struct {
	Digest      [32]byte    // of the instance, see rules.Set.Digest
	Lambda      ratio.Ratio // λ
	Antecedents int         // M
	Weight      int64       // N, the total weight of the samples
	Settings    []byte      // how the data were read, in the words of the program that did
}

// Proof is an open proof file of which the header has been read. It is good for one check.
type Proof struct {
	Blocks *Reader // behind the header
	about  About
}

// About returns what the proof is about. The checksum of its block matched; all else about it is for a check to find out.
func (p *Proof) About() About { return p.about }

// mostAntecedents bounds M: antecedents are numbered by 16 bits.
const mostAntecedents = 1 << 16

// Open reads the magic text, the version and the header of a proof. The rest of
// a header, which a family has of its own, is read by more. Errors wrap
// ErrFormat or ErrRefused, or are those of r.
func Open(r io.Reader, magic string, version uint32, more func(*Parser)) (p Proof, err error) {
	if p.Blocks, err = (File{magic, version, ErrFormat, ErrRefused}).Open(r); err != nil {
		return p, err
	}
	kind, payload, err := p.Blocks.Next()
	if err != nil {
		return p, err
	}
	if kind != Header {
		return p, Refused("block 0: it is of type %q, expected %q", kind, Header)
	}
	if err := p.about.parse(payload, more); err != nil {
		return p, Refused("block 0, the header: %w", err)
	}
	return p, nil
}

func (a *About) parse(payload []byte, more func(*Parser)) error {
	p := Parser{Bytes: payload}
	copy(a.Digest[:], p.Take(uint64(len(a.Digest))))
	a.Lambda.Num = p.Below64("numerator of λ", math.MaxInt64)
	a.Lambda.Den = p.Below64("denominator of λ", math.MaxInt64)
	a.Antecedents = p.Below("number of antecedents", mostAntecedents+1)
	a.Weight = p.Below64("total weight", math.MaxInt64)
	more(&p)
	a.Settings = p.Take(p.Varint())
	if p.More() {
		p.Fail(ErrBehind)
	}
	return p.Err
}

// OfData makes sure that the proof is about data with this digest, so many
// antecedents and this total weight.
func (a *About) OfData(digest [32]byte, antecedents int, weight int64) error {
	switch {
	case a.Digest != digest:
		return Refused("it is not about these data and antecedents: its digest is another")
	case a.Antecedents != antecedents:
		return Refused("it is about %d antecedents, there are %d", a.Antecedents, antecedents)
	case a.Weight != weight:
		return Refused("it is about samples of total weight %d, theirs is %d", a.Weight, weight)
	}
	return nil
}

// InLowestTerms reports whether λ is a fraction in lowest terms with a positive
// denominator.
func (a *About) InLowestTerms() bool {
	return a.Lambda.Den > 0 && ratio.GCD(a.Lambda.Num, a.Lambda.Den) == 1
}
