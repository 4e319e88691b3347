package instance

// transpose turns a 64×64 matrix of bits around its diagonal: bit c of word r
// becomes bit r of word c.
//
// A column holds one antecedent for all samples, but grouping needs all
// antecedents of one sample, its key. Gathering a key bit by bit would touch
// a different cache line for every bit. Taking one word (64 samples) of 64
// columns at a time and transposing it in registers gives 64 words of keys for
// 64 loads and 6·32 exchanges.
//
// The matrix is seen as 2×2 blocks of 32×32 bits: exchanging the two blocks
// off the diagonal, then doing the same within each of the four blocks, with
// 16×16, 8×8, … 1×1, transposes it (Warren, Hacker's Delight, section 7-3). At
// block size j, mask has the low j bits of every 2j, and every pair of rows
// (k, k+j) exchanges the high halves of row k with the low halves of row k+j.
func transpose(m *[64]uint64) {
	mask := ^uint64(0)
	for j := 32; j > 0; j /= 2 {
		mask ^= mask << j
		for k := 0; k < 64; k = (k + j + 1) &^ j {
			t := (m[k]>>j ^ m[k+j]) & mask
			m[k] ^= t << j
			m[k+j] ^= t
		}
	}
}
