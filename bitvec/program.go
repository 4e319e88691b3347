package bitvec

// One call a node.
//
// The set u that all columns are counted against is compiled into a [Program].
// A kernel takes its steps, one for each mask, for every block:
//
//	sum += weight · popcount(column word & mask & word of u)
//
// Steps are listed class by class, in segments of 64 words so that a large
// matrix is read once from far memory whatever the number of masks, and within a
// segment from the heaviest weight to the lightest. Steps with the same weight
// form runs: kernels without a vector multiplication of 64 bits add up a run
// first. The steps are those of the Planes, so that compiling is copying u;
// before a count over many blocks those that meet no point of u are dropped if
// that pays.
//
// The cost of a single set, or of what two or three have in common, is added up
// the other way round: eight words of the set at a time, against rows of eight
// masks (matrix.go).

// Program is a set of points compiled for the counting kernels: the set and
// the steps to take. It is a buffer owned by one worker and is compiled anew
// for every set; after the first compilations it no longer allocates. It must not
// be copied once compiled.
type Program struct {
	list *list    // the steps: those of the Planes, or own
	u    []uint64 // the set, or its complement
	own  list     // the steps of list with a point in u, once squeezed
}

// Compile makes prog count the points of u, class by class.
func (p *Planes) Compile(prog *Program, u []uint64) {
	prog.list = &p.classes
	prog.u = append(prog.u[:0], u[:p.words]...)
}

// CompileComplement makes prog count the points outside u, both classes
// together: what a set costs more than u does.
func (p *Planes) CompileComplement(prog *Program, u []uint64) {
	prog.list = &p.both
	if cap(prog.u) < p.words {
		prog.u = make([]uint64, p.words)
	}
	prog.u = prog.u[:p.words]
	AndNot(prog.u, p.all, u[:p.words])
}

// Steps returns the number of steps that a kernel takes for a block.
func (prog *Program) Steps() int {
	if prog.list == nil {
		return 0
	}
	return len(prog.list.steps) - prog.list.idle
}

// worthSqueezing reports whether so few words of the set have a point that
// dropping the steps of the others saves a count over some blocks more than it
// takes, which is as long as the fastest kernel takes for four blocks. It looks
// at some 32 words.
func (prog *Program) worthSqueezing(blocks int) bool {
	stride := len(prog.u)/32 + 1
	seen, empty := 0, 0
	for w := 0; w < len(prog.u); w += stride {
		seen++
		if prog.u[w] == 0 {
			empty++
		}
	}
	return empty*blocks > 4*seen
}

// squeeze drops the steps that meet no point of u.
func (prog *Program) squeeze() {
	from, to := prog.list, &prog.own
	if from == to {
		return
	}
	if cap(to.steps) < len(from.steps)+2 {
		to.steps = make([]step, len(from.steps)+2)
	}
	if cap(to.runs) < len(from.runs) { // of Planes with fewer steps, but more weights
		to.runs = make([]run, len(from.runs))
	}
	to.steps, to.runs = to.steps[:cap(to.steps)], to.runs[:cap(to.runs)]
	to.idle, to.wide = 0, from.wide
	to.steps1, to.runs1 = to.keep(0, 0, from.steps[:from.steps1], from.runs[:from.runs1], prog.u)
	n, r := to.keep(to.steps1, to.runs1, from.steps[from.steps1:], from.runs[from.runs1:], prog.u)
	to.steps, to.runs = to.steps[:n], to.runs[:r]
	prog.list = to
}

// keep writes the steps of a part that meet u to l from its n-th step and
// r-th run on, and returns where it ended.
func (l *list) keep(n, r int, steps []step, runs []run, u []uint64) (int, int) {
	first := n
	for _, run := range runs {
		kept := keepSteps(l.steps[n:], steps[:run.steps], u)
		steps = steps[run.steps:]
		n += kept
		run.steps = uint64(kept)
		l.runs[r] = run
		r += int(uint64(-kept) >> 63) // a run that is left empty is written over
	}
	if (n-first)%2 != 0 {
		l.steps[n] = step{weight: l.runs[r-1].weight}
		l.runs[r-1].steps++
		l.idle++
		n++
	}
	return n, r
}

// keepSteps copies the steps that meet u to out and returns how many there are.
// It has no branch on the data: every step is written, and counted if it
// meets u. Out has a place more than there are steps to keep.
func keepSteps(out, steps []step, u []uint64) (n int) {
	for i := range steps {
		s, o := &steps[i], &out[n]
		off, mask := s.off, s.mask
		o.off, o.mask, o.weight = off, mask, s.weight
		m := u[off/8] & mask
		n += int((m | -m) >> 63)
	}
	return n
}
