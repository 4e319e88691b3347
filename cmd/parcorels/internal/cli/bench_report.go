package cli

import (
	"errors"

	"parcorels/bench"
)

// benchCompare says what changed between two files of records.
func benchCompare(e *env, args []string) error {
	if len(args) != 2 {
		return errors.New("bench compare takes two files of records: parcorels bench compare A.jsonl B.jsonl")
	}
	a, err := bench.ReadFile(args[0])
	if err != nil {
		return err
	}
	b, err := bench.ReadFile(args[1])
	if err != nil {
		return err
	}
	text, err := bench.Compare(a, b)
	if text != "" {
		if err := e.print(text); err != nil {
			return err
		}
	}
	if errors.Is(err, bench.ErrDisagree) {
		return outputError{err}
	}
	return err
}

// benchReport prints tables and renews a document.
func benchReport(e *env, s *settings, args []string) error {
	if len(args) == 0 && s.bench.write == "" {
		return errors.New("bench report: name files of records, or with --write a document whose marks do")
	}
	if s.bench.write != "" {
		text, err := bench.Renew(s.bench.write)
		if err != nil {
			return err
		}
		if err := e.writeText(s.bench.write, text); err != nil {
			return err
		}
	}
	if len(args) == 0 {
		return nil
	}
	records, err := bench.ReadFiles(args)
	if err != nil {
		return err
	}
	return e.print(bench.Tables(records))
}
