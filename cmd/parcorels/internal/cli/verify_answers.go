package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"os"
	"slices"
	"strings"

	"parcorels"
	"parcorels/verify"
)

// toldAnswers is what alternatives --json wrote, as far as verify answers it anew.
type toldAnswers struct {
	Without   string         `json:"without_column"`
	Optimum   float64        `json:"optimum"`
	Threshold float64        `json:"threshold"`
	Lists     string         `json:"lists"`
	Trees     string         `json:"trees"`
	ByRules   []byRulesJSON  `json:"lists_by_rules"`
	ByLeaves  []byLeavesJSON `json:"trees_by_leaves"`
	answersJSON
}

// readAnswers reads answers about good models from a file; ok is false if it has none.
func readAnswers(path string) (told *toldAnswers, ok bool) {
	text, err := os.ReadFile(path)
	told = &toldAnswers{}
	if err != nil || json.Unmarshal(text, told) != nil {
		return nil, false
	}
	return told, told.Lists+told.Trees != ""
}

// check compares the answers with those of a checked proof, and says which were compared and which were not.
func (t *toldAnswers) check(v *parcorels.VerifiedModels) (compared, others []string, err error) {
	differ := func(what string, told, there any) {
		if err == nil {
			err = fmt.Errorf("%w: %s: it says %v, the samples say %v", verify.ErrRefused, what, told, there)
		}
	}
	same := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) }
	models, least := v.Without(t.Without)
	if !same(t.Threshold, v.Threshold) {
		differ("threshold", t.Threshold, v.Threshold)
	}
	if said := t.Lists + t.Trees; said != models.String() {
		differ("number of models", said, models)
	}
	if models.Sign() > 0 && !same(t.Optimum, least) {
		differ("optimum", t.Optimum, least)
	}
	compared = append(compared, "threshold", "optimum", "number of models")
	if t.Without == "" {
		sizes := v.Sizes()
		for _, x := range slices.Concat(t.ByRules, bySizes(t.ByLeaves)) {
			if n := sizes[x.Rules]; n == nil || n.String() != x.Lists {
				differ(fmt.Sprintf("number of models of size %d", x.Rules), x.Lists, n)
			}
			delete(sizes, x.Rules)
		}
		if len(sizes) > 0 {
			differ("sizes of models", len(t.ByRules)+len(t.ByLeaves), "more")
		}
		compared = append(compared, "numbers by size")
	}
	for _, c := range t.Columns {
		if t.Without != "" {
			others = append(others, "columns")
			break
		}
		without, best := v.Without(c.Column)
		if with := new(big.Int).Sub(models, without); with.String() != c.Lists {
			differ("models that look at column "+c.Column, c.Lists, with)
		}
		switch some := without.Sign() > 0; {
		case some != (c.Without != nil):
			differ("models without column "+c.Column, c.Without != nil, some)
		case some && !same(*c.Without, best):
			differ("the best without column "+c.Column, *c.Without, best)
		}
	}
	if len(t.Columns) > 0 && len(others) == 0 {
		compared, others = append(compared, "models and the best without each column"), append(others, "shares decided")
	}
	if d := t.Disagreement; d != nil && t.Without == "" {
		if a := v.Ambiguity(); !same(d.Ambiguity, a) {
			differ("ambiguity", d.Ambiguity, a)
		}
		compared, others = append(compared, "ambiguity"), append(others, "discrepancy")
	}
	if t.Front != nil {
		others = append(others, "group differences")
	}
	if t.Test != nil || t.Rows != nil {
		others = append(others, "other rows")
	}
	return compared, others, err
}

func bySizes(list []byLeavesJSON) (out []byRulesJSON) {
	for _, x := range list {
		out = append(out, byRulesJSON{x.Leaves, x.Trees})
	}
	return out
}

// checkAnswers makes sure of the answers in a file.
func (v *verified) checkAnswers(t *toldAnswers, path string) error {
	if v.good == nil {
		return fmt.Errorf("%s: it has answers about good models, and %s is a proof about one", path, v.proof)
	}
	compared, others, err := t.check(v.good)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	v.answered = fmt.Sprintf("(%s says the same: %s", path, strings.Join(compared, ", "))
	if len(others) > 0 {
		v.answered += "; not answered anew: " + strings.Join(others, ", ")
	}
	v.answered += ")\n"
	return nil
}
