package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"parcorels/internal/atomicfile"
)

// OutputError marks a failure to write a result, or one to come by it that is not
// the fault of what was given.
func OutputError(err error) error { return marked{err, ErrOutput} }

// ErrOutput is the kind of such errors.
var ErrOutput = errors.New("no output")

// CheckOutputs finds out, before the work is done, that one of the files
// cannot be written, is given twice, or would overwrite one that is read. Empty
// paths do not count.
func CheckOutputs(outputs, inputs []string) error {
	for i, path := range outputs {
		for _, other := range outputs[:i] {
			if path == "-" && other == "-" {
				return errors.New("two results cannot both go to stdout")
			}
			if SameFile(path, other) {
				return fmt.Errorf("%s: two results would go to this file", path)
			}
		}
		if path == "" || path == "-" {
			continue
		}
		for _, in := range inputs {
			if SameFile(path, in) {
				return fmt.Errorf("%s: the result would overwrite what it is made from", path)
			}
		}
		if err := atomicfile.Check(path); err != nil {
			return Unwritable(path, err)
		}
	}
	return nil
}

// SameFile reports whether two paths lead to one regular file, or will.
func SameFile(a, b string) bool {
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

// Unwritable turns an error of atomicfile about path into one of ours.
func Unwritable(path string, err error) error {
	if p, ok := err.(*fs.PathError); ok && p.Op == "write" && p.Path == path {
		return OutputError(fmt.Errorf("%s: cannot be written: %w", path, p.Err))
	}
	return err
}

// Cause returns what the system said, without the name of the stream.
func Cause(err error) error {
	if p, ok := err.(*fs.PathError); ok {
		return p.Err
	}
	return err
}

// Await returns what work returns, or the error of ctx as soon as it is done; work goes on then.
func Await[T any](ctx context.Context, work func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		value, err := work()
		done <- outcome{value, err}
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}
