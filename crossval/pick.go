package crossval

// Pick is a rule for choosing λ.
type Pick string

// The rules.
const (
	// Best takes the λ of the smallest mean test error, the largest such λ.
	Best Pick = "best"
	// OneStandardError takes the largest λ whose mean test error is within one
	// standard error of the smallest mean. Its lists are the shortest (Breiman,
	// Friedman, Olshen and Stone, Classification and Regression Trees, 1984, section
	// 3.4.3).
	OneStandardError Pick = "one-se"
)

// Pick returns the index in Options.Lambdas of the λ that rule picks; false if
// fits are missing. The errors compared are those of Summary.Error.
func (r *Report) Pick(rule Pick) (int, bool) {
	if !r.Complete() {
		return 0, false
	}
	summaries := r.Summaries()
	best := 0
	for l, s := range summaries {
		e, least := s.Error.Mean, summaries[best].Error.Mean
		if e < least || e == least && summaries[best].Lambda.Less(s.Lambda) {
			best = l
		}
	}
	if rule != OneStandardError {
		return best, true
	}
	limit := summaries[best].Error.Mean + summaries[best].Error.StandardError()
	picked := best
	for l, s := range summaries {
		if s.Error.Mean <= limit && summaries[picked].Lambda.Less(s.Lambda) {
			picked = l
		}
	}
	return picked, true
}
