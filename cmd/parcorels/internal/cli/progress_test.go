package cli

import (
	"math"
	"os"
	"parcorels/cmd/internal/console"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/internal/testing/must"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"parcorels/family"
	"parcorels/parallel"
)

func TestProgressLeavesRoom(t *testing.T) {
	var b strings.Builder
	table := &process.ProgressTable{Out: &b}
	for _, p := range []family.Event{
		{},
		{Source: "first", Progress: parallel.Progress{
			Length: 12345, Value: 0.5, Bound: 0.4999999, Gap: 1, Open: math.MaxInt64, Nodes: math.MaxInt64, Bytes: math.MaxInt64,
			Elapsed: 365 * 24 * time.Hour}},
	} {
		table.Event(p)
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if len(lines) != 3 {
		t.Fatalf("%d lines, want a header and two rows:\n%s", len(lines), b.String())
	}
	for _, line := range lines {
		if n := utf8.RuneCountInString(line); n > 78 || n != utf8.RuneCountInString(lines[0]) {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

func TestPrintedBoundIsABound(t *testing.T) {
	for _, c := range []struct {
		bound float64
		want  string
	}{{0.12345678, "0.1234567"}, {0.3, "0.3000000"}, {0.04, "0.0400000"}, {2.0 / 3, "0.6666666"}, {0, "0.0000000"}} {
		var b strings.Builder
		table := &process.ProgressTable{Out: &b, Rows: 1}
		table.Event(family.Event{Source: "", Progress: parallel.Progress{Value: 1, Bound: c.bound}})
		if !strings.Contains(b.String(), " "+c.want+" ") {
			t.Errorf("%v is not %s in %q", c.bound, c.want, b.String())
		}
	}
}

func TestProgressRepeatsItsHeader(t *testing.T) {
	var b strings.Builder
	table := &process.ProgressTable{Out: &b}
	const rows = 2*process.HeaderEvery + 1
	for range rows {
		table.Event(family.Event{Source: ""})
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	var headers []int
	for i, line := range lines {
		if strings.Contains(line, "bound") {
			headers = append(headers, i)
		}
	}
	if len(lines) != rows+3 || len(headers) != 3 || headers[0] != 0 || headers[1] != process.HeaderEvery+1 ||
		headers[2] != 2*process.HeaderEvery+2 {
		t.Errorf("%d lines with headers at %v", len(lines), headers)
	}
}

// TestProgressOfAShortSearch: on a terminal a search that ends before the
// first line prints none, not even the last one.
func TestProgressOfAShortSearch(t *testing.T) {
	var b strings.Builder
	table := &process.ProgressTable{Out: &b, Brief: true}
	table.Event(family.Event{Source: "first", Progress: parallel.Progress{Final: true}})
	if b.Len() > 0 {
		t.Errorf("printed %q", b.String())
	}
	table.Event(family.Event{Source: "first"})
	table.Event(family.Event{Source: "", Progress: parallel.Progress{Final: true}})
	if got := strings.Count(b.String(), "\n"); got != 3 {
		t.Errorf("%d lines, want header, row and last row", got)
	}
}

func TestOnlyTerminalsAreTerminals(t *testing.T) {
	null := must.Get(os.OpenFile(os.DevNull, os.O_WRONLY, 0))(t)
	defer null.Close()
	file := must.Get(os.Create(t.TempDir() + "/f"))(t)
	defer file.Close()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	defer write.Close()
	for _, f := range []*os.File{null, file, write} {
		if console.IsTerminal(f) {
			t.Errorf("%s is taken for a terminal", f.Name())
		}
	}
}
