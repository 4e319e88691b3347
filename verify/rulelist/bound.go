package rulelist

// A list errs on what its prefix captures however it goes on, and pays for at
// least one rule more if it goes on at all.

// bounded reports whether every list that is longer than a prefix of the given
// cost and length, and begins with it, is larger than the claimed list.
func (p *problem) bounded(cost int64, length int) bool { return p.beyond(cost+p.price, length) }

// beyond reports whether every list that has more rules than length, and an
// objective of least or more, is larger than the claimed list.
func (p *problem) beyond(least int64, length int) bool {
	return least > p.objective || least == p.objective && length+1 > len(p.claimed)
}

// room returns the most errors that a list of the given length may make beyond
// cost, the price of all its rules included, so as perhaps not to be larger than
// the claimed list; −1 if there is no such number.
func (p *problem) room(cost int64, length int) int64 {
	room := p.objective - cost
	if length > len(p.claimed) {
		room--
	}
	if room < 0 {
		return -1
	}
	return room / p.unit
}
