package testgen

import (
	"slices"
	"testing"
)

// prefix is a sequence of antecedents with what it leaves and its cost, the
// objective without the errors of the default rule.
type prefix struct {
	list []int
	left []int
	cost int64
}

// prefixes returns all sequences of distinct antecedents up to a length.
func prefixes(in Instance, length int) []prefix {
	all := make([]int, len(in.Labels))
	for i := range all {
		all[i] = i
	}
	found := []prefix{{left: all}}
	for k := 0; k < len(found); k++ {
		if len(found[k].list) == length {
			continue
		}
		for j := range in.Columns {
			if !slices.Contains(found[k].list, j) {
				found = append(found, found[k].extend(in, j))
			}
		}
	}
	return found
}

func (p prefix) extend(in Instance, j int) prefix {
	q := prefix{list: append(slices.Clip(p.list), j)}
	var class [2]int64
	for _, i := range p.left {
		switch {
		case !in.Columns[j][i]:
			q.left = append(q.left, i)
		case in.Labels[i]:
			class[1] += in.Weights[i]
		default:
			class[0] += in.Weights[i]
		}
	}
	q.cost = p.cost + in.Lambda.Den*min(class[0], class[1]) + in.Lambda.Num*in.Total()
	return q
}

// critical reports whether the instance is what Critical says.
func critical(in Instance, optimum []int) bool {
	all := prefixes(in, len(optimum)+1)
	for _, b := range all {
		k := len(b.list)
		if k == 0 || k == len(optimum) || !slices.Equal(b.list, optimum[:min(k, len(optimum))]) {
			continue
		}
		for _, a := range all {
			if (len(a.list) > k || len(a.list) == k && slices.Compare(a.list, b.list) > 0) && asDear(in, a, b) {
				return true
			}
		}
	}
	return false
}

// asDear reports whether A, which may leave more than B, is as dear as B when
// it errs on all of that.
func asDear(in Instance, a, b prefix) bool {
	cost := a.cost
	for _, i := range a.left {
		if !slices.Contains(b.left, i) {
			cost += in.Lambda.Den * in.Weights[i]
		}
	}
	return cost == b.cost
}

func TestCritical(t *testing.T) {
	for _, seed := range Critical {
		in := Ties(seed)
		best, err := in.Best()
		if err != nil {
			t.Fatal(err)
		}
		if !critical(in, best.Antecedents) {
			t.Errorf("seed %d has no critical tie: if the generator has changed, the seeds must too", seed)
		}
	}
}
