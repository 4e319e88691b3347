package cli

import (
	"context"
	"fmt"
	"io"
	"parcorels"
	"parcorels/cmd/internal/console"
	"parcorels/internal/option"
	"strings"

	"parcorels/internal/wording"
	"parcorels/rules"
)

func mineCommand() *command {
	return &command{
		name:    "mine",
		summary: "write the conditions of a table as .out and .label files",
		usage:   "FILE -o X.out [options]",
		details: []string{
			"Writes the conditions (antecedents) that fit would search, in the format of the reference implementation of CORELS: X.out has one line {name} 0 1 … for each condition, X.label has one for each class.",
		},
		min: 1, max: 1,
		complete: each(endingIn(tableEndings...)),
		begin: func(c *call) (func(context.Context, *env, []string) error, []group) {
			s := &mineSettings{call: c, learning: newLearning()}
			c.opens = &s.reading
			out := outputOption(&s.output, "write the conditions there and the labels to X.label")
			out.Holder, out.Expect = "X.out", "a file name that ends in .out"
			return s.mine, []group{s.group(parcorels.ReadingGroup), s.group(parcorels.MiningGroup), {"Output", []*option.Option{
				out, quietOption(&s.quiet, "print nothing, except that weights are lost if they are"),
			}}}
		},
	}
}

// mineSettings is what the options of mine say.
type mineSettings struct {
	*call
	*learning
	output string
	quiet  bool
}

func (s *mineSettings) mine(ctx context.Context, e *env, args []string) error {
	switch {
	case s.output == "":
		return fmt.Errorf("mine: say where to write the conditions: -o X.out")
	case !strings.HasSuffix(s.output, ".out"):
		return fmt.Errorf("-o %q: expected a file name that ends in .out", s.output)
	}
	label := strings.TrimSuffix(s.output, ".out") + ".label"
	if err := checkOutputs([]string{s.output, label}, []string{args[0], s.reading.Labels}); err != nil {
		return err
	}
	set, err := e.antecedents(ctx, s.learning, s.given, args[0], reader{noHash: true})
	if err != nil {
		return err
	}
	if err := e.writeFile(label, set.WriteLabel); err != nil {
		return err
	}
	if err := e.writeFile(s.output, set.WriteOut); err != nil {
		return err
	}
	if set.Data.Weights != nil {
		// A reader of the files cannot know: said even if nothing else is.
		_, _ = io.WriteString(e.stderr, "note: the format has no place for weights: they decided the support, no more\n")
	}
	if s.quiet {
		return nil
	}
	return e.print(mined(set, s.output, label))
}

// mined says what was written and what was not.
func mined(set *rules.Set, out, label string) string {
	d := set.Data
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n%s: %s, class 1 is %q\n", console.Escape(out), wording.Count(int64(len(set.Antecedents)), "condition"),
		console.Escape(label), wording.Count(int64(d.N), "sample"), d.Classes[1])
	fmt.Fprintf(&b, "left out: %s outside the support limits, %s of exclusive features,\n%s that capture what a simpler one does\n",
		wording.Thousands(int64(set.Dropped.Support)), wording.Thousands(int64(set.Dropped.Exclusive)), wording.Thousands(int64(set.Dropped.Duplicates)))
	return b.String() + keptOf(set) + notes(d.Notes)
}
