package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"parcorels/internal/atomicfile"
)

// print writes text to stdout.
func (e *env) print(text string) error {
	if _, err := io.WriteString(e.stdout, text); err != nil {
		return outputError{fmt.Errorf("cannot write to stdout: %w", cause(err))}
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
	return unwritable(path, atomicfile.Write(path, write))
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

// checkOutputs finds out, before the work is done, that one of the files
// cannot be written, is given twice, or would overwrite one that is read. Empty
// paths do not count.
func checkOutputs(outputs, inputs []string) error {
	for i, path := range outputs {
		for _, other := range outputs[:i] {
			if path == "-" && other == "-" {
				return errors.New("two results cannot both go to stdout")
			}
			if sameFile(path, other) {
				return fmt.Errorf("%s: two results would go to this file", path)
			}
		}
		if path == "" || path == "-" {
			continue
		}
		for _, in := range inputs {
			if sameFile(path, in) {
				return fmt.Errorf("%s: the result would overwrite what it is made from", path)
			}
		}
		if err := atomicfile.Check(path); err != nil {
			return unwritable(path, err)
		}
	}
	return nil
}

// sameFile reports whether two paths lead to one regular file, or will.
func sameFile(a, b string) bool {
	if a == b {
		return a != "" && a != "-" && a != os.DevNull
	}
	x, err := os.Stat(a)
	if err != nil || !x.Mode().IsRegular() {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// unwritable turns an error of atomicfile about path into one of ours.
func unwritable(path string, err error) error {
	if p, ok := err.(*fs.PathError); ok && p.Op == "write" && p.Path == path {
		return outputError{fmt.Errorf("%s: cannot be written: %w", path, p.Err)}
	}
	return err
}

// cause returns what the system said, without the name of the stream.
func cause(err error) error {
	if p, ok := err.(*fs.PathError); ok {
		return p.Err
	}
	return err
}

// note prints a line that is no error.
func (e *env) note(format string, args ...any) {
	_, _ = fmt.Fprintf(e.stderr, "parcorels: note: "+format+"\n", args...)
}
