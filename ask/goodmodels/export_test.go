package goodmodels

// Uses and MostEntries are for the tests.
func (a *Answer) Uses(column string) (func(antecedent int) bool, error) { return a.uses(column) }

const MostEntries = mostEntries
