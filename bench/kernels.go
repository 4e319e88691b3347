package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"parcorels/bitvec"
)

// countMeasure is the instance that measures kernels: counting all columns of a node in sets of points of several
// sizes, as the Go benchmark of package bitvec does. So this suite needs the sources and Go, and says so where they are not.
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

// countRates measures the kernel of this process. Other work on the machine only ever makes a kernel slower, so the fastest of
// several short runs counts.
func countRates(ctx context.Context) (Outcome, error) {
	root, err := sources()
	if err != nil {
		return Outcome{}, err
	}
	cmd := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-bench", "^BenchmarkCount$//^"+bitvec.Kernel()+"$", "-benchtime", "20ms",
		"-count", "9", "./bitvec")
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	if err != nil {
		return Outcome{}, fmt.Errorf("go test in bitvec: %w: %s", err, bytes.TrimSpace(out))
	}
	rates, err := readRates(string(out))
	return Outcome{Status: Done, Rates: rates}, err
}

// resultLine is a line of the Go benchmark: words a column, kernel, and MB/s.
var resultLine = regexp.MustCompile(`(?m)^BenchmarkCount/(\d+)/([a-z0-9]+)\S*\s.*\s([0-9.]+) MB/s`)

// readRates reads the output of the Go benchmark: the best rate of each size, in the order of sizes.
func readRates(output string) (list []Rate, err error) {
	best, kernel := map[int]float64{}, ""
	for _, line := range resultLine.FindAllStringSubmatch(output, -1) {
		size, _ := strconv.Atoi(line[1]) // a number, by the expression
		rate, err := strconv.ParseFloat(line[3], 64)
		if err != nil {
			return nil, fmt.Errorf("the line %q of a Go benchmark: %w", line[0], err)
		}
		best[size], kernel = max(best[size], rate/1e3), line[2]
	}
	if len(best) == 0 {
		return nil, errors.New("the Go benchmark printed no figure")
	}
	for _, size := range slices.Sorted(maps.Keys(best)) {
		list = append(list, Rate{kernel, size, best[size], throughput})
	}
	return list, nil
}

// throughput is the unit of rates.
const throughput = "GB/s"
