package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parcorels/internal/testing/must"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

// names returns what is in a folder, so that leftovers show.
func names(t *testing.T, folder string) string {
	t.Helper()
	entries := must.Get(os.ReadDir(folder))(t)
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return strings.Join(list, " ")
}

func TestWriteReplacesWhole(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "f")
	for _, want := range []string{"a long first text", "short", ""} {
		must.Do(t, Write(path, text(want)))
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("file holds %q, %v, want %q", got, err, want)
		}
	}
	if got := names(t, folder); got != "f" {
		t.Errorf("folder holds %q, want only f", got)
	}
}

func TestWriteLeavesNothingOnError(t *testing.T) {
	folder := t.TempDir()
	full := errors.New("disk full")
	half := func(w io.Writer) error { _, _ = io.WriteString(w, "half"); return full }
	if err := Write(filepath.Join(folder, "f"), half); !errors.Is(err, full) {
		t.Errorf("error = %v, want the writer's", err)
	}
	if got := names(t, folder); got != "" {
		t.Errorf("folder holds %q, want nothing", got)
	}
}

func TestWriteKeepsTheOldOnError(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "f")
	must.Do(t, os.WriteFile(path, []byte("old"), 0o640))
	broken := errors.New("broken")
	err := Write(path, func(w io.Writer) error { _, _ = w.Write(make([]byte, 1<<20)); return broken })
	if !errors.Is(err, broken) {
		t.Errorf("error = %v, want the writer's", err)
	}
	other := &fs.PathError{Op: "read", Path: "other", Err: broken}
	if err := Write(path, func(io.Writer) error { return other }); err != other {
		t.Errorf("error = %v, want that about the other file", err)
	}
	if got, _ := os.ReadFile(path); string(got) != "old" {
		t.Errorf("file holds %q, want the old text", got)
	}
	if got := names(t, folder); got != "f" {
		t.Errorf("folder holds %q, want only f", got)
	}
	must.Do(t, Write(path, text("new")))
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o640 {
		t.Errorf("mode became %v, want that of the file replaced", info.Mode())
	}
}

func TestWriteThroughALink(t *testing.T) {
	folder := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(folder, "real"), nil, 0o644))
	link := filepath.Join(folder, "link")
	if err := os.Symlink("real", link); err != nil {
		t.Skip("no symbolic links here")
	}
	must.Do(t, Write(link, text("x")))
	if info, _ := os.Lstat(link); info.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link was replaced, want its target to be")
	}
	if got, _ := os.ReadFile(filepath.Join(folder, "real")); string(got) != "x" {
		t.Errorf("the target holds %q", got)
	}
}

// TestErrorsNameThePath also holds Check against Write: what one refuses at
// once, so does the other.
func TestErrorsNameThePath(t *testing.T) {
	folder := t.TempDir()
	for _, path := range []string{folder, filepath.Join(folder, "none", "f")} {
		for what, err := range map[string]error{"Write": Write(path, text("x")), "Check": Check(path)} {
			var p *fs.PathError
			if !errors.As(err, &p) || p.Path != path {
				t.Errorf("%s(%q) = %v, want a *fs.PathError about it", what, path, err)
			}
		}
	}
	if err := Check(filepath.Join(folder, "f")); err != nil {
		t.Error(err)
	}
	if got := names(t, folder); got != "" {
		t.Errorf("folder holds %q, want nothing", got)
	}
}

func TestFullDevice(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full here")
	}
	if err := Write("/dev/full", text("x")); err == nil {
		t.Error("writing to a full device succeeded")
	}
}

// TestSweep removes what a Write that does not end leaves, and nothing else.
func TestSweep(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "f")
	others := []string{"f", ".f", ".f.SHORT", ".f.LOWERcas", ".g.ABCDEFGH", "f.ABCDEFGH"}
	for _, name := range others {
		must.Do(t, os.WriteFile(filepath.Join(folder, name), nil, 0o644))
	}
	before := names(t, folder)
	err := Write(path, func(io.Writer) error {
		if names(t, folder) == before {
			t.Error("no temporary file is there")
		}
		Sweep(path) // as if this process had been killed, and a new one begins
		if got := names(t, folder); got != before {
			t.Errorf("folder holds %q, want %q", got, before)
		}
		return errors.New("killed")
	})
	if err == nil {
		t.Error("no error")
	}
	Sweep(filepath.Join(folder, "none", "f"))
}
