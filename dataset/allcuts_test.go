package dataset

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"parcorels/internal/testing/must"

	"github.com/bits-and-blooms/bitset"
)

// TestAllCuts: the features of thresholds hold in memory where their tests hold on the cells,
// also of numbers that were not in the samples that the threshold is for.
func TestAllCuts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, rows := range []int{40, 9000} { // 9,000 different numbers are kept in another way
		var b strings.Builder
		b.WriteString("x,day,level,flag,y\n")
		cells := [][]string{}
		for i := range rows {
			row := []string{
				fmt.Sprint(float64(rng.IntN(1<<30)) / 1000), fmt.Sprintf("2020-%02d-%02d", 1+rng.IntN(12), 1+rng.IntN(28)),
				[]string{"low", "mid", "high"}[rng.IntN(3)], fmt.Sprint(rng.IntN(2)), fmt.Sprint(i % 2),
			}
			switch rng.IntN(20) {
			case 0:
				row[0] = "?"
			case 1:
				row[0] = "inf"
			case 2:
				row[0] = "-inf"
			}
			cells = append(cells, row)
			b.WriteString(strings.Join(row, ",") + "\n")
		}
		o := Options{AllCuts: true, Ordered: map[string][]string{"level": {"low", "mid", "high"}}}
		d := must.Get(ReadFrom(strings.NewReader(b.String()), "t.csv", o))(t)
		if len(d.Numbers) != 3 || len(d.Features) != 1 {
			t.Fatalf("%d columns of numbers and %d features", len(d.Numbers), len(d.Features))
		}
		half := bitset.New(uint(d.N))
		for i := 0; i < d.N; i += 2 {
			half.Set(uint(i))
		}
		part := d.Subset(half)
		for column := range d.Numbers {
			n := &d.Numbers[column]
			cuts := []Cut{{Numbers: column, Missing: true}}
			for range 20 {
				low := rng.IntN(n.Thresholds())
				high := low + 1 + rng.IntN(min(3, n.Thresholds()-low))
				at := n.Between(low, high)
				if at < n.Levels[low] || at >= n.Levels[high] {
					t.Fatalf("%v does not part %v and %v", at, n.Levels[low], n.Levels[high])
				}
				cuts = append(cuts, Cut{Numbers: column, At: at}, Cut{Numbers: column, At: at, Above: true})
			}
			all, some := d.WithCuts(cuts), part.WithCuts(cuts)
			for i := range cuts {
				f := all.Features[len(d.Features)+i]
				for row := range d.N {
					holds, err := f.Test.Holds(cells[row][column])
					if missing := err != nil && i > 0; !missing && holds != f.Bits.Test(uint(row)) {
						t.Fatalf("%s of %q is %v", f.Name, cells[row][column], f.Bits.Test(uint(row)))
					}
				}
				if !some.Features[len(d.Features)+i].Bits.Equal(f.Bits.Extract(half)) {
					t.Fatalf("%s differs in a subset", f.Name)
				}
			}
		}
	}
}
