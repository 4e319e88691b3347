package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"

	"parcorels/answer"
	"parcorels/ask/goodmodels"
	"parcorels/ask/goodmodels/graph"
	"parcorels/family"
	"parcorels/internal/option"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/ratio"
	"parcorels/verify"
	verifygood "parcorels/verify/rashomon"
)

// alternativesSettings is what the options of alternatives say.
type alternativesSettings struct {
	*call
	*learning
	output
	within string // --within
	rules  string // --within-rules
	limit  int    // --limit
	show   int    // --show
	sample int    // --sample
	seed   uint64 // --seed
	from   string // --from
	ask    questions
}

func alternativesCommand() *command {
	return &command{
		name:    "alternatives",
		summary: "all good models, not only one: how many, and which",
		usage:   "FILE [options]",
		details: []string{
			"FILE is a table or X.out, as for fit. Alternatives finds every rule list whose objective is nearly optimal, with any labels, and counts them exactly: the Rashomon set. With --model tree it counts trees, with any classes in their leaves. It answers the questions below about trees, too.",
			"Lists that predict the same for every sample are one classifier; the smallest of them is shown.",
			"Each further rule multiplies the number of good models by ten to a hundred. If a limit ends the search, the output names the threshold up to which the numbers are complete.",
		},
		min: 1, max: 1,
		complete: each(endingIn(tableEndings...)),
		begin: func(c *call) (func(context.Context, *env, []string) error, []group) {
			s := &alternativesSettings{call: c, learning: newLearning(), show: 3}
			c.opens = &s.reading
			search := s.group(family.SearchGroup, "nodes")
			return s.find, []group{s.group(family.ModelGroup, "max-rules"), {"Alternatives", []*option.Option{
				{Name: "within", Holder: "SHARE", Unset: "within less than a rule", Help: "good models have an objective at most this share of the optimum above it", Value: shareValue(&s.within, "a share such as 2%, 0.02 or 1/50", option.Positive)},
				{Name: "within-rules", Holder: "K", Default: "1", Help: "good models have an objective less than K rules above the optimum; at 1 no rule of a good list is idle", Value: option.Number(&s.rules, "a number above 0, such as 1 or 0.5", option.Positive)},
				{Name: "limit", Holder: "N", Unset: "memory alone", Help: "most sets of samples to keep; beyond it only the models of a smaller threshold are found", Value: option.Integer(&s.limit, 1, 1<<31-1)},
				{Name: "show", Holder: "N", Default: "3", Help: "show the smallest list of each of N classifiers", Value: option.Integer(&s.show, 0, 1_000_000)},
				{Name: "sample", Holder: "N", Unset: "none", Help: "show N random lists instead, each as likely as any other", Value: option.Integer(&s.sample, 1, 1_000_000)},
				{Name: "seed", Holder: "N", Default: "0", Help: "seed of --sample", Value: option.Integer(&s.seed, 0, 1<<63-1)},
			}}, s.ask.options(), s.group(family.ReadingGroup), s.group(family.MiningGroup), search, {"Output", []*option.Option{
				outputOption(&s.output.modelFile, "write all good models to a compact file, with a proof that none is missing: for --from, and for verify"),
				{Name: "from", Holder: "FILE", Help: "ask the good models in a file that -o wrote, without a search; the file says how the table is read", Value: option.File(&s.from)},
				jsonOption(&s.json, "write what was found as a JSON object, with the lists that are shown"),
				progressOption(&s.progress, "a line a second about the graph while it grows, on stderr"),
				quietOption(&s.quiet, "print the numbers, no lists"),
			}}}
		},
	}
}

// shareValue is a share that ok accepts, as a decimal, a fraction or a percentage.
func shareValue(to *string, expect string, ok func(ratio.Ratio) bool) option.Value {
	return option.Custom("number", expect, func(text string) error {
		number, isPercent := strings.CutSuffix(strings.TrimSpace(text), "%")
		r, err := ratio.Parse(number)
		if isPercent && err == nil {
			x := big.NewRat(r.Num, r.Den)
			if x.Quo(x, big.NewRat(100, 1)).Denom().BitLen() > 40 {
				return option.ErrExpected
			}
			r = ratio.New(x.Num().Int64(), x.Denom().Int64())
		}
		if err != nil || !ok(r) {
			return option.ErrExpected
		}
		*to = r.String()
		return nil
	}, func() []string { return nil })
}

