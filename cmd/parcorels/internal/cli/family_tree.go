package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"parcorels/crossval"
	"parcorels/instance"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/report"
	"parcorels/rules"
	"parcorels/tree"
	"parcorels/tree/search"
)

// treeFamily is fit --model tree. Splits are single features, of any support,
// unless options say otherwise; labels may be more than two.
func treeFamily() *family {
	return &family{
		name: "tree", kind: model.Tree, learn: learnTree, faster: fasterTree,
		knows: []string{"depth", "nodes", "memory", "proof"},
		cross: func(s *settings) crossval.Family { return crossval.Trees{Search: search.Options{Depth: s.depth}} },
		prepare: func(s *settings) {
			s.otherwise("max-card", "1", func() { s.mining.MaxCard = 1 })
			s.otherwise("min-support", "0", func() { s.mining.MinSupport = ratio.New(0, 1) })
			s.data.Multiclass = s.data.Positive == ""
		},
	}
}

// otherwise applies another default than that of the table of options, and has
// proofs tell it.
func (s *settings) otherwise(name, text string, set func()) {
	if !s.given[name] {
		set()
		s.typed = append(s.typed, typedOption{name, text})
	}
}

func learnTree(ctx context.Context, e *env, s *settings, set *rules.Set, told *teller) (*finding, error) {
	points, err := await(ctx, func() (*instance.Points, error) { return instance.PointsFromSet(set) })
	if err != nil {
		return nil, err
	}
	o := search.Options{
		Lambda: s.search.Lambda, Depth: s.depth, Workers: s.search.Workers, Nodes: s.search.Nodes,
		Memory: boundMemory(s.search.Memory),
	}
	if limit := s.search.Time; limit > 0 {
		o.Time = max(limit-time.Since(e.start), 1)
	}
	told.points = points.Count
	told.begin(0)
	table := e.progressTable(s)
	o.Trees = s.progress == "full"
	o.Progress = func(p search.Progress) {
		told.saw("gap " + percentage(p.Gap))
		if table == nil {
			return
		}
		told.tell()
		table.showTree(p)
		if p.Tree != nil {
			better, err := treeOf(s, set, &search.Result{Status: parallel.Interrupted, Tree: p.Tree, Objective: p.Exact})
			if err == nil { // otherwise it is shown at the end, or the error is
				_, _ = fmt.Fprintf(table.out, "\n%s\n", better.Text(helpWidth))
			}
		}
	}
	if e.client != nil {
		o.Progress = e.client.treeProgress
	}
	r, written, fault, err := e.solveTree(ctx, s, set, points, o)
	var scale *search.ErrScale
	switch {
	case errors.As(err, &scale):
		return nil, fmt.Errorf("the weights and --lambda %s have too many digits to be added up exactly: scale the weights down or give fewer digits", s.search.Lambda)
	case err != nil:
		return nil, err
	}
	m, err := treeOf(s, set, r)
	if err != nil {
		return nil, err
	}
	f := &finding{
		model: m, points: points.Count, errors: r.Errors,
		effort: fmt.Sprintf("%s, %s counted", seconds(r.Stats.Search), wording.Count(r.Stats.Counted, "set")),
		stats:  treeStats(points, r),
	}
	f.stats.MemoryBytes, f.err = o.Memory, fault
	if written {
		f.stats.ProofBytes, f.stats.ProofRecords = r.Stats.ProofBytes, r.Stats.ProofRecords
		f.note = fmt.Sprintf("(proof in %s: %s, %s)\n", onTerminal(s.proof), wording.Count(f.stats.ProofBytes, "byte"), wording.Count(f.stats.ProofRecords, "record"))
	}
	return f, nil
}

// treeOf returns the tree of a result as a model.
func treeOf(s *settings, set *rules.Set, r *search.Result) (*tree.Model, error) {
	return tree.New(set, r.Tree, tree.Meta{
		Software: "parcorels " + version(), Status: r.Status, Lambda: s.search.Lambda, MaxDepth: s.depth,
		Objective: r.Objective, LowerBound: r.LowerBound, Options: s.reading(),
	})
}

