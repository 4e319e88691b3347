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
	"flag"
	"fmt"
	"os"

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
	records, err := bench.ReadFiles(files)
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
