package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"parcorels/cmd/parcorels/internal/fetch"
	"parcorels/internal/generate"
	"parcorels/internal/wording"
)

// getKind downloads a published file.
func getKind(s *settings) tableKind {
	return tableKind{
		name:     "get",
		verb:     true,
		argument: "NAME",
		help:     "get NAME downloads a public data set from where it is published, checks that it has the size and the SHA-256 that it had, and writes it under its own name, unless there is such a file. What fails, has changed or is interrupted leaves nothing behind.",
		options: []option{
			{name: "url", value: "ADDRESS", unset: "where it is published", expect: "an address that begins with http:// or https://", text: "a mirror to download from; the checksum stays the same",
				set: func(t string) error {
					u, err := url.Parse(t)
					if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
						return errExpected
					}
					s.mirror = t
					return nil
				}},
		},
		run: func(ctx context.Context, e *env, s *settings, args []string) error {
			source, ok := fetch.Find(args[0])
			if !ok {
				return fmt.Errorf("data get: no data set %q%s", args[0], didYouMean(args[0], published(), ", expected one of "+strings.Join(published(), ", ")))
			}
			return e.download(ctx, s, source)
		},
	}
}

func published() []string {
	var names []string
	for _, source := range fetch.Sources() {
		names = append(names, source.Name)
	}
	return names
}

// download gets a source and writes it. Nothing is written before all of it is
// there and is what was published.
func (e *env) download(ctx context.Context, s *settings, source fetch.Source) error {
	output := cmp.Or(s.output, source.File)
	if _, err := os.Lstat(output); s.output == "" && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: there is such a file: say where to write with -o", output)
	}
	if err := checkOutputs([]string{output}, nil); err != nil {
		return err
	}
	if e.get == nil {
		return e.byProgram(source, s.mirror, output)
	}
	body, err := e.get(ctx, source, s.mirror)
	switch {
	case ctx.Err() != nil:
		return errInterrupted
	case err != nil:
		return outputError{err}
	}
	err = e.writeFile(output, func(w io.Writer) error {
		_, err := w.Write(body)
		return err
	})
	if err != nil || output == "-" {
		return err
	}
	text := fmt.Sprintf("%s: %s, SHA-256 as published\n", onTerminal(output), wording.Count(source.Size, "byte"))
	if source.Use != "" {
		text += "next: parcorels " + strings.Replace(source.Use, source.File, onTerminal(output), 1) + "\n"
	}
	return e.print(text)
}

// getProgram is the name of the program that downloads: http and TLS are no part of
// this one, which would be a third larger and take twice as long to build.
const getProgram = "parcorels-get"

// byProgram lets getProgram download, which lies beside this program or on the
// PATH. An interrupt reaches it as it does this one.
func (e *env) byProgram(source fetch.Source, mirror, output string) error {
	path, err := exec.LookPath(getProgram)
	if own, err2 := os.Executable(); err2 == nil {
		if beside, err3 := exec.LookPath(filepath.Join(filepath.Dir(own), getProgram)); err3 == nil {
			path, err = beside, nil
		}
	}
	if err != nil {
		return outputError{fmt.Errorf("data get: the program %s, which downloads, is neither beside this one nor on your PATH: go install ./cmd/... brings both; or get %s yourself, whose SHA-256 is %s",
			getProgram, source.URL, source.SHA256)}
	}
	args := []string{source.Name, "--output", output}
	if mirror != "" {
		args = append(args, "--url", mirror)
	}
	get := exec.Command(path, args...)
	get.Stdout, get.Stderr = e.stdout, e.stderr
	err = get.Run()
	var ended *exec.ExitError
	switch {
	case errors.As(err, &ended) && ended.ExitCode() > 0:
		return toldError{ended.ExitCode()}
	case errors.As(err, &ended):
		return errInterrupted
	case err != nil:
		return outputError{fmt.Errorf("%s: %w", path, err)}
	}
	return nil
}

// listKind prints what the other kinds offer.
func listKind() tableKind {
	return tableKind{
		name: "list",
		verb: true,
		help: "list prints the names of all tables.",
		run: func(_ context.Context, e *env, s *settings, _ []string) error {
			return e.writeText(cmp.Or(s.output, "-"), tableList())
		},
	}
}

func tableList() string {
	var b strings.Builder
	b.WriteString("made by parcorels data NAME\n")
	b.WriteString(row("  "+strings.Join(generate.Names(), ", "), "complete, without noise", helpIndent))
	b.WriteString(row("  stopfrisk", "stops with a frisk or search, as many as you like", helpIndent))
	b.WriteString("\ndownloaded by parcorels data get NAME\n")
	for _, source := range fetch.Sources() {
		b.WriteString(row("  "+source.Name, source.About, helpIndent))
	}
	return b.String()
}
