package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"parcorels/cmd/parcorels-bench/internal/download"
	"parcorels/cmd/parcorels-bench/internal/nypd"
	"parcorels/internal/atomicfile"
	"parcorels/internal/wording"
)

func (p *program) getCommand() *cobra.Command {
	var mirror, output string
	var names []string
	sources := download.Sources()
	for _, s := range sources {
		names = append(names, s.Name)
	}
	cmd := &cobra.Command{
		Use:   "get NAME",
		Short: "Download a public data set of the papers.",
		Long: `Get downloads a public data set from where it is published.
It checks the size and the SHA-256 of the file, and writes it under its own name.
It replaces no file, and leaves nothing behind if anything fails.`,
		Args: cobra.ExactArgs(1), ValidArgs: names,
		RunE: func(cmd *cobra.Command, args []string) error {
			i := slices.Index(names, args[0])
			if i < 0 {
				return fmt.Errorf("get: no data set %q, expected one of %s", args[0], strings.Join(names, ", "))
			}
			return p.get(cmd.Context(), sources[i], mirror, output)
		},
	}
	cmd.Flags().StringVar(&mirror, "url", "", "download from this `address` instead; the checksum stays the same")
	cmd.Flags().StringVarP(&output, "output", "o", "", "write this `file`; - for stdout")
	return cmd
}

const downloadTime = 2 * time.Minute

// get downloads a source and writes it. Nothing is written before all of it is there and is
// what was published.
func (p *program) get(ctx context.Context, source download.Source, mirror, output string) error {
	path := cmp.Or(output, source.File)
	if _, err := os.Lstat(path); output == "" && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: there is such a file: say where to write with -o", path)
	}
	body, err := source.Get(ctx, &http.Client{Timeout: downloadTime}, mirror)
	if err != nil {
		return outputError{err}
	}
	err = p.write(path, func(w io.Writer) error {
		_, err := w.Write(body)
		return err
	})
	if err != nil || path == "-" {
		return err
	}
	text := fmt.Sprintf("%s: %s, SHA-256 as published\n", wording.Escape(path), wording.Count(source.Size, "byte"))
	if source.Use != "" {
		text += "next: " + strings.Replace(source.Use, source.File, wording.Escape(path), 1) + "\n"
	}
	return p.print(text)
}

// write writes a whole file, or to stdout for "-".
func (p *program) write(path string, write func(io.Writer) error) error {
	if path == "-" {
		return write(p.out)
	}
	return atomicfile.Write(path, write)
}

func (p *program) nypdCommand() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "nypd FILE",
		Short: "Make the NYCLU problem of the CORELS paper from the NYPD's file of stops.",
		Long: `Nypd converts the NYPD's published stops of one of the years 2008 to 2016.
FILE is CSV, as it is in the published archives; - reads it from stdin.
It keeps the stops with a frisk or search whose city, sex, race, age and build are known.
The age must be 12 to 89. The columns are those of "parcorels-bench data stopfrisk".
The counts of stops are printed, on stderr if the table goes to stdout.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.convert(cmd.Context(), args[0], output)
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "-", "write the table to this `file`; - for stdout")
	return cmd
}

// convert makes a table of the NYPD's file.
func (p *program) convert(ctx context.Context, path, output string) error {
	in, name := p.in, "stdin"
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		in, name = file, path
	}
	var counts nypd.Counts
	err := p.write(output, func(w io.Writer) (err error) {
		counts, err = nypd.Convert(ctx, in, name, w)
		return err
	})
	switch {
	case err != nil:
		return err
	case output == "-":
		fmt.Fprint(p.err, counts) // the table is what was asked for
		return nil
	}
	return p.print(counts.String())
}
