package cli

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

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
		p := separation.New(in.Columns, in.Planes, in.Costs, separation.Prices{Error: lambda.Den, Rule: lambda.Num * in.Total}, in.Total)
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
		return "\n" + wrap(fmt.Sprintf("No certificate by hand: one bound shows %s at least. The proof needs its %s and %s as well.",
			v.share(x.Least, true), wording.Count(v.list.Records, "record"), wording.Count(v.list.Prefixes, "prefix")), 0)
	}
	return "\n" + v.explained().page()
}

// share returns an amount of an explanation as a share of all samples.
func (v *verified) share(amount int64, down bool) string {
	r, x := v.list, v.list.Explanation
	return decimal(amount, r.Scale*(x.Rule/(r.Lambda.Num*(r.Scale/r.Lambda.Den))), r.Lambda, down)
}

// explained is an explanation that holds, for reading.
type explained struct {
	*verified
	x    *verifylist.Explanation
	rows []int // of the file, by sample
}

func (v *verified) explained() explained {
	return explained{v, v.list.Explanation, v.set.Data.FileRows()}
}

// row is the number of a point's first row in the file.
func (t explained) row(p verifylist.Point) string { return strconv.Itoa(t.rows[p.Sample]) }

// csvHeader are the columns of a certificate for spreadsheets. The first column says what a
// row is: a point; a member, which is a point in a set; a set; a rule, or one that is
// left out of the sum; and in the end an amount of the sum.
var csvHeader = []string{"kind", "set", "row", "class", "condition", "weight_1", "weight_0", "costs", "weight", "load", "above"}

// writeCSV writes the whole certificate.
func (t explained) writeCSV(w io.Writer) error {
	out, x := csv.NewWriter(w), t.x
	line := func(cells ...any) { // the others are empty
		record := make([]string, len(csvHeader))
		for i, cell := range cells {
			record[i] = fmt.Sprint(cell)
		}
		_ = out.Write(record) // Flush remembers the error
	}
	_ = out.Write(csvHeader)
	for _, p := range x.Points {
		costs := p.Cost() * x.Error
		line("point", "", t.row(p), p.Class, "", p.Weight[1], p.Weight[0], costs, "", p.Load, max(0, p.Load-costs))
	}
	for k, set := range x.Sets {
		line("set", k+1, "", "", "", "", "", "", set.Weight)
		for _, m := range set.Points {
			line("member", k+1, t.row(x.Points[m]), x.Points[m].Class, "", "", "", "", set.Weight)
		}
	}
	for _, r := range x.Rules {
		line("rule", "", "", r.Class, t.set.Antecedents[r.Antecedent].Name, "", "", x.Rule, "", r.Load, max(0, r.Load-x.Rule))
	}
	for _, r := range x.LeftOut {
		line("left-out", "", "", r.Class, t.set.Antecedents[r.Antecedent].Name)
	}
	for _, total := range []struct {
		what   string
		amount int64
	}{{"wrong in any case", x.Base * x.Error}, {"every list", x.Least}, {"this list", x.Claimed}, {"a better list", x.Smaller}} {
		line(total.what, "", "", "", "", "", "", total.amount)
	}
	out.Flush()
	return out.Error()
}
