package bench

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"strconv"

	"github.com/bits-and-blooms/bitset"

	"parcorels/dataset"
	"parcorels/internal/generate"
	"parcorels/ratio"
)

// The most rows and flags of a table that is made.
const (
	mostRows  = 100_000_000
	mostFlags = 10_000
)

var families = []kind{
	{"stopfrisk", "ROWS", []int{1}, []int{generate.MaxStops},
		"stops as \"parcorels-bench stopfrisk\" makes them, 28 antecedents as in the papers' NYPD problem", stopFrisk},
	{"weak", "ROWSxFLAGS", []int{2, 1}, []int{mostRows, mostFlags},
		"random flags that each say little about the class", weak},
	{"planted", "ROWSxFLAGS", []int{2, 4}, []int{mostRows, mostFlags},
		"random flags, and a class that a list of three rules tells in nine of ten samples", planted},
	{"numbers", "ROWSxCOLUMNS", []int{2, 4}, []int{mostRows, 1000},
		"numbers of which each may be split anywhere, and a class that a list of four rules tells but for one label in seven", numbers},
}

const stopFriskSeed = 1

// stopFrisk reads a table while it is made, so that it is never kept as text.
func stopFrisk(ctx context.Context, name string, n []int) (*dataset.Dataset, error) {
	table := generate.StopFrisk{Rows: int64(n[0]), Seed: stopFriskSeed}
	read, write := io.Pipe()
	go func() { _ = write.CloseWithError(table.Write(ctx, write)) }()
	defer read.Close()
	return dataset.ReadFrom(read, name, dataset.Options{})
}

// flagTable makes a table of flags. The row says of one row after the other which flags it has, and its class.
func flagTable(name string, rows, flags int, row func(has []bool) bool) *dataset.Dataset {
	d := &dataset.Dataset{
		Source: name, Format: "csv", N: rows, Target: "class", Classes: []string{"no", "yes"},
		ClassOf: make([]uint16, rows), WeightUnit: ratio.New(1, 1),
	}
	for i := range flags {
		name := "f" + strconv.Itoa(i+1)
		d.Columns = append(d.Columns, name)
		d.Features = append(d.Features, dataset.Feature{
			Name: name, Column: name, Test: dataset.Test{Kind: dataset.True, Complete: true}, Group: -1, Bits: bitset.New(uint(rows)),
		})
	}
	d.Columns = append(d.Columns, "class")
	has := make([]bool, flags)
	for i := range rows {
		if row(has) {
			d.ClassOf[i] = 1
		}
		for f, is := range has {
			d.Features[f].Bits.SetTo(uint(i), is)
		}
	}
	return d
}

// Weak tables have many flags that each say little about the class, as tables of
// customers and coupons have: the flags are independent of each other, and each
// moves the chance of the class up or down by about a twentieth. No small tree is
// much better than another, so a proof has to look at very many sets.

const weakSeed = 20190523

// weak makes the table.
func weak(_ context.Context, name string, n []int) (*dataset.Dataset, error) {
	random := rand.New(rand.NewPCG(weakSeed, uint64(n[1])))
	density := make([]int, n[1]) // of 16
	for f := range density {
		density[f] = 2 + random.IntN(7)
	}
	return flagTable(name, n[0], n[1], func(has []bool) bool {
		score := 0
		for f := range has {
			if has[f] = random.IntN(16) < density[f]; has[f] {
				score += 1 - f%2*2
			}
		}
		return score+random.IntN(21)-10 > 0
	}), nil
}

// Planted tables show how the search grows with samples and with antecedents:
// the flags are correlated through eight hidden traits, so that the number of
// distinct points grows ever more slowly with the rows, as in real tables, and
// the class follows a list of three rules in nine of ten samples. They are the
// same bits every time, and the first rows of a longer table with as many
// flags are those of a shorter one.

const (
	plantedTraits = 8
	plantedSeed   = 20180606
)

// planted makes the table.
func planted(_ context.Context, name string, n []int) (*dataset.Dataset, error) {
	random := rand.NewPCG(plantedSeed, uint64(n[1]))
	return flagTable(name, n[0], n[1], func(has []bool) bool {
		traits := random.Uint64() // a trait is rare: three bits are set
		traits &= traits >> 16 & (traits >> 32)
		for f := range has {
			// A flag goes with its trait, and is turned over in one of sixteen samples.
			has[f] = (traits>>(f%plantedTraits)&1 == 1) != (random.Uint64()&15 == 0)
		}
		class := has[0] || !has[1] && has[2] && !has[3]
		return class != (random.Uint64()%10 == 0)
	}), nil
}

// fourRules is the class that a list of four rules tells by four numbers.
func fourRules(x func(k int) float64) bool {
	switch {
	case x(0) > 1.8:
		return true
	case x(1) < 1.2:
		return false
	case x(2) > 1.7:
		return x(0) > 1.4
	}
	return x(3) > 1.4
}

const numbersSeed = 20261122

// numbers makes a table of numbers of which neighbours share a part, and a class that a list of four
// rules on some of them tells, but for one wrong label in seven. It is the same every time.
func numbers(_ context.Context, name string, n []int) (*dataset.Dataset, error) {
	rows, columns := n[0], n[1]
	random := rand.New(rand.NewPCG(numbersSeed, uint64(rows)<<32|uint64(columns)))
	var b bytes.Buffer
	for h := range columns {
		b.WriteString("x" + strconv.Itoa(h+1) + ",")
	}
	b.WriteString("class\n")
	x := make([]int, columns)
	for range rows {
		shared := random.IntN(1e7)
		for h := range x {
			next := random.IntN(1e7)
			x[h] = shared + next + random.IntN(1e7)
			shared = next
			b.WriteString(strconv.Itoa(x[h]) + ",")
		}
		class := fourRules(func(k int) float64 { return float64(x[k]) / 1e7 })
		if class != (random.IntN(7) == 0) {
			b.WriteString("yes\n")
		} else {
			b.WriteString("no\n")
		}
	}
	return dataset.ReadFrom(&b, name, dataset.Options{AllCuts: true})
}
