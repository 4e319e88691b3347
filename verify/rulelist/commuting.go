package rulelist

// Two neighbouring rules, t and s behind it, trade places. Only the samples
// that satisfy both, among those before t, are predicted otherwise then: by s
// instead of t. Say they lose L_q if q is predicted, and s and t predict p and q where they stand.
//
//   - If p = q, or L_p = L_q, the list after the swap loses no more. It is
//     smaller if s has the smaller index, being as long.
//   - If p ≠ q, it loses L_p where it lost L_q, so it is smaller if L_p < L_q.

// rule is an antecedent that stands behind some prefix, and what it predicts.
type rule struct {
	antecedent int
	label      int
}

// commuting reports whether a list in which s follows t directly is larger than
// the one in which they have traded places. both is the sum of what satisfies
// both, out of what remains before t.
func commuting(t, s rule, both []int64) bool {
	if t.label == s.label || both[t.label] == both[s.label] {
		return s.antecedent < t.antecedent
	}
	return both[s.label] < both[t.label]
}
