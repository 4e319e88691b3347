// Plot draws records of benchmarks: the figures of BENCHMARKS.md.
//
// Begin with [bench.Plots], which says what each figure shows; this program
// only turns that into SVG files. It is a module of its own, so that the
// fonts and image formats of its library are no part of parcorels.
//
// Run it in this folder:
//
//	go run . ../../docs/plots ../results/table.jsonl
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"parcorels/bench"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: go run . FOLDER RECORDS.jsonl…")
		os.Exit(2)
	}
	drawn, err := drawAll(os.Args[1], os.Args[2:])
	for _, path := range drawn {
		fmt.Println(path)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "plot:", err)
		os.Exit(1)
	}
}

// drawAll draws the records of files into files of a folder, and returns their names.
func drawAll(dir string, records []string) (files []string, err error) {
	all, err := bench.ReadFiles(records...)
	if err != nil {
		return nil, err
	}
	for _, p := range bench.Plots(all) {
		path := filepath.Join(dir, p.Name+".svg")
		if err := drawFigure(path, p.Panels); err != nil {
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

// drawFigure draws the panels, two a row.
func drawFigure(path string, panels []bench.Panel) error {
	cols := min(2, len(panels))
	rows := (len(panels) + cols - 1) / cols
	width, height := vg.Length(cols)*panelWidth, vg.Length(rows)*panelHeight
	if len(panels) == 1 {
		width, height = 1.6*panelWidth, 1.4*panelHeight
	}
	grid := make([][]*plot.Plot, rows)
	for i := range panels {
		p, err := panel(&panels[i])
		if err != nil {
			return err
		}
		grid[i/cols] = append(grid[i/cols], p)
	}
	if missing := rows*cols - len(panels); missing > 0 {
		grid[rows-1] = append(grid[rows-1], make([]*plot.Plot, missing)...)
	}
	canvas := vgsvg.New(width, height)
	tiles := draw.Tiles{
		Rows: rows, Cols: cols, PadX: panelGap, PadY: panelGap,
		PadTop: panelGap, PadBottom: panelGap, PadLeft: panelGap, PadRight: 2 * panelGap,
	}
	for i, row := range plot.Align(grid, tiles, draw.New(canvas)) {
		for j, c := range row {
			if grid[i][j] != nil {
				grid[i][j].Draw(c)
			}
		}
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if _, err := canvas.WriteTo(file); err != nil {
		return err
	}
	return file.Close()
}
