package search

import "parcorels/bitvec"

// cache maps sets of points to bounds.
type cache struct {
	slots []entry
	used  int
}

type entry struct {
	key          bitvec.Key
	lower, upper int64
}

func newCache() *cache { return &cache{slots: make([]entry, 1<<10)} }

func (c *cache) find(k bitvec.Key) (int64, int64) {
	mask := uint64(len(c.slots) - 1)
	for i := k.Lo & mask; ; i = (i + 1) & mask {
		e := &c.slots[i]
		if e.upper == 0 {
			return 0, far
		}
		if e.key == k {
			return e.lower, e.upper
		}
	}
}

func (c *cache) store(k bitvec.Key, lower, upper int64) {
	mask := uint64(len(c.slots) - 1)
	i := k.Lo & mask
	for c.slots[i].upper != 0 && c.slots[i].key != k {
		i = (i + 1) & mask
	}
	if c.slots[i].upper == 0 {
		c.used++
	}
	c.slots[i] = entry{k, lower, upper}
	if 4*c.used > 3*len(c.slots) {
		old := c.slots
		c.slots, c.used = make([]entry, 2*len(old)), 0
		for _, e := range old {
			if e.upper != 0 {
				c.store(e.key, e.lower, e.upper)
			}
		}
	}
}
