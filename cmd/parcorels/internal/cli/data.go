package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"parcorels/internal/option"
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
		summary: "make a table to experiment with",
		usage:   "NAME [options]",
		details: []string{
			"NAME is " + strings.Join(generate.Names(), ", ") + " or " + stopsTable + ".",
			"monk1, monk2 and monk3 are MONK's problems. They have all 432 robots, six attributes of each, and a class that follows a rule. tictactoe has the 958 boards at which a game can end, and whether x has won.",
			"compas-like has the shape of a table of defendants and of whether they were arrested again. All of it is made up: no row is about a person.",
			"stopfrisk has the shape of New York's stops with a frisk or search in 2014. Its columns are 18 flags for reasons (cs_) and circumstances (ac_), city, location, inside or outside, and whether a weapon was found. One stop in 21 has a weapon unless classes are balanced. Shares and dependences are those of the NYPD's data, but the rows are made up. The same rows, seed and balance give the same bytes everywhere.",
		},
		min: 1, max: 1,
		complete: each(oneOfThese(tableNames()...)),
		begin: func(c *call) (func(context.Context, *env, []string) error, []group) {
			s := &dataSettings{call: c}
			return s.write, []group{{"Options", []*option.Option{toStdout(&s.output, "write the table there")}}, s.stopsGroup()}
		},
	}
}

// dataSettings is what the options of data say.
type dataSettings struct {
	*call
	stops  generate.StopFrisk
	output string
}

func (s *dataSettings) stopsGroup() group {
	return group{"Options of " + stopsTable, []*option.Option{
		{Name: "rows", Holder: "N", Default: "29595", Help: "stops", Value: option.Integer(&s.stops.Rows, 1, generate.MaxStops)},
		{Name: "seed", Holder: "N", Default: "1", Help: "seed of the random numbers", Value: option.Integer(&s.stops.Seed, 0, math.MaxInt64)},
		{Name: "balance", Holder: "HOW", Default: "none", Help: "balance of the classes; resample makes as many stops with a weapon as without", Value: option.Named(&s.stops.Balance, []string{"none", "resample"}, []bool{false, true})},
	}}
}

// write makes a table.
func (s *dataSettings) write(ctx context.Context, e *env, args []string) error {
	name := args[0]
	if !slices.Contains(tableNames(), name) {
		return fmt.Errorf("data: no table %q%s", name, didYouMean(name, tableNames(), ", expected one of "+strings.Join(tableNames(), ", ")))
	}
	if name != stopsTable {
		for _, o := range s.stopsGroup().options {
			if s.given[o.Name] {
				return fmt.Errorf("data %s: %s is an option of %s", name, dashed(o), stopsTable)
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
