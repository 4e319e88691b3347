package rulelist

import (
	"slices"

	"parcorels/verify/framing"
)

// More than two classes.
//
// A group of samples with weights w_c errs by Σ w_c − max w_c whatever a list predicts, and by
// loss_q = max w_c − w_q more if it predicts q. What is said of two classes holds with these
// changes (useless.go, commuting.go, domination.go, closed.go):
//
//   - A rule predicts the class of least Σ loss_q over what it captures, the smallest one of several.
//   - Without a rule that predicts q its samples err by at most Σ (worst − loss_q) more, where
//     worst is the largest loss of a group. So it is useless if that is at most λN for every q.
//     It is also useless if what it leaves has Σ worst of at most λN.
//   - A dominates B if cost(A) and unit·Σ worst of what only A leaves are less than cost(B).
//   - Of two neighbours that trade places, both predict what they did; of the samples of both,
//     Σ loss of either label decides.
//   - Bounded: let own_c be, over the groups whose heaviest class is c, the least that they lose if
//     nothing predicts c: Σ of the second smallest loss. A list with j rules has j+1 labels
//     at most, so behind a prefix every class but one, that of the default, costs λN or own_c at
//     least. A longer list has a rule, too, which costs λN.
//   - t behind c = P+s errs with label q by what it loses behind P less what s loses with
//     q, at least; a default with another label r by what c leaves loses with r less what t does.
//
// Such a proof has no records of symmetries.

// classProblem is a problem of more than two classes. Of its groups only captured and all are
// filled in.
type classProblem struct {
	*problem
	lists          // of the antecedents that groups satisfy
	k      int     // classes
	stride int     // numbers of a row
	labels []int   // by group, its heaviest class
	rows   []int64 // by group: its loss by class, then the worst of them, then what it owns by class
	sum    []int64 // of all rows
}

func newClassProblem(s *samples, h framing.About, most int, digest [32]byte) (*classProblem, error) {
	p, err := newHeaderProblem(s, h, most, digest)
	if err != nil {
		return nil, err
	}
	k := s.classes
	x := &classProblem{problem: p, k: k, stride: 2*k + 1}
	found := framing.NewGroups(s.captured, s.n, k, s.label, s.weight)
	p.groups = &groups{all: found.All(), captured: found.Columns()}
	for g := range found.Len() {
		weights := make([]int64, k)
		for c := range weights {
			weights[c] = found.Weights[c][g]
			p.base += weights[c]
		}
		most := slices.Max(weights)
		p.base -= most
		row := make([]int64, x.stride)
		for c, w := range weights {
			row[c] = most - w
		}
		label := slices.Index(weights, most)
		x.labels = append(x.labels, label)
		row[k] = most - slices.Min(weights)
		row[k+1+label] = slices.Min(slices.Delete(slices.Clone(row[:k]), label, label+1))
		x.rows = append(x.rows, row...)
	}
	p.share = make([]int64, found.Len()) // as many groups, for list
	p.list()
	x.lists = p.groups.lists
	x.sum = x.count(make([]int64, x.stride), p.all)
	return x, nil
}

// count adds up the rows of a set.
func (x *classProblem) count(sum []int64, u []uint64) []int64 {
	clear(sum)
	for g := range framing.Members(u) {
		for i, v := range x.rows[g*x.stride : (g+1)*x.stride] {
			sum[i] += v
		}
	}
	return sum
}

// countEvery adds up the rows of what each antecedent captures of a set.
func (x *classProblem) countEvery(counts []int64, u []uint64) {
	clear(counts)
	for g := range framing.Members(u) {
		row := x.rows[g*x.stride : (g+1)*x.stride]
		for _, a := range x.lists.at(g) {
			sum := counts[int(a)*x.stride:][:x.stride]
			for i, v := range row {
				sum[i] += v
			}
		}
	}
}

// at returns the sum of an antecedent.
func (x *classProblem) at(counts []int64, a int) []int64 {
	return counts[a*x.stride : (a+1)*x.stride]
}

// label returns the best label of what has a sum, and what it loses.
func (x *classProblem) label(sum []int64) (label int, loses int64) {
	loses = slices.Min(sum[:x.k])
	return slices.Index(sum[:x.k], loses), loses
}

// uselessRule reports whether a rule that captures a sum out of all is useless.
func (x *classProblem) uselessRule(sum, all []int64) bool {
	_, loses := x.label(sum)
	return sum[x.k]-loses <= x.worth || all[x.k]-sum[x.k] <= x.worth
}

// behind returns what the rules and errors cost at least that a longer list has behind a prefix
// that leaves a sum, of which some classes own less than own says.
func (x *classProblem) behind(sum, less []int64) int64 {
	var all, most int64
	for c := x.k + 1; c < x.stride; c++ {
		owns := sum[c]
		if less != nil {
			owns = max(0, owns-less[c])
		}
		v := min(x.price, x.unit*owns)
		all += v
		most = max(most, v)
	}
	return max(x.price, all-most)
}

// trade reports whether a list in which s follows t directly is larger than the one in which
// they have traded places; both is the sum of what satisfies both, of what remains before t.
func (x *classProblem) trade(t, s rule, both []int64) bool {
	if t.label == s.label || both[t.label] == both[s.label] {
		return s.antecedent < t.antecedent
	}
	return both[s.label] < both[t.label]
}

// claimClasses counts what the claimed list does, straight from the classes of the samples.
func (x *classProblem) claimClasses(c *claim) error {
	s := x.samples
	left := make([]uint64, (s.n+63)/64)
	for i := range s.n {
		left[i>>6] |= 1 << (i & 63)
	}
	captured, errors := make([]uint64, len(left)), int64(0)
	for line, label := range c.labels {
		copy(captured, left)
		if line < len(c.list) {
			intersect(captured, captured, s.captured[c.list[line]])
			remove(left, left, captured)
		}
		weights := make([]int64, x.k)
		for i := range framing.Members(captured) {
			weights[s.label(i)] += s.weight(i)
			errors += s.weight(i)
		}
		best := slices.Max(weights)
		if int(label) != slices.Index(weights, best) {
			return refused("the claimed list: line %d predicts class %d, the samples that it captures weigh %d in that class and %d in class %d",
				line+1, label, weights[label], best, slices.Index(weights, best))
		}
		errors -= best
	}
	if errors != c.errors {
		return refused("the claimed list: it is said to get a weight of %d wrong, the samples say %d", c.errors, errors)
	}
	x.claimed = c.list
	x.objective = x.unit*errors + x.price*int64(len(c.list))
	return nil
}
