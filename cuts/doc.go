// Package cuts says where numbers are cut. [NewChooser] is where to begin. It knows no names, no texts and no features:
// columns are numbers, and classes are numbers.
//
// The chooser grows a small ensemble of boosted trees on all columns together and takes the cuts
// that the ensemble gains most by. McTavish, Zhong, Achermann, Karimalis, Chen, Rudin
// and Seltzer, Fast Sparse Decision Tree Optimization via Reference Ensembles
// (AAAI 2022), guess the thresholds of optimal trees so. The trees here are
// regression trees on the residuals of squared loss (Friedman, Greedy Function
// Approximation: A Gradient Boosting Machine, 2001), which need no logarithm.
//
// Reading the source: levels.go (numbers of a column),
// candidates.go (places between them that are worth a look), chooser.go, then ensemble.go with seed.go and tree.go.
//
// # The answer is the same everywhere
//
// Residuals and scores are integers, in units of 2^-16, and so are all sums over
// samples. They do not depend on the order of the samples, the number of
// processors or the machine. Two gains are compared as floats, each made of
// such sums by the same few divisions and products, none of which a compiler
// may fuse.
package cuts
