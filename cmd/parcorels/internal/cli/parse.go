package cli

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"parcorels/optionerr"
)

// option is a row of the table that feeds flags, their checks, completions, help
// and manual pages.
type option struct {
	name   string   // without dashes
	short  string   // a letter that does the same with one dash; "" for none
	value  string   // what stands for its value in help; "" of a switch
	def    string   // the default, read like a value given; "" if there is none to read
	unset  string   // where def is empty: what holds if the option is not given
	expect string   // the values it takes, for help and errors
	among  []string // the values, or items of a list, that a shell completes; nil: see completion
	text   string   // what it does
	before string   // what proofs that do not name the option were made with; "" if that is def
	many   bool     // may be given more than once
	tables bool     // has no meaning for a file of ready-made antecedents
	set    setter
}

// group is options under a heading of the help.
type group struct {
	title   string
	options []option
}

// only returns the options that texts names, with these texts where they are not "".
func (g group) only(texts map[string]string) group {
	var kept []option
	for _, o := range g.options {
		if text, ok := texts[o.name]; ok {
			o.text = cmp.Or(text, o.text)
			kept = append(kept, o)
		}
	}
	return group{g.title, kept}
}

// options returns the options of a command under all headings, which fill s.
func (c *command) options(s *settings) (all []option) {
	for _, g := range c.groups(s) {
		all = append(all, g.options...)
	}
	return all
}

// errExpected makes an error line out of what the option expects.
var errExpected = errors.New("not what the option expects")

// addFlags gives the command a flag for each option. Their values go to s,
// which begins with the defaults.
func (c *command) addFlags(cmd *cobra.Command, s *settings) {
	for _, o := range c.options(s) {
		if o.def != "" {
			if err := o.set(o.def); err != nil {
				panic(o.complain(o.def, err)) // a row of the table is wrong
			}
		}
		f := cmd.Flags().VarPF(&value{option: o, settings: s}, o.name, o.short, o.text)
		if o.value == "" {
			f.NoOptDefVal = "true"
			continue
		}
		// An error would say that the flag has a completion already: it is new.
		_ = cmd.RegisterFlagCompletionFunc(o.name, c.completed(o.completion(s)))
	}
}

// withTwoDashes lets the long options of a command have one dash too, as in
// "-lambda .01". Package pflag takes their letters for options: -output=x would write
// a file utput=x, and -help would be an unknown option -elp.
func withTwoDashes(args []string) []string {
	if len(args) == 0 || find(args[0]) == nil {
		return args
	}
	c, out := find(args[0]), append([]string{}, args...)
	for i := 1; i < len(out) && out[i] != "--"; i++ {
		if !strings.HasPrefix(out[i], "-") {
			continue
		}
		name, _, whole := strings.Cut(strings.TrimLeft(out[i], "-"), "=")
		o := c.option(name)
		if len(name) > 1 && !strings.HasPrefix(out[i], "--") && (o != nil || name == "help") {
			out[i] = "-" + out[i]
		}
		if o != nil && o.value != "" && !whole {
			i++ // its value stays as it is
		}
	}
	return out
}

// option returns the option of a name; nil if there is none.
func (c *command) option(name string) *option {
	for _, o := range c.options(newSettings()) {
		if o.name == name || o.short == name && name != "" {
			return &o
		}
	}
	return nil
}

// translate turns an error of package pflag into a line for people.
func (c *command) translate(err error) error {
	var unknown *pflag.NotExistError
	var valueless *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &invalid):
		return invalid.Unwrap()
	case errors.As(err, &valueless):
		if o := c.option(valueless.GetSpecifiedName()); o != nil {
			return optionerr.Errorf(o.name, "%s needs a value: expected %s", o.dashed(), o.expect)
		}
	case errors.As(err, &unknown):
		return c.unknown(unknown)
	}
	return fmt.Errorf("%s: %w (see parcorels %s --help)", c.name, err, c.name)
}

// unknown names an option that there is not, and those that were meant perhaps.
func (c *command) unknown(err *pflag.NotExistError) error {
	name := "--" + err.GetSpecifiedName()
	if shorts := err.GetSpecifiedShortnames(); shorts != "" {
		name = "-" + shorts
	}
	var names []string
	for _, o := range c.options(newSettings()) {
		names = append(names, "--"+o.name)
	}
	meant := didYouMean("--"+strings.TrimLeft(name, "-"), names, "")
	return fmt.Errorf("%s: unknown option %s%s (see parcorels %s --help)", c.name, name, meant, c.name)
}

// value is an option as package pflag sees it.
type value struct {
	option
	settings *settings
}

func (v *value) String() string { return v.def }

// Type is the name of the value in texts of package pflag, which nobody sees.
func (v *value) Type() string { return v.value }

// Set reads a value. While a shell completes a line, package cobra reads it
// twice, and what is wrong with it does not matter yet.
func (v *value) Set(text string) error {
	if err := v.read(text); !v.settings.completing {
		return err
	}
	return nil
}

func (v *value) read(text string) error {
	if v.value == "" {
		on, err := strconv.ParseBool(text)
		if err != nil {
			return optionerr.Errorf(v.name, "%s takes no value, not %q", v.dashed(), text)
		}
		if !on {
			return nil
		}
	}
	if v.settings.given[v.name] && !v.many && !v.settings.completing {
		return optionerr.Errorf(v.name, "%s is given twice", v.dashed())
	}
	v.settings.given[v.name] = true
	v.settings.typed = append(v.settings.typed, typedOption{v.name, text})
	if err := v.set(text); err != nil {
		return v.complain(text, err)
	}
	return nil
}

// complain says what is wrong with a value.
func (o option) complain(text string, err error) error {
	if errors.Is(err, errExpected) {
		last := strings.TrimSpace(text[strings.LastIndexByte(text, ',')+1:]) // of a list
		return optionerr.Errorf(o.name, "%s %q: expected %s%s", o.dashed(), text, o.expect, didYouMean(last, o.among, ""))
	}
	return optionerr.Errorf(o.name, "%s %q: %v", o.dashed(), text, err)
}

// dashed returns the option as a user types it: -o, --lambda.
func (o option) dashed() string {
	if o.short != "" {
		return "-" + o.short
	}
	return "--" + o.name
}
