package bench

import (
	"fmt"
	"slices"
	"strings"

	"parcorels/internal/wording"
)

// caption says in a line which commits and days some records are from, and on which
// machine they were made. The records have the commands.
func caption(records []Record) string {
	var commits, machines []string
	for i := range records {
		o := &records[i].Origin
		for _, c := range []struct {
			list *[]string
			text string
		}{{&commits, fmt.Sprintf("%s (%s)", o.Commit, o.Date)}, {&machines, o.Machine.String()}} {
			if !slices.Contains(*c.list, c.text) {
				*c.list = append(*c.list, c.text)
			}
		}
	}
	return wrapped(fmt.Sprintf("Commit %s; %s.", strings.Join(commits, ", "), strings.Join(machines, "; "))) + "\n"
}

// String names the machine, its cores and what its user says of it.
func (m Machine) String() string {
	text := fmt.Sprintf("%s, %s, %s", m.CPU, wording.Count(int64(m.Cores), "core"), m.Go)
	if m.Note != "" {
		text += ", " + m.Note
	}
	return text
}
