// Plot draws records of benchmarks: the figures of BENCHMARKS.md.
//
// Begin with [bench.Plots], which says what each figure shows; this program
// only turns that into SVG or PNG files. It is a module of its own, so that the
// fonts and image formats of its library are no part of parcorels.
//
// Run it in this folder:
//
//	go run . -o ../../docs/plots ../results/table.jsonl
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"parcorels/bench"
)

func main() {
	dir := flag.String("o", ".", "`folder` that the figures are written to")
	format := flag.String("format", "svg", "svg or png")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: go run . [-o FOLDER] [-format svg|png] RECORDS.jsonl…")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(flag.Args(), *dir, *format); err != nil {
		fmt.Fprintln(os.Stderr, "plot:", err)
		os.Exit(1)
	}
}

// run draws the records of the files and prints the names of the figures.
func run(files []string, dir, format string) error {
	records, err := bench.ReadFiles(files...)
	if err != nil {
		return err
	}
	drawn, err := drawAll(records, dir, format)
	for _, path := range drawn {
		fmt.Println(path)
	}
	if err == nil && len(drawn) == 0 {
		return fmt.Errorf("no figure shows these suites")
	}
	return err
}

// drawAll draws the records into files of a folder, which is made if it is not
// there, and returns their names. The format is svg or png.
func drawAll(records []bench.Record, dir, format string) (files []string, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	for _, p := range bench.Plots(records) {
		var panels []*plot.Plot
		for i := range p.Panels {
			drawn, err := panel(&p.Panels[i])
			if err != nil {
				return files, err
			}
			panels = append(panels, drawn)
		}
		path := filepath.Join(dir, p.Name+"."+format)
		image, err := encode(panels, format)
		if err == nil {
			err = os.WriteFile(path, image, 0o644)
		}
		if err != nil {
			return files, err
		}
		files = append(files, path)
	}
	return files, nil
}

const (
	panelWidth  = 4.4 * vg.Inch
	panelHeight = 3.1 * vg.Inch
	panelGap    = 0.15 * vg.Inch
)

// encode draws the panels, two a row.
func encode(panels []*plot.Plot, format string) ([]byte, error) {
	cols := min(2, len(panels))
	rows := (len(panels) + cols - 1) / cols
	width, height := vg.Length(cols)*panelWidth, vg.Length(rows)*panelHeight
	if len(panels) == 1 {
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
		copy(grid[i], panels[i*cols:min(len(panels), (i+1)*cols)])
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
