package dataset_test

import (
	"fmt"
	"strings"

	"parcorels/dataset"
)

func ExampleReadFrom() {
	table := `name,age,city,smokes,recidivated
Ann,19,Kiel,yes,yes
Bob,22,Bonn,no,no
Cem,35,Bonn,no,no
Dot,47,?,yes,yes
`
	d, err := dataset.ReadFrom(strings.NewReader(table), "people.csv", dataset.Options{
		Ignore: []string{"name"},
		Cuts:   map[string][]float64{"age": {21, 26, 46}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.N, "samples,", d.Labels.Count(), "of class", d.Classes[1])
	for _, f := range d.Features {
		fmt.Printf("%-16s or  %s\n", f.Name, f.NegatedName())
	}
	// Output:
	// 4 samples, 2 of class yes
	// age ≤ 20         or  age > 20
	// age ≤ 25         or  age > 25
	// age ≤ 45         or  age > 45
	// age > 20         or  age ≤ 20
	// age > 25         or  age ≤ 25
	// age > 45         or  age ≤ 45
	// city = Bonn      or  city ≠ Bonn
	// city = Kiel      or  city ≠ Kiel
	// city missing     or  city not missing
	// smokes           or  not smokes
}
