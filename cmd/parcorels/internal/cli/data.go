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

// stopsTable is the one table of which there may be any number of rows.
const stopsTable = "stopfrisk"

// tableNames are what "parcorels data" makes.
func tableNames() []string { return append(generate.Names(), stopsTable) }

func dataCommand() *command {
	return &command{
		name:    "data",
		summary: "make a table to try things on",
		usage:   "NAME [options]",
		details: []string{
			"NAME is " + strings.Join(generate.Names(), ", ") + " or " + stopsTable + ".",
			"monk1, monk2 and monk3 are MONK's problems. They have all 432 robots, six attributes of each, and a class that follows a rule. tictactoe has the 958 boards at which a game can end, and whether x has won.",
			"stopfrisk has the shape of New York's stops with a frisk or search in 2014. Its columns are 18 flags for reasons (cs_) and circumstances (ac_), city, location, inside or outside, and whether a weapon was found. One stop in 21 has a weapon unless classes are balanced. Shares and dependences are those of the NYPD's data; the rows are made up. The same rows, seed and balance give the same bytes everywhere.",
		},
		min: 1, max: 1,
		groups:   func(s *settings) []group { return []group{dataGroup(s), stopsGroup(s)} },
		complete: each(oneOfThese(tableNames()...)),
		run:      makeData,
	}
}

func dataGroup(s *settings) group {
	return group{"Options", []option{
		{name: "output", short: "o", value: "FILE", unset: "stdout", expect: "a file name", text: "write the table there", set: notEmpty(&s.output)},
	}}
}

func stopsGroup(s *settings) group {
	return group{"Options of " + stopsTable, []option{
		{name: "rows", value: "N", def: "29595", expect: fmt.Sprintf("an integer from 1 to %d", generate.MaxStops), text: "stops", set: whole(&s.stops.Rows, 1, generate.MaxStops)},
		{name: "seed", value: "N", def: "1", expect: "an integer from 0 to 2^64-1", text: "seed of the random numbers", set: seed(&s.stops.Seed)},
		{name: "balance", value: "HOW", among: []string{"none", "resample"}, def: "none", expect: "none, or resample for as many stops with a weapon as without", text: "balance of the classes",
			set: named(&s.stops.Balance, map[string]bool{"none": false, "resample": true})},
	}}
}

// makeData writes a table.
func makeData(ctx context.Context, e *env, s *settings, args []string) error {
	name := args[0]
	if !slices.Contains(tableNames(), name) {
		return fmt.Errorf("data: no table %q%s", name, didYouMean(name, tableNames(), ", expected one of "+strings.Join(tableNames(), ", ")))
	}
	if name != stopsTable {
		for _, o := range stopsGroup(s).options {
			if s.given[o.name] {
				return fmt.Errorf("data %s: %s is an option of %s", name, o.dashed(), stopsTable)
			}
		}
	}
	return e.writeFile(cmp.Or(s.output, "-"), func(w io.Writer) error {
		if name != stopsTable {
			return generate.Write(w, name)
		}
		if err := s.stops.Write(ctx, w); ctx.Err() == nil {
			return err
		}
		return errInterrupted
	})
}
