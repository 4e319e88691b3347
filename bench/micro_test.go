package bench

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestMicroHasItsBenchmarks: every name that a measurement asks go test for is that
// of a benchmark. Go test says nothing of a name that is not.
func TestMicroHasItsBenchmarks(t *testing.T) {
	declared := regexp.MustCompile(`(?m)^func (Benchmark\w+)\(`)
	for name, m := range goBenchmarks {
		files, err := filepath.Glob(filepath.Join("..", m.dir, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		var have []string
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range declared.FindAllSubmatch(text, -1) {
				have = append(have, string(d[1]))
			}
		}
		names := strings.TrimSuffix(strings.TrimPrefix(m.pattern, "^Benchmark("), ")$")
		for want := range strings.SplitSeq(names, "|") {
			if !slices.Contains(have, "Benchmark"+want) {
				t.Errorf("%s: %s has no Benchmark%s, only %v", name, m.dir, want, have)
			}
		}
	}
}
