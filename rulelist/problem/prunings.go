package problem

import (
	"slices"
	"strconv"
	"strings"

	"parcorels/optionerr"
)

// Prunings is a set of prunings, by bit.
type Prunings uint

// The prunings of this package; each has a file with its argument.
const (
	Bound      Prunings = 1 << iota // bound.go
	Support                         // support.go
	Commuting                       // prune/commuting.go
	Similar                         // prune/dominance.go
	LookAhead                       // prune/lookahead.go
	Incumbent                       // package first: the incumbent before the search
	Redundant                       // prune/redundant.go
	Separation                      // prune/separation.go
	Split                           // prune/split.go
)

var pruningNames = []string{"bound", "support", "commuting", "dominance", "lookahead", "incumbent", "redundant", "separation", "split"}

// ParsePrunings reads a comma-separated list of names.
func ParsePrunings(s string) (p Prunings, err error) {
	for name := range strings.SplitSeq(s, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		i, err := Find("Without", pruningNames, name)
		if err != nil {
			return 0, err
		}
		p |= 1 << i
	}
	return p, nil
}

// AllPrunings returns the set of every pruning.
func AllPrunings() Prunings { return 1<<len(pruningNames) - 1 }

func (p Prunings) Has(q Prunings) bool { return p&q != 0 }

func (p Prunings) String() string {
	var on []string
	for i, name := range pruningNames {
		if p.Has(1 << i) {
			on = append(on, name)
		}
	}
	return strings.Join(on, ",")
}

// Find returns the place of a name among others, or a *optionerr.Error.
func Find(option string, names []string, s string) (int, error) {
	if i := slices.Index(names, s); i >= 0 {
		return i, nil
	}
	return 0, optionerr.Bad(option, strconv.Quote(s), "one of %s", strings.Join(names, ", "))
}
