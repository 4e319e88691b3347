package weights

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"parcorels/optionerr"
)

// Weights of classes, given or made of what the classes weigh.

// ParseClasses reads "w0,w1", or as many weights as there are classes; nil
// of "" and "balanced".
func ParseClasses(text string, classes int) ([]Decimal, error) {
	if text == "" || text == "balanced" {
		return nil, nil
	}
	texts := strings.SplitN(text, ",", classes)
	if len(texts) != classes {
		return nil, optionerr.Errorf("ClassWeights", "class weights are %s, expected balanced, or %s", strconv.Quote(text),
			weightOfEach(classes))
	}
	w := make([]Decimal, classes)
	for c, t := range texts {
		var err error
		if w[c], err = Parse(strings.TrimSpace(t)); err != nil {
			return nil, optionerr.Errorf("ClassWeights", "class weights are %s: %s %v", strconv.Quote(text),
				strconv.Quote(strings.TrimSpace(t)), err)
		}
	}
	return w, nil
}

func weightOfEach(classes int) string {
	if classes == 2 {
		return "the weights of class 0 and class 1 as in 1,2.5"
	}
	return fmt.Sprintf("the weights of the %d classes, separated by commas", classes)
}

// classFactors returns what the weights of each class are multiplied by; nil if by nothing.
func classFactors(text string, totals []*big.Rat) ([]*big.Rat, error) {
	given, err := ParseClasses(text, len(totals))
	switch {
	case err != nil || text == "":
		return nil, err
	case given == nil:
		return balancedFactors(totals), nil
	}
	factors := make([]*big.Rat, len(totals))
	for c := range totals {
		factors[c] = given[c].Rat()
	}
	return factors, nil
}

// balancedFactors makes all classes weigh the same, an equal share of the total; nil where one weighs nothing.
func balancedFactors(totals []*big.Rat) []*big.Rat {
	sum, factors := new(big.Rat), make([]*big.Rat, len(totals))
	for _, t := range totals {
		if sum.Add(sum, t); t.Sign() == 0 {
			return nil
		}
	}
	for c, t := range totals {
		factors[c] = new(big.Rat).Quo(sum, t)
		factors[c].Quo(factors[c], big.NewRat(int64(len(totals)), 1))
	}
	return factors
}
