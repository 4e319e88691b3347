package table

import (
	"errors"
	"fmt"
	"os"
)

// ErrRewritten says that a file changed while it was read. The rows are then of no version of it.
var ErrRewritten = errors.New("the file changed while it was read: read it again once it is complete")

// Watch returns what reports ErrRewritten if size or time of a file differ from now. Streams do not change.
func Watch(f *os.File) (check func() error) {
	before, err := f.Stat()
	return func() error {
		if err != nil || !before.Mode().IsRegular() {
			return nil
		}
		after, err := f.Stat()
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name(), err)
		}
		if after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime()) {
			return fmt.Errorf("%s: %w", f.Name(), ErrRewritten)
		}
		return nil
	}
}
