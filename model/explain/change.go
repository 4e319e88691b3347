package explain

import (
	"fmt"
	"slices"
	"strings"

	"parcorels/model"
	"parcorels/model/predict"
)

// The smallest changes of a row that change what a model predicts.
//
// A model sees of a cell only which of its literals hold there. So the values
// of a column fall into finitely many kinds (see kinds.go), and one cell of each
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
