// Package examples has tables for a first look. Begin with [Compas].
package examples

import _ "embed"

// Compas is a made-up table of 3,000 people, of whom some were arrested again.
//
//go:embed compas-like.csv
var Compas []byte