// find finds all good models and writes about them.
func (s *alternativesSettings) find(ctx context.Context, e *env, args []string) error {
	if err := s.checkAll(args[0]); err != nil {
		return err
	}
	var from *os.File
	if s.from != "" {
		file, err := s.openFrom(ctx)
		if err != nil {
			return err
		}
		defer file.Close()
		from = file
	}
	d, err := e.read(ctx, s.learning, s.given, args[0], reader{noHash: s.output.modelFile == ""})
	if err != nil {
		return err
	}
	s.options = e.ofSearch(s.options)
	problem, err := e.problemOf(ctx, s.learning, d, args[0], true)
	if err != nil {
		return err
	}
	o := goodmodels.Options{Options: s.options, States: s.limit}
	o.Time = e.left(s.options.Time)
	if s.within != "" {
		o.Within, _ = ratio.Parse(s.within) // was checked
	}
	if s.given["within-rules"] {
		o.Rules, _ = ratio.Parse(s.rules)
	}
	if t := e.progressTable(&s.output); t != nil {
		o.Growing, o.ProgressEvery = t.growing, cmp.Or(e.progressEvery, time.Second)
	}
	if from != nil {
		o.From = from
	}
	r := &alternativesRun{alternativesSettings: s, path: args[0], problem: problem}
	err = r.find(ctx, e, o)
	if err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	return r.write(ctx, e)
}

// checkAll finds what is wrong with the options before any work.
func (s *alternativesSettings) checkAll(file string) error {
	if s.within != "" && s.given["within-rules"] {
		return errors.New("--within and --within-rules both say which models are good: give one of them")
	}
	if err := s.learning.check(s.given, file); err != nil {
		return err
	}
	if kind := s.family().Kind; kind != model.Tree && kind != model.RuleList {
		return fmt.Errorf("all good models are found of rule lists and trees, not of a %s", kind)
	}
	if err := s.ask.check(s.given); err != nil {
		return err
	}
	for _, o := range []string{"lambda", "depth", "within", "within-rules", "limit", "output"} {
		if s.from != "" && s.given[o] {
			return fmt.Errorf("--%s does not go with --from: it is in that file", o)
		}
	}
	if s.output.modelFile == "-" {
		return errors.New("-o writes a file that is asked again: give a name")
	}
	return checkOutputs([]string{s.json, s.output.modelFile}, []string{s.from, file, s.reading.Labels, s.ask.test, s.ask.rows})
}

// openFrom opens the file of --from, and takes from it how the table is read.
func (s *alternativesSettings) openFrom(ctx context.Context) (*os.File, error) {
	f, err := open(ctx, s.from)
	if err != nil {
		return nil, err
	}
	proof, err := verify.Open(f)
	if err == nil {
		var labels string
		_, trees := proof.(*verifygood.TreesProof)
		lists, ok := proof.(*verifygood.Proof)
		if !trees && (!ok || len(lists.Limits()) > 0) {
			err = errors.New("it is a proof about one model, not a file that alternatives -o wrote")
		} else {
			labels = s.reading.Labels
			options := s.options
			if _, s.reading, s.options, err = family.ParseProofSettings(proof.About().Settings); err == nil {
				s.options.Workers, s.options.Memory, s.options.Time = options.Workers, options.Memory, options.Time
				s.reading.Labels, s.reading.Multiclass = labels, s.reading.Positive == ""
				if trees {
					s.options.Family = model.Tree
				}
				_, err = f.Seek(0, io.SeekStart)
			}
		}
	}
	if err != nil {
		_ = f.Close() // it was only read from
		return nil, fmt.Errorf("%s: %w", s.from, err)
	}
	return f, nil
}

// growing prints a line about a graph that grows.
func (t *progressTable) growing(g goodmodels.Growing) {
	t.line(false, cell{"states", 12, wording.Short(int64(g.States))}, cell{"open", 12, wording.Short(int64(g.Open))}, cell{"bounded", 12, wording.Short(g.Nodes)}, cell{"time", 7, wording.Seconds(g.Elapsed)})
}

// mostClassified bounds the entries of tables of classifiers: some hundred bytes each.
const mostClassified = 10_000_000

// alternativesRun is what was found.
type alternativesRun struct {
	*alternativesSettings
	path    string
	problem *family.Problem
	part    string // of a model: "rule" or "leaf"
	a       *goodmodels.Answer
	best    *family.Model // without a limit on columns
	took    time.Duration
	object  alternativesJSON
	names   []string // of the models that are shown
}

