package html

import (
	"fmt"
	"slices"
	"strings"

	"parcorels/dataset"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/model/predict"
	"parcorels/report"
	"parcorels/tree"
)

// Spread is a small picture of a column: a bar for each value or range, split by class, in a
// box of 160 by 40.
type Spread struct {
	Label string
	Parts []spreadPart
	Marks []spreadPart // lines at thresholds, or below the values that a test asks for
}

// spreadPart is the part of a bar that is of a class.
type spreadPart struct {
	X, Y, W, H float64
	Class      int
	Title      string
}

// spreadClasses is how many classes have a colour of their own.
const spreadClasses = 4

// NewSpread draws a column, the first class at the top. It returns nil where there is nothing
// to draw.
func NewSpread(s *report.Spread, column string, labels []string) *Spread {
	bars := s.Bars(column, len(labels))
	most := 0
	for _, b := range bars {
		most = max(most, b.Rows())
	}
	if most == 0 {
		return nil
	}
	d := &Spread{Label: "How " + column + " is spread over the classes"}
	width := barWidth(bars)
	for i, b := range bars {
		y, n := 40.0, int64(b.Rows())
		title := b.Label + ": " + wording.Count(n, "row")
		for c, k := range b.Classes {
			if k > 0 && len(labels) <= spreadClasses {
				title += fmt.Sprintf(", %s %s", wording.Percent(int64(k), n), labels[c])
			}
		}
		for c := len(b.Classes) - 1; c >= 0; c-- {
			if h := 38 * float64(b.Classes[c]) / float64(most); h > 0 {
				y -= h
				d.Parts = append(d.Parts, spreadPart{width * float64(i), y, width * .86, h, min(c, spreadClasses-1), title})
			}
		}
	}
	return d
}

// barWidth is that of a bar with the room beside it.
func barWidth(bars []report.Bar) float64 { return 160 / float64(max(len(bars), 4)) }

// mark shows where a test parts the values.
func (d *Spread) mark(bars []report.Bar, test dataset.Test) {
	width := barWidth(bars)
	for _, bound := range []*float64{test.Low, test.High} {
		if bound == nil {
			continue
		}
		at := 0.0
		for i, b := range bars {
			switch {
			case b.High <= *bound:
				at = float64(i + 1)
			case b.Low < *bound:
				at = float64(i) + (*bound-b.Low)/(b.High-b.Low)
			}
		}
		d.Marks = append(d.Marks, spreadPart{X: max(width*at-1, 0), W: 2, H: 40})
	}
	for i, b := range bars {
		if holds, err := test.Holds(b.Label); test.Low == nil && test.High == nil && holds && err == nil {
			d.Marks = append(d.Marks, spreadPart{X: width * float64(i), Y: 38, W: width * .86, H: 2})
		}
	}
}

// splits are how the values that a tree asks for are spread over the rows that come to each of its splits.
type splits struct {
	*tree.Model
	predictor *predict.Predictor
	ways      [][]int
	columns   []int // of the table, by node
	spreads   []*report.Spread
}

// newSplits returns the splits of a tree, without rows; nil of other models.
func newSplits(m model.Model, header []string) *splits {
	t, ok := m.(*tree.Model)
	if !ok {
		return nil
	}
	p, err := predict.Bind(m, header, predict.Options{})
	if err != nil {
		return nil // judging the model says why
	}
	s := &splits{t, p, t.Ways(), make([]int, len(t.Nodes)), make([]*report.Spread, len(t.Nodes))}
	for i, n := range t.Nodes {
		if s.columns[i] = -1; !n.Leaf() {
			s.columns[i] = slices.Index(header, n.Literals[0].Column)
			s.spreads[i] = report.NewSpread([]string{n.Literals[0].Column}, m.About().Reading.MissingWords)
		}
	}
	return s
}

// add takes a row.
func (s *splits) add(cells []string, class int) {
	if s == nil {
		return
	}
	said, err := s.predictor.Predict(cells)
	if err != nil {
		return
	}
	for _, node := range s.ways[said.Case] {
		if at := s.columns[node]; at >= 0 {
			s.spreads[node].Add(cells[at:at+1], class)
		}
	}
}

// picture returns how the values of the column of a split are spread, and where the split parts them; "" of a column that
// the table does not have.
func (s *splits) picture(node int) string {
	split, labels := &s.Nodes[node].Literals[0], s.About().Labels()
	d := NewSpread(s.spreads[node], split.Column, labels)
	if d == nil {
		return ""
	}
	d.mark(s.spreads[node].Bars(split.Column, len(labels)), split.Test)
	d.Label = fmt.Sprintf("How %s is spread over the classes of %s that come here, with a mark for %s", split.Column,
		wording.Count(s.spreads[node].Rows, "row"), split.Name)
	var b strings.Builder
	if err := templates().ExecuteTemplate(&b, "split", d); err != nil {
		return ""
	}
	return b.String()
}
