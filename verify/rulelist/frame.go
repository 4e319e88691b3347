package rulelist

// frame is an expanded prefix at work.
type frame struct {
	prefixState
	last     rule    // of the prefix
	before   []int64 // sums of what each antecedent captured before the last rule
	counts   []int64 // sums of what each captures behind the prefix
	live     []int   // antecedents that are not useless there
	children []child // extensions that have a record

	usable  [][]uint64 // by label: antecedents of rules that a smaller list may have behind the prefix; nil: all
	least   int64      // objective of the lists that are longer than the prefix and begin with it, as far as bounds tell
	weighed bool       // usable is own, and above is of use
	own     [][]uint64
	above   []int64 // by antecedent: as least is, of the extension

	rowsBefore []uint64 // samples before the last rule; nil where their number does not matter
}

// child is an extension that has an expanded record.
type child struct {
	antecedent int
	node       uint32
	least      int64 // as that of frame
}

func newFrame(p *problem) *frame {
	return &frame{counts: make([]int64, len(p.captured)*p.numbers)}
}

// be makes f the frame of a prefix, without its last rule.
func (f *frame) be(at *prefixState) {
	f.set(at)
	f.rowsBefore = append(f.rowsBefore[:0], at.rows...)
	f.weighed = false
}

// begin makes f the frame of the empty prefix.
func (f *frame) begin(p *problem) {
	f.be(&p.empty)
	f.last, f.before, f.usable, f.least = rule{antecedent: -1}, nil, p.usable, p.least
	p.countSome(p.every, f.left, f.left, f.counts)
	f.find(p)
}

// extend makes f the frame of the prefix of parent and s. The samples that s
// leaves are counted, or what it captures and then subtracted, whichever is less.
func (f *frame) extend(p *problem, parent *frame, s int) {
	f.be(&parent.prefixState)
	sum := p.at(parent.counts, s)
	label, _ := p.label(s, sum)
	captured := size(f.left, p.captured[s])
	f.append(p, uint16(s), sum)
	f.last, f.before, f.usable, f.least = rule{s, label}, parent.counts, parent.usable, parent.least
	if captured > size(f.left, f.left) {
		p.countSome(p.every, f.left, f.left, f.counts)
	} else {
		p.countSome(p.every, parent.left, p.captured[s], f.counts)
		less(f.counts, parent.counts, f.counts)
	}
	f.find(p)
}

// find lists the antecedents that are not useless. Those of the prefix capture nothing behind it,
// so that they are.
func (f *frame) find(p *problem) {
	f.live = f.live[:0]
	for a := range p.captured {
		if !p.useless(p.at(f.counts, a)) {
			f.live = append(f.live, a)
		}
	}
}
