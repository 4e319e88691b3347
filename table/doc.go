// Package table reads tables: it turns files into columns, and knows nothing of labels and features.
// [OpenParquet] is where to begin.
package table
