package bench

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/bits-and-blooms/bitset"

	"parcorels/dataset"
	"parcorels/rules"
)

// Weak tables have many flags that each say little about the class, as tables of
// customers and coupons have: the flags are independent of each other, and each
// moves the chance of the class up or down by about a twentieth. No small tree is
// much better than another, so a proof has to look at very many sets.

const weakSeed = 20190523

func weakInstance(name, text string) (Instance, error) {
	r, f, found := strings.Cut(text, "x")
	rows, err1 := strconv.Atoi(r)
	flags, err2 := strconv.Atoi(f)
	if !found || err1 != nil || err2 != nil || rows < 2 || rows > mostRows || flags < 1 || flags > mostFlags {
		return Instance{}, fmt.Errorf("%q: expected weak/ROWSxFLAGS with 2 to %d rows and 1 to %d flags, such as weak/2600x60", name, mostRows, mostFlags)
	}
	return Instance{
		Name: name, About: "weak", mining: rules.Options{MaxCard: 1},
		make: func() (*dataset.Dataset, error) { return weak(name, rows, flags), nil },
	}, nil
}

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

// flagTable returns a table of so many flags without any that is set.
func flagTable(name string, rows, flags int) *dataset.Dataset {
	d := &dataset.Dataset{
		Source: name, Hash: name, Format: "csv", N: rows, Target: "class", Classes: [2]string{"no", "yes"},
		Labels: bitset.New(uint(rows)),
	}
	for i := range flags {
		flag := "f" + strconv.Itoa(i+1)
		d.Columns = append(d.Columns, flag)
		d.Features = append(d.Features, dataset.Feature{Name: flag, Column: flag, Group: -1, Bits: bitset.New(uint(rows))})
	}
	d.Columns = append(d.Columns, "class")
	return d
}
