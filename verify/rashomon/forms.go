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
		c.eachRule(i, func(_, _, child int, cost, stop int64) {
			w.follows[i] = min(w.follows[i], cost+min(stop, w.follows[child]))
		})
	}
	for _, cost := range c.costs(c.all, c.all) { // empty lists
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
	w.c.eachRule(state, func(column, label, child int, own, stop int64) {
		n := times * int64(len(w.c.members[column]))
		w.list = append(w.list, columnRule{column, label})
		if cost+own+stop <= w.c.most {
			w.add(n)
		}
		if cost+own+w.follows[child] <= w.c.most {
			w.visit(child, cost+own, n)
		}
		w.list = w.list[:len(w.list)-1]
	})
}

// add counts a list.
func (w *formsCounter) add(times int64) {
	whole := w.predicted1(-1)
	errors := w.errors(whole)
	irreducible, pays := true, true
	for i := range w.list {
		less := w.predicted1(i)
		irreducible = irreducible && !slices.Equal(less, whole)
		pays = pays && w.errors(less) > errors+w.c.price
	}
	if irreducible {
		w.Irreducible += times
	}
	if pays {
		w.Paying += times
	}
	if form := w.form(); !w.seen[form] {
		w.seen[form] = true
		w.Blocks += times
	}
}

// predicted1 returns the groups that the list predicts 1 without one of its rules; −1 for none.
func (w *formsCounter) predicted1(omitted int) []uint64 {
	ones, left := make([]uint64, w.c.words), slices.Clone(w.c.all)
	for i, r := range w.list {
		if i == omitted {
			continue
		}
		for k, x := range w.c.columns[r.column] {
			if r.label == 1 {
				ones[k] |= left[k] & x
			}
			left[k] &^= x
		}
	}
	if w.list[len(w.list)-1].label == 0 { // the default predicts 1
		for k, x := range left {
			ones[k] |= x
		}
	}
	return ones
}

func (w *formsCounter) errors(ones []uint64) int64 {
	zeros := without(w.c.all, ones)
	return w.c.costs(ones, ones)[1] + w.c.costs(zeros, zeros)[0]
}

// form names the first label and the columns of each run in ascending order.
func (w *formsCounter) form() string {
	name := []byte{byte(w.list[0].label)}
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
		name, run = append(name, 0), run[:0]
	}
	return string(name)
}
