package bench

import (
	"math/rand/v2"

	"parcorels/dataset"
)

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
func planted(name string, rows, flags int) *dataset.Dataset {
	d := flagTable(name, rows, flags)
	columns := make([][]uint64, flags)
	for i := range flags {
		columns[i] = d.Features[i].Bits.Words()
	}
	labels := d.Labels.Words()
	random := rand.NewPCG(plantedSeed, uint64(flags))
	for i := range rows {
		word, bit := i/64, uint64(1)<<(i%64)
		traits := random.Uint64() // a trait is rare: three bits are set
		traits &= traits >> 16 & (traits >> 32)
		for j, c := range columns {
			// A flag goes with its trait, and is turned over in one of sixteen samples.
			if (traits>>(j%plantedTraits)&1 == 1) != (random.Uint64()&15 == 0) {
				c[word] |= bit
			}
		}
		class := false
		switch {
		case columns[0][word]&bit != 0:
			class = true
		case columns[1][word]&bit != 0:
		case columns[2][word]&bit != 0:
			class = columns[3][word]&bit == 0
		}
		if class != (random.Uint64()%10 == 0) {
			labels[word] |= bit
		}
	}
	return d
}
