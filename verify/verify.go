// Package verify opens proofs that a model is optimal, of whatever family. Begin
// with [Open], which finds out the family and returns a proof that has a Check of
// its own; the folders of this package hold one family each with its argument.
//
// The checkers share no code with the searches: all counts are taken anew from the
// samples by plain loops. docs/proof-format.md has the files byte by byte.
package verify

import (
	"bufio"
	"fmt"
	"io"

	"parcorels/verify/bayes"
	"parcorels/verify/framing"
	"parcorels/verify/goodmodels"
	"parcorels/verify/numeric"
	"parcorels/verify/rulelist"
	"parcorels/verify/tree"
)

// ErrRefused reports that a proof does not prove what it claims, or not of
// these data. The error that wraps this one says why.
var ErrRefused = framing.ErrRefused

// ErrFormat reports a file that is no proof, or one of another version.
var ErrFormat = framing.ErrFormat

// Proof is an open proof of which the header has been read: a [*rulelist.Proof],
// a [*tree.Proof], a [*numeric.Proof], a [*bayes.Proof] or a [*goodmodels.Proof], whose method Check
// checks it.
type Proof interface {
	About() framing.About
}

// Options says how to check, and Progress how far a check has come.
type Options = framing.Options
type Progress = framing.Progress

// families are the proofs that there are, by the text that they begin with.
var families = map[string]func(io.Reader) (Proof, error){
	rulelist.Magic:   opener(rulelist.Open),
	tree.Magic:       opener(tree.Open),
	bayes.Magic:      opener(bayes.Open),
	numeric.Magic:    opener(numeric.Open),
	goodmodels.Magic: opener(goodmodels.Open),
}

func opener[P Proof](open func(io.Reader) (P, error)) func(io.Reader) (Proof, error) {
	return func(r io.Reader) (Proof, error) {
		p, err := open(r)
		if err != nil {
			return nil, err
		}
		return p, nil
	}
}

// Open reads the header of a proof. Its errors wrap ErrFormat or ErrRefused, or
// are those of r.
func Open(r io.Reader) (Proof, error) {
	in := bufio.NewReader(r)
	head, err := in.Peek(framing.MagicLength)
	if open := families[string(head)]; open != nil {
		return open(in)
	}
	if err != nil && err != io.EOF {
		return nil, err
	}
	return nil, fmt.Errorf("%w: it does not begin with %s, %s, %s, %s or %s", ErrFormat, rulelist.Magic, tree.Magic, numeric.Magic,
		bayes.Magic, goodmodels.Magic)
}
