package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"parcorels/bench"
	"parcorels/internal/atomicfile"
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
	var document string
	cmd := &cobra.Command{
		Use:   "report [FILE…]",
		Short: "Print the tables of records, or renew those in a document.",
		Long:  "Report prints the tables of the records in the files.\nWith --write it renews the tables between the marks of a Markdown file.",
		RunE: func(_ *cobra.Command, files []string) error {
			if len(files) == 0 && document == "" {
				return errors.New("report: name files of records, or with --write a document whose marks do")
			}
			if document != "" {
				if err := renew(document); err != nil || len(files) == 0 {
					return err
				}
			}
			records, err := bench.ReadFiles(files)
			if err != nil {
				return err
			}
			return p.print(bench.Tables(records))
		},
	}
	cmd.Flags().StringVar(&document, "write", "", "renew the tables of this `document` from the records that its marks name")
	return cmd
}

// renew writes the tables of a document anew.
func renew(path string) error {
	text, err := bench.Renew(path)
	if err != nil {
		return err
	}
	return atomicfile.Write(path, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
}
