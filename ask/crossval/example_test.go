package crossval_test

import (
	"context"
	"fmt"
	"log"

	"parcorels/ask/crossval"
	"parcorels/dataset"
	"parcorels/ratio"
)

// The λ with which optimal rule lists predict best what they were not learned from.
func ExampleRun() {
	data, err := dataset.Read("../../examples/monk1.csv", dataset.Options{})
	if err != nil {
		log.Fatal(err)
	}
	report, err := crossval.Run(context.Background(), data, crossval.Options{
		Lambdas: []ratio.Ratio{ratio.New(1, 10), ratio.New(1, 50)}, Folds: 3, Seed: 1, Limits: crossval.Limits{Workers: 1},
	})
	if err != nil {
		log.Fatal(err)
	}
	for i, s := range report.Summaries() {
		fmt.Printf("λ %s: test accuracy %.2f with %.0f rules\n", report.Options.Lambdas[i], s.Test.Accuracy.Mean, s.Length.Mean)
	}
	// Output:
	// λ 0.1: test accuracy 0.75 with 1 rules
	// λ 0.02: test accuracy 1.00 with 4 rules
}
