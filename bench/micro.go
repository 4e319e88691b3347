package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"

	"parcorels/bitvec"
)

// The structures that workers share and the counting kernels are measured by Go benchmarks beside
// them, where they can be compared with others without being exported. So these suites
// need the sources and Go, and say so where they are not.

// goBenchmarks are the benchmarks by the name of their measurement, which is the instance of a
// case, so that each runs in a process of its own. What disturbs a kernel only ever makes it slower, so the fastest
// of several short runs counts.
var goBenchmarks = map[string]struct{ dir, pattern, time, runs string }{
	"map and queue":   {"parallel", "^Benchmark(KeyMap|KeyMapFind|Queue)$", "200ms", "1"},
	"trie and epochs": {"trie", "^Benchmark(Trie|Epochs)$", "200ms", "1"},
	countMeasure:      {"bitvec", "^Benchmark(Count)$", "20ms", "9"},
}

// countMeasure is the measurement of kernels: counting all columns of a node in sets of points of
// several sizes.
const countMeasure = "count"

// sources returns the folder of this module's sources that the working directory is in, or
// ErrAbsent.
func sources() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Path}} {{.Dir}}").Output()
	dir, ours := strings.CutPrefix(strings.TrimSpace(string(out)), "parcorels ")
	if err != nil || !ours {
		return "", fmt.Errorf("the Go toolchain on your PATH, or the source of parcorels around this folder, which this suite needs, is "+
			"%w", ErrAbsent)
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
	cmd := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-bench", b.pattern, "-benchtime", b.time, "-count", b.runs, "./"+b.dir)
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	if err != nil {
		return Outcome{}, fmt.Errorf("go test in %s: %w: %s", b.dir, err, bytes.TrimSpace(out))
	}
	rates, err := goRates(string(out))
	if err == nil && c.Instance == countMeasure {
		best := bestRates(rates)
		sizes := sizesOf(rates)
		rates = nil
		for _, size := range sizes {
			rates = append(rates, Rate{bitvec.Kernel(), size, best[size], throughput})
		}
	}
	return Outcome{Status: Done, Rates: rates}, err
}

// throughput is the unit of rates of which a large one is good.
const throughput = "GB/s"

// resultLine is a line of a Go benchmark: a name, whose last number is GOMAXPROCS, a count, and pairs of a value
// and its unit.
var resultLine = regexp.MustCompile(`(?m)^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+(.*)$`)

// goRates reads the output of Go benchmarks. A part of a name such as Queue/one_heap/4 that is a number is the
// number of goroutines, or of words.
func goRates(output string) (list []Rate, err error) {
	for _, line := range resultLine.FindAllStringSubmatch(output, -1) {
		var words []string
		size := 0
		for part := range strings.SplitSeq(line[1], "/") {
			if n, err := strconv.Atoi(part); err == nil {
				size = n
			} else {
				words = append(words, strings.ReplaceAll(part, "_", " "))
			}
		}
		figures := strings.Fields(line[2])
		for i := 0; i+1 < len(figures); i += 2 {
			value, err := strconv.ParseFloat(figures[i], 64)
			if err != nil {
				return nil, fmt.Errorf("the line %q of a Go benchmark: %w", line[0], err)
			}
			switch unit := figures[i+1]; unit {
			case "ns/op": // reported as nothing: the benchmarks say the time of one operation
			case "MB/s":
				list = append(list, Rate{strings.Join(words, ", "), size, value / 1e3, throughput})
			default:
				list = append(list, Rate{strings.Join(words, ", "), size, value, unit})
			}
		}
	}
	if len(list) == 0 {
		return nil, errors.New("the Go benchmarks printed no figure")
	}
	return list, nil
}
