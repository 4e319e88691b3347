package generate

import (
	_ "embed" // the shares
	"encoding/json"
)

// How often the columns of a stop-and-frisk table have which value, as shares
// in the stops of 2014 at which someone was frisked or searched: 29,595 stops,
// at 1,397 of which a weapon was found.
//
// Source: the New York City Police Department's stop, question and frisk
// database for 2014, prepared as in section 6 of Angelino, Larus-Stone, Alabi,
// Seltzer and Rudin, Learning Certifiably Optimal Rule Lists for Categorical
// Data, JMLR 18, 2018: the NYCLU data set of that paper.
//
// The shares of a column are given the class and up to two columns before it:
// those that it depends on most, by mutual information, as in a 2-dependence
// Bayesian classifier (Sahami, Learning Limited Dependence Bayesian Classifiers,
// KDD 1996). So single columns, and columns together with those they are given,
// have the shares that they have in the stops, within each class; other columns
// depend on one another by way of the columns between them only, less than in
// the stops. A share of few stops is drawn towards that of more, given one
// column less, as if two stops had it.

const (
	modelStops   = 29_595
	modelWeapons = 1_397
)

// stopModel is the table: its columns in their order, and how they are drawn, in an order in which the columns given come before
// the columns that are given them.
type stopModel struct {
	Columns []struct{ Name, About string }
	Model   []variable
}

// variable is a column of the model.
type variable struct {
	Column string
	Values []string
	Given  []string // columns before it
	// Shares are, in parts of 10,000 and by class, those of all values but the
	// last, for each value of the column given; of two columns given, the values
	// of the second change faster.
	Shares [2][][]int
}

// stopClass is the column of the class: whether a weapon was found.
const stopClass = "weapon"

//go:embed stopfrisk.json
var stopFile []byte

// readStopModel returns the model.
func readStopModel() (m stopModel) {
	if err := json.Unmarshal(stopFile, &m); err != nil {
		panic(err) // it is part of the program
	}
	return m
}
