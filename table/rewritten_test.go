package table

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"parcorels/internal/testing/must"
)

// TestWatch: a file that grows, or is written again with as many bytes, is found out.
func TestWatch(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"nothing": nil,
		"size":    func(path string) error { return os.WriteFile(path, []byte("a,b\n1,2\n"), 0o600) },
		"time":    func(path string) error { return os.Chtimes(path, time.Time{}, time.Now().Add(time.Hour)) },
	} {
		path := filepath.Join(t.TempDir(), "t.csv")
		must.Do(t, os.WriteFile(path, []byte("a,b\n"), 0o600))
		f := must.Get(os.Open(path))(t)
		check := Watch(f)
		if change != nil {
			must.Do(t, change(path))
		}
		if err := check(); errors.Is(err, ErrRewritten) != (change != nil) {
			t.Errorf("%s: %v", name, err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}
