// Package weights makes exact integers of the weights that people type. [Weigh] is where to begin: it takes weights of
// samples and of classes together, and gives the smallest integers in the same proportions.
package weights
