package parcorels_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"

	"parcorels"
	"parcorels/family"
	"parcorels/model"
	"parcorels/optionerr"
	"parcorels/verify"
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

// A search tells how far it is, and writes a proof that package verify checks.
func ExampleFit() {
	data, err := parcorels.Read("examples/monk1.csv", parcorels.Reading{})
	if err != nil {
		log.Fatal(err)
	}
	var proof bytes.Buffer
	m, err := parcorels.Fit(context.Background(), data, parcorels.Options{
		Lambda: "0.01",
		Proof:  &parcorels.Proof{To: &proof},
		Progress: func(e parcorels.Event) {
			if e.Final {
				fmt.Printf("%d rules, objective %.4f, gap %.0f%%\n", e.Length, e.Value, 100*e.Gap)
			}
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	opened, err := verify.Open(&proof)
	if err != nil {
		log.Fatal(err)
	}
	settings, _, _, err := family.ParseProofSettings(opened.About().Settings)
	fmt.Println(m.Search.Proved, settings.File, err)
	// Output:
	// 4 rules, objective 0.0400, gap 0%
	// true monk1.csv <nil>
}

// A search that a limit ends is saved, and resumes there.
func ExampleFit_checkpoint() {
	data, err := parcorels.Read("examples/monk1.csv", parcorels.Reading{})
	if err != nil {
		log.Fatal(err)
	}
	var saved bytes.Buffer
	o := parcorels.Options{
		Nodes: 3, Workers: 1,
		Checkpoint: &parcorels.Checkpoint{Save: func(write func(io.Writer) error) error {
			saved.Reset()
			return write(&saved)
		}},
	}
	m, err := parcorels.Fit(context.Background(), data, o)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Certificate().Status)
	o.Nodes, o.Checkpoint = 0, &parcorels.Checkpoint{From: &saved}
	if m, err = parcorels.Fit(context.Background(), data, o); err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Certificate().Status, m.Search.Resumed > 0)
	// Output:
	// node-limit
	// optimal true
}

// All options are in one table, with names, ranges and defaults.
func Example_optionTable() {
	var reading parcorels.Reading
	var options parcorels.Options
	for _, o := range family.OptionTable(&reading, &options) {
		if o.Name == "max-card" {
			fmt.Printf("%s: %s (%s; of a tree %s)\n", o.Name, o.Expect, o.Default, o.DefaultOf("tree"))
			fmt.Println(o.Set("3"), options.MaxCard)
		}
	}
	// Output:
	// max-card: an integer from 1 to 16 (2; of a tree 1)
	// <nil> 3
}
