// Package explain says why a model predicts what it does for a row. Begin with [Row],
// which names the literals that decided. [Changes] finds the smallest changes of the row
// that change the prediction.
package explain

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"parcorels/dataset"
	"parcorels/model"
	"parcorels/model/predict"
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

// The smallest changes of a row that change what a model predicts.
//
// A model sees of a cell only which of its literals hold there. So the values
// of a column fall into finitely many kinds, and one cell of each
// stands for all of it. All combinations of k columns with all kinds of values
// are tried, for k = 1, 2, … until some change the class. The answer is exact: no
// change of fewer columns changes the prediction. Where there are more than
// maxTried combinations, the search ends and says how many columns at least must
// change.

// maxTried bounds the predictions that Changes makes for one number of columns.
const maxTried = 1 << 20

// Change is a new value of one column.
type Change struct {
	Column string
	From   string // the cell of the row
	To     string // the values that do it, as people read them: "priors > 3"
}

// Alternative is a set of changes that together change the class predicted.
type Alternative struct {
	Changes []Change
	predict.Prediction
}

// Alternatives are the smallest changes of a row that change its class.
type Alternatives struct {
	Columns int // the least number of columns that must change; 0 if nothing helps
	// Found are all sets of that many columns, of numbers the nearest in each
	// direction. It is empty if nothing helps or the search was cut short.
	Found []Alternative
	Cut   bool // there were too many combinations of Columns columns
}

// Changes returns the smallest changes of a row that change the class predicted.
func Changes(p *predict.Predictor, cells []string) (Alternatives, error) {
	said, err := p.Predict(cells)
	if err != nil {
		return Alternatives{}, err
	}
	c := changer{Predictor: p, columns: p.Model().About().Columns, row: slices.Clone(cells), class: said.Class, found: map[string]option{}}
	cases := p.Model().Cases()
	for i, column := range c.columns {
		k := kindsOf(column, cases)
		c.kinds = append(c.kinds, k)
		c.now = append(c.now, k.place(cells[p.Column(i)]))
	}
	for k := 1; k <= len(c.columns); k++ {
		if c.combinations(k) > maxTried {
			return Alternatives{Columns: k, Cut: true}, nil
		}
		c.try(0, k)
		if len(c.found) > 0 {
			return Alternatives{Columns: k, Found: c.alternatives(cells)}, nil
		}
	}
	return Alternatives{}, nil
}

// changer is a search for changes.
type changer struct {
	*predict.Predictor
	columns []model.Column
	row     []string
	class   int      // predicted without a change
	kinds   []*kinds // of each column of the model
	now     []int    // kind of the row's cell in each, -1 if it cannot be judged
	chosen  []chosen
	order   []string          // keys of found, in the order in which they were found
	found   map[string]option // the nearest of each key
}

// chosen is a kind of values for a column.
type chosen struct{ column, kind int }

// option is a combination that changes the class.
type option struct {
	chosen   []chosen
	said     predict.Prediction
	distance int
}

// combinations counts what try(0, k) looks at: the elementary symmetric
// polynomial of the numbers of kinds.
func (c *changer) combinations(k int) float64 {
	e := make([]float64, k+1)
	e[0] = 1
	for _, list := range c.kinds {
		for j := k; j > 0; j-- {
			e[j] += e[j-1] * float64(len(list.cells))
		}
	}
	return e[k]
}

// try changes k of the columns from first on in all ways.
func (c *changer) try(first, k int) {
	if k == 0 {
		c.judge()
		return
	}
	for i := first; i+k <= len(c.columns); i++ {
		at := c.Column(i)
		from := c.row[at]
		for j, cell := range c.kinds[i].cells {
			c.row[at] = cell
			c.chosen = append(c.chosen, chosen{i, j})
			c.try(i+1, k-1)
			c.chosen = c.chosen[:len(c.chosen)-1]
		}
		c.row[at] = from
	}
}

// judge keeps the present combination if it changes the class and is the nearest
// of its columns, directions and class.
func (c *changer) judge() {
	said, err := c.Predict(c.row)
	if err != nil || said.Class == c.class {
		return
	}
	var key strings.Builder
	distance := 0
	for _, x := range c.chosen {
		direction, steps := c.kinds[x.column].step(c.now[x.column], x.kind)
		fmt.Fprintf(&key, "%d:%s ", x.column, direction)
		distance += steps
	}
	fmt.Fprint(&key, said.Class)
	if old, known := c.found[key.String()]; known && old.distance <= distance {
		return
	} else if !known {
		c.order = append(c.order, key.String())
	}
	c.found[key.String()] = option{slices.Clone(c.chosen), said, distance}
}

// alternatives returns what was found, with ranges of numbers as wide as they
// can be.
func (c *changer) alternatives(cells []string) (list []Alternative) {
	known := map[string]bool{}
	for _, key := range c.order {
		o := c.found[key]
		a := Alternative{Prediction: o.said}
		for _, x := range o.chosen {
			c.row[c.Column(x.column)] = c.kinds[x.column].cells[x.kind]
		}
		for _, x := range o.chosen {
			at := c.Column(x.column)
			first, last := c.widen(x, o.said.Class)
			a.Changes = append(a.Changes, Change{c.columns[x.column].Name, cells[at], c.kinds[x.column].text(first, last)})
		}
		copy(c.row, cells)
		// From a cell that is no number, each number of a range is a direction of its own.
		if text := fmt.Sprint(a.Changes, a.Class); !known[text] {
			known[text], list = true, append(list, a)
		}
	}
	return list
}

// widen returns the first and the last kind around a choice, all of which have
// the class while the other cells of the row stay.
func (c *changer) widen(x chosen, class int) (first, last int) {
	k, at := c.kinds[x.column], c.Column(x.column)
	same := func(kind int) bool {
		if kind < 0 || kind >= k.ordered {
			return false
		}
		c.row[at] = k.cells[kind]
		said, err := c.Predict(c.row)
		return err == nil && said.Class == class
	}
	first, last = x.kind, x.kind
	if x.kind < k.ordered {
		for same(first - 1) {
			first--
		}
		for same(last + 1) {
			last++
		}
	}
	c.row[at] = k.cells[x.kind]
	return first, last
}

// Explanation says how a model came to a prediction.
type Explanation struct {
	predict.Prediction
	// Holds are the literals of the case that decided; of a leaf those of the
	// whole path. It is empty for a default.
	Holds []model.Literal
	// Failed is what Predictor.Failed returns.
	Failed []predict.Failure
}

// Row predicts for a row and says why.
func Row(p *predict.Predictor, cells []string) (Explanation, error) {
	said, err := p.Predict(cells)
	if err != nil {
		return Explanation{}, err
	}
	return Explanation{Prediction: said, Holds: p.Model().Cases()[said.Case].Literals(), Failed: p.Failed(cells, said)}, nil
}
