package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// option is a row of the table that feeds flags, their checks and help.
type option struct {
	name   string // without dashes
	value  string // what stands for its value in help; "" of a switch
	def    string // the default, read like a value given; "" if there is none to read
	unset  string // where def is empty: what holds if the option is not given
	expect string // the values it takes, for help and errors
	text   string // what it does
	before string // what proofs that do not name the option were made with; "" if that is def
	many   bool   // may be given more than once
	tables bool   // has no meaning for a file of ready-made antecedents
	set    func(s *settings, text string) error
}

// group is options under a heading of the help.
type group struct {
	title   string
	options []option
}

// errExpected makes an error line out of what the option expects.
var errExpected = errors.New("not what the option expects")

// parse reads args, in which options and positional arguments may mix. It
// returns the positional ones. After an error it asks for no more than that
// one line be printed.
func (c *command) parse(args []string) (*settings, []string, error) {
	s := &settings{given: map[string]bool{}, bench: newBenchSettings()}
	fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	for _, g := range c.groups {
		for _, o := range g.options {
			if o.def != "" {
				if err := o.set(s, o.def); err != nil {
					return nil, nil, o.complain(o.def, err)
				}
			}
			fs.Var(&value{option: o, settings: s}, o.name, o.text)
		}
	}
	rest, err := interleaved(fs, args)
	if errors.Is(err, flag.ErrHelp) {
		s.help = true
		return s, nil, nil
	}
	if s.bad != nil {
		return nil, nil, s.bad // package flag keeps only the text of an error
	}
	return s, rest, c.translate(err)
}

// interleaved parses flags before, between and after positional arguments. All
// that follows a "--" is positional.
func interleaved(fs *flag.FlagSet, args []string) ([]string, error) {
	var rest []string
	for {
		if err := fs.Parse(args); err != nil {
			return nil, err
		}
		read := len(args) - fs.NArg()
		if fs.NArg() == 0 || read > 0 && args[read-1] == "--" {
			return append(rest, fs.Args()...), nil
		}
		rest = append(rest, fs.Arg(0))
		args = fs.Args()[1:]
	}
}

// translate turns an error of package flag into a line for people.
func (c *command) translate(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: -"); ok {
		return fmt.Errorf("%s: unknown option --%s (see parcorels %s --help)", c.name, name, c.name)
	}
	if name, ok := strings.CutPrefix(text, "flag needs an argument: -"); ok {
		for _, g := range c.groups {
			for _, o := range g.options {
				if o.name == name {
					return fmt.Errorf("%s needs a value: expected %s", o.dashed(), o.expect)
				}
			}
		}
	}
	return fmt.Errorf("%s: %s (see parcorels %s --help)", c.name, text, c.name)
}

// value is an option as package flag sees it.
type value struct {
	option
	settings *settings
}

func (v *value) String() string { return v.def }

// IsBoolFlag tells package flag that a switch needs no value.
func (v *value) IsBoolFlag() bool { return v.value == "" }

// Set keeps the error for parse.
func (v *value) Set(text string) error {
	v.settings.bad = v.read(text)
	return v.settings.bad
}

func (v *value) read(text string) error {
	if v.value == "" {
		on, err := strconv.ParseBool(text)
		if err != nil {
			return fmt.Errorf("%s takes no value, not %q", v.dashed(), text)
		}
		if !on {
			return nil
		}
	}
	if v.settings.given[v.name] && !v.many {
		return fmt.Errorf("%s is given twice", v.dashed())
	}
	v.settings.given[v.name] = true
	v.settings.typed = append(v.settings.typed, typedOption{v.name, text})
	if err := v.set(v.settings, text); err != nil {
		return v.complain(text, err)
	}
	return nil
}

// complain says what is wrong with a value.
func (o option) complain(text string, err error) error {
	if errors.Is(err, errExpected) {
		return fmt.Errorf("%s %q: expected %s", o.dashed(), text, o.expect)
	}
	return fmt.Errorf("%s %q: %w", o.dashed(), text, err)
}

// dashed returns the option as a user types it: -o, --lambda.
func (o option) dashed() string {
	if len(o.name) == 1 {
		return "-" + o.name
	}
	return "--" + o.name
}
