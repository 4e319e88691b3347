package rulelist

import (
	"errors"

	"github.com/bits-and-blooms/bitset"

	"parcorels/verify/framing"
)

var errRepeats = errors.New("a prefix has an antecedent twice")

// limits bound what a prefix can be.
type limits struct {
	antecedents int  // there are
	classes     int  // likewise
	limited     bool // whether lists have a limit of rules
	longest     int  // prefix whose cost is sure to fit 63 bits
}

// readPrefix reads ints that are different antecedents, and appends them to buffer.
func readPrefix(p *framing.Parser, buffer []uint16, l limits, seen *bitset.BitSet) []uint16 {
	seen.ClearAll()
	for n := p.Below("prefix of length", l.longest+1); n > 0 && p.Err == nil; n-- {
		a := p.Below("antecedent", l.antecedents)
		if p.Err == nil && seen.Test(uint(a)) {
			p.Fail(errRepeats)
		}
		seen.Set(uint(a))
		buffer = append(buffer, uint16(a))
	}
	return buffer
}
