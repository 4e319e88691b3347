package bitvec

// Program is a set of points compiled for the counting kernels: which words
// of a column to intersect with which masks, plane by plane. It is a buffer
// owned by one worker and is compiled anew for every set; after the first
// compilations it no longer allocates.
type Program struct {
	steps  []step
	planes []int32 // steps of each plane, highest plane first; class 1's planes, then class 0's
	first  int     // how many of planes are class 1's
}

// step intersects one word of a column with a mask. A kernel multiplies no
// index: off is the byte offset of the word within a block of a Matrix.
type step struct {
	mask uint64
	off  uint64
}

const blockWordBytes = Lanes * 8

// Compile makes prog count the points of u, class by class.
func (p *Planes) Compile(prog *Program, u []uint64) {
	prog.reset(p)
	prog.add(p.classes[0], u, 0)
	prog.first = len(prog.planes)
	prog.add(p.classes[1], u, 0)
}

// CompileComplement makes prog count the points outside u, both classes
// together: what a set costs more than u does.
func (p *Planes) CompileComplement(prog *Program, u []uint64) {
	prog.reset(p)
	prog.add(p.all, u, ^uint64(0))
	prog.first = len(prog.planes)
}

// reset empties the buffers and gives them their final size at first use.
func (prog *Program) reset(p *Planes) {
	if cap(prog.steps) == 0 {
		prog.steps = make([]step, 0, p.PlaneWords())
		prog.planes = make([]int32, 0, len(p.classes[0])+len(p.classes[1])+len(p.all))
	}
	prog.steps, prog.planes = prog.steps[:0], prog.planes[:0]
}

func (prog *Program) add(planes []plane, u []uint64, flip uint64) {
	for i := range planes {
		pl := &planes[i]
		n := len(prog.steps)
		for j, w := range pl.words {
			if m := (u[w] ^ flip) & pl.masks[j]; m != 0 {
				prog.steps = append(prog.steps, step{m, uint64(w) * blockWordBytes})
			}
		}
		prog.planes = append(prog.planes, int32(len(prog.steps)-n))
	}
}

// Steps returns the number of steps of the program, a measure of what one
// block costs.
func (prog *Program) Steps() int { return len(prog.steps) }
