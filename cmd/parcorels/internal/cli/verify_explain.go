package cli

import (
	"context"
	"fmt"

	"parcorels/instance"
	"parcorels/internal/wording"
	"parcorels/ratio"
	"parcorels/rulelist/separation"
	verifylist "parcorels/verify/rulelist"
)

// explainWork bounds the search for weights, in entries of vectors touched: some seconds.
const explainWork = 1 << 31

// weights returns a function that looks for weights by which one bound of the empty
// prefix suffices. The check evaluates them by itself.
func (v *verified) weights(ctx context.Context, lambda ratio.Ratio) func(int64) *verifylist.Weights {
	return func(smaller int64) *verifylist.Weights {
		in, err := instance.FromSet(v.set)
		if err != nil || in.Points == 0 {
			return nil
		}
		p := separation.New(in.Columns, in.Planes, in.Costs, lambda.Den, lambda.Num*in.Total, in.Total)
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

// certificate is what a person needs to check the verdict; "" unless asked for.
func (v *verified) certificate() string {
	x := v.list.Explanation
	if x == nil {
		return ""
	}
	if !x.Holds() {
		return "\n" + wrap(fmt.Sprintf("No certificate by hand: bounds of the empty prefix show %s at least. The proof needs its %s and %s as well.",
			v.share(x.Least, true), wording.Count(v.list.Records, "record"), wording.Count(v.list.Prefixes, "prefix")), 0)
	}
	return "\n" + explained{v, x}.page()
}

// share returns an amount of an explanation as a share of all samples.
func (v *verified) share(amount int64, down bool) string {
	r, x := v.list, v.list.Explanation
	return decimal(amount, r.Scale*(x.Rule/(r.Lambda.Num*(r.Scale/r.Lambda.Den))), r.Lambda, down)
}

// explained is an explanation that holds, for reading.
type explained struct {
	*verified
	x *verifylist.Explanation
}
