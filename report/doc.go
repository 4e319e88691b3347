// Package report has the result of a fit in one form for all its readers: the command
// line's --json, the records of bench, the Python package and Go programs. Begin with
// [New], which makes a [Result] of a model of any family; a search adds its [Stats].
//
// Objective and bounds are floats for reading, each within one unit in its last
// place; a lower bound is never rounded up, nor an upper bound down, except that
// the bound of an optimal model is printed as its objective. The model file has
// them exactly.
package report
