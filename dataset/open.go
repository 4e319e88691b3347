package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// converter is the program that writes a file of Parquet or Arrow as columns
// (docs/column-protocol.md). It is a program of its own as what reads these formats is
// twice as large as all of parcorels.
const converter = "parcorels-columnar"

// columnar are the formats that it reads, by their first bytes.
var columnar = []struct{ magic, name string }{{"PAR1", "Parquet"}, {"ARROW1", "Arrow"}}

// Open opens a table for [ReadFrom] and [NewRows]. Of a file of Parquet or Arrow come the columns
// that the program parcorels-columnar writes, which is looked for beside this program and on
// the PATH; Close ends it.
func Open(path string) (io.ReadCloser, error) { return open(path) }

// open is Open. A converter writes the columns of some names first, "" for the last one.
func open(path string, first ...string) (io.ReadCloser, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	var head [8]byte
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return f, nil // a pipe cannot be read twice
	}
	n, _ := f.ReadAt(head[:], 0) // of what is wrong, who reads the file finds out
	for _, c := range columnar {
		if bytes.HasPrefix(head[:n], []byte(c.magic)) {
			_ = f.Close() // nothing was written
			return convert(path, c.name, first)
		}
	}
	return f, nil
}

// openFile opens a file for reading. Its error has the path once.
func openFile(path string) (*os.File, error) {
	f, err := os.Open(path)
	var fault *fs.PathError
	if errors.As(err, &fault) {
		return nil, fmt.Errorf("%s: %w", path, fault.Err)
	}
	return f, err
}

// conversion is the output of a converter that runs.
type conversion struct {
	path    string
	command *exec.Cmd
	out     io.ReadCloser
	said    bytes.Buffer // why it fails
	head    []byte       // the first byte, which shows that it does not fail at once
}

// convert begins to convert a file, some columns first.
func convert(path, format string, first []string) (*conversion, error) {
	program := findConverter()
	if program == "" {
		return nil, fmt.Errorf("%s: this is a file of %s, which the program %s reads: it is neither beside this program nor on the PATH. Install it, or save the table as CSV", path, format, converter)
	}
	c := &conversion{path: path, command: exec.Command(program, append([]string{"--", path}, first...)...)}
	c.command.Stderr = &c.said
	var err error
	if c.out, err = c.command.StdoutPipe(); err == nil {
		err = c.command.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %s cannot be run: %w", path, program, err)
	}
	head := make([]byte, 1)
	if _, err := c.Read(head); err != nil {
		return nil, err
	}
	c.head = head
	return c, nil
}

// findConverter returns the path of the converter, "" if there is none.
func findConverter() string {
	if self, err := os.Executable(); err == nil {
		if path, err := exec.LookPath(filepath.Join(filepath.Dir(self), converter)); err == nil {
			return path
		}
	}
	path, err := exec.LookPath(converter)
	if err != nil {
		return ""
	}
	return path
}

// Read implements io.Reader. The end of a converter that failed is its error.
func (c *conversion) Read(p []byte) (int, error) {
	if len(c.head) > 0 {
		n := copy(p, c.head)
		c.head = c.head[n:]
		return n, nil
	}
	n, err := c.out.Read(p)
	if err != io.EOF {
		return n, err
	}
	if failed := c.command.Wait(); failed != nil {
		reason, _, _ := strings.Cut(strings.TrimSpace(c.said.String()), "\n") // no stack of goroutines
		if reason == "" {
			reason = failed.Error()
		}
		return n, fmt.Errorf("%s: %s", c.path, strings.TrimPrefix(reason, converter+": "))
	}
	return n, io.EOF
}

// Close ends the converter.
func (c *conversion) Close() error {
	if c.command.ProcessState == nil {
		_ = c.command.Process.Kill() // it may just have ended
		_ = c.command.Wait()         // was killed
	}
	return nil
}
