package answer

import (
	"context"

	"parcorels/instance"
	"parcorels/ratio"
	"parcorels/rulelist/separation"
	verifylist "parcorels/verify/rulelist"
)

// explainWork bounds the search for weights, in entries of vectors touched: some seconds.
const explainWork = 1 << 31

// Weights returns a function that looks for weights by which one bound of the empty
// prefix suffices. The check evaluates them by itself.
func (v *Verified) Weights(ctx context.Context, lambda ratio.Ratio) func(int64) *verifylist.Weights {
	return func(smaller int64) *verifylist.Weights {
		in, err := instance.FromSet(v.Set)
		if err != nil || in.Points == 0 {
			return nil
		}
		p := separation.New(in.Columns, in.Table, separation.Prices{Error: lambda.Den, Rule: lambda.Num * in.Total}, in.Total)
		room := p.Value(smaller-lambda.Den*in.Base, 0) + p.Scale/8 // what rounding may lose
		w := &verifylist.Weights{Scale: p.ScaleBits()}
		for _, set := range p.Certificate(room, separation.Effort{Work: explainWork, GoOn: func() bool { return ctx.Err() == nil }}) {
			var groups []uint32
			for _, e := range set.Points {
				groups = append(groups, uint32(p.Number(e)))
			}
			w.Sets, w.Each = append(w.Sets, groups), append(w.Each, set.Y)
		}
		return w
	}
}