// solveTree searches, with a proof if one is asked for.
func (e *env) solveTree(ctx context.Context, s *settings, set *rules.Set, points *instance.Points, o search.Options) (r *search.Result, written bool, fault, err error) {
	if s.proof == "" {
		r, err = search.Solve(ctx, points, o)
		return r, false, nil, err
	}
	settings, err := s.proofSettings(s.path, set.Data)
	if err != nil {
		return nil, false, nil, err
	}
	written, fault, err = e.prove(s.proof, "tree", func(w io.Writer) (bool, error, error) {
		o.Proof = &search.Proof{To: w, Digest: set.Digest(), Settings: settings}
		if r, err = search.Solve(ctx, points, o); err != nil {
			return false, nil, err
		}
		return r.Status == parallel.Optimal, r.ProofErr, nil
	})
	return r, written, fault, err
}

// fasterTree lists what would end a search for a tree sooner.
func fasterTree(s *settings, set *rules.Set) []string {
	ways := largerLambda(s)
	switch {
	case s.depth == 0:
		ways = append(ways, "--depth 4 (no limit now)")
	case s.depth > 2:
		ways = append(ways, fmt.Sprintf("--depth %d instead of %d", s.depth-1, s.depth))
	}
	return append(ways, fewerConditions(set)...)
}

func treeStats(p *instance.Points, r *search.Result) report.Stats {
	s := report.Stats{
		Antecedents: p.Antecedents, Points: p.Count, Live: r.Stats.Features,
		Expanded: r.Stats.Counted, MapEntries: r.Stats.Sets,
		SecondsSearch: report.Seconds(r.Stats.Search), SearchBytes: r.Stats.PeakBytes, PeakBytes: r.Stats.PeakBytes,
		Workers: r.Stats.Workers, Kernel: r.Stats.Kernel,
	}
	for _, n := range r.Stats.PerWorker {
		s.PerWorker = append(s.PerWorker, report.Worker{Expanded: n})
	}
	return s
}

// showTree prints a line about a search for a tree.
func (t *progressTable) showTree(p search.Progress) {
	t.line(p.Final, treeRow("leaves", "error", "best", "bound", "gap", "counted", "sets", "memory", "time"), treeRow(
		fmt.Sprint(p.Leaves), percentage(max(0, p.Objective-t.price*float64(p.Leaves))), fmt.Sprintf("%.7f", p.Objective), fmt.Sprintf("%.7f", roundedDown(p.LowerBound)),
		percentage(p.Gap), short(p.Counted), short(p.Sets), size(p.Bytes), seconds(p.Elapsed)))
}

// treeRow aligns the cells of a line.
func treeRow(leaves, misses, best, bound, gap, counted, sets, memory, time string) string {
	return strings.TrimRight(fmt.Sprintf("%6s %6s %9s %9s %6s %8s %8s %8s %7s", leaves, misses, best, bound, gap, counted, sets, memory, time), " ")
}

// treeProgress tells the client how far a search for a tree is.
func (c *client) treeProgress(p search.Progress) {
	c.send(progressEvent{"progress", p.Elapsed.Seconds(), p.Counted, 0, p.Leaves, p.Objective, p.LowerBound, p.Gap, p.Bytes})
}

// showAs returns a tree in the form that --as names.
func showAs(m model.Model, form string) (string, error) {
	t, ok := m.(*tree.Model)
	switch {
	case form == "text" || form == "":
		return m.Text(helpWidth) + "\n" + origin(m), nil
	case !ok:
		return "", fmt.Errorf("--as %s draws trees, and this model is a %s", form, m.Family())
	case form == "dot":
		return t.DOT(), nil
	}
	return t.SVG(), nil
}
