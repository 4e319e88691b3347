package html

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"parcorels/dataset"
	"parcorels/internal/interval"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/model/evaluate"
	"parcorels/model/predict"
	"parcorels/report"
	"parcorels/tree"
)

// evaluation is how good the model is on a table.
type evaluation struct {
	Table       string
	Trained     bool   // it is the table that the model was learned from
	Instead     bool   // they are rows kept back from a model like this one, which is judged
	Own         bool   // the page shows how it does on other rows, too
	Warning     string // of the figures of such a table
	GroupChart  *Plot  // selection rates by group; nil of more than two classes
	Rows        int64
	WeightedBy  string // column
	Notes       []string
	Measures    evaluate.Measures
	Charts      []*Plot
	Calibration []calibrationRow
	Limits      []limitRow // where there are two classes
	By          string
	Groups      []evaluate.GroupMeasures
	Differences []evaluate.Difference
}

type calibrationRow struct {
	Case     int
	Class    string
	Rows     int64
	Said     float64
	Observed float64
}

// Evaluate adds what a table's labels say of the model, by the values of column by
// if that is not "". The column weight says what rows weigh; "": one each. A trained
// table is the one that the model was learned from.
func (p *Page) Evaluate(table, by, weight string, trained bool, s *predict.Summary) {
	e := s.Evaluation
	x := &evaluation{Table: table, Trained: trained, Instead: p.instead != nil, Own: p.RowsAt != "",
		Warning: wording.Capital(p.Warning), Rows: s.Rows,
		Notes: s.Warnings(), Measures: e.Measures(), By: by, WeightedBy: weight}
	x.Measures.Intervals = e.Intervals()
	for _, g := range s.Groups {
		x.Groups = append(x.Groups, g.Measures())
	}
	x.Differences = evaluate.Differences(x.Groups)
	if len(e.Classes) == 2 {
		x.GroupChart = groupChart(x.Groups, e.Classes[1])
		x.limit(e)
	}
	for _, c := range evaluate.Told(e.Classes) {
		if roc := rocChart(e, c, x.Measures.PerClass[c].AUC); roc != nil {
			x.Charts = append(x.Charts, roc)
		}
	}
	for _, c := range evaluate.Told(e.Classes) {
		x.calibrate(e, c)
	}
	p.Evaluation = x
}

// ByChance is the average precision of rows in any order.
func (x *evaluation) ByChance() string {
	no, yes := evaluate.Sum(x.Measures.Confusion[0]), evaluate.Sum(x.Measures.Confusion[1])
	return evaluate.Rate(yes / (no + yes)).Decimal(3)
}

// limitRow says what comes of answering class 1 from a probability on, in rows of 100.
type limitRow struct {
	From                                  float64
	Right, Marked, Found, Alarms, Precise string
}

// limit tries each probability that the model gives as the least one for class 1, the largest first.
func (x *evaluation) limit(e *evaluate.Evaluation) {
	of := func(n, all float64) string { return strconv.FormatFloat(100*n/max(all, 1), 'f', 0, 64) }
	steps := slices.Backward(e.Steps(1))
	var all, yes, marked, found float64
	for _, s := range steps {
		all, yes = all+s.Positives+s.Negatives, yes+s.Positives
	}
	for _, s := range steps {
		marked, found = marked+s.Positives+s.Negatives, found+s.Positives
		alarms := marked - found
		x.Limits = append(x.Limits, limitRow{s.Score, of(all-yes-alarms+found, all), of(marked, all), of(found, yes),
			of(alarms, all-yes), of(found, marked)})
	}
}

