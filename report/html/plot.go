package html

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"

	"parcorels/model/evaluate"
)

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