// alternativesJSON is what was found, for programs. Counts are texts, as they may be of any
// size. Lists and trees have some members of their own.
type alternativesJSON struct {
	Model       model.Family    `json:"model"`
	Lambda      string          `json:"lambda"`
	Optimum     float64         `json:"optimum"`
	Threshold   float64         `json:"threshold"`
	Complete    bool            `json:"complete"`
	Asked       float64         `json:"threshold_asked"`
	States      int             `json:"states"`
	Edges       *int            `json:"edges,omitempty"`
	Lists       string          `json:"lists,omitempty"`
	Trees       string          `json:"trees,omitempty"`
	Without     string          `json:"without_column,omitempty"`
	ByRules     []bySizeJSON    `json:"lists_by_rules,omitzero"`
	ByLeaves    []bySizeJSON    `json:"trees_by_leaves,omitzero"`
	Classifiers *int            `json:"classifiers,omitempty"`
	Seconds     float64         `json:"seconds_search"`
	Shown       []alternateJSON `json:"shown"`
	answersJSON
}

// sizeJSON is the size of a list, or that of a tree.
type sizeJSON struct {
	Rules  *int `json:"rules,omitempty"`
	Leaves *int `json:"leaves,omitempty"`
}

type bySizeJSON struct {
	sizeJSON
	Lists string `json:"lists,omitempty"`
	Trees string `json:"trees,omitempty"`
}

type alternateJSON struct {
	Objective float64 `json:"objective"`
	sizeJSON
	Errors int64  `json:"errors"`
	Text   string `json:"text"`
}

// size returns a number of rules or leaves.
func (r *alternativesRun) size(n int) sizeJSON {
	if r.part == "leaf" {
		return sizeJSON{Leaves: &n}
	}
	return sizeJSON{Rules: &n}
}

// number returns the size that is told, −1 for none.
func (s sizeJSON) number() int {
	if n := cmp.Or(s.Rules, s.Leaves); n != nil {
		return *n
	}
	return -1
}

// search finds good models, or reads them, and writes them to a file with their proof if one is asked
// for. It returns those that the options look at.
func (r *alternativesRun) search(ctx context.Context, e *env, o goodmodels.Options) (found *goodmodels.Answer, err error) {
	start := time.Now()
	run := func() (err error) {
		found, err = await(ctx, func() (*goodmodels.Answer, error) { return goodmodels.Ask(ctx, r.problem, o) })
		return err
	}
	if r.output.modelFile == "" {
		err = run()
	} else {
		err = e.writeFile(r.output.modelFile, func(w io.Writer) error {
			o.Proof = &family.Proof{To: w}
			return run()
		})
	}
	r.took = time.Since(start)
	if err == nil && r.ask.without != "" {
		found, err = found.Without(r.ask.without)
	}
	return found, err
}

// find finds all good models, counts them and chooses those to show.
func (r *alternativesRun) find(ctx context.Context, e *env, o goodmodels.Options) error {
	a, err := r.search(ctx, e, o)
	if err != nil {
		return err
	}
	r.a, r.best, r.part = a, a.Best, a.Best.Certificate().Part
	counts := a.Count()
	all := counts.Models()
	r.object = alternativesJSON{
		Model: r.family().Kind, Lambda: a.Lambda.String(), Optimum: a.Optimum.Certificate().Objective.Value, Threshold: a.Objective(a.Threshold()), Complete: a.Complete,
		Asked: a.Objective(a.Asked), Without: r.ask.without, Seconds: r.took.Seconds(), Shown: []alternateJSON{},
	}
	x, lists := &r.object, r.part == "rule"
	if x.States = a.States(); lists {
		x.Lists, x.ByRules, x.Edges = all.String(), []bySizeJSON{}, new(a.Rules())
	} else {
		x.Trees, x.ByLeaves = all.String(), []bySizeJSON{}
	}
	if all.Sign() == 0 {
		return nil
	}
	for size, n := range bySize(counts.Entries()) {
		if lists {
			x.ByRules = append(x.ByRules, bySizeJSON{sizeJSON: r.size(size), Lists: n.String()})
		} else {
			x.ByLeaves = append(x.ByLeaves, bySizeJSON{sizeJSON: r.size(size), Trees: n.String()})
		}
	}
	return r.choose(a, counts)
}

