package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"parcorels/internal/atomicfile"
	runs "parcorels/run"
)

// print writes text to stdout.
func (e *env) print(text string) error {
	if _, err := io.WriteString(e.stdout, text); err != nil {
		return runs.OutputError{Err: fmt.Errorf("cannot write to stdout: %w", runs.Cause(err))}
	}
	return nil
}

// writeFile writes a whole file, or to stdout if path is "-". Errors of write
// itself are returned as they are.
func (e *env) writeFile(path string, write func(io.Writer) error) error {
	if path == "-" {
		out := &stdout{env: e}
		if err := write(out); err != nil && out.err == nil {
			return err
		}
		return out.err
	}
	return runs.Unwritable(path, atomicfile.Write(path, write))
}

// writeText is writeFile for a text.
func (e *env) writeText(path, text string) error {
	return e.writeFile(path, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
}

// writeJSON is writeFile for an object, indented, with names as they are.
func (e *env) writeJSON(path string, object any) error {
	return e.writeFile(path, func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(object)
	})
}

// tell writes an object and prints a text, each if it is asked for.
func (o *output) tell(e *env, object any, text string) error {
	var errs []error
	if o.json != "" {
		errs = append(errs, e.writeJSON(o.json, object))
	}
	if o.json != "-" && o.modelFile != "-" {
		errs = append(errs, e.print(text))
	}
	return errors.Join(errs...)
}

// stdout remembers its own error.
type stdout struct {
	*env
	err error
}

func (s *stdout) Write(b []byte) (int, error) {
	if s.err == nil {
		s.err = s.print(string(b))
	}
	if s.err != nil {
		return 0, s.err
	}
	return len(b), nil
}

// note prints a line that is no error.
func (e *env) note(format string, args ...any) {
	_, _ = fmt.Fprintf(e.stderr, "parcorels: note: "+format+"\n", args...)
}
