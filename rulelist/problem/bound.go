package problem

// Pruning 1: the bound on the objective (Theorem 1 and Lemma 2 of the CORELS
// paper, one rule sharper).
//
// A prefix of K rules with cost c was offered as a complete list when it was
// made. Any other completion has at least one rule more and makes every error
// that the prefix makes, so its objective is at least c + price, its length at
// least K+1. It is beaten by the incumbent when that is more than the
// incumbent's objective, or equal to it with K+1 more than its length. On
// equality with K+1 ≤ length the completion could still be the smaller list,
// and the prefix stays.

// Beaten reports whether a list with at least the given objective and length
// is larger than s.
func (s *Solution) Beaten(objective int64, length int) bool {
	if s.Step > 0 {
		return objective > s.Objective-s.Step
	}
	return objective > s.Objective || objective == s.Objective && length > len(s.List)
}

// Room returns r such that a list of the given length whose objective is
// fixed + unit·e can be smaller than the incumbent, or equal to it in
// objective and no longer, exactly when e < r.
func (p *Problem) Room(s *Solution, fixed int64, length int) int64 {
	left := s.Left(fixed, length)
	if left < 0 {
		return 0
	}
	return left/p.Unit + 1
}

// Left returns the most that may come to fixed in the objective of a list of the given length that is
// smaller than s, or equal to it in objective and no longer.
func (s *Solution) Left(fixed int64, length int) int64 {
	left := s.Objective - fixed
	switch {
	case s.Step > 0:
		left -= s.Step
	case length > len(s.List):
		left--
	}
	return left
}

// Wanted reports whether a prefix of so many rules, whose completions have at least this objective, can still beat the
// incumbent.
func (p *Problem) Wanted(best *Solution, bound int64, depth int) bool {
	return !p.Uses(Bound) || !best.Beaten(bound, depth+1)
}
