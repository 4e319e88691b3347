package main

import (
	"errors"

	"github.com/spf13/cobra"

	"parcorels/bench"
)

// compare says what changed between two files of records.
func (p *program) compare(before, after string) error {
	a, err := bench.ReadFile(before)
	if err != nil {
		return err
	}
	b, err := bench.ReadFile(after)
	if err != nil {
		return err
	}
	text, err := bench.Compare(a, b)
	if bad := p.print(text); bad != nil {
		return bad
	}
	if errors.Is(err, bench.ErrDisagree) {
		return outputError{err}
	}
	return err
}

func (p *program) reportCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "report FILE…",
		Short: "Print the tables of records.",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, files []string) error {
			records, err := bench.ReadFiles(files)
			if err != nil {
				return err
			}
			return p.print(bench.Tables(records))
		},
	}
}
