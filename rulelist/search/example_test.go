package search_test

import (
	"context"
	"fmt"

	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/model/predict"
	"parcorels/ratio"
	"parcorels/rulelist/search"
	"parcorels/rules"
)

// From a table to a prediction.
func Example() {
	data, err := dataset.Read("../../examples/monk1.csv", dataset.Options{})
	must(err)
	set, err := rules.Mine(context.Background(), data, rules.Options{})
	must(err)
	points, err := instance.FromSet(set)
	must(err)
	lambda := ratio.New(1, 100)
	result, err := search.Solve(context.Background(), points, search.Options{Lambda: lambda})
	must(err)
	list, err := result.Model(set, &search.Options{Lambda: lambda}, "", dataset.Options{})
	must(err)
	robot := map[string]string{"head_shape": "octagon", "body_shape": "octagon", "is_smiling": "no",
		"holding": "flag", "jacket_color": "green", "has_tie": "yes"}
	prediction, err := predict.Predict(list, robot, predict.Options{})
	must(err)
	fmt.Printf("%v, objective %.2f, %d rules\n", result.Status, result.ObjectiveValue(), len(result.Rules))
	fmt.Printf("%s by rule %d\n", prediction.Label, prediction.Case+1)
	// Output:
	// optimal, objective 0.04, 4 rules
	// yes by rule 2
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
