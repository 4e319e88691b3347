package cli

import (
	"encoding/csv"
	"io"
	"strconv"

	verifylist "parcorels/verify/rulelist"
)

// csvHeader are the columns of a certificate for spreadsheets. A row is a thing of the
// certificate, of which the first column tells the kind:
//
//   - point: what it costs to get it wrong, the weights of its samples by class, and in a
//     certificate of one step its load;
//   - member: a point of a set, with the set's weight. So the load of a point is the sum of
//     the weights of its rows of this kind;
//   - set: its weight;
//   - rule: its load, and what it costs;
//   - left-out and excluded: a rule that has no load, from the beginning or after a step;
//   - step: the sum of its weights, what loads are above costs, and its bound;
//   - in the end what is wrong in any case, the bound, the list, and what a better one could cost.
var csvHeader = []string{"kind", "step", "set", "row", "class", "antecedent", "weight_1", "weight_0", "costs", "weight", "load", "above", "bound"}

// writeCSV writes the whole certificate.
func (t explained) writeCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	line := func(kind string, cells map[string]string) {
		record := []string{kind}
		for _, column := range csvHeader[1:] {
			record = append(record, cells[column])
		}
		_ = out.Write(record) // Flush remembers the error
	}
	_ = out.Write(csvHeader)
	x, n := t.x, func(x int64) string { return strconv.FormatInt(x, 10) }
	for i, p := range x.Points {
		cells := map[string]string{"row": rowOf(p), "class": strconv.Itoa(p.Class), "weight_1": n(p.Weight[1]), "weight_0": n(p.Weight[0]), "costs": n(p.Cost() * x.Error)}
		if len(x.Steps) == 1 {
			load := x.Steps[0].Points[i]
			cells["load"], cells["above"] = n(load), n(max(0, load-p.Cost()*x.Error))
		}
		line("point", cells)
	}
	rule := func(kind, step string, r verifylist.RuleOf, cells map[string]string) {
		cells["step"], cells["class"], cells["antecedent"] = step, strconv.Itoa(r.Class), t.set.Antecedents[r.Antecedent].Name
		line(kind, cells)
	}
	for _, r := range x.LeftOut {
		rule("left-out", "", r, map[string]string{})
	}
	for i, s := range x.Steps {
		step := strconv.Itoa(i + 1)
		for k, set := range s.Sets {
			number := strconv.Itoa(k + 1)
			line("set", map[string]string{"step": step, "set": number, "weight": n(set.Weight)})
			for _, m := range set.Points {
				line("member", map[string]string{"step": step, "set": number, "row": rowOf(x.Points[m]), "class": strconv.Itoa(x.Points[m].Class), "weight": n(set.Weight)})
			}
		}
		for _, r := range s.Rules {
			rule("rule", step, r.RuleOf, map[string]string{"costs": n(x.Rule), "load": n(r.Load), "above": n(max(0, r.Load-x.Rule))})
		}
		for _, r := range s.Excluded {
			rule("excluded", step, r, map[string]string{})
		}
		line("step", map[string]string{"step": step, "weight": n(s.Sum), "above": n(s.Above), "bound": n(s.Value)})
	}
	line("wrong in any case", map[string]string{"costs": n(x.Base * x.Error)})
	line("every list", map[string]string{"bound": n(x.Least)})
	line("this list", map[string]string{"costs": n(x.Claimed)})
	line("a better list", map[string]string{"costs": n(x.Smaller)})
	out.Flush()
	return out.Error()
}
