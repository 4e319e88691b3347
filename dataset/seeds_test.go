package dataset

import "parcorels/internal/testing/cases"

// seeds returns how many of n random tables a test draws.
func seeds(n uint64) uint64 { return uint64(cases.Some(int(n))) }
