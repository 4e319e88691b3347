package html

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"parcorels/model"
)

// A chart is drawn in a square of side units, y upwards; the
// text around it is HTML, so that it can be read and searched.
const side = 100.0

// chart is a line of points between two axes.
type chart struct {
	Name, Label string // Label tells a screen reader what is to be seen
	XName       string
	YName       string
	Line        string // points of a polyline
	Dots        []dot
	Diagonal    bool
	XTicks      []tick
	YTicks      []tick
}

// dot is a point with its size, and an error bar if High > Low.
type dot struct {
	X, Y, R, Low, High float64
	Title              string
}

type tick struct {
	At   float64
	Text string
}

// evaluation is how good the model is on a table.
type evaluation struct {
	Table       string
	Rows        int64
	Weight      string // of the labelled rows; "" where they count one each
	WeightedBy  string // column
	Notes       []string
	Measures    model.Measures
	Confusion   []confusionRow
	Charts      []chart
	Calibration []calibrationRow
	By          string
	Groups      []model.GroupMeasures
	GroupTables []groupTable // of class 1, or of each of more than two classes
	Differences []model.Difference
}

// groupTable has the rates of one class in each group.
type groupTable struct {
	Class string // "" where there are two
	Rows  []groupRow
}

type groupRow struct {
	Group    string
	Rows     int64
	Accuracy model.Rate
	Class    model.ClassMeasures
}

type confusionRow struct {
	Label string
	Cells []confusionCell
}

type confusionCell struct {
	Rows  string
	Right bool
	Share string // of the row of the table
}

type calibrationRow struct {
	Case     int
	Class    string
	Rows     int64
	Said     float64
	Observed float64
}

// Evaluate adds what a table's labels say of the model, by the values of column by
// if that is not "". The column weight says what rows weigh; "": one each.
func (p *Page) Evaluate(table, by, weight string, s *model.Summary) {
	e := s.Evaluation
	x := &evaluation{Table: table, Rows: s.Rows, Notes: s.Warnings(), Measures: e.Measures(), By: by, WeightedBy: weight}
	if x.Measures.Weight != nil {
		x.Weight = model.WeightText(*x.Measures.Weight)
	}
	for a, counts := range x.Measures.Confusion {
		row := confusionRow{Label: e.Classes[a]}
		for c, n := range counts {
			row.Cells = append(row.Cells, confusionCell{model.WeightText(n), a == c, model.Rate(n / sum(counts)).Percent()})
		}
		x.Confusion = append(x.Confusion, row)
	}
	for _, g := range s.Groups {
		x.Groups = append(x.Groups, g.Measures())
	}
	x.Differences = model.Differences(x.Groups)
	x.tabulate(e.Classes)
	for c := range e.Classes {
		if len(e.Classes) == 2 && c == 0 {
			continue
		}
		if roc, ok := rocChart(e, c, x.Measures.PerClass[c].AUC); ok {
			x.Charts = append(x.Charts, roc)
		}
	}
	for c := range e.Classes {
		if len(e.Classes) > 2 || c == 1 {
			x.calibrate(e, c)
		}
	}
	p.Evaluation = x
}

// tabulate makes the tables of groups.
func (x *evaluation) tabulate(classes []string) {
	for c, label := range classes {
		t := groupTable{Class: label}
		if len(classes) == 2 {
			if c == 0 {
				continue
			}
			t.Class = ""
		}
		for _, g := range x.Groups {
			t.Rows = append(t.Rows, groupRow{g.Group, g.Rows, g.Accuracy, g.PerClass[c]})
		}
		x.GroupTables = append(x.GroupTables, t)
	}
}

func sum(values []float64) (total float64) {
	for _, v := range values {
		total += v
	}
	return total
}

var shareTicks = []tick{{0, "0"}, {side / 4, "25%"}, {side / 2, "50%"}, {3 * side / 4, "75%"}, {side, "100%"}}

func rocChart(e *model.Evaluation, class int, auc model.Rate) (chart, bool) {
	curve := e.ROC(class)
	if curve == nil {
		return chart{}, false
	}
	c := chart{
		Name:  "ROC curve of class " + e.Classes[class],
		Label: fmt.Sprintf("ROC curve of class %s, area %s", e.Classes[class], auc.Decimal(3)),
		XName: "false positive rate", YName: "true positive rate", Diagonal: true, XTicks: shareTicks, YTicks: shareTicks,
	}
	var points []string
	for _, at := range curve {
		points = append(points, place(side*at[0], side*(1-at[1])))
		c.Dots = append(c.Dots, dot{X: side * at[0], Y: side * (1 - at[1]), R: 1.4,
			Title: fmt.Sprintf("FPR %.1f%%, TPR %.1f%%", 100*at[0], 100*at[1])})
	}
	c.Line = strings.Join(points, " ")
	return c, true
}

