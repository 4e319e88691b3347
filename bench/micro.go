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

	"golang.org/x/perf/benchfmt"
)

// The structures that workers share are measured by Go benchmarks beside them,
// where they can be compared with others without being exported. So this suite
// needs the sources and Go, and says so where they are not.

// goBenchmarks are the benchmarks by the name of their measurement.
var goBenchmarks = map[string]struct{ dir, pattern string }{
	"map and queue":   {"parallel", "^Benchmark(SymmetryMap|SymmetryMapFind|Queue)$"},
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

// goMeasures reads the output of Go benchmarks. The last part of a name is the
// number of goroutines.
func goMeasures(output []byte) (list []Measure, err error) {
	lines := benchfmt.NewReader(bytes.NewReader(output), "go test")
	for lines.Scan() {
		r, ok := lines.Result().(*benchfmt.Result)
		if !ok {
			continue // lines that are no results
		}
		base, parts := r.Name.Parts()
		name := []string{string(base)}
		size := 0
		for _, p := range parts {
			text := strings.TrimPrefix(string(p), "/")
			if n, err := strconv.Atoi(text); err == nil && n > 0 {
				size = n
			} else if strings.HasPrefix(string(p), "/") {
				name = append(name, text)
			}
		}
		for _, v := range r.Values {
			value, unit := v.Value, v.Unit
			if v.OrigUnit != "" {
				value, unit = v.OrigValue, v.OrigUnit
			}
			if unit == "ns/op" || unit == "sec/op" {
				continue // reported as nothing: the benchmarks say the time of one operation
			}
			list = append(list, Measure{Name: strings.ReplaceAll(strings.Join(name, ", "), "_", " "), Size: size, Value: value, Unit: unit})
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, errors.New("the Go benchmarks printed no figure")
	}
	return list, nil
}
