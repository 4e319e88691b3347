package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/pflag"

	"parcorels"
	"parcorels/bench"
)

// suites runs suites as parcorels-bench does, but each case once, and prints its table.
func suites(ctx context.Context, args []string, atOnce int, solve parcorels.Solver, stdout io.Writer, say func(string)) error {
	var data, only, output string
	var lambdas []string
	f := newFlags("bench", "SUITE|INSTANCE|FILE… --dir FOLDER [options]", stdout)
	f.StringVar(&data, "data", os.Getenv(bench.DataEnv), "folder with the papers' data: corels/, binary/ and tables/")
	f.StringSliceVar(&lambdas, "lambda", []string{"0.01"}, "prices of the instances named; suites have their own")
	f.StringVar(&only, "only", "", "run only the cases with this text in their names")
	f.StringVarP(&output, "output", "o", "", "keep the records in this file")
	switch err := f.Parse(args); {
	case errors.Is(err, pflag.ErrHelp):
		return nil
	case err != nil:
		return usageError{err}
	case f.NArg() == 0:
		return usageError{errors.New("bench: expected the name of a suite or an instance (parcorels-bench list has them)")}
	}
	cases, err := bench.Find(f.Args(), lambdas, 1, only)
	if err != nil {
		return usageError{err}
	}
	keep := bench.Writer{W: io.Discard}
	if output != "" {
		file, err := os.OpenFile(output, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		if err != nil {
			return usageError{err}
		}
		defer file.Close()
		keep.W = file
	}
	var records []bench.Record
	r := &bench.Runner{
		Solve: solve, AtOnce: atOnce, Data: data, Repeats: 1, Origin: bench.NewOrigin("", "parcorels-fleet", os.Args[1:]...), Log: say,
		Emit: func(rec *bench.Record) error {
			records = append(records, *rec)
			return keep.Write(rec)
		},
	}
	err = r.Run(ctx, cases)
	if len(records) > 0 {
		fmt.Fprint(stdout, bench.Tables(records))
	}
	return err
}