// calibrate compares, case by case, the probability of a class that training gives
// with its share in the table.
func (x *evaluation) calibrate(e *model.Evaluation, class int) {
	label := e.Classes[class]
	c := chart{
		Name: "Calibration of class " + label, Label: "Calibration: observed share of class " + label + " over the probability from training, a circle for each case; on the diagonal they agree",
		XName: "P(" + label + ") from training", YName: "observed share", Diagonal: true, XTicks: shareTicks, YTicks: shareTicks,
	}
	weights, total := e.CaseWeights(), 0.0
	for _, w := range weights {
		total += sum(w)
	}
	for i, w := range weights {
		weight := sum(w)
		if weight == 0 {
			continue
		}
		var rows int64
		for _, n := range e.Counts[i] {
			rows += n
		}
		said, observed := e.Probabilities[i][class], w[class]/weight
		x.Calibration = append(x.Calibration, calibrationRow{i + 1, label, rows, said, observed})
		c.Dots = append(c.Dots, dot{
			X: side * said, Y: side * (1 - observed), R: 1.2 + 6*math.Sqrt(weight/total),
			Title: fmt.Sprintf("case %d, %d rows: P %.3f, observed %.3f", i+1, rows, said, observed),
		})
	}
	x.Charts = append(x.Charts, c)
}

// LambdaPoint is what a cross-validation found for one λ.
type lambdaPoint struct {
	Lambda   string
	Length   float64
	Accuracy float64
	Error    float64 // standard error of the accuracy
	Unproven int
	Picked   bool
}

// Lambda adds a λ of a cross-validation, accuracy as a share on the folds left
// out with its standard error; Validate draws them when all are there.
func (p *Page) Lambda(lambda string, length, accuracy, standardError float64, unproven int, picked bool) {
	p.Validation = append(p.Validation, lambdaPoint{lambda, length, accuracy, standardError, unproven, picked})
}

// Validate draws the accuracy by λ, in the order in which they were added, if there
// are several.
func (p *Page) Validate() {
	low, high := math.Inf(1), math.Inf(-1)
	for _, l := range p.Validation {
		low, high = min(low, l.Accuracy-l.Error), max(high, l.Accuracy+l.Error)
	}
	if len(p.Validation) < 2 || math.IsNaN(low+high) {
		return
	}
	margin := max((high-low)/10, .005)
	low, high = low-margin, high+margin
	up := func(v float64) float64 { return side * (1 - (v-low)/(high-low)) }
	c := &chart{Name: "Accuracy by λ", Label: "Accuracy on the folds left out by λ, with standard errors; the table has the numbers", XName: "λ", YName: "accuracy on folds left out"}
	var points []string
	for i, l := range p.Validation {
		x := side * (float64(i) + .5) / float64(len(p.Validation))
		points = append(points, place(x, up(l.Accuracy)))
		c.Dots = append(c.Dots, dot{X: x, Y: up(l.Accuracy), R: 2, Low: up(l.Accuracy - l.Error), High: up(l.Accuracy + l.Error),
			Title: fmt.Sprintf("λ %s: %.1f%% ± %.1f%%", l.Lambda, 100*l.Accuracy, 100*l.Error)})
		c.XTicks = append(c.XTicks, tick{x, l.Lambda})
	}
	c.Line = strings.Join(points, " ")
	for i := range 5 {
		v := low + (high-low)*float64(i)/4
		c.YTicks = append(c.YTicks, tick{side * float64(i) / 4, strconv.FormatFloat(100*v, 'f', 1, 64) + "%"})
	}
	p.Validated = c
}

// Gap draws objective and bound over the seconds of a search: the gap between
// them, as a share of the objective.
func (p *Page) Gap(seconds, gaps []float64) {
	if len(seconds) < 2 {
		return
	}
	end, most := seconds[len(seconds)-1], .01
	for _, g := range gaps {
		most = max(most, g)
	}
	c := &chart{Name: "Gap over time", Label: "Gap between objective and lower bound over the seconds of the search", XName: "seconds", YName: "gap"}
	var points []string
	for i, s := range seconds {
		points = append(points, place(side*s/max(end, 1e-9), side*(1-gaps[i]/most)))
	}
	c.Line = strings.Join(points, " ")
	for i := range 5 {
		at := float64(i) / 4
		c.XTicks = append(c.XTicks, tick{side * at, strconv.FormatFloat(end*at, 'g', 3, 64)})
		c.YTicks = append(c.YTicks, tick{side * at, strconv.FormatFloat(100*most*at, 'f', 1, 64) + "%"})
	}
	p.Trace = c
}

func place(x, y float64) string {
	return strconv.FormatFloat(x, 'f', 2, 64) + "," + strconv.FormatFloat(y, 'f', 2, 64)
}
