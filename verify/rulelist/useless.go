package rulelist

// A rule is useless in a list, wherever it stands there, for one of two reasons.
//
// It gains too little: without it, what it captured falls through to later rules and the default. It
// predicts the label that loses least, L. The rest loses at most W, the largest loss of each of its
// groups. If W − L ≤ λN the list without it costs no more, and is shorter.
//
// It leaves too little: end the list before it, with its label as the default.
// What it captured is predicted as before, the rest loses at most its W. If that is ≤ λN the
// list that ends there costs no more, and is shorter.
//
// What remains behind longer prefixes is less, so that a rule that is useless at
// some place is useless at every later one. And since the list that is smaller
// is the same one without the rule, or a beginning of it, a prefix that ends
// with a useless rule is larger, as a complete list, than the prefix without it.

// useless reports whether a rule that captures a sum, out of one of all, is useless.
func (p *problem) useless(sum, all []int64) bool {
	worst := p.worst(sum)
	_, loses := p.best(sum)
	return worst-loses <= p.worth || p.worst(all)-worst <= p.worth
}
