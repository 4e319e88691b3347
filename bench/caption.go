package bench

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"parcorels/internal/wording"
)

// caption says where the figures of some records come from: for each machine,
// commit and day a line, with the commands.
func caption(records []Record) string {
	var places []string
	commands := map[string][]string{}
	for i := range records {
		r := &records[i]
		place, command := r.place(), "`"+unnoted(r.Command)+"`"
		if commands[place] == nil {
			places = append(places, place)
		}
		if !slices.Contains(commands[place], command) {
			commands[place] = append(commands[place], command)
		}
	}
	var b strings.Builder
	for _, p := range places {
		b.WriteString(wrapped(p + ": " + strings.Join(commands[p], ", ") + "."))
		b.WriteString("\n")
	}
	return b.String()
}

// place is the machine, the commit and the day of a record.
func (r *Record) place() string {
	m := r.Machine
	parts := []string{m.CPU, wording.Count(int64(m.Cores), "core")}
	if m.Memory > 0 {
		parts = append(parts, fmt.Sprintf("%.0f GB", float64(m.Memory)/1e9))
	}
	parts = append(parts, strings.TrimSpace(m.System+" "+m.Kernel), m.Go)
	if m.Note != "" {
		parts = append(parts, m.Note)
	}
	day, _, _ := strings.Cut(r.Date, "T")
	return fmt.Sprintf("%s. Commit %s, %s", strings.Join(parts, ", "), cmp.Or(r.Commit, "unknown"), day)
}

// unnoted is a command without its --note, which the place tells.
func unnoted(command string) string {
	list, err := words(command)
	if err != nil || len(list) == 0 {
		return command
	}
	if i := slices.Index(list, "--note"); i >= 0 {
		list = slices.Delete(list, i, min(i+2, len(list)))
	}
	return CommandLine(list[0], list[1:]...)
}
