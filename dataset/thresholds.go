package dataset

import (
	"math"
	"parcorels/cuts"
)

// A threshold splits the numbers of a column in two, and gives two features,
// x ≤ c and x > c. A missing cell is neither, so that one is the complement of
// the other only where no cell is missing; two features are right in both cases
// and let no reader guess. An interval a < x ≤ b is the conjunction of two of
// them.
//
// Between two neighbouring numbers of the data all c split alike. The c that is
// taken is the one that a person would write: the roundest.

// addThresholds makes the features of thresholds at values, in ascending order.
func (p *parts) addThresholds(column string, values []float64) {
	for _, v := range values {
		p.cuts = append(p.cuts, above(v))
	}
	p.n = len(values) + 1
	for i := range values {
		p.addAtMost(column, &values[i], i)
	}
	for i := range values {
		p.addAbove(column, &values[i], i)
	}
}

// addBetween adds the thresholds between numbers that are parts. Those that
// leave a single number on a side are the feature of that number.
func (p *parts) addBetween(column string, levels []cuts.Level) {
	for i := 1; i < len(levels)-1; i++ {
		c := cuts.Threshold(levels, i)
		p.addAtMost(column, &c, i)
	}
	for i := range len(levels) - 2 {
		c := cuts.Threshold(levels, i)
		p.addAbove(column, &c, i)
	}
}

// addAtMost adds x ≤ c, of the parts up to i.
func (p *parts) addAtMost(column string, c *float64, i int) {
	p.features = append(p.features, span{column + " ≤ " + p.scale.Format(*c), Test{Kind: Threshold, High: c}, 0, i})
}

// addAbove adds x > c, of the parts behind i. Missing cells are no part yet.
func (p *parts) addAbove(column string, c *float64, i int) {
	p.features = append(p.features, span{column + " > " + p.scale.Format(*c), Test{Kind: Threshold, Low: c}, i + 1, p.n - 1})
}

// addGiven makes the features of given cuts. Each begins an interval, so that
// x < c and x ≥ c are what was asked for.
func (p *parts) addGiven(column string, integer bool) {
	p.n = len(p.cuts) + 1
	for i := range p.cuts {
		p.features = append(p.features, span{p.intervalName(column, nil, &p.cuts[i], integer), Test{Kind: Interval, High: &p.cuts[i]}, 0, i})
	}
	for i := range p.cuts {
		p.features = append(p.features, span{p.intervalName(column, &p.cuts[i], nil, integer), Test{Kind: Interval, Low: &p.cuts[i]}, i + 1, p.n - 1})
	}
}

// above returns the least number above v.
func above(v float64) float64 { return math.Nextafter(v, math.Inf(1)) }
