//go:build !amd64 || purego

package bitvec

func (c *Counters) raise(mask, live, full []uint64, most uint32) uint32 {
	return c.raiseGeneric(mask, live, full, most)
}

func (c *Counters) addAll(mask, live []uint64, n uint32) { c.addGeneric(mask, live, n) }
