package dataset

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// randomTable returns a table of columns of all kinds, with missing cells,
// quotes and odd numbers, and options for it.
func randomTable(rng *rand.Rand) (string, Options) {
	o := Options{Target: "label", Bins: rng.IntN(6), DropMissing: rng.IntN(3) == 0}
	if o.Bins == 1 {
		o.Bins = 0
	}
	if rng.IntN(3) == 0 {
		o.atQuantiles = true
	}
	words := []string{"red", "Red", "a b", "x,y", "\"q\"", "-", "0", "1", "ü", "two\nlines", "\x1b[0m"}
	cells := []func() string{
		func() string { return fmt.Sprint(rng.IntN(2)) },
		func() string { return []string{"yes", "No"}[rng.IntN(2)] },
		func() string { return words[rng.IntN(len(words))] },
		func() string { return fmt.Sprint(rng.IntN(100) - 30) },
		func() string { return fmt.Sprintf("%.2f", rng.NormFloat64()) },
		func() string { return []string{"1", "1.0", "1e0", "2", "-inf", "Infinity"}[rng.IntN(6)] },
		func() string { return fmt.Sprint(rng.Uint64()) },
		func() string { return "same" },
	}
	header, columns := []string{"label"}, []func() string{func() string { return []string{"good", "bad"}[rng.IntN(2)] }}
	for i := range 1 + rng.IntN(8) {
		cell, holes := cells[rng.IntN(len(cells))], 0
		if rng.IntN(3) == 0 {
			holes = 1 + rng.IntN(3)
		}
		header = append(header, fmt.Sprintf("col %d", i))
		columns = append(columns, func() string {
			if rng.IntN(20) < holes {
				return []string{"", "?", "na", " NULL "}[rng.IntN(4)]
			}
			return cell()
		})
	}
	var b strings.Builder
	b.WriteString(strings.Join(header, ",") + "\n")
	for range 1 + rng.IntN(150) {
		for i, c := range columns {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(`"` + strings.ReplaceAll(c(), `"`, `""`) + `"`)
		}
		b.WriteByte('\n')
	}
	return b.String(), o
}

// TestRandomTables checks the invariants of random tables, and that every test
// holds on the raw cells exactly where the feature's bits say so. With rows
// dropped, columns without features drop none, so only the invariants count.
func TestRandomTables(t *testing.T) {
	for seed := range seeds(1500) {
		text, o := randomTable(rand.New(rand.NewPCG(seed, 5)))
		d, err := ReadFrom(strings.NewReader(text), "t.csv", o)
		if err != nil {
			if o.DropMissing && strings.Contains(err.Error(), "none is left") {
				continue
			}
			t.Fatalf("seed %d: %v", seed, err)
		}
		checkInvariants(t, d)
		if !o.DropMissing {
			checkTests(t, text, d, o)
		}
	}
}

// TestHugeTables: nothing here is slow or fails for being large.
func TestHugeTables(t *testing.T) {
	wide := func(cell func(i int) string) string {
		var b strings.Builder
		for i := range 30_000 {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(cell(i))
		}
		return b.String() + "\n"
	}
	text := wide(func(i int) string { return fmt.Sprintf("column%d", i) }) +
		wide(func(i int) string { return fmt.Sprint(i % 2) }) + wide(func(i int) string { return fmt.Sprint(i % 3 % 2) })
	d := read(t, text, Options{})
	if len(d.Columns) != 30_000 || len(d.Features) < 10_000 || len(strings.Join(d.Notes, "")) > 2000 {
		t.Errorf("%d columns, %d features, notes %.2000q", len(d.Columns), len(d.Features), d.Notes)
	}
	same := wide(func(int) string { return "x" }) + wide(func(int) string { return "1" })
	if d := read(t, same, Options{}); d.Columns[29_999] != "x.29999" || len(d.Features) != 0 {
		t.Errorf("last of equal names: %q, %d features", d.Columns[29_999], len(d.Features))
	}
	cell := strings.Repeat("long ", 500_000)
	d = read(t, "a,b,label\n1,"+cell+",0\n2,short,1\n", Options{})
	if len(d.Features) != 2 || len(strings.Join(d.Notes, "")) > 2000 {
		t.Errorf("features %q, notes %.2000q", describe(d), d.Notes)
	}
	_, err := ReadFrom(strings.NewReader("a,b,label\n1,2,0\n2,"+cell+",1,"+cell+"\n"), "t.csv", Options{})
	checkError(t, "long ragged line", err, "t.csv:3: fields separated by ',': 4")
	_, err = ReadFrom(strings.NewReader("a,label\n1,"+cell+"\n2,x\n1,y\n"), "t.csv", Options{})
	checkError(t, "long labels", err, "has 3 values")
	_, err = ReadFrom(strings.NewReader(cell+",label\n1,0\n"), "t.csv", Options{})
	checkError(t, "long name", err, "the name of column 1 has 2500000 bytes")
	_, err = ReadFrom(strings.NewReader("{f} 0"+strings.Repeat(" 1", 1_000_000)+" 7\n"), "t.out", Options{})
	checkError(t, "long line of an .out file", err, `cell 1000002 is "7"`)
}
