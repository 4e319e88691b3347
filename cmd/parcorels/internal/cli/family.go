package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"parcorels"
	"parcorels/bitvec"
	"parcorels/crossval"
	"parcorels/internal/resident"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/report"
	"parcorels/rules"
)

// The families of models: what --model names. A family is one row here, and a
// file of its own where fit learns it; package parcorels reads the files of all.

// family is a kind of model.
type family struct {
	name string // that --model takes
	kind model.Family
	// learn finds the model; nil for rule lists, which fit.go learns.
	learn func(ctx context.Context, e *env, s *settings, set *rules.Set, t *teller) (*finding, error)
	// faster lists what would end a search sooner; nil for rule lists.
	faster func(s *settings, set *rules.Set) []string
	// prepare sets the options of reading and mining that have other defaults.
	prepare func(s *settings)
	// knows lists the options of fit that are of some families only and that
	// this one has.
	knows []string
	// lacks lists the options that all other families have.
	lacks []string
	// verdict says how good the model is and what is proven; nil for families that
	// minimise errors + λ·size.
	verdict func(l *learned) string
	// anyLambda says that λ may be 1 and more.
	anyLambda bool
	// cross is the family as cv learns it.
	cross func(s *settings) crossval.Family
	// grid returns the λ that cv tries, or begins with; nil for those of the table
	// of options.
	grid func(s *settings) []ratio.Ratio
}

// families returns all families, the default first.
func families() []*family {
	return []*family{
		{name: "list", kind: model.RuleList,
			knows: []string{"nodes", "memory", "policy", "symmetry", "without", "checkpoint", "every", "resume", "proof"},
			cross: func(s *settings) crossval.Family { return crossval.RuleLists{Search: s.search} }},
		treeFamily(),
		setFamily(),
		bayesFamily(),
	}
}

// ofSome are the options of fit that not every family has.
var ofSome = []string{"depth", "length", "width", "alpha", "max-rules", "chains", "iterations", "seed", "rules", "beta0", "beta1", "beta2", "exact", "nodes", "memory", "policy", "symmetry", "without", "checkpoint", "every", "resume", "proof"}

func familyNames() (names []string) {
	for _, f := range families() {
		names = append(names, f.name)
	}
	return names
}

