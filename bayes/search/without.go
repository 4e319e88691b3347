package search

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// Bounds is a set of bounds, for what each is worth to be measured. Without any of
// them the answer is the same, only later.
type Bounds uint8

// The bounds that can be left out. Pure is Theorem 2 of the paper, and Length Theorem 1
// with it; bound.go has the argument of each.
const (
	Length   Bounds = 1 << iota // on the number of rules
	Pure                        // on the likelihood, each class apart
	Points                      // by points that hold both classes
	Capacity                    // by what the largest antecedents capture
	allBounds
)

var boundNames = []string{"length", "pure", "points", "capacity"}

// ParseBounds reads names with commas between them, "" for none.
func ParseBounds(text string) (b Bounds, err error) {
	if text == "" {
		return 0, nil
	}
	for name := range strings.SplitSeq(text, ",") {
		i := slices.Index(boundNames, name)
		if i < 0 {
			return 0, fmt.Errorf("%q is no bound: expected some of %s", name, strings.Join(boundNames, ", "))
		}
		b |= 1 << i
	}
	return b, nil
}

// String returns what ParseBounds reads.
func (b Bounds) String() string {
	var names []string
	for ; b != 0; b &= b - 1 {
		names = append(names, boundNames[bits.TrailingZeros8(uint8(b))])
	}
	return strings.Join(names, ",")
}

// leaveOut makes the bounds weaker: 0 bounds every l, as it is the logarithm of a
// chance. In the bound by capacity the pure part of a rule is l, too, and so
// becomes 0 with Pure.
func (b *bounder) leaveOut(w Bounds) {
	if w&Pure != 0 {
		clear(b.pure1)
		clear(b.pure0)
	}
	if w&Points != 0 {
		b.mixed = false
	}
	if w&Capacity != 0 {
		b.tops = 0
	}
}
