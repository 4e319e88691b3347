package filelock_test

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"parcorels/internal/filelock"
)

func TestTake(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	l, err := filelock.Take(path)
	if err != nil || l == nil {
		t.Fatalf("%v, %v", l, err)
	}
	if _, err := filelock.Take(path); !errors.Is(err, filelock.ErrHeld) {
		t.Errorf("taken twice: %v", err)
	}
	l.Release()
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 0 {
		t.Errorf("left behind: %v", entries)
	}
	if l, err = filelock.Take(path); err != nil || l == nil {
		t.Errorf("not free after its release: %v", err)
	}
	l.Release()
	if l, err = filelock.Take(filepath.Join(path, "no", "folder")); l != nil || err != nil {
		t.Errorf("no place for a lock: %v, %v", l, err)
	}
	l.Release()
}

// TestOneAtATime: however takes and releases meet, one at most has the lock.
func TestOneAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	var inside, taken atomic.Int64
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 200 {
				l, err := filelock.Take(path)
				if err != nil {
					continue
				}
				if inside.Add(1) > 1 {
					t.Error("two have the lock")
				}
				taken.Add(1)
				inside.Add(-1)
				l.Release()
			}
		})
	}
	all.Wait()
	if taken.Load() == 0 {
		t.Error("nobody ever had it")
	}
}
