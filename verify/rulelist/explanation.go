package rulelist

// Explanation is what a person needs to check that no list has a smaller objective
// than the verified one: the weights of sets that one bound of the empty prefix, or a
// few one after the other, come to. explain.go has the argument.
//
// All amounts are integers. A sample that a list gets wrong costs Error, a rule costs
// Rule, whatever the list.
type Explanation struct {
	Error   int64 // what an error of weight one costs: λ's denominator, times a power of two
	Rule    int64 // what a rule costs: λ's numerator times N, times the same power
	Base    int64 // weight that every list gets wrong: of equal samples, the lighter class
	Claimed int64 // what the verified list costs
	Least   int64 // what every list costs at least: Base·Error and the Value of the last step
	Smaller int64 // the most that a list with a smaller objective could cost

	LeftOut []RuleOf      // rules that no smallest list has, as they gain too little
	Points  []Point       // that sets hold: by class, the dearest first
	Steps   []ExplainStep // one, if one suffices; none if the proof does not have it
}

// Weights are a bound of the empty prefix: sets of groups, by the numbers of
// docs/proof-format.md, with weights in 2^-Scale of an objective.
type Weights struct {
	Scale int
	Sets  [][]uint32 // ascending
	Each  []int64    // weight of each set
}

// Holds reports whether the steps show that no list has a smaller objective.
func (e *Explanation) Holds() bool { return e.Least > e.Smaller }

// Point stands for all samples that satisfy the same antecedents.
type Point struct {
	Sample int      // the first of them that is of the heavier class, from 0
	Class  int      // the heavier one, 0 or 1
	Weight [2]int64 // of the samples, by class
}

// Cost is the weight of errors that a list makes beyond Base if it gets the point wrong.
func (p *Point) Cost() int64 { return p.Weight[p.Class] - p.Weight[1-p.Class] }

// RuleOf is an antecedent with the class that a rule predicts.
type RuleOf struct {
	Antecedent int
	Class      int
}

// ExplainStep is a bound. Its rules are those that are neither left out nor excluded by
// an earlier step.
type ExplainStep struct {
	Sets     []ExplainSet
	Sum      int64      // of their weights
	Rules    []RuleLoad // that are pure on some of the sets, the largest load first
	Points   []int64    // load of each point of the Explanation
	Above    int64      // by how much loads exceed what their rules and points cost, in all
	Value    int64      // Sum less Above: what lists cost beyond Base·Error at least
	Excluded []RuleOf   // that no list with a smaller objective has; none in the last step
}

// ExplainSet is some points, by their index, with a weight.
type ExplainSet struct {
	Points []int
	Weight int64
}

// RuleLoad is a rule and the weight of all sets on which it is pure.
type RuleLoad struct {
	RuleOf
	Load int64
}
