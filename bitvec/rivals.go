package bitvec

// BestLabels sets errors[t] and gains[t] to what column t, as a rule with the
// better label, errs and gets right: the smaller and the larger of g1[t] and
// g0[t]. The four have equal length, a multiple of 8.
func BestLabels(errors, gains, g1, g0 []int64) {
	if n := len(errors); n > 0 {
		bestLabels(errors, gains[:n], g1[:n], g0[:n])
	}
}

func bestLabelsGeneric(errors, gains, g1, g0 []int64) {
	for t, a := range g1 {
		b := g0[t]
		errors[t], gains[t] = min(a, b), max(a, b)
	}
}

// Rivals sets mask to the columns t with errors[t] ≤ most and gains[t] ≥ least:
// those that cost no more and gain no less than a given one.
// len(mask)·64 ≥ len(errors) = len(gains), a multiple of 8.
func Rivals(mask []uint64, errors, gains []int64, most, least int64) {
	words := (len(errors) + 63) / 64
	clear(mask[words:])
	if words > 0 {
		rivals(mask[:words], errors, gains[:len(errors)], most, least)
	}
}

func rivalsGeneric(mask []uint64, errors, gains []int64, most, least int64) {
	clear(mask)
	for t, e := range errors {
		if e <= most && gains[t] >= least {
			mask[t/64] |= 1 << (t % 64)
		}
	}
}
