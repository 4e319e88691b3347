package rulelist

// A rule is useless in a list, wherever it stands there, if it gains too little.
//
// Without it, what it captured falls through to later rules and the default. It
// predicts the label that loses least, L. What it captured loses at most W, the largest loss of
// each of its groups. If W − L ≤ λN the list without it costs no more, and is shorter.
//
// Less remains behind longer prefixes, so that a rule that is useless at
// some place is useless at every later one. And since the list that is smaller
// is the same one without the rule, a prefix that ends
// with a useless rule is larger, as a complete list, than the prefix without it.

// useless reports whether a rule that captures a sum is useless.
func (p *problem) useless(sum []int64) bool {
	_, loses := p.best(sum)
	return p.worst(sum)-loses <= p.worth
}
