package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"parcorels/internal/generate"
)

// tableKind is a word that may follow "parcorels data".
type tableKind struct {
	name     string
	verb     bool     // it is no name of a table
	argument string   // what follows the word; "" for nothing
	help     string   // a paragraph, unless several words share one
	options  []option // besides -o
	run      func(ctx context.Context, e *env, s *settings, args []string) error
}

// tableKinds returns all kinds in the order of the help.
func tableKinds(s *settings) []tableKind {
	var kinds []tableKind
	for _, name := range generate.Names() {
		kinds = append(kinds, exampleKind(name))
	}
	return append(kinds, stopFriskKind(s), nypdKind(), getKind(s), listKind())
}

func dataCommand() *command {
	usage := []string{"NAME"}
	details := []string{
		"NAME is " + strings.Join(generate.Names(), ", ") + " or stopfrisk. monk1, monk2 and monk3 are MONK's problems: all 432 robots, described by six attributes, and a class that follows a rule. tictactoe has the 958 boards at which a game can end, and whether x has won.",
	}
	for _, k := range tableKinds(newSettings()) {
		if k.verb {
			usage = append(usage, strings.TrimRight(k.name+" "+k.argument, " "))
		}
		if k.help != "" {
			details = append(details, k.help)
		}
	}
	return &command{
		name:    "data",
		summary: "make, convert or download a table to try things on",
		usage:   strings.Join(usage, "|") + " [options]",
		details: details,
		min:     1, max: 2,
		groups:   dataGroups,
		complete: tableNames,
		run:      makeData,
	}
}

// dataGroups are the options of all kinds of tables.
func dataGroups(s *settings) []group {
	groups := []group{{"Options", []option{
		{name: "output", short: "o", value: "FILE", unset: "stdout; of get, the name that the file has", expect: "a file name", text: "write the table there", set: notEmpty(&s.output)},
	}}}
	for _, k := range tableKinds(s) {
		if len(k.options) > 0 {
			groups = append(groups, group{"Options of " + k.name, k.options})
		}
	}
	return groups
}

// makeData finds the kind and checks that all that was given belongs to it.
func makeData(ctx context.Context, e *env, s *settings, args []string) error {
	kinds := tableKinds(s)
	at := slices.IndexFunc(kinds, func(k tableKind) bool { return k.name == args[0] })
	if at < 0 {
		var names []string
		for _, k := range kinds {
			names = append(names, k.name)
		}
		return fmt.Errorf("data: no table %q%s", args[0], didYouMean(args[0], names, ", expected one of "+strings.Join(names, ", ")))
	}
	k, args := kinds[at], args[1:]
	switch {
	case k.argument == "" && len(args) > 0:
		return fmt.Errorf("data %s: unexpected argument %q, expected none", k.name, args[0])
	case k.argument != "" && len(args) == 0:
		return fmt.Errorf("data %s: missing argument, usage: parcorels data %s %s [options]", k.name, k.name, k.argument)
	}
	for i, other := range kinds {
		for _, o := range other.options {
			if i != at && s.given[o.name] {
				return fmt.Errorf("data %s: %s is an option of %s", k.name, o.dashed(), other.name)
			}
		}
	}
	return k.run(ctx, e, s, args)
}

// exampleKind is a table that is the same every time.
func exampleKind(name string) tableKind {
	return tableKind{name: name, run: func(_ context.Context, e *env, s *settings, _ []string) error {
		return e.writeFile(cmp.Or(s.output, "-"), func(w io.Writer) error { return generate.Write(w, name) })
	}}
}

// stopFriskKind is a table of any size.
func stopFriskKind(s *settings) tableKind {
	return tableKind{
		name: "stopfrisk",
		help: "stopfrisk has the shape of New York's stops with a frisk or search in 2014: 18 flags for reasons (cs_) and circumstances (ac_), city, location, inside or outside, and whether a weapon was found, at one stop in 21 unless balanced. Its shares and their dependence are those of the NYPD's data, its rows are not. The same rows, seed and balance give the same bytes everywhere.",
		options: []option{
			{name: "rows", value: "N", def: "29595", expect: fmt.Sprintf("an integer from 1 to %d", generate.MaxStops), text: "stops", set: whole(&s.stops.Rows, 1, generate.MaxStops)},
			{name: "seed", value: "N", def: "1", expect: "an integer from 0 to 2^64-1", text: "what the chance depends on", set: seed(&s.stops.Seed)},
			{name: "balance", value: "HOW", among: []string{"none", "resample"}, def: "none", expect: "none, or resample for as many stops with a weapon as without", text: "classes",
				set: named(&s.stops.Balance, map[string]bool{"none": false, "resample": true})},
		},
		run: func(ctx context.Context, e *env, s *settings, _ []string) error {
			return e.writeFile(cmp.Or(s.output, "-"), func(w io.Writer) error {
				if err := s.stops.Write(ctx, w); ctx.Err() == nil {
					return err
				}
				return errInterrupted
			})
		},
	}
}
