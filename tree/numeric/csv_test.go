package numeric

import (
	"context"
	"encoding/csv"
	"os"
	"slices"
	"strconv"
	"testing"

	"parcorels/ratio"
)

// BenchmarkTable solves the table of numbers whose file and depth the environment names.
func BenchmarkTable(b *testing.B) {
	path := os.Getenv("NUMERIC_TABLE")
	if path == "" {
		b.Skip("NUMERIC_TABLE names no table")
	}
	depth, _ := strconv.Atoi(os.Getenv("NUMERIC_DEPTH"))
	f, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		b.Fatal(err)
	}
	rows = rows[1:]
	last := len(rows[0]) - 1
	ranks := make([][]int32, last)
	for h := range ranks {
		values := make([]float64, len(rows))
		for i := range rows {
			values[i], _ = strconv.ParseFloat(rows[i][h], 64)
		}
		sorted := slices.Compact(slices.Sorted(slices.Values(values)))
		for _, v := range values {
			at, _ := slices.BinarySearch(sorted, v)
			ranks[h] = append(ranks[h], int32(at))
		}
	}
	var names []string
	for i := range rows {
		names = append(names, rows[i][last])
	}
	slices.Sort(names)
	names = slices.Compact(names)
	classes := make([]uint16, len(rows))
	for i := range rows {
		classes[i] = uint16(slices.Index(names, rows[i][last]))
	}
	t, err := NewTable(ranks, classes, len(names), nil)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		r, err := Solve(context.Background(), t, Options{Lambda: ratio.New(0, 1), Depth: depth, Workers: 1})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(r.Errors), "errors")
		b.ReportMetric(float64(r.Stats.Sets), "sets")
	}
}
