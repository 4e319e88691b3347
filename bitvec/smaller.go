package bitvec

// Smaller sets dst[t] = min(a[t], b[t]); the three have equal length, a
// multiple of 8.
func Smaller(dst, a, b []int64) {
	if len(dst) > 0 {
		smaller(dst, a[:len(dst)], b[:len(dst)])
	}
}

func smallerGeneric(dst, a, b []int64) {
	for t := range dst {
		dst[t] = min(a[t], b[t])
	}
}

// CompileWhole makes prog count the points of u, both classes together.
func (p *Planes) CompileWhole(prog *Program, u []uint64) {
	prog.list = &p.both
	prog.u = append(prog.u[:0], u[:p.words]...)
}

// Unspent marks a place that [Matrix.FirstWithin] never finds.
const Unspent = int64(1) << 62

// Complement returns the matrix of the complements of m's columns within all.
// The columns that pad the last block stay empty.
func (m *Matrix) Complement(all []uint64) *Matrix {
	out := NewMatrix(m.cols, m.words)
	col := make([]uint64, m.words)
	for i := range m.cols {
		m.Get(col, i)
		AndNot(col, all, col)
		out.Set(i, col)
	}
	return out
}
