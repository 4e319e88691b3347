package rulelist

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"parcorels/dataset"
)

// only fails the test if the folder holds anything but the named files.
func only(t *testing.T, folder string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, e := range entries {
		found = append(found, e.Name())
	}
	if got, want := strings.Join(found, " "), strings.Join(names, " "); got != want {
		t.Errorf("folder holds %q, expected %q", got, want)
	}
}

func TestSaveLoad(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "model.json")
	m := bicycle(t, dataset.Options{})
	for range 2 { // a new file, then one to replace
		if err := m.Save(path); err != nil {
			t.Fatal(err)
		}
	}
	only(t, folder, "model.json")
	loaded, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(written, encoded(t, loaded)) {
		t.Errorf("the file is not what its model encodes to (%v)", err)
	}
	if loaded.String() != m.String() {
		t.Errorf("loaded\n%s\nsaved\n%s", loaded, m)
	}
}

func TestSaveKeepsModeAndLink(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no modes and few links")
	}
	folder := t.TempDir()
	path, link := filepath.Join(folder, "model.json"), filepath.Join(folder, "zlink")
	if err := os.WriteFile(path, nil, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("model.json", link); err != nil {
		t.Fatal(err)
	}
	if err := bicycle(t, dataset.Options{}).Save(link); err != nil {
		t.Fatal(err)
	}
	only(t, folder, "model.json", "zlink")
	info, err := os.Lstat(path)
	if err != nil || info.Mode() != 0o640 || info.Size() == 0 {
		t.Errorf("the file has mode %v and %d bytes (%v)", info.Mode(), info.Size(), err)
	}
	if info, err = os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link became %v (%v)", info.Mode(), err)
	}
}

func TestSaveElsewhere(t *testing.T) {
	m := bicycle(t, dataset.Options{})
	folder := t.TempDir()
	if err := m.Save(folder); err == nil || !strings.HasSuffix(err.Error(), "is a folder, expected a file name") {
		t.Errorf("into a folder: %v", err)
	}
	if err := m.Save(filepath.Join(folder, "none", "model.json")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("into a folder that is not there: %v", err)
	}
	if _, err := Load(filepath.Join(folder, "none.json")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("from a file that is not there: %v", err)
	}
	if runtime.GOOS != "windows" {
		if err := m.Save(os.DevNull); err != nil {
			t.Errorf("to a device: %v", err)
		}
		if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
			t.Errorf("the device became %v (%v)", info.Mode(), err)
		}
	}
	only(t, folder)
}
