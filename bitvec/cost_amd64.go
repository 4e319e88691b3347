//go:build !purego

package bitvec

func (p *Planes) costMany(a, b []uint64, flip uint64, c []uint64) (g1, g0 int64) {
	r := p.rows
	switch {
	case active == avx512 && r.heavy < wideWeight:
		return costAVX512(r, &a[0], &b[0], flip, &c[0])
	case active != generic && r.heavy < 1<<32:
		return costAVX2(r, &a[0], &b[0], flip, &c[0])
	}
	return p.costGeneric(a, b, flip, c)
}

//go:noescape
func costAVX512(r *rows, a, b *uint64, flip uint64, c *uint64) (g1, g0 int64)

//go:noescape
func costAVX2(r *rows, a, b *uint64, flip uint64, c *uint64) (g1, g0 int64)
