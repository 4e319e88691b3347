package bench

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// series is a line with a name. The style is a number: its colour, and beyond
// the colours its dashes.
type series struct {
	name   string
	points plotter.XYs
	style  int
	dashed bool // whatever the style
	marked bool // a glyph at each point
}

// add draws the series and puts it in the legend if it has a name.
func (s series) add(p *plot.Plot) error {
	if len(s.points) == 0 {
		return nil
	}
	line, dots, err := plotter.NewLinePoints(s.points)
	if err != nil {
		return err
	}
	line.Width = vg.Points(1.4)
	line.Color = palette[s.style%len(palette)]
	line.Dashes = dashes[s.style/len(palette)%len(dashes)]
	if s.dashed {
		line.Dashes = dashes[1]
	}
	p.Add(line)
	legend := []plot.Thumbnailer{line}
	if s.marked {
		dots.Color, dots.Shape, dots.Radius = line.Color, shapes[s.style%len(shapes)], vg.Points(2.6)
		p.Add(dots)
		legend = append(legend, dots)
	}
	if s.name != "" {
		p.Legend.Add(s.name, legend...)
	}
	return nil
}

// addAll adds several series, the first error ends it.
func addAll(p *plot.Plot, list []series) error {
	for _, s := range list {
		if err := s.add(p); err != nil {
			return err
		}
	}
	return nil
}

// steps turns values that hold until the next point into a line.
func steps(trace []TracePoint, value func(*TracePoint) (float64, bool)) (xys plotter.XYs) {
	for i := range trace {
		v, ok := value(&trace[i])
		if !ok || trace[i].Seconds <= 0 {
			continue
		}
		if n := len(xys); n > 0 {
			xys = append(xys, plotter.XY{X: trace[i].Seconds, Y: xys[n-1].Y})
		}
		xys = append(xys, plotter.XY{X: trace[i].Seconds, Y: v})
	}
	return xys
}
