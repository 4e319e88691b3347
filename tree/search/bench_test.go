package search

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"parcorels/ratio"
)

// BenchmarkKnown searches the tables of the papers, in the folder that
// PARCORELS_DATA names, and the boards of tic-tac-toe without it.
func BenchmarkKnown(b *testing.B) {
	root := os.Getenv("PARCORELS_DATA")
	for _, k := range knownTrees {
		p := boards(b)
		switch {
		case root != "":
			p = loadBinary(b, filepath.Join(root, "binary", k.file+".csv.gz"))
		case k.file != "tic-tac-toe":
			continue
		}
		lambda, err := ratio.Parse(k.lambda)
		if err != nil {
			b.Fatal(err)
		}
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/%s/%d", k.file, k.lambda, workers), func(b *testing.B) {
				var counts int64
				for b.Loop() {
					r, err := Solve(context.Background(), p, Options{Lambda: lambda, Workers: workers})
					if err != nil {
						b.Fatal(err)
					}
					counts += r.Stats.Counted
				}
				b.ReportMetric(float64(counts)/float64(b.N), "counts")
			})
		}
	}
}
