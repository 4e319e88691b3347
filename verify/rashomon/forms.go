package rashomon

import (
	"encoding/binary"
	"slices"
)

// Forms are numbers of good lists as people may see them.
type Forms struct {
	Irreducible int64 // no rule can be deleted without changing a prediction
	Paying      int64 // each list with a rule deleted has a larger objective
	Blocks      int64 // lists that differ in the order of rules of one label within a run count once
}

// mostForms is how many lists are gone through.
const mostForms = 300_000

// CountForms goes through good lists one by one. It returns false for trees, and of too many lists.
func CountForms(a Answers) (f Forms, ok bool) {
	c, ok := a.(*checker)
	if !ok || !c.best.Lists.IsInt64() || c.best.Lists.Int64() > mostForms {
		return f, false
	}
	w := formsCounter{c: c, follows: make([]int64, len(c.states)), seen: map[string]bool{}}
	for i := len(c.states) - 1; i >= 0; i-- {
		w.follows[i] = none
		c.eachRule(i, func(_, _, child int, cost int64, stops []int64) {
			w.follows[i] = min(w.follows[i], cost+min(slices.Min(stops), w.follows[child]))
		})
	}
	empty, _ := c.losses(c.all, c.all)
	for _, cost := range empty {
		if cost <= c.most {
			w.Irreducible++
			w.Paying++
			w.Blocks++
		}
	}
	w.visit(0, 0, 1)
	return w.Forms, true
}

type formsCounter struct {
	Forms
	c       *checker
	follows []int64 // of each state, the least completion with a rule
	seen    map[string]bool
	list    []columnRule
}

type columnRule struct{ column, label int }

// visit goes through the completions of a state with a rule. So many lists have the columns so far.
func (w *formsCounter) visit(state int, cost, times int64) {
	w.c.eachRule(state, func(column, label, child int, own int64, stops []int64) {
		n := times * int64(len(w.c.members[column]))
		w.list = append(w.list, columnRule{column, label})
		for class, stop := range stops {
			if cost+own+stop <= w.c.most {
				w.add(class, n)
			}
		}
		if cost+own+w.follows[child] <= w.c.most {
			w.visit(child, cost+own, n)
		}
		w.list = w.list[:len(w.list)-1]
	})
}

// add counts a list with a default.
func (w *formsCounter) add(class int, times int64) {
	whole := w.predicted(class, -1)
	errors := w.errors(whole)
	irreducible, pays := true, true
	for i := range w.list {
		less := w.predicted(class, i)
		irreducible = irreducible && !slices.EqualFunc(less, whole, slices.Equal)
		pays = pays && w.errors(less) > errors+w.c.price
	}
	if irreducible {
		w.Irreducible += times
	}
	if pays {
		w.Paying += times
	}
	if form := w.form(class); !w.seen[form] {
		w.seen[form] = true
		w.Blocks += times
	}
}

// predicted returns by class the groups that the list predicts so without one of its rules; −1 for none.
func (w *formsCounter) predicted(class, omitted int) [][]uint64 {
	sets, left := make([][]uint64, len(w.c.digits)), slices.Clone(w.c.all)
	for q := range sets {
		sets[q] = make([]uint64, w.c.words)
	}
	for i, r := range w.list {
		if i == omitted {
			continue
		}
		for k, x := range w.c.columns[r.column] {
			sets[r.label][k] |= left[k] & x
			left[k] &^= x
		}
	}
	for k, x := range left {
		sets[class][k] |= x
	}
	return sets
}

func (w *formsCounter) errors(sets [][]uint64) (sum int64) {
	for q, set := range sets {
		sum += w.c.unit * addDigits(w.c.digits[q], set, set)
	}
	return sum
}

// form names the default, and the label and the columns of each run in ascending order.
func (w *formsCounter) form(class int) string {
	name := []byte{byte(class)}
	var run []int
	for i, r := range w.list {
		run = append(run, r.column)
		if i+1 < len(w.list) && w.list[i+1].label == r.label {
			continue
		}
		slices.Sort(run)
		for _, column := range run {
			name = binary.AppendUvarint(name, uint64(column)+1)
		}
		name, run = append(name, 0, byte(r.label)), run[:0]
	}
	return string(name)
}
