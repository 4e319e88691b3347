package cuts

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// A rule "town in {a, b, c}" has 2^k groups of k towns to choose from. The group that errs least of two classes has all towns
// above some share of a class, or below (Fisher, On Grouping for Maximum Homogeneity, JASA 1958; Breiman and others, Classification
// and Regression Trees, 1984, theorem 4.5). So towns are put in the order of that share, and the order is cut.
//
// It is cut where the shares pass one half, which is the group that errs least on its own, and where Pearson's χ² is
// largest. Each side of that is cut once more. As the labels choose the order, towns of noise would have a good cut, too. So a part
// of the order is cut only if its towns differ by more than chance does in 95 of 100 columns. Only numbers of rows tell chance,
// whatever rows weigh.

// Text is a text of a column, with the rows of each of two classes that have it, and what these weigh.
type Text struct {
	Text          string
	Rows, Weights [2]int64
}

// share compares the shares of the second class.
func (x *Text) share(y *Text) int {
	xHigh, xLow := bits.Mul64(uint64(x.Weights[1]), uint64(y.Weights[0]))
	yHigh, yLow := bits.Mul64(uint64(y.Weights[1]), uint64(x.Weights[0]))
	return cmp.Or(cmp.Compare(xHigh, yHigh), cmp.Compare(xLow, yLow))
}

// Groups returns the texts in blocks, of which those up to some block are a group, and those behind it another; nil of
// texts that do not differ by more than chance. Each text has a row. Exchanged classes give the same blocks.
func Groups(texts []Text) (blocks [][]string) {
	o := order{texts: slices.SortedStableFunc(slices.Values(texts), func(x, y Text) int {
		return cmp.Or(x.share(&y), cmp.Compare(x.Text, y.Text))
	}), cuts: map[int]bool{}}
	n := len(o.texts)
	if n > 0 && o.least(0, 1) > o.least(n-1, -1) {
		slices.Reverse(o.texts)
	}
	o.split(0, n, 2)
	if len(o.cuts) > 0 {
		o.cutAtHalf()
	}
	if len(o.cuts) == 0 {
		return nil
	}
	first := 0
	for i := 1; i <= n; i++ {
		if i < n && !o.cuts[i] {
			continue
		}
		var block []string
		for _, t := range o.texts[first:i] {
			block = append(block, t.Text)
		}
		slices.Sort(block)
		blocks, first = append(blocks, block), i
	}
	return blocks
}

// order is texts in the order of the shares of a class.
type order struct {
	texts []Text
	cuts  map[int]bool // before these
}

// least returns the least text of those with the share of text i, which lie behind it in direction d.
func (o *order) least(i, d int) string {
	least := o.texts[i].Text
	for k := i; k >= 0 && k < len(o.texts) && o.texts[k].share(&o.texts[i]) == 0; k += d {
		least = min(least, o.texts[k].Text)
	}
	return least
}

// cutAtHalf cuts between texts in which one class weighs more and those in which the other one does.
func (o *order) cutAtHalf() {
	side := func(t *Text) int { return cmp.Compare(t.Weights[0], t.Weights[1]) }
	for i := 1; i < len(o.texts); i++ {
		if a, b := side(&o.texts[i-1]), side(&o.texts[i]); a != b && a != 0 {
			o.cuts[i] = true
		}
	}
}

// split cuts the texts from first up to, but not, behind where χ² is largest, and each side again, up to so many levels.
func (o *order) split(first, behind, levels int) {
	var all, below [2]float64
	for _, t := range o.texts[first:behind] {
		all[0], all[1] = all[0]+float64(t.Rows[0]), all[1]+float64(t.Rows[1])
	}
	// deviation is d²/n of a set of n rows, where d is (rows of class 1)·(all of class 0) − (rows of class 0)·(all of class 1).
	// Σ d²/n over sets that make up all, by the product of both classes, is their χ².
	deviation := func(rows [2]float64) float64 {
		d := float64(rows[1]*all[0]) - float64(rows[0]*all[1])
		return float64(d*d) / (rows[0] + rows[1])
	}
	chi, few, best, at, balance := 0.0, 0.0, 0.0, 0, 0.0
	for i := first; i < behind; i++ {
		t := &o.texts[i]
		if i > first && o.texts[i-1].share(t) != 0 {
			above := [2]float64{all[0] - below[0], all[1] - below[1]}
			told, lighter := deviation(below)+deviation(above), min(below[0]+below[1], above[0]+above[1])
			if told > best || told == best && lighter > balance {
				best, at, balance = told, i, lighter
			}
		}
		rows := [2]float64{float64(t.Rows[0]), float64(t.Rows[1])}
		chi, few = chi+deviation(rows), few+1/(rows[0]+rows[1])
		below[0], below[1] = below[0]+rows[0], below[1]+rows[1]
	}
	if levels == 0 || at == 0 {
		return
	}
	n, both := all[0]+all[1], float64(all[0]*all[1])
	freedom := float64(behind - first - 1)
	// A text of n rows adds the square of a binomial deviation, whose variance is 2 + (1/pq − 6)/n. So χ² of many texts of few rows
	// varies more where a class is rare, as do s times χ² of freedom/s degrees.
	s := max(0.1, 1+float64((float64(n*n)/both-6)*few)/(2*freedom))
	if chi <= float64(s*chance(freedom/s))*both*n/(n-1) { // n/(n − 1) as χ² is of rows that are drawn without putting them back
		return
	}
	o.cuts[at] = true
	o.split(first, at, levels-1)
	o.split(at, behind, levels-1)
}

// chance is what χ² of so many degrees of freedom exceeds in 5 of 100 cases, to three digits (Wilson and Hilferty, 1931).
func chance(freedom float64) float64 {
	part := 2 / (9 * freedom)
	root := 1 - part + float64(1.645*math.Sqrt(part))
	return freedom * root * root * root
}
