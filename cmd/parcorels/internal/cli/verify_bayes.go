package cli

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"parcorels/bayes"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/parallel"
	"parcorels/ratio"
	verifybayes "parcorels/verify/bayes"
	verifylist "parcorels/verify/rulelist"
)

func (v *verified) checkBayes(ctx context.Context, e *env, s *settings, proof *verifybayes.Proof) error {
	o := verifybayes.Options{Workers: s.search.Workers}
	if t := e.progressTable(s); t != nil {
		o.Progress = func(p verifybayes.Progress) { t.showBayesCheck(p, time.Since(e.start)) }
	}
	r, err := proof.Check(ctx, v.set, o)
	if err != nil {
		return err
	}
	v.bayes = &r
	m, err := bayes.New(v.set, r.List, bayes.Meta{
		Software: "parcorels " + version(), Status: parallel.Optimal, Options: s.reading(), Posterior: r.Posterior, Bound: r.Posterior,
		Prior:  bayes.Prior{Length: r.Lambda, Width: r.Width, Alpha: [2]ratio.Ratio{r.Alpha0, r.Alpha1}, MaxRules: r.MaxRules},
		Chains: bayes.Chains{Count: 1, Iterations: 1}, // a proof tells of none, a model has one
	})
	if err != nil {
		return err
	}
	v.model = m
	// Of the counts, those that all kinds of proofs have.
	v.result = verifylist.Result{Lambda: r.Lambda, Errors: model.ErrorWeight(m.Cases()), Records: r.Records}
	return nil
}

// bayesText is what verify prints of a Bayesian rule list.
func (v *verified) bayesText(quiet bool) string {
	head := "VERIFIED: no rule list on these data has a larger posterior\n"
	if n := v.bayes.MaxRules; n > 0 {
		head = fmt.Sprintf("VERIFIED: no rule list of at most %s on these data has a larger posterior\n", wording.Count(int64(n), "rule"))
	}
	if v.set.Pruned() {
		head += fmt.Sprintf("(among the %s kept of %s)\n", wording.Count(int64(len(v.set.Antecedents)), "antecedent"), wording.Thousands(v.set.Mined))
	}
	if quiet {
		return head
	}
	m := v.model.(*bayes.Model)
	return head + "\n" + v.model.Text(helpWidth) + "\n" + posteriorLine(m) +
		fmt.Sprintf("(checked %s in %s)\n", wording.Count(v.bayes.Records, "expanded prefix"), seconds(v.time))
}

// posterior is the log posterior of a verified list, for programs.
func (v *verified) posterior() string {
	return strconv.FormatFloat(v.model.Certificate().Objective.Value, 'f', digits, 64)
}

// showBayesCheck prints a line about a check.
func (t *progressTable) showBayesCheck(p verifybayes.Progress, took time.Duration) {
	t.lineASecond(p.Final, cell{"checked", 8, short(p.Records)}, cell{"time", 7, seconds(took)})
}
