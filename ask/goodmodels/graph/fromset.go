package graph

import (
	"math/bits"

	"parcorels/instance"
	"parcorels/ratio"
)

// FromPoints returns the problem of models that minimise errors/total + λ·rules or leaves. Objectives are
// in units of 1/(λ.Den·total), as those of rulelist/search: λ.Den·errors + λ.Num·total·rules.
func FromPoints(p *instance.Points, lambda ratio.Ratio) (*Problem, error) {
	hi, total := bits.Mul64(uint64(p.Total), uint64(max(lambda.Num, lambda.Den)))
	if hi != 0 || total > mostObjective {
		return nil, ErrScale
	}
	out := &Problem{Points: p.Count, Columns: p.Columns, Price: lambda.Num * p.Total}
	for c := range p.Classes {
		loss := make([]int64, p.Count)
		for other, weights := range p.Weights {
			for i := range loss {
				if other != c {
					loss[i] += lambda.Den * weights[i]
				}
			}
		}
		out.Loss = append(out.Loss, loss)
	}
	return out, nil
}
