package search

// Sizes of what the workers bring along.

// workerBytes is the size of a worker's own buffers, those of one frame and of
// the dominators above all.
func (p *problem) workerBytes() int64 {
	columns := int64(p.padded()) * (2*8 + 4*8 + 2*8)
	return p.setBytes(p.listLen(hotLen)+spareBlocks*recentBlock) + columns + 2*p.classBytes() + int64(p.words)*8*12
}

// ringBytes is the size of the shared ring of dominators.
func (p *problem) ringBytes() int64 { return p.setBytes(p.ringLen() * recentBlock) }

// setBytes is the size of n dominators; none are kept without their pruning.
func (p *problem) setBytes(n int) int64 {
	if !p.uses(Similar) {
		return 0
	}
	return int64(n) * (int64(p.words)*8 + 3*8 + tieDepth*2)
}
