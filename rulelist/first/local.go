package first

import (
	"math/rand/v2"
	"slices"

	"parcorels/rulelist/problem"
)

// Local search over whole rule lists.
//
// The neighbours of a list are those with one rule more, with one rule less,
// with one rule taken out and one put in, and with two rules exchanged. A rule
// goes in at any position, so to move one is a neighbour too; every list has
// its best labels. The search moves on to the best of the lists with one rule
// more, if that is an improvement; else to the best of those that lack a
// certain rule, or have another one instead, rule by rule; else to one with
// two rules exchanged. It ends in a list that no neighbour improves.
//
// All insertions into a list are evaluated by one pass (insert.go),
// which is what makes so large a neighbourhood affordable.
//
// The price of a rule is a variable here: perturbation
// lets lists grow beyond what pays at the true price.

// localSearch improves one list at a time.
type localSearch struct {
	p       *problem.Problem
	work    *meter
	random  *rand.Rand
	price   int64 // of a rule
	longest int   // lists do not grow beyond this length

	list      []problem.Column // columns of the list
	objective int64            // of the list at price, beyond the root's cost
	listed    []bool           // the columns in list, which are not to be inserted again
	trial     []problem.Column // the neighbour at hand
	points    partition
}

func newLocalSearch(p *problem.Problem, work *meter, random *rand.Rand, longest int) *localSearch {
	return &localSearch{
		p: p, work: work, random: random, price: p.Price, longest: longest,
		listed: make([]bool, len(p.Antecedents)),
		points: newPartition(p, work),
	}
}

// evaluate splits the points by a list and returns its objective.
func (x *localSearch) evaluate(list []problem.Column) int64 {
	x.points.split(list)
	return x.value(x.points.errors, len(list))
}

func (x *localSearch) value(errors int64, length int) int64 {
	return x.p.Unit*errors + x.price*int64(length)
}

// start makes list the one to improve.
func (x *localSearch) start(list []problem.Column) {
	x.move(list, x.evaluate(list))
}

// move goes on to a neighbour.
func (x *localSearch) move(list []problem.Column, objective int64) {
	for _, col := range x.list {
		x.listed[col] = false
	}
	x.list = append(x.list[:0], list...)
	x.objective = objective
	for _, col := range x.list {
		x.listed[col] = true
	}
}

// descend goes on to better neighbours at the given price until there is none
// or the work is over.
func (x *localSearch) descend(price int64) {
	x.price = price
	x.objective = x.evaluate(x.list)
	for x.add(x.objective) || x.replaceAny() || x.swapAny() {
	}
}

// add puts the best antecedent in at its best position, if the objective is then below a limit.
func (x *localSearch) add(limit int64) bool {
	if x.work.over() || len(x.list) >= x.longest {
		return false
	}
	x.points.split(x.list)
	errors, col, at := x.points.bestInsertion(x.listed)
	if errors == problem.Unknown || x.value(errors, len(x.list)+1) >= limit {
		return false
	}
	x.trial = slices.Insert(append(x.trial[:0], x.list...), at, col)
	x.move(x.trial, x.value(errors, len(x.trial)))
	return true
}

// replaceAny tries to drop or replace each rule, beginning with a random one,
// and stops at the first for which that is an improvement.
func (x *localSearch) replaceAny() bool {
	n := len(x.list)
	if n == 0 {
		return false
	}
	for i, from := 0, x.random.IntN(n); i < n && !x.work.over(); i++ {
		if x.replace((i + from) % n) {
			return true
		}
	}
	return false
}

// replace drops rule i and, where that is better, puts in another one, or the
// same at another position. With nothing put in, an equal objective will do:
// the list is shorter.
func (x *localSearch) replace(i int) bool {
	x.trial = slices.Delete(append(x.trial[:0], x.list...), i, i+1)
	dropped := x.evaluate(x.trial)
	x.listed[x.list[i]] = false
	errors, col, at := x.points.bestInsertion(x.listed)
	x.listed[x.list[i]] = true
	if errors != problem.Unknown {
		if objective := x.value(errors, len(x.list)); objective < min(dropped, x.objective) {
			x.trial = slices.Insert(x.trial, at, col)
			x.move(x.trial, objective)
			return true
		}
	}
	if dropped > x.objective {
		return false
	}
	x.move(x.trial, dropped)
	return true
}

// swapAny exchanges the first two rules found for which that is an
// improvement.
func (x *localSearch) swapAny() bool {
	for i := range x.list {
		for j := range i {
			if !x.work.goesOn() {
				return false
			}
			x.trial = append(x.trial[:0], x.list...)
			x.trial[i], x.trial[j] = x.trial[j], x.trial[i]
			if objective := x.evaluate(x.trial); objective < x.objective {
				x.move(x.trial, objective)
				return true
			}
		}
		if x.work.over() {
			return false
		}
	}
	return false
}

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
