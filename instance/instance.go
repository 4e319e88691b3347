package instance

import "parcorels/bitvec"

// Instance is the reduced problem.
type Instance struct {
	Samples     int
	Total       int64
	Weight1     int64
	Base        int64
	Points      int
	Antecedents int
	Words       int
	Words1      int
	Columns     [][]uint64
	Costs       []int64
	Planes      *bitvec.Planes
}
