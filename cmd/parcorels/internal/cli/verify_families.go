package cli

import (
	"context"
	"fmt"
	"time"

	"parcorels/bayes"
	"parcorels/internal/wording"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rulelist"
	"parcorels/tree"
	verifybayes "parcorels/verify/bayes"
	verifylist "parcorels/verify/rulelist"
	verifytree "parcorels/verify/tree"
)

// The families that have proofs. A check gives the model that is verified, and what it
// took.

func (v *verified) checkList(ctx context.Context, e *env, s *verifySettings, proof *verifylist.Proof) error {
	o := verifylist.Options{Workers: s.workers}
	if t := e.progressTable(&s.output); t != nil {
		o.Progress = func(p verifylist.Progress) {
			of, share := "", ""
			if p.Expanded > 0 {
				of, share = short(p.Expanded), percentage(float64(p.Prefixes)/float64(p.Expanded))
			}
			t.line(p.Final, cell{"records", 8, short(p.Records)}, cell{"prefixes", 8, short(p.Prefixes)}, cell{"of", 8, of}, cell{"share", 6, share}, cell{"time", 7, seconds(p.Elapsed)})
		}
	}
	if s.explain {
		o.Explain = v.weights(ctx, proof.About().Lambda)
	}
	r, err := proof.Check(ctx, v.set, o)
	if err != nil {
		return err
	}
	v.list, v.lambda, v.claim = r, r.Lambda, "no rule list on these data is better"
	v.stats = verifyStats{Records: r.Records, Symmetries: r.Symmetries, Prefixes: r.Prefixes, Extensions: r.Extensions, Dominations: r.Dominations}
	v.effort = wording.Count(r.Records, "record")
	if r.Symmetries > 0 {
		v.effort += ", " + wording.Count(r.Symmetries, "symmetry") + " among them,"
	}
	v.effort += fmt.Sprintf(" and %s with %s", wording.Count(r.Prefixes, "prefix"), wording.Count(r.Extensions, "extension"))
	v.model, err = rulelist.New(v.set, r.Rules, r.Default, rulelist.Meta{
		Software: "parcorels " + version(), Status: parallel.Optimal, Lambda: r.Lambda,
		Objective: r.Objective, LowerBound: r.Objective, Options: v.reading,
	})
	return err
}

func (v *verified) checkTree(ctx context.Context, e *env, s *verifySettings, proof *verifytree.Proof) error {
	o := verifytree.Options{Workers: s.workers}
	if t := e.progressTable(&s.output); t != nil {
		o.Progress = func(p verifytree.Progress) {
			t.lineASecond(p.Final, cell{"records", 8, short(p.Records)}, cell{"checked", 8, short(p.Checked)}, cell{"time", 7, seconds(time.Since(e.start))})
		}
	}
	r, err := proof.Check(ctx, v.set, o)
	if err != nil {
		return err
	}
	v.lambda, v.claim = r.Lambda, "no tree on these data is better"
	v.stats.Records, v.effort = r.Records, wording.Count(r.Records, "record")
	v.model, err = tree.New(v.set, r.Tree, tree.Meta{
		Software: "parcorels " + version(), Status: parallel.Optimal, Lambda: r.Lambda, MaxDepth: r.Depth,
		Objective: r.Objective, LowerBound: r.Objective, Options: v.reading,
	})
	return err
}

func (v *verified) checkBayes(ctx context.Context, e *env, s *verifySettings, proof *verifybayes.Proof) error {
	o := verifybayes.Options{Workers: s.workers}
	if t := e.progressTable(&s.output); t != nil {
		o.Progress = func(p verifybayes.Progress) {
			t.lineASecond(p.Final, cell{"checked", 8, short(p.Records)}, cell{"time", 7, seconds(time.Since(e.start))})
		}
	}
	r, err := proof.Check(ctx, v.set, o)
	if err != nil {
		return err
	}
	v.lambda, v.claim = r.Lambda, "no rule list on these data has a larger posterior"
	if r.MaxRules > 0 {
		v.claim = fmt.Sprintf("no rule list of at most %s on these data has a larger posterior", wording.Count(int64(r.MaxRules), "rule"))
	}
	v.stats.Records, v.effort = r.Records, wording.Count(r.Records, "expanded prefix")
	v.model, err = bayes.New(v.set, r.List, bayes.Meta{
		Software: "parcorels " + version(), Status: parallel.Optimal, Options: v.reading, Posterior: r.Posterior, Bound: r.Posterior,
		Prior:  bayes.Prior{Length: r.Lambda, Width: r.Width, Alpha: [2]ratio.Ratio{r.Alpha0, r.Alpha1}, MaxRules: r.MaxRules},
		Chains: bayes.Chains{Count: 1, Iterations: 1}, // a proof tells of none, a model has one
	})
	return err
}
