// Package table reads tables: it turns files into columns, and knows nothing of labels and features.
// [New] is where to begin: it gives [Rows], which come one by one or as a [Table] of columns.
package table
