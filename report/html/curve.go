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
	x, y, deviation []float64
}

// NewCurve returns a curve without points.
func NewCurve(name, xName, yName string) *Curve {
	return &Curve{chart: chart{Name: name, Label: name, XName: xName, YName: yName, Style: curveStyle}}
}

// Add adds a point with its standard error, from left to right.
func (c *Curve) Add(x, y, deviation float64) {
	c.x, c.y, c.deviation = append(c.x, x), append(c.y, y), append(c.deviation, deviation)
}

// Write writes the curve as SVG.
func (c *Curve) Write(to io.Writer) error {
	c.place(nil)
	return templates().ExecuteTemplate(to, "drawing", c.chart)
}

// Figure returns the curve for a page that has the style of the report. Each point leads to
// an address.
func (c *Curve) Figure(at func(i int) string) (template.HTML, error) {
	c.place(at)
	c.Style, c.Linked = "", true
	var b strings.Builder
	err := templates().ExecuteTemplate(&b, "chart", c.chart)
	return template.HTML(b.String()), err
}

// place puts the points where they are drawn.
func (c *Curve) place(at func(i int) string) {
	low, high, right := math.Inf(1), math.Inf(-1), 1.0
	for i, y := range c.y {
		low, high, right = min(low, y-c.deviation[i]), max(high, y+c.deviation[i]), max(right, c.x[i])
	}
	if margin := max((high-low)/10, .005); len(c.y) > 0 {
		low, high = low-margin, min(1, high+margin)
	}
	up := func(v float64) float64 { return side * (1 - (v-low)/(high-low)) }
	var points []string
	for i, y := range c.y {
		x, d := side*c.x[i]/right, c.deviation[i]
		points = append(points, place(x, up(y)))
		dot := dot{X: x, Y: up(y), R: 1.6, Low: up(y - d), High: up(y + d), Title: fmt.Sprintf("%g: %s", c.x[i],
			evaluate.Rate(y).Percent())}
		if at != nil {
			dot.At = at(i)
			dot.R = 2.4
		}
		c.Dots = append(c.Dots, dot)
	}
	c.Line = strings.Join(points, " ")
	c.XTicks, c.YTicks = countTicks(right), roundTicks(100*low, 100*high, "%")
}

const curveStyle = `svg{background:#fff;color:#1b2330}text{fill:#5a6675;font:4.2px system-ui,sans-serif}.axis{stroke:#d5dbe3;stroke-width:.4}.line{fill:none;stroke:#2b6cb0;stroke-width:1}.dot{fill:#2b6cb0}.error{stroke:#2b6cb0;stroke-width:.6}`
