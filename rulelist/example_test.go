package rulelist_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"parcorels/dataset"
	"parcorels/model/predict"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rulelist"
	"parcorels/rules"
)

// A rule list that somebody has thought of becomes a model by counting what it
// does on a table. Its objective is 4·0 errors plus 1·4 samples for one rule,
// in quarters of a sample, as λ is 1/4.
func ExampleNew() {
	table := "weather,hilly,bicycle\nsun,no,yes\nsun,yes,yes\nrain,no,no\nsnow,yes,no\n"
	data, err := dataset.ReadFrom(strings.NewReader(table), "days.csv", dataset.Options{})
	if err != nil {
		log.Fatal(err)
	}
	set, err := rules.Mine(context.Background(), data, rules.Options{MaxCard: 1})
	if err != nil {
		log.Fatal(err)
	}
	sunny := rulelist.Rule{Antecedent: 2, Class: 1}
	list, err := rulelist.New(set, []rulelist.Rule{sunny}, 0,
		rulelist.Meta{Status: parallel.Interrupted, Lambda: ratio.New(1, 4), Objective: 4*0 + 1*4})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(list)
	p, err := predict.Predict(list, map[string]string{"weather": "sun"}, predict.Options{Laplace: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s by rule %d, probability %.2f\n", p.Label, p.Case+1, p.Probability())
	// Output:
	// if   weather = sun   then yes   (2 of 4 samples, 100.0% right)
	// else                      no    (2 of 4 samples, 100.0% right)
	// yes by rule 1, probability 0.75
}
