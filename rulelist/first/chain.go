package first

import (
	"math"
	"math/rand/v2"
	"slices"

	"parcorels/bitvec"
	"parcorels/rulelist/problem"
)

// Annealing chains.
//
// A state is a list. A move changes it from some place on: a random rule goes in, out, to another
// place, or makes room for another rule. Labels follow, as each rule has its best one. A
// move is taken if the list's value grows by less than a threshold, drawn anew each time:
// the temperature times −ln of a uniform number, which is Metropolis' rule with its draw made first. So
// the evaluation of a list ends as soon as its errors exceed what is allowed. Most moves
// end at their first rule. They cost one or two passes over one column, where
// local search counts all columns at once.
//
// The temperature falls geometrically with the work done. The price of a rule begins at a part of the
// true one, and reaches it within the first half. Each state is offered at the true price.

const (
	hottest     = 1.0  // first temperature, in prices; rounds take this, half and a quarter in turn
	coldest     = .03  // at the end
	cooledEvery = 64   // moves
	draws       = 4096 // thresholds in the table
	moveWork    = 30   // of a move, beside what it counts
	nearest     = 6    // bits of the distance of a rule that is near, in the order of antecedents
)

// chain holds the buffers of annealing chains.
type chain struct {
	p       *problem.Problem
	work    *meter
	order   []problem.Column // columns that may be drawn, by ascending antecedents
	place   []int            // of each column in order; −1 if it may not be drawn
	left    [][]uint64       // left[j] is what remains before rule j
	next    [][]uint64       // likewise of the move at hand
	errors  []int64          // before rule j
	erred   []int64          // likewise of the move at hand
	list    []problem.Column
	trial   []problem.Column
	longest int
	perRule int64 // work of a look at a rule
}

// thresholds has −ln((i+½)/draws).
var thresholds = func() (t [draws]float64) {
	for i := range t {
		t[i] = -math.Log((float64(i) + .5) / draws)
	}
	return t
}()

func newChain(p *problem.Problem, work *meter, longest int) *chain {
	x := &chain{p: p, work: work, longest: longest, place: make([]int, len(p.Antecedents))}
	x.perRule = 4*max(1, int64(p.PassWords()/bitvec.Lanes)) + int64(2*(p.Labels-2))
	x.among(nil)
	return x
}

// among has rules drawn from the columns in one of the sets alone; nil: from all.
func (x *chain) among(live [][]uint64) {
	x.order = x.order[:0]
	for col := range x.p.Antecedents {
		x.place[col] = -1
		has := func(set []uint64) bool { return set[col/64]>>(col%64)&1 == 1 }
		if live == nil || slices.ContainsFunc(live, has) {
			x.order = append(x.order, problem.Column(col))
		}
	}
	slices.SortFunc(x.order, func(a, b problem.Column) int { return int(x.p.Antecedents[a]) - int(x.p.Antecedents[b]) })
	for i, col := range x.order {
		x.place[col] = i
	}
}

// run makes moves from a list on, for so much work. It calls offer with lists that have a smaller
// objective beyond the root's cost than before. The list at its end is x.list.
func (x *chain) run(start []problem.Column, random *rand.Rand, most int64, hot float64, cheap int64, best int64,
	offer func(int64, []problem.Column)) {
	p := x.p
	if len(x.order) == 0 {
		return
	}
	price, unitPrice := float64(p.Price), float64(p.Unit)
	if p.Price == 0 { // there is nothing to measure a temperature by but errors
		price = max(unitPrice, unitPrice*float64(p.In.Total)/1000)
	}
	x.begin(start)
	begin, now, temperature := x.work.spent, int64(0), 0.0
	value := int64(0)
	for step := 0; ; step++ {
		if step%cooledEvery == 0 {
			done := float64(x.work.spent-begin) / float64(most)
			if done >= 1 || x.work.over() {
				return
			}
			temperature = hot * price * math.Pow(coldest/hot, done)
			now = p.Price - int64(float64(p.Price-cheap)*max(0, 1-2*done))
			value = x.value(now)
		}
		x.work.spent += moveWork
		from := x.move(random)
		if from < 0 {
			continue
		}
		room := value + int64(temperature*thresholds[random.IntN(draws)])
		if !x.evaluate(from, now, room) {
			continue
		}
		x.take(from)
		value = x.value(now)
		if at := x.value(p.Price); at < best {
			best = at
			offer(at, x.list)
		}
	}
}

