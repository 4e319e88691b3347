// Command parcorels-columnar writes a table of Parquet or Arrow (Feather) as columns, the
// stream that docs/column-protocol.md describes. parcorels runs it for such tables.
//
// It is a program of its own, as what reads these formats is twice as large as all of
// parcorels: Apache's arrow-go, which reads both. parquet-go would be a quarter of the size,
// but reads no Arrow.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"
)

const usage = `usage: parcorels-columnar FILE [COLUMN...]

Writes a table of Parquet (.parquet) or Arrow (.feather, .arrow) to stdout as columns.
The cells of the columns that are named come first; "" is the last column.
parcorels runs this program for such tables, if it is beside it or on the PATH.
`

func main() {
	debug.SetGCPercent(25) // memory is taken again and again: a third less of it takes no more time
	widen(os.Stdout)
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run returns the exit status: 0, 1 if the columns cannot be written, 2 if the file cannot be read.
func run(args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	} else if len(args) == 1 && (args[0] == "--help" || args[0] == "-h") {
		_, _ = io.WriteString(stdout, usage)
		return 0
	}
	if len(args) == 0 {
		_, _ = io.WriteString(stderr, usage)
		return 2
	}
	out := &counted{to: stdout}
	err := convert(context.Background(), args[0], out, args[1:]...)
	if err == nil {
		return 0
	}
	_, _ = fmt.Fprintf(stderr, "parcorels-columnar: %v\n", err)
	if out.err != nil {
		return 1
	}
	return 2
}

// counted keeps the error that writing ended with, apart from those of reading.
type counted struct {
	to  io.Writer // in large pieces
	err error
}

// Write implements io.Writer.
func (c *counted) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	if err != nil {
		c.err = err
	}
	return n, err
}

// convert writes a file as columns, first the cells of those that are named.
func convert(ctx context.Context, path string, to io.Writer, first ...string) error {
	t, err := open(ctx, path)
	if err != nil {
		return err
	}
	defer t.Close()
	t.putFirst(first)
	layouts, err := t.plan(ctx)
	if err != nil {
		return err
	}
	if err := writeHeader(to, t, layouts); err != nil {
		return err
	}
	return t.write(ctx, layouts, to)
}
