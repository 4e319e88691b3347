package rules_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"parcorels/dataset"
	"parcorels/rules"
)

// Conjunctions of up to two features, without those that capture what a simpler
// one captures.
func ExampleMine() {
	const table = "weather,hilly,bicycle\nsun,no,yes\nsun,yes,yes\nrain,no,no\nsnow,yes,no\n"
	data, err := dataset.ReadFrom(strings.NewReader(table), "days.csv", dataset.Options{})
	if err != nil {
		log.Fatal(err)
	}
	set, err := rules.Mine(context.Background(), data, rules.Options{MaxCard: 2})
	if err != nil {
		log.Fatal(err)
	}
	for _, a := range set.Antecedents {
		fmt.Println(a.Name, a.Captured())
	}
	// Output:
	// weather = rain {2}
	// weather = snow {3}
	// weather = sun {0,1}
	// hilly {1,3}
	// weather = sun and hilly {1}
}
