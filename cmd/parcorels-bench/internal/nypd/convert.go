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
	weapon := int64(0)
	if s.weapon {
		weapon = 1
	}
	n.Stops++
	n.Weapons += weapon
	if s.frisked {
		n.Frisked++
		n.FriskedWeapons += weapon
	}
	if s.complete {
		n.Complete++
		if s.inAge {
			n.InAge++
		}
	}
	if s.kept() {
		n.Kept++
		n.KeptWeapons += weapon
		if !s.located {
			n.KeptUnlocated++
		}
	}
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
