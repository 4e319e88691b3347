package explain

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"parcorels/dataset"
	"parcorels/model"
)

// kinds are the values of a column that a model tells apart: for each kind a
// cell that stands for it. Numbers come first, in order: below the first number
// that a literal compares with, that number, between it and the next, and so on.
type kinds struct {
	column  string
	cells   []string
	names   []string  // as people read them, of kinds without order
	ordered int       // kinds of numbers, which come first
	breaks  []float64 // numbers that literals compare with, ascending
	scale   dataset.Scale
	alike   map[string]int // the kind of each text that a literal asks for
}

// kindsOf returns the kinds of values in a column that the cases of a model tell apart.
func kindsOf(c model.Column, cases []model.Case) *kinds {
	k := &kinds{column: c.Name, scale: c.Cell.Scale}
	var asked [][]string
	for _, x := range cases {
		for _, l := range x.When {
			if l.Column == c.Name {
				k.note(l.Test, &asked)
			}
		}
	}
	switch {
	case c.Cell.Levels != nil:
		for _, level := range c.Cell.Levels {
			k.add(level, c.Name+" = "+level)
		}
	case c.Cell.Kind == dataset.Given:
		k.add("0", c.Name+" = 0")
		k.add("1", c.Name+" = 1")
	case c.Cell.Kind == dataset.True:
		k.add("0", c.Name+" false")
		k.add("1", c.Name+" true")
	case c.Cell.Kind == dataset.Is:
		k.addTexts(asked)
	default:
		k.addNumbers()
	}
	if !c.Cell.Complete && c.Cell.Kind != dataset.Given {
		k.add("", c.Name+" missing")
	}
	return k
}

// note collects what a test compares with.
func (k *kinds) note(t dataset.Test, asked *[][]string) {
	switch t.Kind {
	case dataset.Is:
		*asked = append(*asked, []string{t.Value})
	case dataset.Among:
		*asked = append(*asked, t.Values)
	case dataset.Number:
		if v, ok := t.Parse(strings.TrimSpace(t.Value)); ok {
			k.breaks = append(k.breaks, v)
		}
	case dataset.Interval, dataset.Threshold:
		for _, b := range []*float64{t.Low, t.High} {
			if b != nil {
				k.breaks = append(k.breaks, *b)
			}
		}
	}
}

func (k *kinds) add(cell, name string) {
	k.cells, k.names = append(k.cells, cell), append(k.names, name)
}

// addTexts adds the texts that literals ask for, those that all literals treat alike as one kind, and any other.
func (k *kinds) addTexts(asked [][]string) {
	texts := slices.Concat(asked...)
	slices.Sort(texts)
	texts = slices.Compact(texts)
	k.alike = map[string]int{}
	var members [][]string // of each kind, for which the same literals hold
	for _, t := range texts {
		kind := slices.IndexFunc(members, func(alike []string) bool {
			return !slices.ContainsFunc(asked, func(of []string) bool { return slices.Contains(of, t) != slices.Contains(of, alike[0]) })
		})
		if kind < 0 {
			kind, members = len(members), append(members, nil)
		}
		k.alike[t], members[kind] = kind, append(members[kind], t)
	}
	for _, list := range members {
		name := k.column + " = " + list[0]
		if len(list) > 1 {
			name = k.column + " in " + dataset.GroupText(list)
		}
		k.add(list[0], name)
	}
	other := "any other"
	for slices.Contains(texts, other) {
		other += " text"
	}
	name := k.column + " other than " + strings.Join(texts, ", ")
	switch {
	case len(texts) == 1:
		name = k.column + " ≠ " + texts[0]
	case !strings.HasSuffix(dataset.GroupText(texts), "}"):
		name = fmt.Sprintf("%s other than these %d values", k.column, len(texts))
	}
	k.add(other, name)
}

// addNumbers adds the numbers that literals compare with, and one on either
// side of each. Kind 2i+1 is breaks[i], and kind 2i what lies below it.
func (k *kinds) addNumbers() {
	slices.Sort(k.breaks)
	k.breaks = slices.Compact(k.breaks)
	number := func(v float64) { k.add(k.scale.Format(v), "") }
	for i, b := range k.breaks {
		below := b - max(1, math.Abs(b))
		if i > 0 {
			below = k.breaks[i-1]/2 + b/2
		}
		number(below)
		number(b)
	}
	if n := len(k.breaks); n > 0 {
		last := k.breaks[n-1]
		number(last + max(1, math.Abs(last)))
	} else {
		number(0)
	}
	k.ordered = len(k.cells)
}

// place returns the kind of a cell, -1 if it is of none.
func (k *kinds) place(cell string) int {
	text := strings.TrimSpace(cell)
	if i, ok := k.alike[text]; ok {
		return i
	}
	if k.ordered == 0 {
		if i := slices.Index(k.cells, text); i >= 0 {
			return i
		}
		return -1
	}
	v, ok := k.scale.Parse(text)
	if !ok {
		return -1
	}
	i, exact := slices.BinarySearch(k.breaks, v)
	if exact {
		return 2*i + 1
	}
	return 2 * i
}

// step returns the direction and the distance from one kind to another: of
// numbers up or down and how many kinds, of others the kind itself and 1.
func (k *kinds) step(from, to int) (direction string, distance int) {
	switch {
	case from < 0 || from >= k.ordered || to >= k.ordered:
		return strconv.Itoa(to), 1
	case to < from:
		return "down", from - to
	}
	return "up", to - from
}

// text returns the values of some kinds, one behind the other, as people read
// them.
func (k *kinds) text(first, last int) string {
	if first >= k.ordered {
		return k.names[first]
	}
	number := k.scale.Format
	// An odd kind is a number, and belongs to the range; an even one lies
	// between two, which do not.
	low, high := first > 0, last < k.ordered-1
	above, below := "≥", "≤"
	if first%2 == 0 {
		above = ">"
	}
	if last%2 == 0 {
		below = "<"
	}
	var lower, upper float64
	if low {
		lower = k.breaks[(first-1)/2]
	}
	if high {
		upper = k.breaks[last/2]
	}
	switch {
	case first == last && first%2 == 1:
		return fmt.Sprintf("%s = %s", k.column, number(lower))
	case low && high:
		return fmt.Sprintf("%s %s %s %s %s", number(lower), map[string]string{">": "<", "≥": "≤"}[above], k.column, below, number(upper))
	case low:
		return fmt.Sprintf("%s %s %s", k.column, above, number(lower))
	case high:
		return fmt.Sprintf("%s %s %s", k.column, below, number(upper))
	}
	return "any " + k.column
}
