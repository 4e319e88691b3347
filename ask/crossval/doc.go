// Package crossval says how well models predict samples that they were not learned from,
// and which λ to take: stratified k-fold cross-validation, as in the experiments of the
// CORELS paper (Angelino, Larus-Stone, Alabi, Seltzer and Rudin, JMLR 2018, sections 6.2
// and 6.6). Begin with [Run]. One loop serves all families: [Options] say which models are learned.
//
// # What a fold sees
//
// The samples are dealt into folds, class by class (folds.go). For every fold and every λ a
// model is learned from the other folds, its training part. It is proved optimal unless a
// limit comes first. Then it is tested on the fold, its test part.
//
// The antecedents are mined anew from each training part, with the support
// limits and the search for duplicates on its samples alone; those of an .out
// file are taken as they are. Numbers are cut anew as well, of a table that was read with
// dataset.Options.KeepColumns. So the labels of a test part, and what its
// samples satisfy, have no influence on the model that is tested there. One
// thing is done once, on all samples and without their labels: package dataset
// decides the type of each column and which texts are too rare.
//
// # Measures
//
// The objective of a fit is that of its training part. Accuracy, true positive
// rate (TPR) and false positive rate (FPR) use the weights of the data in both
// parts. So the two parts can be compared. Every mean is over folds, each counting the
// same; every standard deviation is that of a sample, with folds − 1 below the line.
//
// # Work
//
// A training part is mined and reduced once for all λ. The folds that are left out at the same
// time share the workers. The number of workers changes no result, unless a limit ends a search early.
package crossval
