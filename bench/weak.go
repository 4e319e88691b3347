package bench

import (
	"math/rand/v2"
	"strconv"

	"github.com/bits-and-blooms/bitset"

	"parcorels/dataset"
	"parcorels/ratio"
)

// Weak tables have many flags that each say little about the class, as tables of
// customers and coupons have: the flags are independent of each other, and each
// moves the chance of the class up or down by about a twentieth. No small tree is
// much better than another, so a proof has to look at very many sets.

const weakSeed = 20190523

// weak makes the table.
func weak(name string, rows, flags int) *dataset.Dataset {
	d := flagTable(name, rows, flags)
	labels := d.Labels.Words()
	random := rand.New(rand.NewPCG(weakSeed, uint64(flags)))
	density := make([]int, flags) // of 16
	for f := range density {
		density[f] = 2 + random.IntN(7)
	}
	for i := range rows {
		score := 0
		for f := range flags {
			if random.IntN(16) < density[f] {
				d.Features[f].Bits.Set(uint(i))
				score += 1 - f%2*2
			}
		}
		if score+random.IntN(21)-10 > 0 {
			labels[i/64] |= 1 << (i % 64)
		}
	}
	return d
}

// emptyTable returns a table without columns, all of class no.
func emptyTable(name string, rows int) *dataset.Dataset {
	return &dataset.Dataset{
		Source: name, Format: "csv", N: rows, Target: "class", Classes: [2]string{"no", "yes"},
		Labels: bitset.New(uint(rows)), WeightUnit: ratio.New(1, 1),
	}
}

// flagTable returns a table of so many flags without any that is set.
func flagTable(name string, rows, flags int) *dataset.Dataset {
	d := emptyTable(name, rows)
	for i := range flags {
		flag := "f" + strconv.Itoa(i+1)
		d.Columns = append(d.Columns, flag)
		d.Features = append(d.Features, dataset.Feature{Name: flag, Column: flag, Test: dataset.Test{Kind: dataset.True, Complete: true}, Group: -1, Bits: bitset.New(uint(rows))})
	}
	d.Columns = append(d.Columns, "class")
	return d
}
