//go:build purego || !(amd64 || arm64)

package bitvec

// available reports whether this machine and this build can run k.
func (k kernel) available() bool { return k == generic }

func (m *Matrix) count(prog *Program, data []uint64, g1, g0 []int64) {
	countGeneric(prog, m.words, data, g1, g0)
}

func (m *Matrix) firstWithin(prog *Program, data []uint64, spent []int64, budget int64) (int, uint8) {
	return firstWithinGeneric(prog, m.words, data, spent, budget)
}

func selectEither(mask, among []uint64, g1, g0 []int64, b1, b0 *selectBounds) bool {
	return selectEitherGeneric(mask, among, g1, g0, b1, b0)
}

func (s *Survey) run(alive []uint64, g1, g0 []int64) int { return s.runGeneric(alive, g1, g0) }

func cheap(out, alive []uint64, g1, g0 []int64, room int64) int {
	return cheapGeneric(out, alive, g1, g0, room)
}

func (p *Planes) costMany(a, b []uint64, flip uint64, c []uint64) (g1, g0 int64) {
	return p.costGeneric(a, b, flip, c)
}

func hashLong(u, keys []uint64) (s nh, n int) { return s, 0 }

func andNotHashLong(dst, a, b, keys []uint64) (s nh, n int) { return s, 0 }
