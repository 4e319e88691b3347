package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"parcorels/crossval"
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
		knows: []string{"lambda", "depth", "nodes", "memory", "proof"},
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

func learnTree(ctx context.Context, f *fitted) (*finding, error) {
	points, err := f.points(ctx)
	if err != nil {
		return nil, err
	}
	s := f.settings
	o := search.Options{
		Lambda: s.search.Lambda, Depth: s.depth, Workers: s.search.Workers, Nodes: s.search.Nodes,
		Memory: f.memory.Search(s.search.Memory), Time: f.remaining(), Trees: s.progress == "full",
	}
	o.Progress = func(p search.Progress) {
		f.look("gap "+percentage(p.Gap), func(t *progressTable) { t.showTree(p) })
		if p.Tree != nil {
			better, err := treeOf(s, f.set, &search.Result{Status: parallel.Interrupted, Tree: p.Tree, Objective: p.Exact})
			if err == nil { // otherwise it is shown at the end, or the error is
				f.better(better.Text(helpWidth))
			}
		}
	}
	if f.client != nil {
		o.Progress = func(p search.Progress) {
			f.teller.saw("gap " + percentage(p.Gap))
			f.client.treeProgress(p)
		}
	}
	var r *search.Result
	proved, fault, err := f.prove(func(to io.Writer, settings []byte) (bool, error, error) {
		if to != nil {
			o.Proof = &search.Proof{To: to, Digest: f.set.Digest(), Settings: settings}
		}
		var scale *search.ErrScale
		r, err = search.Solve(ctx, points, o)
		switch {
		case errors.As(err, &scale):
			return false, nil, f.about(fmt.Errorf("the weights and --lambda %s have too many digits to be added up exactly: scale the weights down or give fewer digits", s.search.Lambda))
		case err != nil:
			return false, nil, f.about(err)
		}
		return r.Status == parallel.Optimal, r.ProofErr, nil
	})
	if err != nil {
		return nil, err
	}
	m, err := treeOf(s, f.set, r)
	if err != nil {
		return nil, err
	}
	stats := report.TreeStats(points, r)
	stats.MemoryBytes = o.Memory
	return &finding{
		model: m, effort: fmt.Sprintf("%s, %s counted", seconds(r.Stats.Search), wording.Count(r.Stats.Counted, "set")),
		stats: stats, proved: proved, faults: []error{fault},
	}, nil
}

// treeOf returns the tree of a result as a model.
func treeOf(s *settings, set *rules.Set, r *search.Result) (*tree.Model, error) {
	return tree.New(set, r.Tree, tree.Meta{
		Software: "parcorels " + version(), Status: r.Status, Lambda: s.search.Lambda, MaxDepth: s.depth,
		Objective: r.Objective, LowerBound: r.LowerBound, Options: s.reading(),
	})
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

// showTree prints a line about a search for a tree.
func (t *progressTable) showTree(p search.Progress) {
	t.line(p.Final, cell{"leaves", 6, fmt.Sprint(p.Length)}, cell{"error", 6, percentage(max(0, p.Value-t.price*float64(p.Length)))},
		cell{"best", 9, fmt.Sprintf("%.7f", p.Value)}, cell{"bound", 9, fmt.Sprintf("%.7f", roundedDown(p.Bound))}, cell{"gap", 6, percentage(p.Gap)},
		cell{"counted", 8, short(p.Nodes)}, cell{"sets", 8, short(p.Sets)}, cell{"memory", 8, size(p.Bytes)}, cell{"time", 7, seconds(p.Elapsed)})
}

// treeProgress tells the client how far a search for a tree is.
func (c *client) treeProgress(p search.Progress) {
	c.send(progressEvent{"progress", p.Elapsed.Seconds(), p.Nodes, 0, p.Length, p.Value, p.Bound, p.Gap, p.Bytes})
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
