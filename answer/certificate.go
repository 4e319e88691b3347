package answer

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"parcorels/family"
	"parcorels/instance"
	"parcorels/internal/peakmem"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/ratio"
	"parcorels/report"
	"parcorels/rulelist/separation"
	"parcorels/rules"
	verifylist "parcorels/verify/rulelist"
)

// Certificate is what a person needs to check the verdict; "" unless asked for.
func (v *Verified) Certificate() string {
	switch x := v.List.Explanation; {
	case x == nil:
		return ""
	case !x.Holds():
		return render("no certificate", v.explained())
	}
	return "\n" + v.explained().page()
}

// explained is an explanation, for reading.
type explained struct {
	*Verified
	X    *verifylist.Explanation
	rows []int // of the file, by sample
}

func (v *Verified) explained() explained {
	return explained{Verified: v, X: v.List.Explanation, rows: v.Set.Data.FileRows()}
}

// Share returns an amount as a share of all samples.
func (t explained) Share(amount int64, down bool) string {
	r := t.List
	return Decimal(amount, r.Scale*(t.X.Rule/(r.Lambda.Num*(r.Scale/r.Lambda.Den))), r.Lambda, down)
}

// Wrong is what costs whatever a list does, Rules the number of rules, and Step the least difference of objectives.
func (t explained) Wrong() int64 { return t.X.Base * t.X.Error }
func (t explained) Rules() int   { return 2 * len(t.Set.Antecedents) }
func (t explained) Step() int64  { return t.X.Claimed - t.X.Smaller }
func (t explained) Less() string { return "−" + wording.Thousands(t.X.Above) }

// Unit is the weight of a row that costs X.Error.
func (t explained) Unit() string { return UserWeight(t.Set.Data, 1, 4) }

// ByClass is what a wrong row of each class costs; nil where rows of a class differ.
func (t explained) ByClass() []int64 {
	costs := make([]int64, 2)
	for i, w := range t.Set.Data.Weights {
		switch c := t.Set.Data.Class(i); costs[c] {
		case 0, w * t.X.Error:
			costs[c] = w * t.X.Error
		default:
			return nil
		}
	}
	return costs
}

// row is the number of a point's first row in the file.
func (t explained) row(p verifylist.Point) string { return strconv.Itoa(t.rows[p.Sample]) }

// item is a thing on the page: a set, a point or a rule, with an amount.
type item struct {
	name   string
	amount int64
}

// page is the whole certificate.
func (t explained) page() string {
	x := t.X
	var points, sets, rules, over []item
	for _, p := range x.Points {
		costs := p.Cost() * x.Error
		points = append(points, item{t.row(p), costs})
		if p.Load > costs {
			over = append(over, item{t.row(p), p.Load - costs})
		}
	}
	for _, s := range x.Sets {
		var rows [2][]string
		for _, i := range s.Points {
			rows[x.Points[i].Class] = append(rows[x.Points[i].Class], t.row(x.Points[i]))
		}
		sets = append(sets, item{strings.Join(rows[1], " ") + " + " + strings.Join(rows[0], " "), s.Weight})
	}
	for _, r := range x.Rules {
		if r.Load > x.Rule {
			text := "if " + wording.Escape(t.Set.Antecedents[r.Antecedent].Name) + " then " + wording.Escape(t.Set.Data.ClassName(r.Class))
			rules = append(rules, item{text, r.Load - x.Rule})
		}
	}
	return render("argument", t) + amounts("POINTS (first rows) and what it costs to get them wrong", points) +
		amounts("SETS (class 1 + class 0) and their weights", sets) +
		amounts("RULES with loads above what a rule costs, by", rules) +
		amounts("POINTS with loads above their costs, by", over) + render("bound", t)
}

// amounts is a heading, with how many items there are and what they come to, and the items, the largest first. Those of one amount
// stand together.
func amounts(heading string, items []item) string {
	slices.SortStableFunc(items, func(a, b item) int { return cmp.Compare(b.amount, a.amount) })
	text, total := "", int64(0)
	for i := 0; i < len(items); {
		amount, names := items[i].amount, []string{}
		for ; i < len(items) && items[i].amount == amount; i++ {
			names, total = append(names, items[i].name), total+amount
		}
		text += Hanging(wording.Thousands(amount)+": "+strings.Join(names, "; "), 2)
	}
	return fmt.Sprintf("%s: %s, %s in all\n", heading, wording.Thousands(int64(len(items))), wording.Thousands(total)) + text
}

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

// Verified is the outcome of verify.
type Verified struct {
	Proof, Path string
	File        string // with the model; "": not compared
	Set         *rules.Set
	Reading     family.Reading
	family.Verification
	Bytes   int64         // of the proof
	Digest  string        // of the proof
	Time    time.Duration // from the start of the program
	Refusal error
}

// Text returns the outcome of a proof that holds.
func (v *Verified) Text(quiet bool) string {
	return render("verified", map[string]any{"Verified": v, "Quiet": quiet})
}

// VerifiedJSON is the JSON object of verify.
type VerifiedJSON struct {
	Status     string        `json:"status"`           // "verified" or "refused"
	Reason     string        `json:"reason,omitempty"` // why it is refused
	Proof      string        `json:"proof"`
	Digest     string        `json:"digest,omitempty"` // of the proof, where it is verified
	File       string        `json:"file"`
	Objective  json.Number   `json:"objective,omitempty"` // this and what follows: of what is verified
	Errors     json.Number   `json:"errors,omitempty"`
	Length     *int          `json:"length,omitempty"`
	LambdaText string        `json:"lambda_text,omitempty"`
	Rules      []report.Rule `json:"rules,omitempty"`
	Default    *report.Rule  `json:"default,omitempty"`
	// ProvedRules of a rule list: it is proved only that no list of at most so many rules is smaller; 0: none is
	ProvedRules int         `json:"proved_rules,omitempty"`
	Stats       VerifyStats `json:"stats"`
}

// VerifyStats is what it took.
type VerifyStats struct {
	ProofBytes int64 `json:"proof_bytes"`
	family.VerifyCounts
	SecondsTotal float64 `json:"seconds_total"`
	PeakBytes    int64   `json:"peak_bytes"` // of the process, 0 where the system does not tell
}

// Object returns the outcome for programs.
func (v *Verified) Object() VerifiedJSON {
	o := VerifiedJSON{Status: "verified", Proof: v.Proof, File: v.Path,
		Stats: VerifyStats{v.Bytes, v.Counts, report.Seconds(v.Time), peakmem.Peak()}}
	if v.Refusal != nil {
		o.Status, o.Reason = "refused", wording.OneLine(v.Refusal)
		return o
	}
	c := v.Model.Certificate()
	o.Digest, o.ProvedRules = v.Digest, v.List.Counted
	o.Length, o.LambdaText = &c.Size, v.Price.String()
	o.Objective = json.Number(Decimal(c.Objective.Num, c.Objective.Den, v.Price, false))
	o.Errors = json.Number(UserWeight(v.Set.Data, model.ErrorWeight(v.Model.Cases()), Digits))
	result := report.New(v.Model, v.Path, nil)
	o.Rules, o.Default = result.Rules, result.Default
	return o
}