// groupChart draws the share of each group that is predicted class 1, a circle each,
// with its interval. Groups of few rows are in the table alone.
func groupChart(groups []evaluate.GroupMeasures, label string) *Plot {
	groups = slices.DeleteFunc(slices.Clone(groups), func(g evaluate.GroupMeasures) bool { return g.Rows < evaluate.FewRows })
	if len(groups) < 2 || len(groups) > mostBars {
		return nil
	}
	p := ofShares("Share predicted "+label+" by group", "Share of each group that is predicted "+label+"; the table has the numbers",
		"groups of "+strconv.Itoa(evaluate.FewRows)+" rows and more", "predicted "+label)
	p.Diagonal, p.XTicks = false, nil
	for i, g := range groups {
		share, x := float64(g.PerClass[1].Selected), (float64(i)+.5)/float64(len(groups))
		at := interval.Wilson(int64(math.Round(share*float64(g.Rows))), g.Rows)
		p.Points = append(p.Points, Point{X: x, Y: share, R: 2, Low: at.Low, High: at.High,
			Title: fmt.Sprintf("%s: %s of %d rows", g.Group, evaluate.Rate(share).Percent(), g.Rows)})
		p.XTicks = append(p.XTicks, tick{side * x, wording.Cut(g.Group, max(3*mostBars/len(groups), 4))})
	}
	return p
}

// mostBars is how many groups a chart has room for.
const mostBars = 12

// rocChart draws the ROC curve of a class; nil where there is none.
func rocChart(e *evaluate.Evaluation, class int, auc evaluate.Rate) *Plot {
	curve := e.ROC(class)
	if curve == nil {
		return nil
	}
	label := e.Classes[class]
	p := ofShares("ROC curve of class "+label, fmt.Sprintf("ROC curve of class %s, area %s", label, auc.Decimal(3)),
		"false positive rate", "true positive rate")
	p.joined = true
	for _, at := range curve {
		p.Points = append(p.Points, Point{X: at[0], Y: at[1], R: 1.4,
			Title: fmt.Sprintf("%.1f%% false alarms, %.1f%% found", 100*at[0], 100*at[1])})
	}
	return p
}

// calibrate compares, case by case, the probability of a class that training gives
// with its share in the table.
func (x *evaluation) calibrate(e *evaluate.Evaluation, class int) {
	label := e.Classes[class]
	p := ofShares("Calibration of class "+label, "Calibration: observed share of class "+label+
		" over the probability from training, a circle for each case; on the diagonal they agree",
		"P("+label+") from training", "observed share")
	weights, total := e.CaseWeights(), 0.0
	for _, w := range weights {
		total += evaluate.Sum(w)
	}
	for i, w := range weights {
		weight := evaluate.Sum(w)
		if weight == 0 {
			continue
		}
		rows := evaluate.Sum(e.Counts[i])
		said, observed := e.Probabilities[i][class], w[class]/weight
		x.Calibration = append(x.Calibration, calibrationRow{i + 1, label, rows, said, observed})
		p.Points = append(p.Points, Point{X: said, Y: observed, R: 1.2 + 6*math.Sqrt(weight/total),
			Title: fmt.Sprintf("case %d, %d rows: P %.3f, observed %.3f", i+1, rows, said, observed)})
	}
	x.Charts = append(x.Charts, p)
}

// A plot is drawn in a square of side units, y upwards; the
// text around it is HTML, so that it can be read and searched.
const side = 100.0

// Plot has points between two axes, which lines may join.
type Plot struct {
	Name, Label string // Label tells a screen reader what is to be seen
	XName       string
	YName       string
	Keys        [2]string // what two lines are
	Diagonal    bool
	Linked      bool // its points lead to addresses
	XTicks      []tick
	YTicks      []tick
	Points      []Point

	x, y   span // that the axes show
	joined bool // by lines
}

// Point is a point by its values, with an error bar if High > Low.
type Point struct {
	X, Y, Low, High float64
	R               float64 // radius in units of the square; 0: 1.6
	Title           string  // "": both values
	Second, Picked  bool    // it is of the second line; it is the one that was chosen
	At              string  // address that it leads to; "" in a file
}

// span is the values at both ends of an axis.
type span struct{ low, high float64 }

