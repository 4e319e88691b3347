package rulelist

// A list errs on what its prefix captures however it goes on, and pays for at
// least one rule more if it goes on at all.
//
// A list with j rules has j+1 labels at most. So behind a prefix every class but one, that of the
// default, is predicted by a rule, or what it owns (groups.go) is lost.

// behind returns what the rules and errors cost at least that a longer list has behind a prefix
// that leaves a sum, of which classes own less by what is in less, if it is not nil.
func (p *problem) behind(sum, less []int64) int64 {
	if p.classes == 2 {
		return p.price // one class is the default's, and the other costs a rule at most
	}
	var all, most int64
	for c := p.classes + 1; c < len(sum); c++ {
		owns := sum[c]
		if less != nil {
			owns = max(0, owns-less[c])
		}
		v := min(p.price, p.unit*owns)
		all += v
		most = max(most, v)
	}
	return max(p.price, all-most)
}

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
