package rulelist

import (
	"io"

	"parcorels/verify/framing"
)

// Magic begins every proof about rule lists.
const Magic = "PARCPROF"

// version is the one that is read.
const version = 8

func refused(format string, args ...any) error { return framing.Refused(format, args...) }

// Proof is an open proof file of which the header has been read. It is good
// for one call of Check.
type Proof struct {
	framing.Proof
	most int // rules of a list; 0: no limit
	may
}

// Open reads the header of a proof. Its errors wrap framing.ErrFormat or
// framing.ErrRefused, or are those of r.
func Open(r io.Reader) (proof *Proof, err error) {
	proof = &Proof{}
	proof.Proof, err = framing.Open(r, Magic, version, func(p *framing.Parser) {
		proof.most = p.Below("limit of rules", mostRules)
		proof.may.read(p)
	})
	return proof, err
}

// MaxRules returns the most rules of the lists that the proof is about; 0: any number.
func (p *Proof) MaxRules() int { return p.most }

// claim is the last block: the list that is said to be the smallest.
type claim struct {
	list   []uint16
	labels []uint16 // of its rules, and of the default
	errors int64
}