// at returns where a value is, in units of the square.
func (s span) at(v float64) float64 { return side * (v - s.low) / (s.high - s.low) }

// tick is a mark of an axis, in units of the square.
type tick struct {
	At   float64
	Text string
}

var shareTicks = []tick{{0, "0"}, {side / 4, "25%"}, {side / 2, "50%"}, {3 * side / 4, "75%"}, {side, "100%"}}

// ofShares returns a plot whose axes are shares of one.
func ofShares(name, label, xName, yName string) *Plot {
	return &Plot{Name: name, Label: label, XName: xName, YName: yName, Diagonal: true, XTicks: shareTicks, YTicks: shareTicks,
		x: span{0, 1}, y: span{0, 1}}
}

// fit makes the vertical axis show all points, as shares.
func (p *Plot) fit() {
	low, high := math.Inf(1), math.Inf(-1)
	for _, x := range p.Points {
		low, high = min(low, x.Low), max(high, x.High)
	}
	if margin := max((high-low)/10, .005); len(p.Points) > 0 {
		low, high = low-margin, min(1, high+margin)
	}
	p.y, p.YTicks = span{low, high}, roundTicks(100*low, 100*high, "%")
}

// Curve draws shares against a count, as points that are links, for a page that has the style of the report. Keys say what its two
// lines are, each of which has its points from left to right.
func Curve(name, xName, yName string, points []Point, keys [2]string) (template.HTML, error) {
	right := 1.0
	for _, x := range points {
		right = max(right, x.X)
	}
	p := &Plot{Name: name, Label: name, XName: xName, YName: yName, Keys: keys, Linked: true, XTicks: countTicks(right), Points: points,
		x: span{0, right}, joined: true}
	p.fit()
	var b strings.Builder
	err := templates().ExecuteTemplate(&b, "chart", p)
	return template.HTML(b.String()), err
}

// Dots are the points where they are drawn.
func (p *Plot) Dots() (dots []Point) {
	for _, d := range p.Points {
		d.Title = cmp.Or(d.Title, fmt.Sprintf("%g: %s", d.X, evaluate.Rate(d.Y).Percent()))
		d.X, d.Y, d.Low, d.High = p.x.at(d.X), side-p.y.at(d.Y), side-p.y.at(d.Low), side-p.y.at(d.High)
		d.R = cmp.Or(d.R, 1.6)
		dots = append(dots, d)
	}
	return dots
}

// Line is the points of the first or the second line; "" where none are joined.
func (p *Plot) Line(second bool) string {
	var line []string
	for _, d := range p.Dots() {
		if p.joined && d.Second == second {
			line = append(line, strconv.FormatFloat(d.X, 'f', 2, 64)+","+strconv.FormatFloat(d.Y, 'f', 2, 64))
		}
	}
	return strings.Join(line, " ")
}

// roundTicks returns about four ticks of an axis from low to high, at multiples of 1, 2
// or 5 times a power of ten.
func roundTicks(low, high float64, unit string) (ticks []tick) {
	if !(high > low) {
		return nil
	}
	step := math.Pow(10, math.Floor(math.Log10((high-low)/4)))
	for _, factor := range []float64{5, 2} {
		if (high-low)/4 >= factor*step {
			step *= factor
			break
		}
	}
	digits := max(0, -int(math.Floor(math.Log10(step))))
	for v := math.Ceil(low/step) * step; v <= high*(1+1e-9); v += step {
		ticks = append(ticks, tick{side * (v - low) / (high - low), strconv.FormatFloat(v, 'f', digits, 64) + unit})
	}
	return ticks
}

// countTicks returns ticks of an axis of counts.
func countTicks(right float64) (ticks []tick) {
	for _, t := range roundTicks(0, right, "") {
		if v, err := strconv.ParseFloat(t.Text, 64); err == nil && v == math.Trunc(v) {
			ticks = append(ticks, tick{t.At, strconv.FormatFloat(v, 'f', 0, 64)})
		}
	}
	return ticks
}

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
