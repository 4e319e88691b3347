package dataset

import "slices"

// MissingWords returns the texts of missing values that a table is read with,
// given Options.Missing: these, or the default ones where it is nil. Case does
// not matter in them, and an empty cell is always missing.
func MissingWords(given []string) []string {
	if given == nil {
		given = defaultMissing
	}
	return slices.Clone(given)
}

// Number returns the number that a test of kind Number compares with.
func (t Test) Number() float64 {
	v, _ := t.Parse(t.Value)
	return v
}
