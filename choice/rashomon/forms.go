package rashomon

// Forms counts lists as people may see them.
type Forms struct {
	Irreducible       int64 // no rule can be deleted without changing a prediction
	Paying            int64 // no single deletion gives an objective as small
	Blocks            int64 // lists that differ in the order of rules of one label within a run count once
	IrreducibleBlocks int64 // the same of irreducible lists
}

// Forms goes through all lists, of which there must be few. Antecedents that hold at the same
// points are different ones.
func (s *Set) Forms() Forms {
	w := &formsWalk{s: s, blocks: map[code]bool{}, gains: make([]int64, s.classes)}
	s.empty(func(int, int64) {
		w.f.Irreducible++
		w.f.Paying++
		w.f.Blocks++
		w.f.IrreducibleBlocks++
	})
	if len(s.d) > 0 {
		w.visit(0, 0, code{}, code{}, 1)
	}
	return w.f
}

// step is a rule of the list at hand.
type step struct {
	*edge
	captured []uint64 // real samples
}

type formsWalk struct {
	s      *Set
	f      Forms
	blocks map[code]bool // whether an irreducible list has the form
	path   []step
	spare  []uint64
	gains  []int64
}

// visit goes through the completions of a state. Done is a key of the runs before the
// last one, run the sum of those of its antecedents; so many lists have the path.
func (w *formsWalk) visit(state int32, cost int64, done, run code, times int64) {
	s := w.s
	set := s.points(state)[:s.realWords]
	for i := range s.out(state) {
		e := &s.edges[int(s.first[state])+i]
		d, r := done, run
		if k := len(w.path); k > 0 && w.path[k-1].label != e.label {
			d, r = code{scramble(d.hi ^ scramble(r.hi)), scramble(d.lo + scramble(r.lo))}, code{}
		}
		a := pointKey(uint64(e.column)*MostClasses + uint64(e.label))
		r = code{r.hi + a.hi, r.lo + a.lo}
		n := times * int64(len(s.antecedents[e.column]))
		captured := make([]uint64, s.realWords)
		for j, x := range set {
			captured[j] = x & s.columns[e.column][j]
		}
		w.path = append(w.path, step{e, captured})
		for q, stop := range s.defaults(e.child) {
			if q != int(e.label) && s.within(cost+e.cost+stop) {
				w.list(d, r, q, n)
			}
		}
		if s.rest[e.child] != none && s.within(cost+e.cost+s.rest[e.child]) {
			w.visit(e.child, cost+e.cost, d, r, n)
		}
		w.path = w.path[:len(w.path)-1]
	}
}

// list counts the list of the path with a default.
func (w *formsWalk) list(done, run code, class int, times int64) {
	irreducible, pays := true, true
	for i := range w.path {
		changed, saved := w.without(i, uint8(class))
		irreducible = irreducible && changed
		pays = pays && saved > 0
	}
	if irreducible {
		w.f.Irreducible += times
	}
	if pays {
		w.f.Paying += times
	}
	form := code{scramble(done.hi ^ scramble(run.hi) + uint64(class)), scramble(done.lo + scramble(run.lo) + uint64(class))}
	before, known := w.blocks[form]
	if !known {
		w.f.Blocks += times
	}
	if irreducible && !before {
		w.f.IrreducibleBlocks += times
	}
	w.blocks[form] = before || irreducible
}

// without reports whether a prediction changes if rule i is deleted, and by how much the
// objective grows.
func (w *formsWalk) without(i int, class uint8) (changed bool, grows int64) {
	s := w.s
	grows = -s.Price
	left := append(w.spare[:0], w.path[i].captured...)
	label := w.path[i].label
	other := func(set []uint64, predicted uint8) {
		for _, x := range set {
			changed = changed || x != 0
		}
		s.gain(w.gains, set)
		grows += s.unit * (w.gains[label] - w.gains[predicted])
	}
	hit := make([]uint64, s.realWords)
	for _, r := range w.path[i+1:] {
		column := s.columns[r.column]
		for j := range left {
			hit[j] = left[j] & column[j]
			left[j] &^= column[j]
		}
		if r.label != label {
			other(hit, r.label)
		}
	}
	if class != label {
		other(left, class)
	}
	w.spare = left
	return changed, grows
}
