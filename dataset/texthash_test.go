package dataset

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

// referenceHash is what sha256sum prints of a text.
func referenceHash(text string) string { return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(text))) }

// TestHashOfFiles: an .out file of many blocks and its labels are one text, read as
// a file or as a stream, and have one hash.
func TestHashOfFiles(t *testing.T) {
	row := func(name string, n int) string { return name + strings.Repeat(" 0 1", n/2) + "\n" }
	for _, samples := range []int{10, 16376, 50000, 100000} {
		out, labels := row("{a}", samples)+row("{b}", samples), row("{y=0}", samples)+strings.Replace(row("{y=1}", samples), " 0 1",
			" 1 0", -1)
		dir := t.TempDir()
		path := filepath.Join(dir, "x.out")
		write(t, path, out)
		write(t, filepath.Join(dir, "x.label"), labels)
		file, err := Read(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		stream, err := ReadFrom(iotest.HalfReader(strings.NewReader(out)), "t.out", Options{Labels: filepath.Join(dir, "x.label")})
		if err != nil {
			t.Fatal(err)
		}
		if want := referenceHash(out + labels); file.Hash != want || stream.Hash != want {
			t.Errorf("%d samples: %s of the file, %s of the stream, want %s", samples, file.Hash, stream.Hash, want)
		}
	}
}
