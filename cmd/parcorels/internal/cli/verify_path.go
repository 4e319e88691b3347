package cli

import (
	"bufio"
	"context"
	"fmt"
	"math/big"
	"strings"

	"parcorels"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/ratio"
	"parcorels/rules"
	"parcorels/verify"
)

// checkPath checks the proof of a path.
func (v *verified) checkPath(ctx context.Context, e *env, s *verifySettings, in *bufio.Reader) error {
	if s.explain {
		return fmt.Errorf("%s: --explain is for the proof of one rule list, this one is about a path", v.proof)
	}
	limited, cancel := s.limited(ctx, e)
	defer cancel()
	r, err := parcorels.VerifyPath(limited, in, s.checking(e), func(proof verify.Proof) (*rules.Set, parcorels.Reading, error) {
		err := v.readData(ctx, e, s, proof)
		return v.set, v.reading, err
	})
	if err != nil {
		return v.fault(ctx, s, err)
	}
	v.claim, v.models = r.Claim, r.Models
	v.take(r.Models[len(r.Models)-1])
	for _, x := range r.Models[:len(r.Models)-1] {
		v.stats.Records += x.Counts.Records
		v.stats.Prefixes += x.Counts.Prefixes
		v.stats.Extensions += x.Counts.Extensions
		v.stats.Dominations += x.Counts.Dominations
	}
	v.effort = wording.Count(v.stats.Records, "record")
	return nil
}

// differ says how the model that was verified differs from another: of a path, from each.
func (v *verified) differ(m model.Model) error {
	if v.models == nil {
		return model.Differ(v.model, m)
	}
	for i, x := range v.models {
		if model.DifferInCases(x.Model, m) != nil {
			continue
		}
		v.take(x)
		lambda, err := ratio.Parse(m.Certificate().Lambda)
		if err != nil || lambda.Less(x.Price) || i > 0 && v.models[i-1].Price.Less(lambda) {
			return fmt.Errorf("λ is %s, and the path has these rules for another λ", m.Certificate().Lambda)
		}
		return nil
	}
	return fmt.Errorf("none of its %d models is this one", len(v.models))
}

// take makes one model of a path the one that is told of.
func (v *verified) take(x *parcorels.Verification) {
	v.model, v.lambda, v.list = x.Model, x.Price, x.List
	if v.stats.Records == 0 {
		v.stats.VerifyCounts = x.Counts
	}
}

// pathText is the table of the models of a path, and the models.
func (v *verified) pathText() string {
	part := v.model.Certificate().Part
	rows := [][]string{{wording.Plural(2, part), "errors", "right", "optimal for λ from", "to"}}
	texts := ""
	to := "1"
	for _, x := range v.models {
		from := lambdaText(big.NewRat(x.Price.Num, x.Price.Den))
		size := x.Model.Certificate().Size
		rows = append(rows, []string{fmt.Sprint(size), wording.Thousands(model.Errors(x.Model.Cases())), wording.Percentage(right(x.Model)), from, to})
		texts += fmt.Sprintf("\n%s, λ ≥ %s:\n\n%s\n", wording.Count(int64(size), part), from, strings.TrimRight(x.Model.Text(helpWidth), "\n"))
		to = from
	}
	return columns(rows) + texts
}
