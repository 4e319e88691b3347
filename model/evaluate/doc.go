// Package evaluate measures predictions against labels: accuracy, rates, AUC, losses, with
// intervals, for all rows and by group. Begin with [Evaluation], which counts rows by the
// case that decided them, and with [Evaluation.Measures].
package evaluate
