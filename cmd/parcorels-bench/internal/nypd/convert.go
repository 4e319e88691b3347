package nypd

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"parcorels/internal/wording"
)

// Counts are the stops that are left after each step, and weapons found at them.
type Counts struct {
	Stops, Weapons          int64 // in the file
	Frisked, FriskedWeapons int64 // of those, frisked or searched
	Complete                int64 // of all, without unknown values
	InAge                   int64 // of those, of an age that is kept
	Kept, KeptWeapons       int64 // of those, frisked or searched: the table
	KeptUnlocated           int64 // of those, with a blank location
}

func (n *Counts) add(s *stop) {
	count := func(is bool, all, armed *int64) {
		if !is {
			return
		}
		*all++
		if s.weapon && armed != nil {
			*armed++
		}
	}
	count(true, &n.Stops, &n.Weapons)
	count(s.frisked, &n.Frisked, &n.FriskedWeapons)
	count(s.complete, &n.Complete, nil)
	count(s.complete && s.inAge, &n.InAge, nil)
	count(s.kept(), &n.Kept, &n.KeptWeapons)
	count(s.kept() && !s.located, &n.KeptUnlocated, nil)
}

// String says how the table came about, on lines of at most 80 columns.
func (n Counts) String() string {
	var b strings.Builder
	line := func(text string, count int64, armed ...int64) {
		fmt.Fprintf(&b, "%-36s %9s", text, wording.Thousands(count))
		for _, count := range armed {
			fmt.Fprintf(&b, ", %s with a weapon", wording.Thousands(count))
		}
		b.WriteByte('\n')
	}
	line("stops in the file", n.Stops, n.Weapons)
	line("frisked or searched, of all", n.Frisked, n.FriskedWeapons)
	line("without unknown values, of all", n.Complete)
	line("of these, aged 12 to 89", n.InAge)
	line("of these, frisked or searched", n.Kept, n.KeptWeapons)
	if left := n.FriskedWeapons - n.KeptWeapons; left > 0 {
		fmt.Fprintf(&b, "note: not in the table, for an unknown value or an age out of range: %s\n", wording.Count(left, "weapon"))
	}
	if n.KeptUnlocated > 0 {
		fmt.Fprintf(&b, "note: taken for neither housing nor transit authority: %s with a blank location\n", wording.Count(n.KeptUnlocated, "stop"))
	}
	return b.String()
}

func (s *stop) kept() bool { return s.complete && s.inAge && s.frisked }

// Convert reads a file of stops from in, in constant memory, and writes the
// table to w as CSV with a header. Errors of in name the file, as name, the
// line, the column and the value; those of w are returned as they are, and
// ctx's cause soon after ctx is cancelled.
func Convert(ctx context.Context, in io.Reader, name string, w io.Writer) (Counts, error) {
	var n Counts
	rows, c, err := open(in, name)
	if err != nil {
		return n, err
	}
	out := csv.NewWriter(w)
	if err := out.Write(Header()); err != nil {
		return n, err
	}
	var s stop
	for ctx.Err() == nil {
		row, err := rows.Read()
		if err == io.EOF {
			out.Flush()
			return n, out.Error()
		}
		if err != nil {
			return n, explain(err, name)
		}
		line, _ := rows.FieldPos(0)
		if len(row) != len(c.names) {
			return n, fmt.Errorf("%s:%d: fields separated by commas: %d, expected %d as in the header", name, line, len(row), len(c.names))
		}
		if err := c.read(row, &s); err != nil {
			return n, locate(err, rows, c, name)
		}
		n.add(&s)
		if s.kept() {
			if err := out.Write(s.cells); err != nil {
				return n, err
			}
		}
	}
	return n, context.Cause(ctx)
}

// open reads the header.
func open(in io.Reader, name string) (*csv.Reader, *columns, error) {
	text := bufio.NewReaderSize(in, 1<<16)
	if head, _ := text.Peek(3); bytes.Equal(head, []byte("\ufeff")) {
		_, _ = text.Discard(3) // they have been seen
	}
	rows := csv.NewReader(text)
	rows.FieldsPerRecord, rows.ReuseRecord = -1, true
	// A quote in the middle of a cell is one, as in 125" STREET.
	rows.LazyQuotes = true
	header, err := rows.Read()
	if err == io.EOF {
		return nil, nil, fmt.Errorf("%s: the file is empty", name)
	}
	if err != nil {
		return nil, nil, explain(err, name)
	}
	c, err := findColumns(header)
	if err != nil {
		return nil, nil, fmt.Errorf("%s:1: %w", name, err)
	}
	return rows, c, nil
}

// locate says where a fault is.
func locate(err error, rows *csv.Reader, c *columns, name string) error {
	var f *fault
	if !errors.As(err, &f) {
		return err
	}
	line, _ := rows.FieldPos(f.at)
	return fmt.Errorf("%s:%d: column %s: %w", name, line, strings.TrimSpace(c.names[f.at]), f)
}

// explain says where a parse error is.
func explain(err error, name string) error {
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		return fmt.Errorf("%s:%d: %w", name, parse.Line, parse.Err)
	}
	return fmt.Errorf("%s: %w", name, err)
}
