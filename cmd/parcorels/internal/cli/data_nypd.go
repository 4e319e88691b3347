package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"parcorels/cmd/parcorels/internal/nypd"
	"parcorels/internal/wording"
)

// nypdKind makes a table of the NYPD's files.
func nypdKind() tableKind {
	return tableKind{
		name:     "nypd",
		verb:     true,
		argument: "FILE",
		help:     "nypd FILE converts the NYPD's published stops of one of the years 2008 to 2016 (CSV, or the zip archive of one; - reads CSV from stdin) into the NYCLU problem of the CORELS paper: the columns of stopfrisk, for the stops with a frisk or search of which city, sex, race, age and build are known and the age is 12 to 89. The counts of stops are printed, on stderr if the table goes to stdout.",
		run:      convertStops,
	}
}

func convertStops(ctx context.Context, e *env, s *settings, args []string) error {
	path, output := args[0], cmp.Or(s.output, "-")
	if err := checkOutputs([]string{output}, []string{path}); err != nil {
		return err
	}
	in, name := io.NopCloser(e.stdin), "stdin"
	if path != "-" {
		var err error
		if in, name, err = nypd.Open(path); err != nil {
			return err
		}
	}
	defer in.Close()
	var counts nypd.Counts
	err := e.writeFile(output, func(w io.Writer) (err error) {
		counts, err = nypd.Convert(ctx, in, name, w)
		return err
	})
	switch {
	case ctx.Err() != nil:
		return errInterrupted
	case err != nil:
		return err
	case output == "-":
		_, _ = io.WriteString(e.stderr, stopCounts(counts)) // the table is what was asked for
		return nil
	}
	return e.print(stopCounts(counts))
}

// stopCounts says how the table came about.
func stopCounts(n nypd.Counts) string {
	var b strings.Builder
	line := func(text string, count int64) {
		fmt.Fprintf(&b, "%-36s %9s", text, wording.Thousands(count))
	}
	armed := func(count int64) { fmt.Fprintf(&b, ", %s with a weapon\n", wording.Thousands(count)) }
	line("stops in the file", n.Stops)
	armed(n.Weapons)
	line("frisked or searched, of all", n.Frisked)
	armed(n.FriskedWeapons)
	line("without unknown values, of all", n.Complete)
	b.WriteString("\n")
	line("of these, aged 12 to 89", n.InAge)
	b.WriteString("\n")
	line("of these, frisked or searched", n.Kept)
	armed(n.KeptWeapons)
	if left := n.FriskedWeapons - n.KeptWeapons; left > 0 {
		b.WriteString(wrapHanging(fmt.Sprintf("note: %s found with a frisk or search %s not in the table, for an unknown value or an age out of range",
			wording.Count(left, "weapon"), map[bool]string{true: "is", false: "are"}[left == 1]), 6))
	}
	if n.KeptUnlocated > 0 {
		b.WriteString(wrapHanging(fmt.Sprintf("note: the location of %s in the table is blank: taken for neither housing nor transit authority",
			wording.Count(n.KeptUnlocated, "stop")), 6))
	}
	return b.String()
}
