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

func dataCommand() *command {
	names := strings.Join(generate.Names(), "|")
	return &command{
		name:    "data",
		summary: "make a table to try things on",
		usage:   names + " [-o FILE]",
		details: []string{
			"monk1, monk2 and monk3 are MONK's problems: all 432 robots, described by six attributes, and a class that follows a rule. tictactoe has the 958 boards at which a game can end, and whether x has won.",
		},
		min: 1, max: 1,
		groups: []group{{"Options", []option{
			{name: "o", value: "FILE", unset: "stdout", expect: "a file name", text: "write the table there",
				set: func(s *settings, t string) error { s.output = t; return notEmpty(t) }},
		}}},
		run: makeData,
	}
}

func makeData(_ context.Context, e *env, s *settings, args []string) error {
	if !slices.Contains(generate.Names(), args[0]) {
		return fmt.Errorf("data: no table %q, expected one of %s", args[0], strings.Join(generate.Names(), ", "))
	}
	return e.writeFile(cmp.Or(s.output, "-"), func(w io.Writer) error { return generate.Write(w, args[0]) })
}
