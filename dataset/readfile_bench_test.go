package dataset

import (
	"os"
	"testing"
)

// BenchmarkReadFile reads the file that PARCORELS_READ names, labels included.
func BenchmarkReadFile(b *testing.B) {
	path := os.Getenv("PARCORELS_READ")
	if path == "" {
		b.Skip("PARCORELS_READ is not set")
	}
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read(path, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
