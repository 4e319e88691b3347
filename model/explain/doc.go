// Package explain says why a model predicts what it does for a row. Begin with [Row],
// which names the literals that decided. [Changes] finds the smallest changes of the row
// that change the prediction.
package explain
