package first

import (
	"slices"

	"parcorels/rulelist/problem"
)

// Perturbation.
//
// A local optimum is left by making rules cheaper. A few random rules go into
// the list at random positions, and local search improves it at a price drawn
// between nothing and the true one: rules stay that pay only together with
// others, and the list grows. Then the price is restored, and local search
// drops and merges what does not pay after all.
//
// Random rules put in or exchanged at the true price, the usual perturbation,
// were tried first. On monks2 with λ=.02 they never left the empty list in a
// million steps of work, from ten seeds; in the same work cheap rules led to
// lists of five to eight rules from every one of them.

//
// Cheap rules would let a list grow to as many as pay for themselves against the empty list, tens
// of rules on raw tables, and a step from such a list counts all columns once a rule. So a
// list may exceed the best one by two rules, or by a quarter of its length. Without this limit the
// budget of telco makes four perturbations, with it some hundred.

const mostKicks = 6 // random rules put in

// grown returns how long a list may get that is perturbed where the best one has so many rules.
func grown(best int) int { return max(best+2, 5*best/4) }

// perturb makes and improves a list near start, of most rules at most.
func (x *localSearch) perturb(start []problem.Column, most int) {
	longest := x.longest
	x.longest = min(longest, most)
	defer func() { x.longest = longest }()
	x.start(start)
	x.kick(1 + x.random.IntN(mostKicks))
	x.descend(x.random.Int64N(max(x.p.Price, 1)))
	x.descend(x.p.Price)
}

// kick puts up to n random rules in.
func (x *localSearch) kick(n int) {
	x.trial = append(x.trial[:0], x.list...)
	for range min(n, x.longest-len(x.trial)) {
		col := problem.Column(x.random.IntN(len(x.p.Antecedents)))
		if !slices.Contains(x.trial, col) {
			x.trial = slices.Insert(x.trial, x.random.IntN(len(x.trial)+1), col)
		}
	}
	x.move(x.trial, problem.Unknown)
}
