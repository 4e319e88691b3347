package bench

import (
	"bytes"
	"math/rand/v2"
	"strconv"

	"parcorels/dataset"
)

// allNumbers reads a table for trees that may split a number anywhere.
var allNumbers = dataset.Options{AllCuts: true}

// numbers makes a table of numbers of which neighbours share a part, and a class that a list of four
// rules on some of them tells, but for one wrong label in seven. It is the same every time.
func numbers(name string, rows, columns int) (*dataset.Dataset, error) {
	random := rand.New(rand.NewPCG(noisySeed, uint64(rows)<<32|uint64(columns)))
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
	return dataset.ReadFrom(&b, name, allNumbers)
}

// numberCases: real tables and made ones by depth and λ, by rows, and by workers.
func numberCases() (cases []Case) {
	add := func(instance, lambdas string, c Case) { cases = append(cases, each(instance, lambdas, c)...) }
	base := Case{Model: Trees, Workers: 1, Limit: 120}
	for _, base.Depth = range []int{2, 3, 4} {
		add("pima-numbers", "0,0.005", base)
	}
	for _, base.Depth = range []int{2, 3} {
		add("heloc-numbers", "0,0.005", base)
		add("numbers/10000x10", "0,0.005", base)
	}
	base.Part, base.Limit = "rows", 600
	for _, base.Depth = range []int{2, 3} {
		for _, rows := range []string{"10000", "100000", "1000000"} {
			add("numbers/"+rows+"x10", "0.001", base)
		}
	}
	base.Part, base.Depth = "workers", 3
	for _, base.Workers = range []int{1, 2} {
		add("heloc-numbers", "0", base)
	}
	return cases
}
