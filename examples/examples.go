// Package examples has tables for a first look, which this project made and a person can check. Begin with [Table].
//
// Monk1, monk2 and monk3 are the problems of Thrun et al. (The MONK's Problems, CMU-CS-91-197, 1991) without noise:
// all 432 robots of six attributes, and whether they belong to a class. Tictactoe has the 958 boards at which a game can
// end, x having begun, and whether x has won, in the order of the data set of D. W. Aha (UCI Machine Learning
// Repository, 1991). Compas-like is in the shape of tables from which courts predict whether a defendant will be
// arrested again. No row of it is of a person, and no share is anybody's.
package examples

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed *.csv
var files embed.FS

// Names returns the names of the tables in alphabetical order.
func Names() (names []string) {
	entries, _ := files.ReadDir(".") // is there
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".csv"))
	}
	return names
}

// Table returns the table of a name as CSV with a header, or an error for a name that Names does not have.
func Table(name string) ([]byte, error) {
	text, err := files.ReadFile(name + ".csv")
	if err != nil {
		return nil, fmt.Errorf("no data called %q, expected one of %s", name, strings.Join(Names(), ", "))
	}
	return text, nil
}
