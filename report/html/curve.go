package html

import (
	"fmt"
	"html/template"
	"io"
	"math"
	"strings"

	"parcorels/model/evaluate"
)

// Curve is a chart of shares against a count, as a file of its own. Begin with NewCurve.
type Curve struct {
	chart
	points []curvePoint
}

type curvePoint struct {
	x, y, deviation float64
	second, picked  bool
	at              string
}

// NewCurve returns a curve without points.
func NewCurve(name, xName, yName string) *Curve {
	return &Curve{chart: chart{Name: name, Label: name, XName: xName, YName: yName, Style: curveStyle}}
}

// Add adds a point with its standard error, from left to right.
func (c *Curve) Add(x, y, deviation float64) {
	c.points = append(c.points, curvePoint{x: x, y: y, deviation: deviation})
}

// Link adds a point that leads to an address, to the first line or the second. One of them may be picked.
func (c *Curve) Link(at string, x, y, deviation float64, second, picked bool) {
	c.points = append(c.points, curvePoint{x, y, deviation, second, picked, at})
}

// Write writes the curve as SVG.
func (c *Curve) Write(to io.Writer) error {
	c.place()
	return templates().ExecuteTemplate(to, "drawing", c.chart)
}

// Figure returns the curve for a page that has the style of the report, with what its lines are.
func (c *Curve) Figure(first, second string) (template.HTML, error) {
	c.place()
	c.Style, c.Linked, c.Keys = "", true, [2]string{first, second}
	var b strings.Builder
	err := templates().ExecuteTemplate(&b, "chart", c.chart)
	return template.HTML(b.String()), err
}

// place puts the points where they are drawn.
func (c *Curve) place() {
	low, high, right := math.Inf(1), math.Inf(-1), 1.0
	for _, p := range c.points {
		low, high, right = min(low, p.y-p.deviation), max(high, p.y+p.deviation), max(right, p.x)
	}
	if margin := max((high-low)/10, .005); len(c.points) > 0 {
		low, high = low-margin, min(1, high+margin)
	}
	up := func(v float64) float64 { return side * (1 - (v-low)/(high-low)) }
	var lines [2][]string
	for _, p := range c.points {
		x, radius, line := side*p.x/right, 1.6, 0
		if p.at != "" {
			radius = 2.4
		}
		if p.second {
			line = 1
		}
		lines[line] = append(lines[line], place(x, up(p.y)))
		c.Dots = append(c.Dots, dot{X: x, Y: up(p.y), R: radius, Low: up(p.y - p.deviation), High: up(p.y + p.deviation), At: p.at,
			Second: p.second, Picked: p.picked, Title: fmt.Sprintf("%g: %s", p.x, evaluate.Rate(p.y).Percent())})
	}
	c.Line, c.Second = strings.Join(lines[0], " "), strings.Join(lines[1], " ")
	c.XTicks, c.YTicks = countTicks(right), roundTicks(100*low, 100*high, "%")
}

const curveStyle = `svg{background:#fff;color:#1b2330}text{fill:#5a6675;font:4.2px system-ui,sans-serif}.axis{stroke:#d5dbe3;stroke-width:.4}.line{fill:none;stroke:#2b6cb0;stroke-width:1}.dot{fill:#2b6cb0}.error{stroke:#2b6cb0;stroke-width:.6}`