// choose chooses the models to show: random ones, or of lists the smallest of each classifier, of trees the optimum.
func (r *alternativesRun) choose(a *goodmodels.Answer, counts *graph.Counts) error {
	var shown []graph.Model
	name, lists := "tree", r.part == "rule"
	if lists {
		name = "classifier"
		if classifiers, few := a.Classifiers(mostClassified); few {
			r.object.Classifiers = new(classifiers.Len())
			for i := range min(r.show, classifiers.Len()) {
				shown = append(shown, classifiers.At(i))
			}
		}
	} else if r.sample == 0 && r.show > 0 {
		r.showModel("the optimum", a.Optimum)
	}
	if r.sample > 0 {
		if shown = nil; lists {
			name = "list"
		}
		rng := rand.New(rand.NewPCG(r.seed, 0))
		for range r.sample {
			shown = append(shown, counts.Sample(rng))
		}
	}
	for i, x := range shown {
		m, err := a.Model(x)
		if err != nil {
			return err
		}
		r.showModel(fmt.Sprintf("%s %d", name, i+1), m)
	}
	return nil
}

// showModel adds a model to those that are shown.
func (r *alternativesRun) showModel(name string, m *family.Model) {
	c := m.Certificate()
	r.names = append(r.names, name)
	r.object.Shown = append(r.object.Shown, alternateJSON{c.Objective.Value, r.size(c.Size), model.Errors(m.Cases()), m.Text(answer.Width)})
}

// bySize adds up the numbers of models of so many rules or leaves, and goes through them by size.
func bySize(entries []graph.Entry) iter.Seq2[int, *big.Int] {
	sums := map[int]*big.Int{}
	for _, e := range entries {
		if sums[e.Size] == nil {
			sums[e.Size] = new(big.Int)
		}
		sums[e.Size].Add(sums[e.Size], e.Models)
	}
	return func(yield func(int, *big.Int) bool) {
		for _, size := range slices.Sorted(maps.Keys(sums)) {
			if !yield(size, sums[size]) {
				return
			}
		}
	}
}

// write asks the questions, and puts all everywhere it is to go.
func (r *alternativesRun) write(ctx context.Context, e *env) (err error) {
	if _, some := r.a.Least(); !some {
		return r.tell(e, &r.object, fmt.Sprintf("%s: no good model is without column %s: the best is worse than %.7f\n", wording.Escape(r.path), wording.Escape(r.ask.without), r.object.Threshold))
	}
	answers := ""
	if answers, r.object.answersJSON, err = (&asking{&r.ask, r.reading, r.problem, r.part, r.a}).answer(ctx, e, r.path); err != nil {
		return err
	}
	return r.tell(e, &r.object, answer.DataHead(r.path, r.problem.Set.Data)+r.text()+answers)
}

// text says how many there are, and shows some.
func (r *alternativesRun) text() string {
	x := &r.object
	var b strings.Builder
	fmt.Fprintf(&b, "optimum %.7f (λ = %s), good up to %.7f\n", x.Optimum, x.Lambda, x.Threshold)
	if !x.Complete {
		fmt.Fprintf(&b, "%.7f was asked for: a limit on time, memory or --limit allows no more, so there are at least as many up to there\n", x.Asked)
	}
	if x.Without != "" {
		c := r.best.Certificate().Objective
		fmt.Fprintf(&b, "all models here are without column %s: the best is worse by %.7f than that of all columns\n", wording.Escape(x.Without), x.Optimum-float64(c.Num)/float64(c.Den))
	}
	kind := "trees"
	if r.part == "rule" {
		kind = "rule lists"
	}
	rows := [][]string{{wording.Plural(2, r.part), kind}}
	for _, n := range slices.Concat(x.ByRules, x.ByLeaves) {
		rows = append(rows, []string{fmt.Sprint(n.number()), answer.Grouped(n.Lists + n.Trees)})
	}
	b.WriteString("\n" + answer.Columns(append(rows, []string{"all", answer.Grouped(x.Lists + x.Trees)})) + "\n")
	graph := wording.Count(int64(x.States), "set")
	if x.Edges != nil {
		graph += " and " + wording.Count(int64(*x.Edges), "edge")
		b.WriteString(x.classifiers())
	}
	fmt.Fprintf(&b, "(found in %s, %s of the graph)\n", wording.Seconds(r.took), graph)
	if r.quiet {
		return b.String()
	}
	for i, m := range x.Shown {
		fmt.Fprintf(&b, "\n%s, objective %.7f:\n\n%s\n", r.names[i], m.Objective, strings.TrimRight(m.Text, "\n"))
	}
	return b.String()
}

// classifiers says in how many ways good lists predict.
func (x *alternativesJSON) classifiers() string {
	if x.Classifiers == nil {
		return "too many classifiers to be told apart\n"
	}
	return wording.Count(int64(*x.Classifiers), "classifier") + ": lists that predict the same for every sample count once\n"
}
