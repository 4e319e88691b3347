package parallel

// Allowance is one worker's account of one kind of check that looks for a
// reason to leave a node out.
//
// Leaving a check out is always sound, and on some instances looking takes
// several times what finding saves. So each kind has to pay for itself: what a
// hit saves earns the steps that it would have taken, a check spends some, and
// while nothing is left only one in 32 is made, and ever fewer as long as none
// is a hit. So a check comes back by itself where it begins to pay.
type Allowance struct {
	check     int64 // price of one
	overhead  int64 // earned beside the steps of an expansion
	left      int64
	expansion int64 // steps of a recent expansion, on average
	pause     int   // one check in so many is made now while nothing is left
	skipped   int   // since the last of them
}

const (
	firstPause   = 32      // one check in so many is made at first while nothing is left,
	longestPause = 128     // and at last: what a hit saves is more than one expansion
	mostSaved    = 1 << 10 // checks that can be paid from what was earned before
	credit       = 1 << 19 // steps that can be spent before anything is earned: about a millisecond
)

// NewAllowance returns an account that affords the first checks. A check costs
// so many steps; a hit earns an expansion's steps and the overhead.
func NewAllowance(check, overhead int) Allowance {
	return Allowance{check: int64(check), overhead: int64(overhead), pause: firstPause, left: min(mostSaved*int64(check), credit)}
}

// Affords reports whether a check is to be made, and pays for it.
func (a *Allowance) Affords() bool {
	if a.Pays() {
		a.left -= a.check
		return true
	}
	if a.skipped++; a.skipped < a.pause {
		return false
	}
	a.skipped, a.pause = 0, min(2*a.pause, longestPause)
	return true
}

// Pays reports whether hits have earned what checks cost, or the first checks are not over.
func (a *Allowance) Pays() bool { return a.left > 0 }

// Earn accounts for a hit.
func (a *Allowance) Earn() {
	a.left = min(a.left+a.expansion+a.overhead, mostSaved*a.check)
	a.pause = firstPause
}

// Expanded notes the steps of an expansion.
func (a *Allowance) Expanded(steps int64) { a.expansion += (steps - a.expansion) / 16 }
