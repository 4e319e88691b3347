package rulelist_test

import (
	"bytes"
	"context"
	"fmt"
	"log"

	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/ratio"
	"parcorels/rulelist/search"
	"parcorels/rules"
	verifylist "parcorels/verify/rulelist"
)

// A search writes a proof, and the checker, which shares no code with it, says
// which list is proved to be the smallest.
func ExampleProof_Check() {
	data, err := dataset.Read("../../examples/monk1.csv", dataset.Options{})
	if err != nil {
		log.Fatal(err)
	}
	set, err := rules.Mine(context.Background(), data, rules.Options{})
	if err != nil {
		log.Fatal(err)
	}
	var proof bytes.Buffer
	points, err := instance.FromSet(set)
	if err != nil {
		log.Fatal(err)
	}
	_, err = search.Solve(context.Background(), points, search.Options{Lambda: ratio.New(1, 100),
		Proof: &search.Proof{To: &proof, Digest: set.Digest()}})
	if err != nil {
		log.Fatal(err)
	}
	file, err := verifylist.Open(&proof)
	if err != nil {
		log.Fatal(err)
	}
	result, err := file.Check(context.Background(), set, verifylist.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d rules, %d errors, objective %d/%d: no rule list is better\n", len(result.Rules), result.Errors, result.Objective,
		result.Scale)
	// Output:
	// 4 rules, 0 errors, objective 1728/43200: no rule list is better
}
