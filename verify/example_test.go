package verify_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"

	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/ratio"
	"parcorels/rules"
	"parcorels/tree/search"
	"parcorels/verify"
	"parcorels/verify/bayes"
	"parcorels/verify/framing"
	"parcorels/verify/rulelist"
	"parcorels/verify/tree"
)

// A proof says itself which family of models it is about. The checker needs the same
// antecedents, mined from the same table.
func Example() {
	data, err := dataset.Read("../examples/monk1.csv", dataset.Options{})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	set, err := rules.Mine(ctx, data, rules.Options{MaxCard: 1})
	if err != nil {
		log.Fatal(err)
	}
	points, err := instance.PointsFromSet(set)
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	options := search.Options{Lambda: ratio.New(1, 100), Proof: &search.Proof{To: &file, Digest: set.Digest()}}
	if _, err := search.Solve(ctx, points, options); err != nil {
		log.Fatal(err)
	}

	proof, err := verify.Open(&file)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("about", proof.About().Antecedents, "antecedents, λ =", proof.About().Lambda)
	switch p := proof.(type) {
	case *tree.Proof:
		r, err := p.Check(ctx, set, framing.Options{})
		switch {
		case errors.Is(err, verify.ErrRefused):
			log.Fatal("not proved: ", err)
		case err != nil:
			log.Fatal(err)
		}
		fmt.Printf("no tree is better than one of %d leaves and %d errors\n", r.Leaves, r.Errors)
	case *rulelist.Proof, *bayes.Proof:
		// They have a Check as well.
	}
	// Output:
	// about 15 antecedents, λ = 0.01
	// no tree is better than one of 7 leaves and 0 errors
}
