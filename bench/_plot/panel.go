package main

import (
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"parcorels/bench"
)

// The colours of Okabe and Ito, which people tell apart whatever their sight,
// without the yellow, which is too light for lines.
var palette = []color.Color{
	color.RGBA{0, 114, 178, 255}, color.RGBA{213, 94, 0, 255}, color.RGBA{0, 158, 115, 255}, color.RGBA{204, 121, 167, 255},
	color.RGBA{86, 180, 233, 255}, color.RGBA{230, 159, 0, 255}, color.RGBA{0, 0, 0, 255},
}

// Lines beyond the colours are told apart by their dashes, points by shape.
var (
	dashes = [][]vg.Length{nil, {6, 3}, {2, 2}, {8, 3, 2, 3}}
	shapes = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.PyramidGlyph{}, draw.BoxGlyph{}, draw.RingGlyph{}, draw.TriangleGlyph{}, draw.SquareGlyph{}, draw.CrossGlyph{}}
)

// newPlot returns an empty plot with a light grid.
func newPlot(title, x, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Title.Padding = 4
	for _, style := range []*draw.TextStyle{&p.Title.TextStyle, &p.X.Label.TextStyle, &p.Y.Label.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label, &p.Legend.TextStyle} {
		style.Font.Variant = "Sans"
	}
	p.Legend.TextStyle.Font.Size = 8.5
	p.Legend.ThumbnailWidth = 0.3 * vg.Inch
	p.Legend.Padding = 1
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = color.Gray{225}, color.Gray{225}
	p.Add(grid)
	return p
}

// panel draws the series of a panel, then sets its axes and its legend.
func panel(d *bench.Panel) (*plot.Plot, error) {
	p := newPlot(d.Title, d.X, d.Y)
	for i := range d.Series {
		if err := add(p, &d.Series[i]); err != nil {
			return nil, err
		}
	}
	setAxes(p, d)
	p.Legend.Top, p.Legend.Left = d.LegendTop, d.LegendLeft
	return p, nil
}

// add draws a series and puts it in the legend if it has a name.
func add(p *plot.Plot, s *bench.Series) error {
	points := make(plotter.XYs, len(s.Points))
	for i, at := range s.Points {
		points[i] = plotter.XY{X: at.X, Y: at.Y}
	}
	line, dots, err := plotter.NewLinePoints(points)
	if err != nil {
		return err
	}
	hue := palette[s.Style%len(palette)]
	dots.Color, dots.Shape, dots.Radius = hue, shapes[s.Style%len(shapes)], vg.Points(2.6)
	var legend []plot.Thumbnailer
	if s.Scattered {
		dots.Radius = vg.Points(3.5)
	} else {
		line.Width, line.Color = vg.Points(1.4), hue
		line.Dashes = dashes[s.Style/len(palette)%len(dashes)]
		if s.Dashed {
			line.Dashes = dashes[1]
		}
		p.Add(line)
		legend = append(legend, line)
	}
	if s.Marked || s.Scattered {
		p.Add(dots)
		legend = append(legend, dots)
	}
	if s.Name != "" {
		p.Legend.Add(s.Name, legend...)
	}
	return nil
}

// setAxes sets the scales, ends and ticks of both axes.
func setAxes(p *plot.Plot, d *bench.Panel) {
	if d.LogX {
		p.X.Scale, p.X.Tick.Marker = logarithmic{}, decades{}
	}
	if d.LogY {
		p.Y.Scale, p.Y.Tick.Marker = logarithmic{}, decades{}
	}
	var ticks plot.ConstantTicks
	for _, x := range d.XTicks {
		ticks = append(ticks, plot.Tick{Value: x, Label: strconv.FormatFloat(x, 'g', -1, 64)})
	}
	if ticks != nil {
		p.X.Tick.Marker = ticks
	}
	if d.XNames != nil {
		p.NominalX(d.XNames...)
		p.X.Tick.Label.Rotation = math.Pi / 3
		p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = draw.XRight, draw.YCenter
	}
	if d.FromY != nil {
		p.Y.Min = *d.FromY
	}
	if d.AtLeastY > 0 {
		p.Y.Max = max(p.Y.Max, d.AtLeastY)
	}
	if d.RoomX > 0 {
		p.X.Max *= d.RoomX
	}
	if d.RoomY > 0 {
		p.Y.Max *= d.RoomY
	}
}

// logarithmic is a scale that, unlike the library's, takes zeros: they lie at
// its lower end.
type logarithmic struct{}

func (logarithmic) Normalize(low, high, x float64) float64 {
	if low <= 0 {
		low = high / span
	}
	if high <= low || high <= 0 {
		return 0.5
	}
	return math.Log(max(x, low)/low) / math.Log(high/low)
}

// span is how far a logarithmic axis reaches down if its data reach to zero.
const span = 1e6

// decades marks powers of ten, and where there are few also 2 and 5 times them.
type decades struct{}

func (decades) Ticks(low, high float64) (ticks []plot.Tick) {
	if low <= 0 {
		low = high / span
	}
	few := high/low < 200
	for e := -9; e < 18 && math.Pow10(e) <= high*1.0001; e++ {
		p := math.Pow10(e)
		for m := 1.0; m < 10; m++ {
			v := m * p
			if v < low*0.9999 || v > high*1.0001 {
				continue
			}
			label := ""
			if m == 1 || few && (m == 2 || m == 5) {
				label = strconv.FormatFloat(v, 'g', -1, 64)
			}
			ticks = append(ticks, plot.Tick{Value: v, Label: label})
		}
	}
	return ticks
}
