package dataset

import (
	"strings"

	"parcorels/table"
)

// truthKind tells ways of writing truth values apart: 0/1 is not yes/no.
type truthKind int

const (
	noTruth truthKind = iota
	digitTruth
	yesNo
	trueFalse
	tf
	yn
)

var truths = map[string]struct {
	kind  truthKind
	value bool
}{
	"0": {digitTruth, false}, "1": {digitTruth, true},
	"no": {yesNo, false}, "yes": {yesNo, true},
	"false": {trueFalse, false}, "true": {trueFalse, true},
	"f": {tf, false}, "t": {tf, true},
	"n": {yn, false}, "y": {yn, true},
}

// parseTruth reads a truth value in any case; 0.0 and 1.00 are 0 and 1.
func parseTruth(text string) (kind truthKind, value bool) {
	if t, ok := truths[strings.ToLower(text)]; ok {
		return t.kind, t.value
	}
	if v, ok := table.ParseNumber(text); ok && (v == 0 || v == 1) {
		return digitTruth, v == 1
	}
	return noTruth, false
}
