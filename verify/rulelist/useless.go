package rulelist

// A rule is useless in a list, wherever it stands there, for one of two reasons.
//
// It gains too little: say it predicts q and captures costs g, g_q ≥ g_¬q.
// Without it, what it captured falls through to later rules and the default. Of
// class ¬q it got all wrong before, so that this part errs no more; of class q
// at most g_q is lost. If g_q ≤ λN the list without it costs no more, and is
// shorter.
//
// It leaves too little: end the list before it, with its label as the default.
// What it captured is predicted as before, the rest errs by at most its summed
// cost. If that is ≤ λN the list that ends there costs no more, and is shorter.
//
// What remains behind longer prefixes is less, so that a rule that is useless at
// some place is useless at every later one. And since the list that is smaller
// is the same one without the rule, or a beginning of it, a prefix that ends
// with a useless rule is larger, as a complete list, than the prefix without it.

// useless reports whether a rule that captures costs g, out of what costs all,
// is useless.
func (p *problem) useless(g, all gains) bool {
	return max(g[0], g[1]) <= p.worth || all.sum()-g.sum() <= p.worth
}
