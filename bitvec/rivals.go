package bitvec

// Rivals sets mask to the columns t with min(g1[t], g0[t]) ≤ most and
// max(g1[t], g0[t]) ≥ least: those that cost no more and gain no less than a
// given one. len(mask)·64 ≥ len(g1) = len(g0), a multiple of 8.
func Rivals(mask []uint64, g1, g0 []int64, most, least int64) {
	words := (len(g1) + 63) / 64
	clear(mask[words:])
	if words > 0 {
		rivals(mask[:words], g1, g0[:len(g1)], most, least)
	}
}

func rivalsGeneric(mask []uint64, g1, g0 []int64, most, least int64) {
	clear(mask)
	for t, a := range g1 {
		b := g0[t]
		if min(a, b) <= most && max(a, b) >= least {
			mask[t/64] |= 1 << (t % 64)
		}
	}
}
