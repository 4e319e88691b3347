package parcorels_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"

	"parcorels"
	"parcorels/model"
	"parcorels/optionerr"
)

// From a table to a model that is proved, and to a prediction with a probability.
func Example() {
	data, err := parcorels.Read("examples/monk1.csv", parcorels.Reading{})
	if err != nil {
		log.Fatal(err)
	}
	m, err := parcorels.Fit(context.Background(), data, parcorels.Options{Lambda: "0.01"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(m)
	fmt.Println(m.Certificate().Status)
	robot := map[string]string{"jacket_color": "red", "head_shape": "round", "body_shape": "square"}
	p, err := m.Predict(robot)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s, by rule %d, P(yes) = %.2f\n", p.Label, p.Case+1, m.Probability(robot))
	// Output:
	// if   jacket_color = red        then yes   (108 of 432 samples, 100.0% right)
	// else if head_shape = octagon
	//     and body_shape = octagon   then yes   ( 36 of 432 samples, 100.0% right)
	// else if head_shape = round
	//     and body_shape = round     then yes   ( 36 of 432 samples, 100.0% right)
	// else if head_shape = square
	//     and body_shape = square    then yes   ( 36 of 432 samples, 100.0% right)
	// else                                no    (216 of 432 samples, 100.0% right)
	// optimal
	// yes, by rule 1, P(yes) = 1.00
}

// A table in memory, and a decision tree on it.
func ExampleTable() {
	rows := [][]string{{"sun", "no", "yes"}, {"sun", "yes", "yes"}, {"rain", "no", "no"}, {"snow", "yes", "no"}, {"snow", "no", "no"}}
	data, err := parcorels.Table([]string{"weather", "hilly", "bicycle"}, rows, parcorels.Reading{})
	if err != nil {
		log.Fatal(err)
	}
	m, err := parcorels.Fit(context.Background(), data, parcorels.Options{Family: model.Tree, Lambda: "0.05", Workers: 1})
	if err != nil {
		log.Fatal(err)
	}
	r := m.Report()
	fmt.Println(r.Model, r.Status, r.Length, "leaves, objective", r.Objective)
	// Output:
	// tree optimal 2 leaves, objective 0.1
}

// A model is saved as JSON and read again, of whatever family it is.
func ExampleDecode() {
	data, err := parcorels.Table([]string{"x", "y"}, [][]string{{"a", "0"}, {"a", "0"}, {"b", "1"}, {"b", "1"}}, parcorels.Reading{})
	if err != nil {
		log.Fatal(err)
	}
	m, err := parcorels.Fit(context.Background(), data, parcorels.Options{Lambda: "1/10"})
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	if err := m.Encode(&file); err != nil {
		log.Fatal(err)
	}
	again, err := parcorels.Decode(&file, "model.json")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(again.Family(), "\n", again)
	// Output:
	// rule list
	// if   x = a   then 0   (2 of 4 samples, 100.0% right)
	// else              1   (2 of 4 samples, 100.0% right)
}

// An option that cannot be names its field.
func ExampleFit_badOption() {
	data, err := parcorels.Read("examples/monk1.csv", parcorels.Reading{})
	if err != nil {
		log.Fatal(err)
	}
	_, err = parcorels.Fit(context.Background(), data, parcorels.Options{Lambda: "2"})
	var bad *optionerr.Error
	fmt.Println(errors.As(err, &bad), bad.Field, "–", err)
	// Output:
	// true Lambda – option Lambda is 2: expected a number between 0 and 1
}
