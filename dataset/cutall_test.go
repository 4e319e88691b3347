package dataset

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/bits-and-blooms/bitset"
)

// numbersTable is columns of numbers, a column of texts, and labels that follow
// them, noise aside. Cells that are nil are missing.
type numbersTable struct {
	numbers [][]*float64 // column by column
	texts   []string
	labels  []int
}

func randomNumbers(rng *rand.Rand) numbersTable {
	n := 100 + rng.IntN(400)
	t := numbersTable{texts: make([]string, n), labels: make([]int, n)}
	for range 1 + rng.IntN(3) {
		values, holes := 8+rng.IntN(200), rng.IntN(2)*10
		column := make([]*float64, n)
		for i := range column {
			if v := float64(rng.IntN(values)); rng.IntN(100) >= holes {
				column[i] = &v
			}
		}
		t.numbers = append(t.numbers, column)
	}
	for i := range n {
		t.texts[i] = []string{"red", "green", "blue"}[rng.IntN(3)]
		score := rng.IntN(5)
		for _, column := range t.numbers {
			if column[i] != nil && *column[i] > 5 {
				score += 2
			}
			if column[i] != nil && *column[i] > 20 {
				score -= 3
			}
			if column[i] != nil && *column[i] > 90 {
				score += 2
			}
		}
		if t.texts[i] == "red" {
			score--
		}
		if score > 3 {
			t.labels[i] = 1
		}
	}
	t.labels[0], t.labels[1] = 0, 1
	return t
}

