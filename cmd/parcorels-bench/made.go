package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parcorels/family"
	"parcorels/internal/atomicfile"
	"parcorels/internal/generate"
	"parcorels/internal/option"
	"parcorels/internal/wording"
	"parcorels/rules"
)

func (p *program) stopsCommand() *cobra.Command {
	var stops generate.StopFrisk
	var output string
	cmd := &cobra.Command{
		Use:   "stopfrisk",
		Short: "Make a table of any number of rows to experiment with.",
		Long: `The table has the shape of New York's stops with a frisk or search in 2014: 18 flags for
reasons (cs_) and circumstances (ac_), city, location, inside or outside, and whether a
weapon was found, as in every second row. Shares and dependences are those of the NYPD's
data, but the rows are made up. The same rows and seed give the same bytes everywhere.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.write(output, func(w io.Writer) error { return stops.Write(cmd.Context(), w) })
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&output, "output", "o", "-", "write the table to this `file`; - for stdout")
	f.Int64Var(&stops.Rows, "rows", 29595, "stops")
	f.Uint64Var(&stops.Seed, "seed", 1, "seed of the random numbers")
	return cmd
}

// write writes a whole file, or to stdout for "-".
func (p *program) write(path string, write func(io.Writer) error) error {
	if path == "-" {
		return write(p.out)
	}
	return atomicfile.Write(path, write)
}

func (p *program) mineCommand() *cobra.Command {
	var reading family.Reading
	var mining family.Options
	var output string
	cmd := &cobra.Command{
		Use:   "mine FILE -o X.out",
		Short: "Write the conditions of a table as .out and .label files.",
		Long: `Mine writes the conditions (antecedents) that fit would search, in the format of the
reference implementation of CORELS: X.out has one line {name} 0 1 … for each condition,
X.label has one for each class.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.mine(cmd.Context(), args[0], output, reading, mining)
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVarP(&output, "output", "o", "", "write the conditions to this `file` and the labels to X.label")
	for _, o := range family.OptionTable(&reading, &mining) {
		if o.Group == family.ReadingGroup || o.Group == family.MiningGroup {
			flag := &pflag.Flag{Name: o.Name, Usage: o.Help, Value: flagValue{o}}
			if o.Holder == "" {
				flag.NoOptDefVal = "true"
			}
			cmd.Flags().AddFlag(flag)
		}
	}
	return cmd
}

// mine writes the conditions of a table.
func (p *program) mine(ctx context.Context, path, output string, reading family.Reading, mining family.Options) error {
	base, ok := strings.CutSuffix(output, ".out")
	if !ok || base == "" {
		return errors.New("mine: say where to write the conditions: -o X.out")
	}
	d, err := family.Read(path, reading)
	if err != nil {
		return err
	}
	problem, err := family.NewProblem(ctx, d, mining)
	if err != nil {
		return err
	}
	set := problem.Set
	if err := p.write(base+".label", set.WriteLabel); err != nil {
		return err
	}
	if err := p.write(output, set.WriteOut); err != nil {
		return err
	}
	return p.print(mined(set, output, base+".label"))
}

// mined says what was written and what was not.
func mined(set *rules.Set, out, label string) string {
	d := set.Data
	text := fmt.Sprintf("%s: %s\n%s: %s, class 1 is %q\n", wording.Escape(out), wording.Count(int64(len(set.Antecedents)), "condition"),
		wording.Escape(label), wording.Count(int64(d.N), "sample"), d.Classes[1])
	if d.Weights != nil {
		text += "the format has no place for weights: they decided the support, no more\n"
	}
	return text
}

// flagValue is a row of the table of options as package pflag sees it.
type flagValue struct{ *option.Option }

func (flagValue) String() string { return "" }

func (v flagValue) Type() string { return strings.ToLower(v.Holder) }

func (v flagValue) Set(text string) error {
	err := v.Option.Set(text)
	if errors.Is(err, option.ErrExpected) {
		return errors.New("expected " + v.Expect)
	}
	return err
}
