package search

// At most K rules (Options.MaxRules).
//
// The list sought is the smallest of those with at most K rules, in the same order. Then λ
// may be 0: lists are compared by errors, length, antecedents. What a prefix can be completed
// to depends on its length, too, and each pruning was looked at for that:
//
//   - 1 bound, 2 support, 3 commuting and 8 redundant put a list in the place
//     of another that is no longer. So they hold as they are. λ = 0 does not change their
//     arguments: a rule that gains nothing is useless, because the list without it is shorter.
//   - 4 symmetry and 5 dominance complete prefix A as B is completed. That is a list of at
//     most K rules only if A is no longer than B, which is asked for. The symmetry map keeps
//     the cheapest prefix of each remaining set and length, and a prefix is compared with all
//     shorter ones.
//   - 7 look-ahead: behind a prefix of K−1 rules only the last rule is looked for. So prefixes
//     of K rules never get a node, and those of K−1 only where look-ahead is left out.
//   - 10 separation: for a surcharge μ ≥ 0, let a rule cost price + μ, and take μ·K off what a
//     list costs. A list of at most K rules then costs no more than before, so what bounds
//     these costs from below bounds the former, too. Behind a prefix of k rules μ·(K−k) is
//     taken off. The rules that a completion may have are those for the true price: what
//     gains between price and price + μ may be in the list.
//
// TestLimitNeedsLengths has five points on which the condition on lengths matters.

// surcharge returns μ, from the fewest errors that the beams found for lists of each length:
// the multiplier of the limit for which a list of K rules is nearest to the lower convex hull
// of errors by length. Any μ is sound.
func (s *search) surcharge() int64 {
	p := s.p
	switch {
	case !p.Limited:
		return 0
	case s.o.hooks != nil && s.o.hooks.charged > 0:
		return s.o.hooks.charged
	case s.finder == nil:
		return 0
	}
	if s.slope > 0 {
		return max(0, s.slope-p.Price)
	}
	left, right := s.finder.Slopes()
	return max(0, (left+right)/2-p.Price)
}