// text writes the rows, each number changed by change.
func (t numbersTable) text(rows []int, change func(float64) float64) string {
	var b strings.Builder
	for c := range t.numbers {
		fmt.Fprintf(&b, "n%d,", c)
	}
	b.WriteString("text,label\n")
	for _, i := range rows {
		for _, column := range t.numbers {
			if column[i] != nil {
				fmt.Fprint(&b, change(*column[i]))
			}
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%s,%d\n", t.texts[i], t.labels[i])
	}
	return b.String()
}

func all(n int) (rows []int) {
	for i := range n {
		rows = append(rows, i)
	}
	return rows
}

func same(x float64) float64 { return x }

// sets returns what the features of each column hold on, sorted.
func sets(d *Dataset) []string { return slices.Sorted(slices.Values(inOrder(d))) }

// inOrder returns what the features of each column hold on, in their order.
func inOrder(d *Dataset) (list []string) {
	for _, f := range d.Features {
		list = append(list, f.Column+" "+bitText(d, f))
	}
	return list
}

// tiedSeeds draw tables on which two cuts tie that are each other's mirror image
// in gain and weights: without a direction of their own, columns that are
// reversed would be cut elsewhere.
var tiedSeeds = []uint64{115, 170, 206, 544, 973, 1079, 1266, 1347, 1374, 1390, 1405}

// TestCutsAreCarriedOver reverses, shifts and scales all columns of numbers:
// what their features hold on stays. Another order of rows gives the same features.
func TestCutsAreCarriedOver(t *testing.T) {
	cut := 0
	for seed := range uint64(50) {
		cut += checkCarriedOver(t, seed, randomNumbers(rand.New(rand.NewPCG(seed, 11))))
	}
	for _, seed := range tiedSeeds {
		checkCarriedOver(t, seed, randomNumbers(rand.New(rand.NewPCG(seed, 11))))
	}
	if cut < 100 {
		t.Errorf("%d thresholds in all, too few for a test", cut)
	}
}

// TestManyNumbersAreCarriedOver does so with columns of so many numbers that
// only some places between them are looked at.
func TestManyNumbersAreCarriedOver(t *testing.T) {
	for seed := range uint64(3) {
		rng := rand.New(rand.NewPCG(seed, 15))
		table := numbersTable{numbers: make([][]*float64, 2), texts: make([]string, 6000), labels: make([]int, 6000)}
		for i := range table.labels {
			x, y := float64(rng.IntN(20_000)), float64(rng.IntN(900)*rng.IntN(900))
			table.numbers[0], table.numbers[1] = append(table.numbers[0], &x), append(table.numbers[1], &y)
			if (x > 7000) != (y > 180_000) != (rng.IntN(5) == 0) {
				table.labels[i] = 1
			}
		}
		if checkCarriedOver(t, seed, table) == 0 {
			t.Errorf("seed %d: no threshold", seed)
		}
	}
}

// checkCarriedOver returns the number of thresholds of the table.
func checkCarriedOver(t *testing.T, seed uint64, table numbersTable) (cuts int) {
	t.Helper()
	rows := all(len(table.labels))
	plain := read(t, table.text(rows, same), Options{})
	want := sets(plain)
	for _, f := range plain.Features {
		if f.Test.Kind == Threshold {
			cuts++
		}
	}
	for name, change := range map[string]func(float64) float64{
		"reversed": func(x float64) float64 { return -x },
		"shifted":  func(x float64) float64 { return x + 1234 },
		"scaled":   func(x float64) float64 { return x * 0.375 },
	} {
		changed := read(t, table.text(rows, change), Options{})
		if got := sets(changed); !slices.Equal(got, want) {
			t.Errorf("seed %d: %s, the features hold on other samples", seed, name)
		}
		if got := inOrder(changed); !slices.Equal(got, inOrder(plain)) {
			t.Errorf("seed %d: %s, the features hold on other samples in their order\n%q\n%q", seed, name, describe(plain),
				describe(changed))
		}
	}
	o := Options{atQuantiles: seed%2 == 1} // features of permuted rows are the same, by name
	inTurn, permuted := read(t, table.text(rows, same), o), read(t, table.text(rand.New(rand.NewPCG(seed, 12)).Perm(len(rows)), same), o)
	if !slices.EqualFunc(inTurn.Features, permuted.Features, func(f, g Feature) bool {
		return f.Name == g.Name && f.Bits.Count() == g.Bits.Count()
	}) {
		t.Errorf("seed %d: features %q, of permuted rows %q", seed, describe(inTurn), describe(permuted))
	}
	return cuts
}

// TestRecut cuts by some rows, which must give the cuts of a table of these
// rows alone, and features that agree with their tests on all rows.
func TestRecut(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 13))
		table := randomNumbers(rng)
		n := len(table.labels)
		chosen := bitset.New(uint(n))
		var rows []int
		for i := range n {
			if i < 2 || rng.IntN(3) > 0 {
				rows = append(rows, i)
				chosen.Set(uint(i))
			}
		}
		o := Options{KeepColumns: true, Bins: 3 + rng.IntN(4)}
		if rng.IntN(3) == 0 {
			o.atQuantiles = true
		}
		text := table.text(all(n), same)
		d := read(t, text, o)
		before := describe(d)
		again := d.Recut(chosen, d.Subset(chosen))
		if got := describe(d); !slices.Equal(got, before) {
			t.Fatalf("seed %d: the data set itself has changed", seed)
		}
		checkInvariants(t, again)
		checkTests(t, text, again, o)
		alone := read(t, table.text(rows, same), o)
		uncut := func(notes []string) (of []string) {
			return slices.DeleteFunc(slices.Clone(notes), func(n string) bool { return !strings.HasPrefix(n, remarkTexts[uncutNumbers]) })
		}
		if got, want := uncut(again.Notes), uncut(alone.Notes); !slices.Equal(got, want) {
			t.Fatalf("seed %d: notes %q, alone %q", seed, got, want)
		}
		var got, want []string
		for _, f := range again.Features {
			got = append(got, f.Name)
		}
		for _, f := range alone.Features {
			want = append(want, f.Name)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: features %q, of these rows alone %q", seed, got, want)
		}
	}
	d := read(t, rowsOf("x,label", alwaysKept+1, func(i int) string { return fmt.Sprintf("%d,%d", i%3, i%2) }), Options{})
	if d.Recut(bitset.New(uint(d.N)).Set(0), d) != d {
		t.Error("a data set that keeps no columns was cut again")
	}
}

// TestZeroInflated: a column that is 0 but for few samples gets the cuts that
// matter, which no quantile finds.
func TestZeroInflated(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 14))
	b := rowsOf("gain,label", 4000, func(int) string {
		gain, label := 0, rng.IntN(4)/3
		if rng.IntN(10) == 0 {
			gain, label = 1000+rng.IntN(4000), 0
		} else if rng.IntN(20) == 0 {
			gain, label = 7000+rng.IntN(9000), 1
		}
		return fmt.Sprintf("%d,%d", gain, label)
	})
	var names []string
	for _, f := range read(t, b, Options{}).Features {
		names = append(names, f.Name)
	}
	if !slices.Contains(names, "gain > 0") || !slices.Contains(names, "gain > 5000") {
		t.Errorf("features %q", names)
	}
}
