package nypd

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"parcorels/internal/wording"
)

// The steps from the stops in a file to those in the table.
const (
	inFile = iota
	frisked
	complete
	inAge
	kept
	unlocated
	stepCount
)

// steps say which stops are left after each step, and whether weapons are told of.
var steps = [stepCount]struct {
	text  string
	armed bool
	left  func(*stop) bool
}{
	inFile:    {"stops in the file", true, func(*stop) bool { return true }},
	frisked:   {"frisked or searched, of all", true, func(s *stop) bool { return s.frisked }},
	complete:  {"without unknown values, of all", false, func(s *stop) bool { return s.complete }},
	inAge:     {"of these, aged 12 to 89", false, func(s *stop) bool { return s.complete && s.inAge }},
	kept:      {"of these, frisked or searched", true, (*stop).kept},
	unlocated: {"", false, func(s *stop) bool { return s.kept() && !s.located }}, // has a note
}

// Counts are the stops that are left after each step, and weapons found at them.
type Counts [stepCount]struct{ Stops, Weapons int64 }

func (n *Counts) add(s *stop) {
	for i, step := range steps {
		if step.left(s) {
			n[i].Stops++
			if s.weapon {
				n[i].Weapons++
			}
		}
	}
}

// String says how the table came about, on lines of at most 80 columns.
func (n Counts) String() string {
	var b strings.Builder
	for i, step := range steps[:unlocated] {
		fmt.Fprintf(&b, "%-36s %9s", step.text, wording.Thousands(n[i].Stops))
		if step.armed {
			fmt.Fprintf(&b, ", %s with a weapon", wording.Thousands(n[i].Weapons))
		}
		b.WriteByte('\n')
	}
	if left := n[frisked].Weapons - n[kept].Weapons; left > 0 {
		fmt.Fprintf(&b, "note: not in the table, for an unknown value or an age out of range: %s\n", wording.Count(left, "weapon"))
	}
	if few := n[unlocated].Stops; few > 0 {
		fmt.Fprintf(&b, "note: taken for neither housing nor transit authority: %s with a blank location\n", wording.Count(few, "stop"))
	}
	return b.String()
}

// Convert reads a file of stops from in, in constant memory, and writes the
// table to w as CSV with a header. Errors of in name the file, as name, the
// line, the column and the value; those of w are returned as they are, and
// ctx's cause soon after ctx is cancelled.
func Convert(ctx context.Context, in io.Reader, name string, w io.Writer) (n Counts, err error) {
	text := bufio.NewReaderSize(in, 1<<16)
	if head, _ := text.Peek(3); string(head) == "\ufeff" {
		_, _ = text.Discard(3) // they have been seen
	}
	rows := csv.NewReader(text)
	rows.ReuseRecord = true
	// A quote in the middle of a cell is one, as in 125" STREET.
	rows.LazyQuotes = true
	header, err := rows.Read()
	if err == io.EOF {
		err = errors.New("the file is empty")
	}
	if err != nil {
		return n, explain(err, name)
	}
	header = slices.Clone(header)
	r := row{}
	if r.at, err = positions(header); err != nil {
		return n, fmt.Errorf("%s:1: %w", name, err)
	}
	out := csv.NewWriter(w)
	if err := out.Write(Header); err != nil {
		return n, err
	}
	for ctx.Err() == nil {
		if r.cells, err = rows.Read(); err == io.EOF {
			out.Flush()
			return n, out.Error()
		} else if err != nil {
			return n, explain(err, name)
		}
		s := r.stop()
		if r.fault != nil {
			line, _ := rows.FieldPos(r.fault.at)
			return n, fmt.Errorf("%s:%d: column %s: %w", name, line, strings.TrimSpace(header[r.fault.at]), r.fault)
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

// explain says where a parse error is.
func explain(err error, name string) error {
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		return fmt.Errorf("%s:%d: %w", name, parse.Line, parse.Err)
	}
	return fmt.Errorf("%s: %w", name, err)
}
