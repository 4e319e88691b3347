//go:build !purego

package bitvec

//go:noescape
func triplesAVX2(task *tripleTask)
