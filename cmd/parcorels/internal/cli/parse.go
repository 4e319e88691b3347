package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"parcorels/cmd/parcorels/internal/process"
	"parcorels/internal/option"
	"parcorels/optionerr"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// options returns the options under all headings.
func options(groups []process.Group) (all []*option.Option) {
	for _, g := range groups {
		all = append(all, g.Options...)
	}
	return all
}

// addFlags gives the command a flag for each option. The defaults of the library's options
// are the library's to fill in.
func (c *call) addFlags(cmd *cobra.Command) {
	for _, o := range options(c.groups) {
		if o.Default != "" && o.Group == "" {
			if err := o.Set(o.Default); err != nil {
				panic(complain(o, o.Default, err)) // a row of the table is wrong
			}
		}
		f := cmd.Flags().VarPF(&value{o, c}, o.Name, o.Short, o.Help)
		if o.Holder == "" {
			f.NoOptDefVal = "true"
			continue
		}
		// An error would say that the flag has a completion already: it is new.
		_ = cmd.RegisterFlagCompletionFunc(o.Name, completion(o))
	}
}

// option returns the option of a name; nil if there is none.
func (c *command) option(name string) *option.Option {
	for _, o := range options(c.call().groups) {
		if o.Name == name || o.Short == name && name != "" {
			return o
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
			return optionerr.Errorf(o.Name, "%s needs a value: expected %s", dashed(o), o.Expect)
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
	for _, o := range options(c.call().groups) {
		names = append(names, "--"+o.Name)
	}
	meant := didYouMean("--"+strings.TrimLeft(name, "-"), names, "")
	return fmt.Errorf("%s: unknown option %s%s (see parcorels %s --help)", c.name, name, meant, c.name)
}

// value is an option as package pflag sees it.
type value struct {
	*option.Option
	call *call
}

func (v *value) String() string { return v.Default }

// Type is the name of the value in texts of package pflag, which nobody sees.
func (v *value) Type() string { return v.Holder }

// Set reads a value. While a shell completes a line, package cobra reads it
// twice, and what is wrong with it does not matter yet.
func (v *value) Set(text string) error {
	if err := v.read(text); !v.call.completing {
		return err
	}
	return nil
}

func (v *value) read(text string) error {
	if v.Holder == "" {
		on, err := strconv.ParseBool(text)
		if err != nil {
			return optionerr.Errorf(v.Name, "%s takes no value, not %q", dashed(v.Option), text)
		}
		if !on {
			return nil
		}
	}
	if v.call.given[v.Name] && !v.Many && !v.call.completing {
		return optionerr.Errorf(v.Name, "%s is given twice", dashed(v.Option))
	}
	v.call.given[v.Name] = true
	if err := v.Option.Set(text); err != nil {
		return complain(v.Option, text, err)
	}
	return nil
}

// complain says what is wrong with a value.
func complain(o *option.Option, text string, err error) error {
	if errors.Is(err, option.ErrExpected) {
		last := strings.TrimSpace(text[strings.LastIndexByte(text, ',')+1:]) // of a list
		return optionerr.Errorf(o.Name, "%s %q: expected %s%s", dashed(o), text, o.Expect, didYouMean(last, o.Among, ""))
	}
	return optionerr.Errorf(o.Name, "%s %q: %v", dashed(o), text, err)
}

// dashed returns the option as a user types it: -o, --lambda.
func dashed(o *option.Option) string {
	if o.Short != "" {
		return "-" + o.Short
	}
	return "--" + o.Name
}

// completion returns how a shell completes the value of an option. The rest is package cobra's: names of commands and
// options, and files.
func completion(o *option.Option) cobra.CompletionFunc {
	switch {
	case o.Among != nil:
		return cobra.FixedCompletions(o.Among, cobra.ShellCompDirectiveNoFileComp)
	case o.Holder == "FILE", o.Holder == "X.out":
		return cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault)
	case o.Holder == "DIR":
		return cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
	}
	return cobra.NoFileCompletions
}

// outputGroup is a group of some options, by their names: those of an output, and others.
func outputGroup(title, names string, out *process.Output, others ...*option.Option) process.Group {
	progress := &option.Option{Name: "progress", Default: "auto", Value: option.Choice(&out.Progress, "auto", "always", "full", "never")}
	progress.Expect = "auto (on a terminal), always, full (with each better model) or never"
	all := append(others, progress,
		&option.Option{Name: "output", Short: "o", Value: option.Text(&out.ModelFile, "a file name")},
		&option.Option{Name: "json", Value: option.Text(&out.JSON, "a file name")},
		&option.Option{Name: "quiet", Value: option.Switch(&out.Quiet)})
	group := process.Group{Title: title}
	for name := range strings.FieldsSeq(names) {
		group.Options = append(group.Options, option.Find(all, name))
	}
	return group
}

// toStdout is -o of what goes to stdout otherwise.
func toStdout(to *string) *option.Option {
	return &option.Option{Name: "output", Short: "o", Unset: "stdout", Value: option.Text(to, "a file name")}
}
