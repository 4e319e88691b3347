// Package interval says how far a figure of a sample may be from that of all rows.
// Begin with [Wilson] for shares and [AUC] for areas under a ROC curve.
package interval

import "math"

// z bounds 95% of a normal distribution, from −z to z.
const z = 1.959963984540054

// Interval is where the figure of all rows lies in 95 of 100 samples.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Wilson returns the interval of a share, of hits among n rows (Wilson, Probable
// Inference, 1927). Without rows it is all there is, 0 to 1.
func Wilson(hits, n int64) Interval {
	if n <= 0 {
		return Interval{0, 1}
	}
	p, rows := float64(hits)/float64(n), float64(n)
	middle := (p + z*z/(2*rows)) / (1 + z*z/rows)
	half := z / (1 + z*z/rows) * math.Sqrt(p*(1-p)/rows+z*z/(4*rows*rows))
	return Interval{max(0, middle-half), min(1, middle+half)}
}

// Scored are the rows that a model gives one score: how many, or what they weigh.
type Scored struct{ Score, Positives, Negatives float64 }

// AUC returns the interval of the area under the ROC curve by the variance of DeLong,
// DeLong and Clarke-Pearson (1988), of scores in ascending order, all different, with numbers of rows. It
// reports false of fewer than two rows of a class.
func AUC(scores []Scored) (Interval, bool) {
	var p, n float64
	for _, s := range scores {
		p, n = p+s.Positives, n+s.Negatives
	}
	if p < 2 || n < 2 {
		return Interval{}, false
	}
	// A positive is placed by the share of negatives below it, a negative by that of
	// positives above it; half of those beside it count. The means of both are the area.
	var below, upTo, area float64
	for _, s := range scores {
		area += s.Positives * (below + s.Negatives/2) / n / p
		below += s.Negatives
	}
	var ofPositives, ofNegatives float64
	below = 0
	for _, s := range scores {
		d := (below+s.Negatives/2)/n - area
		ofPositives += s.Positives * d * d
		below += s.Negatives
		d = (p-upTo-s.Positives/2)/p - area
		ofNegatives += s.Negatives * d * d
		upTo += s.Positives
	}
	half := z * math.Sqrt(ofPositives/(p-1)/p+ofNegatives/(n-1)/n)
	return Interval{max(0, area-half), min(1, area+half)}, true
}
