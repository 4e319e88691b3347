package cli

import (
	"context"
	"fmt"
	"strings"
)

// command is one word that may follow "parcorels".
type command struct {
	name    string
	summary string   // one line of the overview
	usage   string   // arguments, as help shows them
	details []string // paragraphs of its help
	min     int      // positional arguments
	max     int
	groups  []group
	run     func(ctx context.Context, e *env, s *settings, args []string) error
}

// commands returns all commands in the order of the overview.
func commands() []*command {
	return []*command{fitCommand(), cvCommand(), predictCommand(), showCommand(), verifyCommand(), mineCommand(), dataCommand(), benchCommand(), versionCommand()}
}

func find(name string) *command {
	for _, c := range commands() {
		if c.name == name {
			return c
		}
	}
	return nil
}

// dispatch runs the command that args begin with.
func (e *env) dispatch(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("no command given, expected one of %s (see parcorels help)", commandNames())
	}
	switch name := args[0]; name {
	case "help", "--help", "-help", "-h":
		return e.help(args[1:])
	case "--version", "-version":
		return e.execute(ctx, versionCommand(), args[1:])
	default:
		c := find(name)
		if c == nil {
			return fmt.Errorf("unknown command %q, expected one of %s (see parcorels help)", name, commandNames())
		}
		return e.execute(ctx, c, args[1:])
	}
}

// execute reads the settings of c from args and runs it.
func (e *env) execute(ctx context.Context, c *command, args []string) error {
	s, rest, err := c.parse(args)
	if err != nil {
		return err
	}
	if s.help {
		return e.print(c.help())
	}
	switch {
	case len(rest) < c.min:
		return fmt.Errorf("%s: missing argument, usage: %s", c.name, c.line())
	case len(rest) > c.max:
		return fmt.Errorf("%s: unexpected argument %q, usage: %s", c.name, rest[c.max], c.line())
	}
	return c.run(ctx, e, s, rest)
}

// help prints the overview or the help of one command.
func (e *env) help(args []string) error {
	if len(args) == 0 {
		return e.print(overview())
	}
	c := find(args[0])
	if c == nil || len(args) > 1 {
		return fmt.Errorf("no help on %q, expected one of %s", strings.Join(args, " "), commandNames())
	}
	return e.print(c.help())
}

func commandNames() string {
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	return strings.Join(names, ", ")
}

// line is how the command is typed.
func (c *command) line() string {
	return strings.TrimRight("parcorels "+c.name+" "+c.usage, " ")
}
