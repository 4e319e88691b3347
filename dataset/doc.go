// Package dataset turns tables into binary features, binary labels and exact
// integer weights: everything a learner of rules needs to know of the data. Begin
// with [Read], which gives a [Dataset]; [OpenRows] reads rows for a model to predict.
//
// # Formats
//
// Read takes tables with a header (CSV, TSV, separated by ; or |; quoted
// fields, byte order mark, \r\n) and the reference format of the CORELS
// implementations (.out with its .label), all plain or gzip-compressed.
//
// # From a column to features
//
// A column is typed by its content, never by its name:
//
//   - two truth values of one kind (0/1, yes/no, true/false, t/f, y/n, in any
//     case) and no missing cell: one feature that is called like the column;
//   - numbers: where there are few (at most Bins), one feature per value, and
//     thresholds between them; otherwise two per cut, "age ≤ 20" and
//     "age > 20", at the roundest number that cuts so;
//   - any other text: one feature per value; where there are more than 32, only
//     those that are in at least 1% of the rows;
//   - missing cells: one feature "age missing", or the row is dropped.
//
// The values of one column exclude one another: they have the same Group.
// Thresholds have none. A missing cell is on neither side of one. Columns that tell nothing
// (constant, free text) have no feature. Decisions that a person might not expect are
// recorded in Dataset.Notes.
//
// Numbers are decimal, with a point, and compare as float64; infinities lie
// beyond all others. Texts compare byte for byte, but for space around them.
//
// # Reading the source
//
// Files depend on those before them alone. First come feature.go and options.go. column.go says what a column
// is, with kinds.go. builder.go, split.go (parts of a column) and
// features.go make features. dataset.go, repeated.go and labels.go
// make labels, with package labels.
// cutall.go, roles.go, out.go and read.go, where everything begins, put both together. subset.go makes other
// data sets of one.
//
// # Invariants
//
//   - Every bit set has N bits; N is at least 1.
//   - No feature holds in all samples or in none (those given in an .out file
//     are taken as they are), and no two features have the same name.
//   - Feature.Test holds on a raw cell exactly where Bits has the sample's bit.
//   - Weights, if any, are positive and sum up to less than 2^62.
package dataset
