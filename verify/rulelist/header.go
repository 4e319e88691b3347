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
	about framing.About
	most  int // rules of a list; 0: no limit
	may
	blocks *framing.Reader
}

// Open reads the header of a proof. Its errors wrap framing.ErrFormat or
// framing.ErrRefused, or are those of r.
func Open(r io.Reader) (*Proof, error) {
	proof := &Proof{}
	var err error
	proof.blocks, proof.about, err = framing.Open(r, Magic, version, func(p *framing.Parser) {
		proof.most = p.Below("limit of rules", mostRules)
		proof.may.read(p)
	})
	if err != nil {
		return nil, err
	}
	return proof, nil
}

// About returns what the proof is about. The checksum of its block matched; all
// else about it is for Check to find out.
func (p *Proof) About() framing.About { return p.about }

// MaxRules returns the most rules of the lists that the proof is about; 0: any number.
func (p *Proof) MaxRules() int { return p.most }

// claim is the last block: the list that is said to be the smallest.
type claim struct {
	list   []uint16
	labels []uint16 // of its rules, and of the default
	errors int64
}
