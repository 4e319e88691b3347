package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// The structures that workers share are measured by Go benchmarks beside them,
// where they can be compared with others without being exported. So this suite
// needs the sources and Go, and says so where they are not.

// goBenchmarks are the benchmarks by the name of their measurement.
var goBenchmarks = map[string]struct{ dir, pattern string }{
	"map and queue":   {"parallel", "^Benchmark(KeyMap|KeyMapFind|Queue)$"},
	"trie and epochs": {"trie", "^Benchmark(Trie|Epochs)$"},
}

const benchTime = "200ms" // of each Go benchmark; the runs are repeated

func microCases() []Case {
	return []Case{{Instance: "map and queue"}, {Instance: "trie and epochs"}}
}

// sources returns the folder of this module's sources that the working
// directory is in, or ErrAbsent.
func sources() (string, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return "", fmt.Errorf("the Go toolchain, which the micro suite needs, is %w: put it on your PATH", ErrAbsent)
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && strings.HasPrefix(string(text), "module parcorels\n") {
			return dir, nil
		}
		if up := filepath.Dir(dir); up != dir {
			dir = up
			continue
		}
		return "", fmt.Errorf("the source of parcorels, which the micro suite needs, is %w: run it in a clone of the repository", ErrAbsent)
	}
}

func haveSources() error {
	_, err := sources()
	return err
}

// runGoBenchmark runs the benchmarks of a package.
func runGoBenchmark(ctx context.Context, name string) (Outcome, error) {
	root, err := sources()
	if err != nil {
		return Outcome{}, err
	}
	b := goBenchmarks[name]
	cmd := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-bench", b.pattern, "-benchtime", benchTime, "./"+b.dir)
	cmd.Dir = root
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return Outcome{}, fmt.Errorf("go test in %s: %w: %s", b.dir, err, strings.TrimSpace(stderr.String()+string(out)))
	}
	measures, err := goMeasures(out)
	return Outcome{Status: Done, Measures: measures}, err
}

// goMeasures reads the output of Go benchmarks: lines of a name, a count and
// pairs of a value and its unit. A part of a name that is a number is the number
// of goroutines.
func goMeasures(output []byte) (list []Measure, err error) {
	for line := range strings.Lines(string(output)) {
		fields := strings.Fields(line)
		if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue // a line that is no result
		}
		name, size := benchmarkName(fields[0])
		for i := 2; i+1 < len(fields); i += 2 {
			value, err := strconv.ParseFloat(fields[i], 64)
			if err != nil {
				return nil, fmt.Errorf("the line %q of a Go benchmark: %w", strings.TrimSpace(line), err)
			}
			unit := fields[i+1]
			if unit == "ns/op" {
				continue // reported as nothing: the benchmarks say the time of one operation
			}
			list = append(list, Measure{Name: name, Size: size, Value: value, Unit: unit})
		}
	}
	if len(list) == 0 {
		return nil, errors.New("the Go benchmarks printed no figure")
	}
	return list, nil
}

// benchmarkName splits a name such as BenchmarkQueue/one_heap/4-2, whose last
// number is GOMAXPROCS, into words and the number of goroutines.
func benchmarkName(text string) (name string, size int) {
	text = strings.TrimPrefix(text, "Benchmark")
	if i := strings.LastIndexByte(text, '-'); i >= 0 {
		text = text[:i]
	}
	var words []string
	for part := range strings.SplitSeq(text, "/") {
		if n, err := strconv.Atoi(part); err == nil && n > 0 {
			size = n
		} else {
			words = append(words, strings.ReplaceAll(part, "_", " "))
		}
	}
	return strings.Join(words, ", "), size
}
