package cli

import (
	"fmt"
	"math/bits"

	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rules"
)

// A list that predicts one class for all is optimal, and of no use to most who
// get it: they are told why, and what would give another.

// hint says what to try if the list predicts one class for all.
func (f *fitted) hint() string {
	for _, r := range f.result.Rules {
		if r.Predict != f.result.Default {
			return ""
		}
	}
	ones := int(f.set.Data.Labels.Count())
	if f.result.Status == parallel.Interrupted || ones == 0 || ones == f.set.Data.N {
		return ""
	}
	d := f.set.Data
	class := map[bool]int{true: 1}[f.result.Default]
	why := "no rule saves enough errors to be worth its price λ"
	if f.result.Status != parallel.Optimal {
		why = "no rule was found that saves enough errors to be worth its price λ"
	}
	text := fmt.Sprintf("every sample is predicted %s: %s. ", onTerminal(d.Classes[class]), why)
	if saved, ok := mostSaved(f.set); ok && saved.Num > 0 && saved.Less(f.options.Lambda) {
		text += fmt.Sprintf("The best single rule saves %.5f of the samples: try --lambda %s", saved.Float(), below(saved))
	} else {
		text += fmt.Sprintf("Try a smaller --lambda (%s)", reduced(ratio.Ratio{Num: f.options.Lambda.Num, Den: f.options.Lambda.Den * 2}))
	}
	if d.Weights == nil {
		text += fmt.Sprintf(", or --class-weights balanced, which counts errors on %s more", onTerminal(d.Classes[1-class]))
	}
	return "\n" + wrapHanging("hint: "+text, 6)
}

// reduced returns r in lowest terms.
func reduced(r ratio.Ratio) ratio.Ratio { return ratio.New(r.Num, r.Den) }

// below returns a short number that is less than r, and at least half of it.
func below(r ratio.Ratio) string {
	text := fmt.Sprintf("%.1g", 0.9*r.Float())
	if short, err := ratio.Parse(text); err == nil && short.Num > 0 && short.Less(r) {
		return short.String()
	}
	return reduced(ratio.Ratio{Num: r.Num, Den: 2 * r.Den}).String()
}

// mostWords is the work that a hint may take: a second.
const mostWords = 1 << 30

// mostSaved returns the largest share of samples that a list of one rule saves
// beside the empty list; false if samples have weights, or that takes too long.
func mostSaved(set *rules.Set) (ratio.Ratio, bool) {
	d := set.Data
	if d.Weights != nil || len(set.Antecedents)*(d.N/bits.UintSize+1) > mostWords {
		return ratio.Ratio{}, false
	}
	ones := int64(d.Labels.Count())
	empty, best := min(ones, int64(d.N)-ones), int64(0)
	for _, a := range set.Antecedents {
		in, in1 := int64(a.Captured.Count()), int64(a.Captured.IntersectionCardinality(d.Labels))
		out, out1 := int64(d.N)-in, ones-in1
		best = max(best, empty-min(in1, in-in1)-min(out1, out-out1))
	}
	return ratio.New(best, int64(d.N)), true
}
