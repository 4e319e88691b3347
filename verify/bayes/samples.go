package bayes

import (
	"errors"
	"math/bits"
	"strings"

	"parcorels/rules"
)

// samples are the samples, put together if they satisfy the same antecedents: a
// group cannot be told apart by any list.
type samples struct {
	groups  int
	words   int
	columns [][]uint64 // by antecedent: the groups that satisfy it
	weights [2][]int64 // by class and group: samples
	planes  []plane    // binary digits of the weights
	pure    []uint64   // the groups with samples of one class
	entropy []int64    // of the other groups
	total   [2]int64
}

// plane is one binary digit of the weights of a class: the groups that have it.
type plane struct {
	class  int
	weight int64
	groups []uint64
}

var (
	errWeights = errors.New("the weights of the samples do not count samples, or exceed 2^26 in all")
	errClasses = errors.New("the data do not have two classes")
)

func newSamples(set *rules.Set) (*samples, error) {
	d := set.Data
	if d.ClassOf != nil {
		return nil, errClasses
	}
	unit := int64(1)
	if d.Weights != nil {
		if d.WeightUnit.Num != 1 || d.WeightUnit.Den > maxWeight {
			return nil, errWeights
		}
		unit = d.WeightUnit.Den
	}
	s := &samples{}
	byRow := map[string]int{}
	row := make([]byte, (len(set.Antecedents)+7)/8)
	var rows []string
	for i := range d.N {
		clear(row)
		for a := range set.Antecedents {
			if set.Antecedents[a].Captured.Test(uint(i)) {
				row[a/8] |= 1 << (a % 8)
			}
		}
		g, known := byRow[string(row)]
		if !known {
			g = len(rows)
			rows = append(rows, string(row))
			byRow[rows[g]] = g
			s.weights[0], s.weights[1] = append(s.weights[0], 0), append(s.weights[1], 0)
		}
		w := unit
		if d.Weights != nil {
			if d.Weights[i] < 1 || d.Weights[i] > maxWeight {
				return nil, errWeights
			}
			w *= d.Weights[i]
		}
		c := d.Class(i)
		s.weights[c][g] += w
		if s.total[c] += w; s.total[0]+s.total[1] > maxWeight {
			return nil, errWeights
		}
	}
	s.groups, s.words = len(rows), (len(rows)+63)/64
	for a := range set.Antecedents {
		c := make([]uint64, s.words)
		for g, row := range rows {
			c[g/64] |= uint64(row[a/8]>>(a%8)&1) << (g % 64)
		}
		s.columns = append(s.columns, c)
	}
	s.addPlanes()
	return s, nil
}

func (s *samples) addPlanes() {
	for c := range 2 {
		var digits int64
		for _, w := range s.weights[c] {
			digits |= w
		}
		for b := range bits.Len64(uint64(digits)) {
			p := plane{c, 1 << b, make([]uint64, s.words)}
			for g, w := range s.weights[c] {
				p.groups[g/64] |= uint64(w>>b&1) << (g % 64)
			}
			s.planes = append(s.planes, p)
		}
	}
	s.pure, s.entropy = make([]uint64, s.words), make([]int64, s.groups)
	for g := range s.groups {
		if a, b := s.weights[1][g], s.weights[0][g]; a > 0 && b > 0 {
			s.entropy[g] = entropy(a, b)
		} else {
			s.pure[g/64] |= 1 << (g % 64)
		}
	}
}

// tally is what some groups hold.
type tally struct {
	n       [2]int64 // samples by class
	pure    [2]int64 // those in groups of one class
	entropy int64    // of the other groups
}

// tally counts the groups of a that are in b.
func (s *samples) tally(a, b []uint64) (t tally) {
	for i := range s.planes {
		p := &s.planes[i]
		n, pure := 0, 0
		for w, x := range p.groups {
			x &= a[w] & b[w]
			n += bits.OnesCount64(x)
			pure += bits.OnesCount64(x & s.pure[w])
		}
		t.n[p.class] += int64(n) * p.weight
		t.pure[p.class] += int64(pure) * p.weight
	}
	for w := range a {
		for x := a[w] & b[w] &^ s.pure[w]; x != 0; x &= x - 1 {
			t.entropy += s.entropy[64*w+bits.TrailingZeros64(x)]
		}
	}
	return t
}

// everything returns the set of all groups.
func (s *samples) everything() []uint64 {
	all := make([]uint64, s.words)
	for g := range s.groups {
		all[g/64] |= 1 << (g % 64)
	}
	return all
}

// without returns the groups of set that do not satisfy an antecedent.
func (s *samples) without(set []uint64, a int) []uint64 {
	out := make([]uint64, s.words)
	for w, x := range set {
		out[w] = x &^ s.columns[a][w]
	}
	return out
}

// meet reports whether two antecedents hold together in a group of set.
func (s *samples) meet(set []uint64, a, b int) bool {
	for w, x := range set {
		if x&s.columns[a][w]&s.columns[b][w] != 0 {
			return true
		}
	}
	return false
}

// cardinalities returns how many conditions each antecedent has: its literals, or of an
// antecedent of an .out file with a name such as {a=1,b=2} what the commas tell.
func cardinalities(set *rules.Set) []int {
	cards := make([]int, len(set.Antecedents))
	for i, a := range set.Antecedents {
		cards[i] = len(a.Literals)
		if set.Data.Format == "out" && strings.HasPrefix(a.Name, "{") {
			cards[i] = strings.Count(a.Name, ",") + 1
		}
	}
	return cards
}
