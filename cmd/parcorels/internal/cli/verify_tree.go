package cli

import (
	"context"
	"fmt"
	"time"

	"parcorels/internal/wording"
	"parcorels/parallel"
	"parcorels/tree"
	verifylist "parcorels/verify/rulelist"
	verifytree "parcorels/verify/tree"
)

func (v *verified) checkTree(ctx context.Context, e *env, s *settings, proof *verifytree.Proof) error {
	o := verifytree.Options{Workers: s.search.Workers}
	if t := e.progressTable(s); t != nil {
		o.Progress = func(p verifytree.Progress) { t.showTreeCheck(p, time.Since(e.start)) }
	}
	r, err := proof.Check(ctx, v.set, o)
	if err != nil {
		return err
	}
	v.tree = &r
	// Of the counts, those that both kinds of proofs have.
	v.result = verifylist.Result{Lambda: r.Lambda, Errors: r.Errors, Objective: r.Objective, Scale: r.Scale, Records: r.Records}
	v.model, err = tree.New(v.set, r.Tree, tree.Meta{
		Software: "parcorels " + version(), Status: parallel.Optimal, Lambda: r.Lambda, MaxDepth: r.Depth,
		Objective: r.Objective, LowerBound: r.Objective, Options: s.reading(),
	})
	return err
}

// treeText is what verify prints of a tree.
func (v *verified) treeText(quiet bool) string {
	const head = "VERIFIED: no tree on these data is better\n"
	if quiet {
		return head
	}
	r := v.tree
	return head + "\n" + v.model.Text(helpWidth) +
		fmt.Sprintf("\nobjective %s = %s + %s × %s\n", decimal(r.Objective, r.Scale, r.Lambda, false),
			errorTerm(v.set.Data, r.Errors, v.model.About().Data.Weight), parts(int64(r.Leaves), "leaf"), r.Lambda) +
		fmt.Sprintf("(checked %s in %s)\n", wording.Count(r.Records, "record"), seconds(v.time))
}

// showTreeCheck prints a line about a check.
func (t *progressTable) showTreeCheck(p verifytree.Progress, took time.Duration) {
	t.lineASecond(p.Final, cell{"records", 8, short(p.Records)}, cell{"checked", 8, short(p.Checked)}, cell{"time", 7, seconds(took)})
}
