package rulelist

// frame is an expanded prefix at work.
type frame struct {
	prefixState
	last     rule        // of the prefix
	before   []gains     // what each antecedent captured before the last rule
	counts   []gains     // what each captures behind the prefix
	live     []int       // antecedents that are not useless there
	fewest   least       // of their counts
	in       *epochSet   // those of the prefix
	fixing   []*symmetry // those that leave the prefix alone
	children []child     // extensions that have a record

	usable  [2][]uint64 // by label: antecedents of rules that a smaller list may have behind the prefix; nil: all
	least   int64       // objective of the lists that are longer than the prefix and begin with it, as far as bounds tell
	weighed bool        // usable is own, and above is of use
	own     [2][]uint64
	above   []int64 // by antecedent: as least is, of the extension
}

// child is an extension that has an expanded record.
type child struct {
	antecedent int
	node       uint32
	least      int64 // as that of frame
}

func newFrame(p *problem) *frame {
	return &frame{
		prefixState: prefixState{left: make([]uint64, len(p.all))},
		counts:      make([]gains, len(p.captured)),
		in:          newEpochSet(len(p.captured)),
	}
}

// begin makes f the frame of the empty prefix.
func (f *frame) begin(p *problem) {
	start := p.start()
	copy(f.left, start.left)
	f.prefixState = prefixState{prefix: f.prefix[:0], cost: start.cost, left: f.left, costs: start.costs}
	f.last, f.before = rule{antecedent: -1}, nil
	f.usable, f.least, f.weighed = p.usable, p.least, false
	f.fixing = append(f.fixing[:0], p.symmetries...)
	p.countSome(p.every, f.left, f.left, f.counts)
	f.find(p)
}

// extend makes f the frame of the prefix of parent and s. What s leaves is
// counted, or what it captures and then subtracted, whichever is less.
func (f *frame) extend(p *problem, parent *frame, s int) {
	g := parent.counts[s]
	copy(f.left, parent.left)
	f.prefixState = prefixState{prefix: append(f.prefix[:0], parent.prefix...), cost: parent.cost, left: f.left, costs: parent.costs}
	captured := size(f.left, p.captured[s])
	f.append(p, uint16(s), g)
	f.last, f.before = rule{s, g.label()}, parent.counts
	f.usable, f.least, f.weighed = parent.usable, parent.least, false
	f.fixing = f.fixing[:0]
	for _, sym := range parent.fixing {
		if sym.image(uint16(s)) == uint16(s) {
			f.fixing = append(f.fixing, sym)
		}
	}
	if captured > size(f.left, f.left) {
		p.countSome(p.every, f.left, f.left, f.counts)
	} else {
		p.countSome(p.every, parent.left, p.captured[s], f.counts)
		for a, g := range parent.counts {
			f.counts[a] = gains{g[0] - f.counts[a][0], g[1] - f.counts[a][1]}
		}
	}
	f.find(p)
}

// find lists the antecedents that are not useless.
func (f *frame) find(p *problem) {
	f.in.clear()
	for _, a := range f.prefix {
		f.in.add(int(a))
	}
	f.live, f.fewest = f.live[:0], noLeast()
	for a, g := range f.counts {
		if !f.in.has(a) && !p.useless(g, f.costs) {
			f.live = append(f.live, a)
			f.fewest.add(g, p.worth)
		}
	}
}
