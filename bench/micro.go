package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"parcorels/bitvec"
	"slices"
	"strconv"
	"strings"
)

// The structures that workers share and the counting kernels are measured by Go benchmarks beside
// them, where they can be compared with others without being exported. So these suites
// need the sources and Go, and say so where they are not.

// goBenchmarks are the benchmarks by the name of their measurement, which is the instance of a
// case, so that each runs in a process of its own.
var goBenchmarks = map[string]struct{ dir, pattern string }{
	"map and queue":   {"parallel", "^Benchmark(KeyMap|KeyMapFind|Queue)$"},
	"trie and epochs": {"trie", "^Benchmark(Trie|Epochs)$"},
	countMeasure:      {"bitvec", "^Benchmark(Count)$"},
}

// countMeasure is the measurement of kernels: counting all columns of a node in sets of points of
// several sizes.
const countMeasure = "count"

// What disturbs a kernel only ever makes it slower, so the fastest of several short runs counts.
const (
	benchTime  = "200ms" // of each Go benchmark; the runs are repeated
	kernelTime = "20ms"
	kernelRuns = "9"
)

func microCases() []Case {
	return []Case{{Instance: "map and queue"}, {Instance: "trie and epochs"}}
}

// sources returns the folder of this module's sources that the working directory is in, or
// ErrAbsent.
func sources() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Path}} {{.Dir}}").Output()
	dir, ours := strings.CutPrefix(strings.TrimSpace(string(out)), "parcorels ")
	if err != nil || !ours {
		return "", fmt.Errorf("the Go toolchain on your PATH, or the source of parcorels around this folder, which this suite needs, is %w", ErrAbsent)
	}
	return dir, nil
}

// runGoBenchmark runs the benchmarks of a package: of kernels, that of the kernel of this process.
func runGoBenchmark(ctx context.Context, c *Case) (Outcome, error) {
	root, err := sources()
	if err != nil {
		return Outcome{}, err
	}
	b := goBenchmarks[c.Instance]
	if c.Instance == countMeasure {
		b.pattern += "//^" + bitvec.Kernel() + "$"
	}
	length, runs := benchTime, "1"
	if b.dir == "bitvec" {
		length, runs = kernelTime, kernelRuns
	}
	cmd := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-bench", b.pattern, "-benchtime", length, "-count", runs, "./"+b.dir)
	cmd.Dir = root
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return Outcome{}, fmt.Errorf("go test in %s: %w: %s", b.dir, err, strings.TrimSpace(stderr.String()+string(out)))
	}
	o := Outcome{Status: Done}
	if o.Measures, err = goMeasures(out); err == nil && b.dir == "bitvec" {
		o.Active, o.Measures = bitvec.Kernel(), throughput(o.Measures)
	}
	return o, err
}

// throughput returns the largest rate of each size, in MB/s, as GB/s.
func throughput(rates []Measure) (list []Measure) {
	best := map[int]float64{}
	for _, m := range rates {
		best[m.Size] = max(best[m.Size], m.Value)
	}
	for _, size := range slices.Sorted(maps.Keys(best)) {
		list = append(list, Measure{Name: "throughput", Size: size, Value: best[size] / 1e3, Unit: "GB/s"})
	}
	return list
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