// value is the objective of the list at a price, beyond the root's cost.
func (x *chain) value(price int64) int64 {
	return x.p.Unit*x.errors[len(x.list)+1] + price*int64(len(x.list))
}

// begin makes a list the state.
func (x *chain) begin(start []problem.Column) {
	x.list = x.list[:0]
	x.grow(0)
	copy(x.left[0], x.p.All)
	x.trial = append(x.trial[:0], start...)
	for !x.evaluate(0, 0, math.MaxInt64) { // a rule that captures nothing is left out
		x.trial = slices.Delete(x.trial, len(x.trial)-1, len(x.trial))
	}
	x.take(0)
}

// grow has buffers for a list of so many rules.
func (x *chain) grow(length int) {
	for len(x.left) < length+2 {
		x.left, x.next = append(x.left, make([]uint64, x.p.Words)), append(x.next, make([]uint64, x.p.Words))
		x.errors, x.erred = append(x.errors, 0), append(x.erred, 0)
	}
}

// evaluate evaluates the trial, which is as the list before place from, and reports whether each of its
// rules captures something and its value at a price is at most room.
func (x *chain) evaluate(from int, price, room int64) bool {
	p, n := x.p, len(x.trial)
	x.grow(n)
	room -= price * int64(n)
	u, errors := x.left[from], x.errors[from]
	if from == 0 {
		errors = 0
	}
	for j := from; j < n; j++ {
		col := p.Columns[x.trial[j]]
		_, e, cost := p.Best(u, col)
		x.work.spent += x.perRule
		if errors += e; cost == 0 || p.Unit*errors > room {
			return false
		}
		bitvec.AndNot(x.next[j+1], u, col)
		x.erred[j+1] = errors
		u = x.next[j+1]
	}
	_, e, _ := p.Best(u, u)
	x.work.spent += x.perRule
	x.erred[n+1] = errors + e
	return p.Unit*x.erred[n+1] <= room
}

// take makes the trial the state.
func (x *chain) take(from int) {
	n := len(x.trial)
	for j := from + 1; j <= n; j++ {
		x.left[j], x.next[j] = x.next[j], x.left[j]
		x.errors[j] = x.erred[j]
	}
	x.errors[n+1] = x.erred[n+1]
	x.list, x.trial = x.trial, x.list
}

// move makes the trial a neighbour of the list, and returns the first place where they differ; −1 if
// there is none.
func (x *chain) move(random *rand.Rand) (from int) {
	n := len(x.list)
	x.trial = append(x.trial[:0], x.list...)
	switch kind := random.IntN(16); {
	case kind < 3:
		return x.insert(random, x.draw(random))
	case n == 0:
		return -1
	case kind < 5:
		i := random.IntN(n)
		x.trial = slices.Delete(x.trial, i, i+1)
		return i
	case kind < 8:
		return x.replace(random.IntN(n), x.draw(random))
	case kind < 12:
		i := random.IntN(n)
		return x.replace(i, x.near(random, x.list[i]))
	default:
		i, col := random.IntN(n), problem.Column(0)
		if kind < 14 {
			col = x.list[i]
		} else if col = x.draw(random); slices.Contains(x.list, col) {
			return -1
		}
		x.trial = slices.Delete(x.trial, i, i+1)
		at := random.IntN(n)
		x.trial = slices.Insert(x.trial, at, col)
		if at == i && col == x.list[i] {
			return -1
		}
		return min(i, at)
	}
}

func (x *chain) draw(random *rand.Rand) problem.Column { return x.order[random.IntN(len(x.order))] }

// near draws a column near another one in the order of antecedents: mined conjunctions that share
// a literal are neighbours there.
func (x *chain) near(random *rand.Rand, col problem.Column) problem.Column {
	at := x.place[col]
	if at < 0 {
		return x.draw(random)
	}
	distance := 1 + random.IntN(1<<(1+random.IntN(nearest)))
	if random.IntN(2) == 0 {
		distance = -distance
	}
	return x.order[min(max(at+distance, 0), len(x.order)-1)]
}

func (x *chain) insert(random *rand.Rand, col problem.Column) int {
	if len(x.list) >= x.longest || slices.Contains(x.list, col) {
		return -1
	}
	at := random.IntN(len(x.list) + 1)
	x.trial = slices.Insert(x.trial, at, col)
	return at
}

func (x *chain) replace(i int, col problem.Column) int {
	if slices.Contains(x.list, col) {
		return -1
	}
	x.trial[i] = col
	return i
}
