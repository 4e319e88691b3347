package serve

import (
	_ "embed" // of labels
	"strings"
	"sync"

	"parcorels/family"
	"parcorels/internal/option"
	"parcorels/optionerr"
)

// label is what the page calls an option, and says of it. An option without one is not on the page: files of this machine, and
// how much of the machine a search takes.
type label struct {
	For, Label, Note string // the option's name, and texts
	Front            bool   // it is shown at once
}

//go:embed labels.txt
var labelsText string

// labels are what labels.txt says: a line for each option, with its name, what the page calls it, and a note. Those before the
// empty line are shown at once.
var labels = sync.OnceValue(func() (all []label) {
	front := true
	for line := range strings.Lines(labelsText) {
		name, text, _ := strings.Cut(strings.TrimSpace(line), " | ")
		text, note, _ := strings.Cut(text, " | ")
		if front = front && name != ""; name != "" {
			all = append(all, label{name, text, note, front})
		}
	}
	return all
})

// optionTable are the options of the library.
func optionTable() []*option.Option { return family.OptionTable(&family.Reading{}, &family.Options{}) }

// optionName is what the page calls a field of the options of the library.
func optionName(name string) string {
	for _, row := range optionTable() {
		if row.Field != name {
			continue
		}
		for _, l := range labels() {
			if l.For == row.Name {
				return "“" + l.Label + "”"
			}
		}
		return row.Name
	}
	return ""
}

// renamed are notes for people.
func renamed(notes []string) (list []string) {
	for _, note := range notes {
		list = append(list, optionerr.Rename(note, optionName))
	}
	return list
}
