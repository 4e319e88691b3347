package table

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// OpenFile opens a file for reading. Its error has the path once.
func OpenFile(path string) (*os.File, error) {
	f, err := os.Open(path)
	if fault, ok := errors.AsType[*fs.PathError](err); ok {
		return nil, fmt.Errorf("%s: %w", path, fault.Err)
	}
	return f, err
}

// HashText returns a hash as Table.Hash has it: the SHA-256 that sha256sum prints of the uncompressed text; "" of nil.
func HashText(h hash.Hash) string {
	if h == nil {
		return ""
	}
	return fmt.Sprintf("sha256:%x", h.Sum(nil))
}

// sizeOf returns how many bytes a file has, 0 if that is unknown.
func sizeOf(f *os.File) int64 {
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		return info.Size()
	}
	return 0
}

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

// A program reads the formats below if it imports their packages, which register themselves here. A program that does not,
// as most tests, is smaller by their libraries.

// An Opener returns the text of the table in a file of so many bytes, as CSV in UTF-8.
type Opener func(file io.ReaderAt, size int64) (io.Reader, error)

var openers = map[string]Opener{}

// Register says how files of a format, Parquet or Excel, are opened. The package of the format does so when a program imports it.
func Register(format string, open Opener) { openers[format] = open }

// opened returns the text of a file of a format.
func opened(format string, file io.ReaderAt, size int64) (io.Reader, error) {
	if open := openers[format]; open != nil {
		return open(file, size)
	}
	return nil, fmt.Errorf("this program does not read %s: save the table as CSV, or import the package parcorels/table/%s into the "+
		"program", format, strings.ToLower(format))
}

// IsParquet reports whether a file begins as one of Parquet, or as one whose description is encrypted.
func IsParquet(f *os.File) bool {
	head := make([]byte, 4)
	if sizeOf(f) > 0 { // a pipe cannot be read twice
		_, _ = f.ReadAt(head, 0) // what is wrong is met again
	}
	return string(head) == "PAR1" || string(head) == "PARE"
}

// MostSheet bounds the bytes of a spreadsheet, compressed and not, and those of its text. Its cells take up to sixteen
// times as much memory.
const MostSheet = 1 << 26

// ErrLargeSheet refuses a spreadsheet that is larger.
var ErrLargeSheet = errors.New("a spreadsheet with more than 64 MiB unpacked: save it as CSV")

// spreadsheet returns the text of an Excel file (.xlsx). Another zip archive is returned as it is.
func spreadsheet(raw io.Reader) (text io.Reader, err error) {
	data, err := io.ReadAll(io.LimitReader(raw, MostSheet+1))
	if err != nil {
		return nil, err
	}
	if len(data) > MostSheet {
		return nil, ErrLargeSheet
	}
	in := bytes.NewReader(data)
	archive, err := zip.NewReader(in, in.Size())
	if err != nil || !slices.ContainsFunc(archive.File, func(f *zip.File) bool { return f.Name == "xl/workbook.xml" }) {
		return in, nil
	}
	unpacked := uint64(0)
	for _, f := range archive.File {
		unpacked += f.UncompressedSize64
	}
	if unpacked > MostSheet {
		return nil, ErrLargeSheet
	}
	return opened("Excel", in, in.Size())
}
