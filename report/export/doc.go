// Package export writes a learned model as code that predicts without this
// program: SQL, Python, C, JavaScript, or JSON for a program of one's own. Begin
// with [Write] and the names in [Languages]. Every family of models is written
// from its cases (package model), so that a new family needs nothing here.
//
// # What the code computes
//
// The code goes through the cases of the model in order and returns, for the first whose
// literals all hold, its number, the class and the probability of each class, exactly as
// predict.Predictor does on the same cells. In particular a literal on a cell that cannot
// be judged does not hold, negated or not. A cell is missing if it is empty, or one of the
// texts that the table was read with.
package export
