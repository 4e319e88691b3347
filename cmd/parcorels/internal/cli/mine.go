package cli

import (
	"context"
	"fmt"
	"io"
	"parcorels/cmd/internal/console"
	"strings"

	"parcorels/internal/wording"
	"parcorels/rules"
)

func mineCommand() *command {
	return &command{
		name:    "mine",
		summary: "write the antecedents of a table as .out and .label files",
		usage:   "FILE -o X.out [options]",
		details: []string{
			"Writes the antecedents that fit would search, in the format of the reference implementation of CORELS: X.out has a line {name} 0 1 … per antecedent, X.label one per class.",
		},
		min: 1, max: 1,
		groups: func(s *settings) []group {
			return []group{tableGroup(s), miningGroup(s), {"Output", []option{
				{name: "output", short: "o", value: "X.out", expect: "a file name that ends in .out", text: "write the antecedents there and the labels to X.label",
					set: into(&s.output, func(t string) (string, error) {
						if !strings.HasSuffix(t, ".out") {
							return "", errExpected
						}
						return t, nil
					})},
				{name: "quiet", text: "print nothing, except that weights are lost if they are", set: on(&s.quiet)},
			}}}
		},
		complete: each(endingIn(tableEndings...)),
		run:      mine,
	}
}

func mine(ctx context.Context, e *env, s *settings, args []string) error {
	if s.output == "" {
		return fmt.Errorf("mine: say where to write the antecedents: -o X.out")
	}
	label := strings.TrimSuffix(s.output, ".out") + ".label"
	if err := checkOutputs([]string{s.output, label}, []string{args[0], s.data.Labels}); err != nil {
		return err
	}
	set, err := e.antecedents(ctx, s, args[0])
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
	fmt.Fprintf(&b, "%s: %s\n%s: %s, class 1 is %q\n", console.Escape(out), wording.Count(int64(len(set.Antecedents)), "antecedent"),
		console.Escape(label), wording.Count(int64(d.N), "sample"), d.Classes[1])
	fmt.Fprintf(&b, "left out: %s outside the support limits, %s of exclusive features,\n%s that capture what a simpler one does\n",
		wording.Thousands(int64(set.Dropped.Support)), wording.Thousands(int64(set.Dropped.Exclusive)), wording.Thousands(int64(set.Dropped.Duplicates)))
	return b.String() + keptOf(set) + notes(d.Notes)
}