// oneOfNames lists names: "list, tree or set".
func oneOfNames(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// family returns the family that --model names.
func (s *settings) family() *family {
	for _, f := range families() {
		if f.name == s.model {
			return f
		}
	}
	return families()[0]
}

// check reports an option of a command that the family does not have.
func (f *family) check(s *settings) error {
	for _, name := range ofSome {
		known := slices.Contains(f.knows, name) || name == "seed" && s.command.name == "cv" // that of the folds
		if s.given[name] && !known {
			return fmt.Errorf("--%s is not an option of --model %s", name, f.name)
		}
	}
	for _, name := range f.lacks {
		if s.given[name] {
			return fmt.Errorf("--%s is not an option of --model %s", name, f.name)
		}
	}
	if s.wideLambda != "" && !f.anyLambda {
		return s.command.option("lambda").complain(s.wideLambda, errExpected)
	}
	return nil
}

// load reads a model of any family, from stdin if path is "-".
func (e *env) load(ctx context.Context, path string) (model.Model, error) {
	return await(ctx, func() (model.Model, error) {
		read := func() (*parcorels.Model, error) { return parcorels.Load(path) }
		if path == "-" {
			read = func() (*parcorels.Model, error) { return parcorels.Decode(e.stdin, "stdin") }
		}
		m, err := read()
		if err != nil {
			return nil, err
		}
		return m.Model, nil
	})
}

// finding is what a family's search has found.
type finding struct {
	model  model.Model
	points int    // distinct points
	errors int64  // weight of the errors, in integer units
	effort string // "0.01 s, 9,626 counts"
	stats  report.Stats
	err    error // what went wrong beside the search, as a proof that cannot be written
	note   string
}

// learned is the outcome of fit for a family with learn.
type learned struct {
	*finding
	family *family
	set    *rules.Set
	path   string
	lambda string
	teller *teller
	read   time.Duration // until the antecedents were there
	limit  time.Duration // --time; 0 for none
}

// fitFamily learns a model of a family other than rule lists.
func fitFamily(ctx context.Context, e *env, s *settings, path string) error {
	l := &learned{family: s.family(), path: path}
	if err := bitvec.KernelError(); err != nil {
		return err
	}
	if err := checkOutputs([]string{s.output, s.json, s.proof}, []string{path, s.data.Labels}); err != nil {
		return err
	}
	s.path = path
	l.family.prepare(s)
	l.lambda = s.search.Lambda.String()
	var err error
	if l.set, err = e.antecedents(ctx, s, path); err != nil {
		return err
	}
	l.read, l.limit = time.Since(e.start), s.search.Time
	words := strings.Fields(string(l.family.kind))
	l.teller = e.teller(s, words[len(words)-1])
	l.teller.ways = func() []string { return l.family.faster(s, l.set) }
	l.teller.head = func() string {
		return headText(path, l.set, len(l.set.Antecedents), l.teller.points, l.lambda)
	}
	l.finding, err = l.family.learn(ctx, e, s, l.set, l.teller)
	if l.teller.end(); err != nil {
		return fmt.Errorf("%s: %w", onTerminal(path), err)
	}
	l.model.About().Options = s.again()
	l.stats.SecondsTotal, l.stats.SecondsRead = report.Seconds(time.Since(e.start)), report.Seconds(l.read)
	if peak := resident.Peak(); peak > 0 {
		l.stats.PeakBytes = peak
	}
	if err = l.write(e, s); err != nil {
		return err
	}
	if l.model.Certificate().Status == parallel.Interrupted {
		return errStopped
	}
	return nil
}

// object makes the JSON object of the result.
func (l *learned) object() report.Result {
	o := report.New(l.model, l.path, flaggedAll(l.set.Data.Notes))
	o.Stats = l.stats
	o.Stats.CountAntecedents(l.set)
	return o
}

// write puts the result everywhere it is to go.
func (l *learned) write(e *env, s *settings) error {
	errs := []error{l.err}
	if s.output != "" {
		errs = append(errs, e.writeFile(s.output, l.model.Encode))
	}
	if s.json != "" {
		errs = append(errs, e.writeFile(s.json, func(w io.Writer) error { return encodeJSON(w, l.object()) }))
	}
	if e.client != nil {
		errs = append(errs, e.client.result(l.object(), l.model, l.set.Data.Columns))
	}
	if s.json != "-" && s.output != "-" {
		err := l.teller.wasTold()
		if err == nil {
			err = e.print(l.text())
		}
		errs = append(errs, err)
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// text is what fit prints for people once the search has ended.
func (l *learned) text() string {
	return l.model.Text(helpWidth) + "\n" + l.howGood() + hint(l.model, l.set, l.read, l.limit)
}

// howGood is the verdict of the family, or that of most.
func (l *learned) howGood() string {
	if l.family.verdict != nil {
		return l.family.verdict(l)
	}
	return l.verdict()
}

// headText says what a model is learned from: how the table is read, and the
// size of the problem.
func headText(path string, set *rules.Set, antecedents, points int, lambda string) string {
	d := set.Data
	lines := []string{fmt.Sprintf("%s: %s", onTerminal(path), wording.Count(int64(d.N), "sample"))}
	if d.Dropped > 0 {
		lines[0] += fmt.Sprintf(" (%s dropped)", wording.Count(int64(d.Dropped), "row"))
	}
	if d.Target != "" {
		lines[0] += ", target " + onTerminal(d.Target)
	}
	lines = append(lines, classLine(d))
	lines = append(lines, columnTable(d)...)
	lines = append(lines, fmt.Sprintf("%s, %s, λ = %s", wording.Count(int64(antecedents), "antecedent"),
		wording.Count(int64(points), "distinct point"), lambda))
	if set.Pruned() {
		lines = append(lines, strings.TrimSuffix(wrapHanging("note: "+keptOf(set), 6), "\n"))
	}
	for _, n := range d.Notes {
		lines = append(lines, strings.TrimSuffix(wrapHanging("note: "+flagged(n), 6), "\n"))
	}
	return strings.Join(lines, "\n") + "\n"
}

// keptOf says which antecedents are kept where some were given up.
func keptOf(set *rules.Set) string {
	if set.Informative {
		return fmt.Sprintf("the informative ones are kept of %s antecedents, as --informative asks", wording.Thousands(set.Mined))
	}
	return fmt.Sprintf("those of most gain are kept of %s antecedents; --max-card, --min-support and --max-antecedents say which there are", wording.Thousands(set.Mined))
}

// verdict says how good the model is and what is proven about it.
func (l *learned) verdict() string {
	c, kind := l.model.Certificate(), string(l.family.kind)
	text := fmt.Sprintf("objective %s = %s + %s × %s\n", decimal(c.Objective.Num, c.Objective.Den, lambdaOf(c), false),
		errorTerm(l.set.Data, l.errors, l.model.About().Data.Weight), parts(int64(c.Size), c.Part), l.lambda)
	if c.Status == parallel.Optimal {
		return text + optimal(l.set, kind) + "(proved in " + l.effort + ")\n" + l.note
	}
	left := "a better " + kind + " may exist"
	if c.Bound.Num >= c.Objective.Num {
		left = "no " + kind + " has a smaller objective, but one that ties may come first in the order"
	}
	return text + fmt.Sprintf("%s: %s\nlower bound %s on every %s, gap %s\n(stopped after %s)\n",
		stopped[c.Status], left, decimal(c.Bound.Num, c.Bound.Den, lambdaOf(c), true), kind, percentage(c.Gap), l.effort) + l.note
}

// optimal says among which models one is proved to be optimal.
func optimal(set *rules.Set, kind string) string {
	if !set.Pruned() {
		return "optimal: no " + kind + " has a smaller objective\n"
	}
	return fmt.Sprintf("optimal among the %s kept of %s:\nno %s on them has a smaller objective\n",
		wording.Count(int64(len(set.Antecedents)), "antecedent"), wording.Thousands(set.Mined), kind)
}

// parts counts the parts of a model: "1 leaf", "3 leaves".
func parts(n int64, part string) string {
	if part == "leaf" && n != 1 {
		return wording.Thousands(n) + " leaves"
	}
	return wording.Count(n, part)
}

// lambdaOf returns λ of a model, 1 of a family without.
func lambdaOf(c model.Certificate) ratio.Ratio {
	if l, err := ratio.Parse(c.Lambda); err == nil {
		return l
	}
	return ratio.New(1, 1)
}
