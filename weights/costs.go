package weights

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"parcorels/optionerr"
	"parcorels/ratio"
)

// Costs are what decisions cost in rows, as integers in units of 10^−places, so that sums are exact.
type Costs struct {
	Rounded bool // numbers had more digits than can be added exactly

	of     [][]int64 // by decision and row
	places int
}

// NewCosts takes the costs of k decisions in n rows.
func NewCosts(n, k int, cost func(decision, row int) Decimal) *Costs {
	most := int64(MostUnits)
	if k > 2 {
		most /= int64(k + 1) // what decisions save adds up to less than so many times the costs
	}
	c := &Costs{of: make([][]int64, k)}
	c.places, c.Rounded = Places(func(yield func(Decimal) bool) {
		for i := range n * k {
			if !yield(cost(i%k, i/k)) {
				return
			}
		}
	}, most)
	for q := range c.of {
		for row := range n {
			c.of[q] = append(c.of[q], cost(q, row).At(c.places))
		}
	}
	return c
}

// Unit is what costs are counted in, as a decimal.
func (c *Costs) Unit() string { return Rational(1, c.places).FloatString(max(0, c.places)) }

// Sums returns what each decision costs in all rows, and what the cheapest one of each row does.
func (c *Costs) Sums() (each []*big.Rat, least *big.Rat) {
	sum, cheapest := make([]int64, len(c.of)), int64(0)
	for row := range c.of[0] {
		_, low, _ := c.at(row)
		for q, of := range c.of {
			sum[q] += of[row]
		}
		cheapest += low
	}
	for _, x := range sum {
		each = append(each, Rational(x, c.places))
	}
	return each, Rational(cheapest, c.places)
}

// at returns the cheapest decision of a row, the first of these, what it costs and what the dearest one does.
func (c *Costs) at(row int) (cheapest int, low, high int64) {
	low, high = math.MaxInt64, math.MinInt64
	for q, of := range c.of {
		if high = max(high, of[row]); of[row] < low {
			cheapest, low = q, of[row]
		}
	}
	return cheapest, low, high
}

// Cheapest returns the cheapest decision of each row, and how much more the dearest one costs.
func (c *Costs) Cheapest() (decisions []uint32, more []Decimal) {
	differences := make([]int64, len(c.of[0]))
	for row := range differences {
		q, low, high := c.at(row)
		decisions, differences[row] = append(decisions, uint32(q)), high-low
	}
	return decisions, units(differences, c.places)
}

// Within returns the costs of some rows alone, nil of nil.
func (c *Costs) Within(rows []int) *Costs {
	if c == nil {
		return nil
	}
	part := &Costs{c.Rounded, make([][]int64, len(c.of)), c.places}
	for _, row := range rows {
		for q, of := range c.of {
			part.of[q] = append(part.of[q], of[row])
		}
	}
	return part
}

// Gains returns what each decision saves beside the dearest one, by decision and row, in the smallest integers, with their sums
// by row and how many of these a cost of 1 is. Where that takes too many digits, it is 1, and each is what one of them costs.
func (c *Costs) Gains() (gains [][]int64, sums []int64, unit ratio.Ratio, each *big.Rat) {
	gains, sums = make([][]int64, len(c.of)), make([]int64, len(c.of[0]))
	divisor := int64(0)
	for row := range sums {
		_, _, high := c.at(row)
		for q, of := range c.of {
			g := high - of[row]
			gains[q], sums[row], divisor = append(gains[q], g), sums[row]+g, ratio.GCD(divisor, g)
		}
	}
	for _, list := range append(slices.Clone(gains), sums) {
		for i := range list {
			list[i] /= divisor
		}
	}
	each = Rational(divisor, c.places)
	if unit, ok := ratio.FromRat(each); ok {
		return gains, sums, ratio.Ratio{Num: unit.Den, Den: unit.Num}, nil
	}
	return gains, sums, ratio.New(1, 1), each
}

// AskDecision is the name of the decision that costs the same everywhere.
const AskDecision = "ask"

// Outcomes are costs of predictions, by the label of a row and then by what is predicted.
type Outcomes [][]Decimal

// ParseOutcomes reads the costs of predictions for rows of each of so many labels, "c00,c01,c10,c11", or as many as there are
// for more labels (0: told by their number), with that of AskDecision behind those of each label unless it is "". Without a matrix
// an error costs 1. A right prediction must be the cheapest one.
func ParseOutcomes(matrix, ask string, labels int) (costs Outcomes, err error) {
	field, given, texts, n := "CostMatrix", matrix, strings.Split(matrix, ","), max(labels, 2)
	switch {
	case matrix == "":
		field, given, texts = "AskCost", ask, nil
		for i := range n * n {
			texts = append(texts, strconv.Itoa(min(1, i%(n+1))))
		}
	case labels == 0:
		n = max(2, int(math.Sqrt(float64(len(texts)))))
	}
	if len(texts) != n*n {
		return nil, optionerr.Bad(field, strconv.Quote(given), "%d decimals, for %d classes", n*n, n)
	}
	for class := range n {
		row, own := texts[class*n:class*n+n:class*n+n], []Decimal(nil)
		if ask != "" {
			row = append(row, ask)
		}
		for _, text := range row {
			cost, err := ParseCost(strings.TrimSpace(text))
			if err != nil {
				return nil, optionerr.Errorf(field, "option %s is %q: %q %v", field, given, text, err)
			}
			own = append(own, cost)
		}
		for q := range own {
			if q != class && own[q].Rat().Cmp(own[class].Rat()) <= 0 {
				return nil, optionerr.Errorf(field, "option %s is %s: a right prediction must cost less than a wrong one", field,
					strconv.Quote(given))
			}
		}
		costs = append(costs, own)
	}
	return costs, nil
}

// Rats returns all costs, those of the first label first.
func (o Outcomes) Rats() (list []*big.Rat) {
	for _, costs := range o {
		for q := range costs {
			list = append(list, costs[q].Rat())
		}
	}
	return list
}

// More returns what the wrong prediction of two costs more than the right one, by label.
func (o Outcomes) More() []*big.Rat {
	c := o.Rats()
	return []*big.Rat{c[1].Sub(c[1], c[0]), c[2].Sub(c[2], c[3])}
}

// Sums returns what each prediction costs for so many rows of each label, and what the right ones do.
func (o Outcomes) Sums(rows []*big.Rat) (each []*big.Rat, least *big.Rat) {
	least = new(big.Rat)
	for class, costs := range o {
		for q := range costs {
			if class == 0 {
				each = append(each, new(big.Rat))
			}
			cost := costs[q].Rat()
			if each[q].Add(each[q], cost.Mul(cost, rows[class])); q == class {
				least.Add(least, cost)
			}
		}
	}
	return each, least
}
