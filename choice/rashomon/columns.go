package rashomon

// ColumnSets finds, for each set of columns that the rules of a list look at, the smallest such
// list. Of returns the columns of an antecedent, a bit each, of at most 64. It returns false
// if the tables need more than so many entries.
func (s *Set) ColumnSets(of func(antecedent int) uint64, most int) (*Table, bool) {
	return tabulate(s, property{
		empty:  func(int) key { return key{} },
		stop:   func(_ int32, _ *edge, antecedent, _ int) key { return key{int64(of(antecedent))} },
		before: func(_ int32, _ *edge, antecedent int, k key) key { return key{int64(of(antecedent)) | k[0]} },
		groups: func(antecedents []int) []int { return firstOfEach(antecedents, of) },
	}, most)
}

// Only returns the lists whose rules all have antecedents that are allowed.
func (s *Set) Only(allowed func(antecedent int) bool) *Set {
	l := *s.layout
	l.antecedents = make([][]int, len(s.antecedents))
	for c, all := range s.antecedents {
		for _, a := range all {
			if allowed(a) {
				l.antecedents[c] = append(l.antecedents[c], a)
			}
		}
	}
	g := graph{states: states{layout: &l, threshold: s.threshold, sets: s.sets, last: s.last}}
	g.d = make([]int64, len(s.d))
	for i := range g.d {
		g.d[i] = none
	}
	if len(g.d) > 0 {
		g.d[0] = 0
	}
	for i := range s.d {
		g.from = append(g.from, int32(len(g.edges)))
		for _, e := range s.out(int32(i)) {
			if len(l.antecedents[e.column]) > 0 && g.d[i] < none {
				g.edges = append(g.edges, e)
				g.d[e.child] = min(g.d[e.child], g.d[i]+e.cost)
			}
		}
		g.to = append(g.to, int32(len(g.edges)))
	}
	out := g.trim()
	out.Complete = s.Complete
	return out
}

// Smallest returns the smallest list, and false if there is none.
func (s *Set) Smallest() (List, bool) {
	best := *s
	least, ok := s.Least()
	if !ok {
		return List{}, false
	}
	best.threshold = least - s.base
	t, ok := tabulate(&best, property{
		empty:  func(int) key { return key{} },
		stop:   func(int32, *edge, int, int) key { return key{} },
		before: func(_ int32, _ *edge, _ int, k key) key { return k },
	}, 1<<30)
	if !ok || t.Len() == 0 {
		return List{}, false
	}
	return t.At(0), true
}
