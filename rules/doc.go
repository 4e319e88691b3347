// Package rules makes antecedents: the conditions that a model may put behind
// an "if". Begin with [Mine], or with [Given] for an .out file, which brings its own.
//
// A literal is a binary feature of a data set or the negation of one. An
// antecedent is a conjunction of literals, together with the set of samples
// that satisfy it, its captured set: a bitset with one bit a sample.
//
// # What is mined
//
// Mine takes a largest number of literals and a support limit m. It returns all
// conjunctions that capture at least m and at most 1 − m of the weight of the samples. It
// leaves out those with the captured set of a simpler one. Simpler means: fewer literals;
// then fewer negations; then earlier by the order of the features in the data set. That is
// a strict total order, and the antecedents are listed in it. So equal data and options
// give equal antecedents, whatever the number of processors.
//
// [Options.Budget] leaves out those beyond a largest number.
//
// A captured set and its complement are two antecedents: a rule list uses them
// differently.
//
// # Invariants
//
//   - Antecedents of a [Set] are in the order above and no two of them capture
//     the same samples. (Not so for [Given], which keeps what it is given.)
//   - The literals of an antecedent are in feature order.
//   - There are at most [MaxAntecedents] of them.
//   - Captured sets are shared with the data set where they are equal, and are
//     never changed.
package rules
