// Package family has a record of each kind of model: all that front ends and questions have to know of it. Begin
// with [Read] and [Fit], or with [Families].
//
// To add a family, write a file as list.go: its record, its search, and what a checked
// proof of it shows. Then add it to the families in family.go.
//
// # Reading the source
//
// record.go has the types that all files share, options.go the table of options. data.go reads a table, fit.go makes a
// Problem of it and searches. A file a family follows: list.go (with wishes.go), tree.go (with thresholds.go), set.go,
// bayes.go. learned.go has the model, proof.go and verify.go proofs, f1.go the largest F1, again.go labels in another
// order. Package rates has rates of groups.
package family

import "strings"

// Noun is the last word of the kind: "list", "tree" or "set".
func (f *Family) Noun() string {
	words := strings.Fields(string(f.Kind))
	return words[len(words)-1]
}

// Asks reports whether it can be asked cheaply whether there is a model as good as some other,
// as [Problem.Chance] does.
func (f *Family) Asks() bool { return f.reaches != nil }

func init() { // the table of options lists the families
	families = []*Family{ruleLists(), trees(), ruleSets(), bayesianLists()}
}
