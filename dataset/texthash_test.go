package dataset

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
)

// testHash returns a hash for a plan, of blocks as long as its chunks unless these
// are tiny.
func testHash(p plan) *textHash {
	switch {
	case p.size == 0:
		return textHashOf(hashBlock)
	case p.size < 5:
		return textHashOf(5)
	}
	return textHashOf(p.size)
}

// referenceHash is the hash of a text as sha256sum makes it of blocks of a size.
func referenceHash(text string, size int) string {
	if len(text) <= size {
		return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(text)))
	}
	list := ""
	for len(text) > 0 {
		n := min(size, len(text))
		list += fmt.Sprintf("%x  -\n", sha256.Sum256([]byte(text[:n])))
		text = text[n:]
	}
	return fmt.Sprintf("sha256-64k:%x", sha256.Sum256([]byte(list)))
}

// TestHashOfBlocks: it is the same however the text is handed over, at and around the ends
// of blocks.
func TestHashOfBlocks(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 30))
	for length := range 40 {
		text := strings.Repeat("0123456789abcdef", 3)[:length]
		for size := 1; size <= 42; size++ {
			d := textHashOf(size)
			for rest := text; len(rest) > 0; {
				n := 1 + rng.IntN(len(rest))
				if d.left() == 0 && len(rest) > size && len(rest) < length && rng.IntN(2) == 0 {
					n = size
					d.addBlocks([][sha256.Size]byte{sha256.Sum256([]byte(rest[:n]))})
				} else {
					_, _ = d.Write([]byte(rest[:n]))
				}
				rest = rest[n:]
			}
			if got, want := d.end(), referenceHash(text, size); got != want {
				t.Fatalf("%d bytes in blocks of %d: %s, want %s", length, size, got, want)
			}
		}
	}
}

// TestHashOfFiles: an .out file of many blocks and its labels are one text, read as
// a file or as a stream, and have one hash.
func TestHashOfFiles(t *testing.T) {
	row := func(name string, n int) string { return name + strings.Repeat(" 0 1", n/2) + "\n" }
	for _, samples := range []int{10, 16376, 50000, 100000} {
		out, labels := row("{a}", samples)+row("{b}", samples), row("{y=0}", samples)+strings.Replace(row("{y=1}", samples), " 0 1", " 1 0", -1)
		dir := t.TempDir()
		path := filepath.Join(dir, "x.out")
		write(t, path, out)
		write(t, filepath.Join(dir, "x.label"), labels)
		for _, o := range []Options{{}, {WholeHash: true}} {
			size := hashBlock
			if o.WholeHash {
				size = len(out) + len(labels)
			}
			file, err := Read(path, o)
			if err != nil {
				t.Fatal(err)
			}
			o.Labels = filepath.Join(dir, "x.label")
			stream, err := ReadFrom(bothWays(out)[1], "t.out", o)
			if err != nil {
				t.Fatal(err)
			}
			if want := referenceHash(out+labels, size); file.Hash != want || stream.Hash != want {
				t.Errorf("%d samples: %s of the file, %s of the stream, want %s", samples, file.Hash, stream.Hash, want)
			}
		}
	}
}
