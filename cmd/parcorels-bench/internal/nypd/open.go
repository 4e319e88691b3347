package nypd

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// Open opens a file of stops: a CSV file, or an archive with the ending .zip that has one. It
// returns the name of what is read, for errors. Close it after use.
func Open(path string) (in io.ReadCloser, name string, err error) {
	if !ends(path, ".zip") {
		in, err = os.Open(path)
		return in, path, err
	}
	archive, err := zip.OpenReader(path)
	if errors.Is(err, zip.ErrFormat) {
		err = fmt.Errorf("%s: the zip archive is damaged or not whole: %w", path, err)
	}
	if err != nil {
		return nil, "", err
	}
	files := slices.DeleteFunc(archive.File, func(f *zip.File) bool { return !ends(f.Name, ".csv") })
	if len(files) != 1 {
		return nil, "", errors.Join(fmt.Errorf("%s: the zip archive has %d files that end in .csv, expected one", path, len(files)), archive.Close())
	}
	text, err := files[0].Open()
	if err != nil {
		return nil, "", errors.Join(fmt.Errorf("%s: %q cannot be unpacked: %w", path, files[0].Name, err), archive.Close())
	}
	return unpacked{text, archive}, path + ":" + files[0].Name, nil
}

// ends reports whether a name has an ending, in whatever case.
func ends(name, ending string) bool { return strings.HasSuffix(strings.ToLower(name), ending) }

// unpacked is a file of an archive.
type unpacked struct {
	io.ReadCloser
	archive io.Closer
}

func (u unpacked) Close() error { return errors.Join(u.ReadCloser.Close(), u.archive.Close()) }
