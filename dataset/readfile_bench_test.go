package dataset

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// BenchmarkRead reads files of several shapes, .out files of 8 MB and tables of some
// 10 MB, or the file that PARCORELS_READ names, by one worker, two, four and so on up to
// the number of processors. Two are 1.8 times as fast as one on a machine that does
// nothing else. Their memory is warm; a process of its own takes page faults besides.
func BenchmarkRead(b *testing.B) {
	if path := os.Getenv("PARCORELS_READ"); path != "" {
		benchmarkRead(b, path)
		return
	}
	dir, rng := b.TempDir(), rand.New(rand.NewPCG(1, 40))
	for _, s := range []struct {
		name          string
		rows, samples int
	}{{"tall", 10, 400000}, {"square", 200, 20000}, {"wide", 2000, 2000}} {
		path := filepath.Join(dir, s.name+".out")
		save(b, path, randomBits(rng, s.rows, s.samples))
		save(b, labelsBeside(path), "{y=0}"+strings.Repeat(" 0 1", s.samples/2)+"\n{y=1}"+strings.Repeat(" 1 0", s.samples/2)+"\n")
		benchmarkRead(b, path)
	}
	for _, s := range []struct {
		name string
		row  func() string
	}{
		{"numbers.csv", func() string {
			return fmt.Sprintf("%d,%d,%.2f,%.4f,%d,%.1f", rng.IntN(90), rng.IntN(5000), 50+12*rng.NormFloat64(), rng.Float64(),
				rng.IntN(1e6), 1000*rng.ExpFloat64())
		}},
		{"mixed.csv", func() string {
			return fmt.Sprintf("kind %d,town%03d,%d,%s,\"%c\",%.2f", rng.IntN(6), rng.IntN(200), rng.IntN(90),
				[]string{"yes", "no"}[rng.IntN(2)], 'A'+rng.IntN(5), 900*rng.ExpFloat64())
		}},
	} {
		text := strings.Builder{}
		text.WriteString("a,b,c,d,e,f,label\n")
		for range 300000 {
			fmt.Fprintf(&text, "%s,%d\n", s.row(), rng.IntN(2))
		}
		path := filepath.Join(dir, s.name)
		save(b, path, text.String())
		benchmarkRead(b, path)
	}
}

// benchmarkRead reads a file by one worker, two and so on.
func benchmarkRead(b *testing.B, path string) {
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	o := Options{}
	if !IsOut(path) {
		o.CutsBy = ByQuantile
	}
	for workers := 1; workers <= runtime.NumCPU(); workers *= 2 {
		b.Run(fmt.Sprintf("%s/workers=%d", filepath.Base(path), workers), func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
			b.SetBytes(info.Size())
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Read(path, o); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// randomBits is the text of an .out file.
func randomBits(rng *rand.Rand, rows, samples int) string {
	var text strings.Builder
	for row := range rows {
		fmt.Fprintf(&text, "{f%d}", row)
		for range samples {
			text.WriteString([]string{" 0", " 1"}[rng.IntN(2)])
		}
		text.WriteString("\n")
	}
	return text.String()
}

func save(b *testing.B, path, text string) {
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		b.Fatal(err)
	}
}
