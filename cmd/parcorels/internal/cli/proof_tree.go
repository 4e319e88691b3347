package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"parcorels/dataset"
	"parcorels/internal/atomicfile"
	"parcorels/internal/wording"
	"parcorels/parallel"
	"parcorels/tree"
	"parcorels/tree/search"
	"parcorels/verify"
	verifytree "parcorels/verify/tree"
)

// solveTree searches, with a proof if one is asked for. The file is there when
// the tree is proved to be optimal and the whole proof is on the disk, and is not
// touched otherwise. What goes wrong with it is fault, and does not end the search.
func (e *env) solveTree(s *settings, solve func(*search.Proof) (*search.Result, error), digest [32]byte, settings []byte) (r *search.Result, fault, err error) {
	if s.proof == "" {
		r, err = solve(nil)
		return r, nil, err
	}
	solved := false
	fault = atomicfile.Write(s.proof, func(w io.Writer) error {
		solved = true
		if r, err = solve(&search.Proof{To: w, Digest: digest, Settings: settings}); err != nil {
			return err
		}
		if r.Status != parallel.Optimal {
			return errNoProof
		}
		return r.ProofErr
	})
	switch {
	case !solved:
		return nil, nil, unwritable(s.proof, fault)
	case err != nil:
		return nil, nil, err
	case errors.Is(fault, errNoProof):
		e.note("no proof in %s: the search ended before the tree was proved to be optimal", onTerminal(s.proof))
		return r, nil, nil
	case fault != nil:
		return r, unwritable(s.proof, fault), nil
	}
	return r, nil, nil
}

// isTreeProof reports whether a proof is about trees, without reading from it.
func isTreeProof(in *bufio.Reader) bool {
	head, _ := in.Peek(len(verifytree.Magic)) // what is too short is no proof of any kind
	return string(head) == verifytree.Magic
}

// checkTree reads the header of a proof about trees, then the data as it says,
// and then the proof. It returns the text for what is verified.
func (v *verified) checkTree(ctx context.Context, e *env, s *settings, in io.Reader) error {
	proof, err := verifytree.Open(in)
	if err != nil {
		return fmt.Errorf("%s: %w", v.proof, err)
	}
	header := proof.Header()
	from, err := s.parseProofSettings(header.Settings)
	if err != nil {
		return fmt.Errorf("%s: %w", v.proof, err)
	}
	if (from.Format == "out") != dataset.IsOut(v.path) {
		return fmt.Errorf("%s: the proof is about data in the format %q", v.path, from.Format)
	}
	s.hash = from.Hash
	s.data.Multiclass = s.data.Positive == ""
	if v.set, err = e.antecedents(ctx, s, nil, v.path); err != nil {
		return err
	}
	o := verifytree.Options{Workers: s.search.Workers}
	if t := e.progressTable(s); t != nil {
		o.Progress = t.showTreeCheck(e.start)
	}
	r, err := proof.Check(ctx, v.set, o)
	switch {
	case errors.Is(err, context.Canceled):
		return errInterrupted
	case err != nil:
		return fmt.Errorf("%s: %w", v.proof, err)
	}
	v.tree = &r
	v.model, err = tree.New(v.set, r.Tree, tree.Meta{
		Software: "parcorels " + version(), Status: parallel.Optimal, Lambda: r.Lambda, MaxDepth: r.Depth,
		Objective: r.Objective, LowerBound: r.Objective, Options: s.reading(),
	})
	// Of the counts, those that both kinds of proofs have.
	v.result = verify.Result{Lambda: r.Lambda, Errors: r.Errors, Objective: r.Objective, Scale: r.Scale, Records: r.Records}
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

// showTreeCheck prints a line about a check, at most one a second.
func (t *progressTable) showTreeCheck(start time.Time) func(verifytree.Progress) {
	shown := start
	return func(p verifytree.Progress) {
		if now := time.Now(); p.Final || now.Sub(shown) >= time.Second {
			shown = now
			t.line(p.Final, fmt.Sprintf("%8s %8s %7s", "records", "checked", "time"),
				fmt.Sprintf("%8s %8s %7s", short(p.Records), short(p.Checked), seconds(now.Sub(start))))
		}
	}
}
