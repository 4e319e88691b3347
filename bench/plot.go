package bench

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// figurePanels is a plot of one or several panels under a file name.
type figurePanels struct {
	name   string
	panels []*plot.Plot
}

// Draw draws the records into files of a folder, which is made if it is not
// there, and returns their names. The format is svg or png.
func Draw(records []Record, dir, format string) (files []string, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	for _, part := range parts(records) {
		figures, err := figures(part)
		if err != nil {
			return files, err
		}
		for _, f := range figures {
			path := filepath.Join(dir, f.name+"."+format)
			image, err := f.encode(format)
			if err == nil {
				err = os.WriteFile(path, image, 0o644)
			}
			if err != nil {
				return files, err
			}
			files = append(files, path)
		}
	}
	return files, nil
}

// figures returns the plots that suit a part of a suite.
func figures(records []Record) ([]figurePanels, error) {
	list := summarize(records)
	first := &records[0]
	switch first.Suite + "/" + first.Part {
	case "table/":
		return drawTable(list)
	case "corels-jmlr/table 3":
		return drawTraces(list)
	case "corels-jmlr/table 4", "corels-jmlr/table 5":
		return drawAblation(list)
	case "scaling/workers":
		return drawWorkers(list)
	case "scaling/samples", "scaling/antecedents":
		return drawSizes(list)
	case "open/":
		return drawOpen(list)
	case "kernels/":
		return drawKernels(list)
	}
	return nil, nil
}

const (
	panelWidth  = 4.4 * vg.Inch
	panelHeight = 3.1 * vg.Inch
	panelGap    = 0.15 * vg.Inch
)

// encode draws the panels, two a row.
func (f figurePanels) encode(format string) ([]byte, error) {
	cols := min(2, len(f.panels))
	rows := (len(f.panels) + cols - 1) / cols
	width, height := vg.Length(cols)*panelWidth, vg.Length(rows)*panelHeight
	if len(f.panels) == 1 {
		width, height = 1.6*panelWidth, 1.4*panelHeight
	}
	var canvas interface {
		vg.CanvasSizer
		io.WriterTo
	}
	switch format {
	case "svg":
		canvas = vgsvg.New(width, height)
	case "png":
		canvas = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(110))}
	default:
		return nil, fmt.Errorf("no plots in format %q, expected svg or png", format)
	}
	dc := draw.New(canvas)
	grid := make([][]*plot.Plot, rows)
	for i := range grid {
		grid[i] = make([]*plot.Plot, cols)
		copy(grid[i], f.panels[i*cols:min(len(f.panels), (i+1)*cols)])
	}
	tiles := draw.Tiles{
		Rows: rows, Cols: cols, PadX: panelGap, PadY: panelGap,
		PadTop: panelGap, PadBottom: panelGap, PadLeft: panelGap, PadRight: 2 * panelGap,
	}
	for i, row := range plot.Align(grid, tiles, dc) {
		for j, c := range row {
			if grid[i][j] != nil {
				grid[i][j].Draw(c)
			}
		}
	}
	var b bytes.Buffer
	_, err := canvas.WriteTo(&b)
	return b.Bytes(), err
}

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
	p.X.Tick.Marker, p.Y.Tick.Marker = linear{}, linear{}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = color.Gray{225}, color.Gray{225}
	p.Add(grid)
	return p
}

// logX and logY make an axis logarithmic.
func logX(p *plot.Plot) { p.X.Scale, p.X.Tick.Marker = logarithmic{}, decades{} }
func logY(p *plot.Plot) { p.Y.Scale, p.Y.Tick.Marker = logarithmic{}, decades{} }

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
	for p := 1e-9; p <= high*1.0001 && p < 1e18; p *= 10 {
		for m := 1.0; m < 10; m++ {
			v := m * p
			if v < low*0.9999 || v > high*1.0001 {
				continue
			}
			label := ""
			if m == 1 || few && (m == 2 || m == 5) {
				label = axisNumber(v)
			}
			ticks = append(ticks, plot.Tick{Value: v, Label: label})
		}
	}
	return ticks
}

// axisNumber is a round number, short.
func axisNumber(v float64) string {
	switch {
	case v >= 0.999e9:
		return fmt.Sprintf("%.0f G", v/1e9)
	case v >= 0.999e6:
		return fmt.Sprintf("%.0f M", v/1e6)
	case v >= 0.999e4:
		return fmt.Sprintf("%.0f k", v/1e3)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

const mostTicks = 12 // of a linear axis

// linear marks a linear axis at some round numbers.
type linear struct{}

func (linear) Ticks(low, high float64) (ticks []plot.Tick) {
	if high <= low {
		return nil
	}
	step := math.Pow(10, math.Floor(math.Log10(high-low)))
	for _, smaller := range []float64{0.5, 0.4, 0.5} { // a half, a fifth and a tenth of the power
		if (high-low)/step >= 4 {
			break
		}
		step *= smaller
	}
	decimals := max(0, -int(math.Floor(math.Log10(step)*0.9999)))
	first := math.Ceil(low / step)
	for i := range mostTicks {
		v := (first + float64(i)) * step
		if v > high {
			break
		}
		ticks = append(ticks, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'f', decimals, 64)})
	}
	return ticks
}
