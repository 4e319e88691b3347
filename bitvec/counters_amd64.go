//go:build !purego

package bitvec

func (c *Counters) raise(mask, live, full []uint64, most uint32) uint32 {
	if active == generic {
		return c.raiseGeneric(mask, live, full, most)
	}
	return uint32(raiseAVX2(&c.planes[0], &mask[0], &live[0], &full[0], uint64(c.vectors()), uint64(c.depth), uint64(most)))
}

//go:noescape
func raiseAVX2(planes, mask, live, full *uint64, vectors, depth, most uint64) uint64
