package cli

import (
	"context"
	"errors"
	"fmt"

	"parcorels/dataset"
	"parcorels/rules"
	"parcorels/verify"
)

// errOtherData reports data that a proof is not about.
var errOtherData = errors.New("this is not the file that it was made for")

// antecedents reads the data and makes the antecedents as the settings say. An
// .out file holds its own. A cancelled ctx ends the wait, not the work: the
// process is about to end.
func (e *env) antecedents(ctx context.Context, s *settings, path string) (*rules.Set, error) {
	if err := s.checkFormat(path); err != nil {
		return nil, err
	}
	return await(ctx, func() (*rules.Set, error) {
		d, err := e.read(s, path)
		if err != nil {
			return nil, s.orAnotherTarget(err)
		}
		if s.hash != "" && d.Hash != s.hash {
			return nil, fmt.Errorf("%s: %w: %w", path, verify.ErrRefused, errOtherData)
		}
		if d.Format == "out" {
			return rules.Given(d)
		}
		set, err := rules.Mine(ctx, d, s.mining)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return set, nil
	})
}

// orAnotherTarget adds to an error about the labels that others could be meant: the
// last column, which is taken unless --target is given, may be of another kind.
func (s *settings) orAnotherTarget(err error) error {
	if wrongOption(err) != "positive" || s.given["positive"] || s.given["target"] {
		return err
	}
	return fmt.Errorf("%w, or the column of the labels with --target, or learn a --model tree of all", err)
}

// read reads a file, or stdin if path is "-".
func (e *env) read(s *settings, path string) (*dataset.Dataset, error) {
	o := s.reading()
	o.Memory = e.memory.Reading()
	o.NoHash = e.client == nil && !s.needsHash() // a client is given the model
	if path == "-" {
		d, err := dataset.ReadFrom(e.stdin, "stdin", o)
		if e.client != nil && err == nil { // the end of stdin must not hide why nothing was read
			e.client.watch()
		}
		return d, err
	}
	return dataset.Read(path, o)
}

// needsHash reports whether the hash of the data is compared with another, or
// written anywhere.
func (s *settings) needsHash() bool {
	for _, file := range []string{s.hash, s.output, s.json, s.proof, s.checkpoint, s.resume} {
		if file != "" {
			return true
		}
	}
	return false
}

// reading returns the options of package dataset. Those that were not given
// keep their zero values, as it asks for with .out files.
func (s *settings) reading() dataset.Options {
	o := s.data
	if !s.given["bins"] {
		o.Bins = 0
	}
	if !s.given["numeric"] {
		o.Numeric = ""
	}
	return o
}

// checkFormat reports the first option that does not go with the format of
// path.
func (s *settings) checkFormat(path string) error {
	if dataset.IsOut(path) {
		return s.refuseForOut(path)
	}
	if s.given["labels"] {
		return fmt.Errorf("%s: --labels goes with an .out file, the labels of a table are in its --target column", path)
	}
	return nil
}

// refuseForOut reports the first option that a file of ready-made antecedents
// has no use for.
func (s *settings) refuseForOut(path string) error {
	for _, o := range s.command.options(s) {
		if o.tables && s.given[o.name] {
			return fmt.Errorf("%s: %s is an option for tables, but an .out file holds antecedents, which are taken as they are", path, o.dashed())
		}
	}
	return nil
}
