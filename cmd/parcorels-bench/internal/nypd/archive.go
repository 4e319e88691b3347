package nypd

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// Open opens a file of stops: a CSV file, or a zip archive, told by its first
// bytes, that has one. It returns the name of what is read, for errors. Close
// it after use.
func Open(path string) (in io.ReadCloser, name string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, "", pathless(path, err)
	}
	defer func() {
		if err != nil {
			_ = f.Close()
		}
	}()
	var magic [4]byte
	n, err := f.ReadAt(magic[:], 0)
	if err != nil && err != io.EOF {
		return nil, "", pathless(path, err)
	}
	if string(magic[:n]) != "PK\x03\x04" {
		return f, path, nil
	}
	info, err := f.Stat()
	if err != nil {
		return nil, "", pathless(path, err)
	}
	archive, err := zip.NewReader(f, info.Size())
	if err != nil {
		return nil, "", fmt.Errorf("%s: the zip archive is damaged or not whole: %w", path, err)
	}
	member, err := only(archive)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", path, err)
	}
	text, err := member.Open()
	if err != nil {
		return nil, "", fmt.Errorf("%s: %q cannot be unpacked: %w", path, member.Name, err)
	}
	return unpacked{text, f}, path + ":" + member.Name, nil
}

// only returns the CSV file of an archive.
func only(archive *zip.Reader) (*zip.File, error) {
	var found []*zip.File
	var names []string
	for _, f := range archive.File {
		if strings.HasSuffix(strings.ToLower(f.Name), ".csv") {
			found = append(found, f)
			names = append(names, fmt.Sprintf("%q", f.Name))
		}
	}
	switch len(found) {
	case 0:
		return nil, fmt.Errorf("the zip archive has no file that ends in .csv, expected one")
	case 1:
		return found[0], nil
	}
	return nil, fmt.Errorf("the zip archive has %d files that end in .csv, expected one: %s; unpack it and name one", len(found), strings.Join(names, ", "))
}

// unpacked is a file of an archive.
type unpacked struct {
	io.ReadCloser
	archive io.Closer
}

func (u unpacked) Close() error { return errors.Join(u.ReadCloser.Close(), u.archive.Close()) }

// pathless returns an error that has the path once, in front.
func pathless(path string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}
