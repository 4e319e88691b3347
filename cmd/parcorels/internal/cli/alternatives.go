package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"parcorels"
	"parcorels/bitvec"
	"parcorels/choice/rashomon"
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
			"FILE is a table or X.out, as for fit. Alternatives finds every rule list whose objective is nearly optimal, with any labels, and counts them exactly: the Rashomon set. With --model tree it counts trees, with any classes in their leaves; the questions below are answered of trees, too.",
			"Lists that differ in the order of rules of one label within a run are one block form. Lists that predict the same for every sample are one classifier, of which the smallest list is shown.",
			"The number of good models grows by ten to a hundred times with each further rule. Where a limit ends the search, it says within what the numbers are complete.",
		},
		min: 1, max: 1,
		complete: each(endingIn(tableEndings...)),
		begin: func(c *call) (func(context.Context, *env, []string) error, []group) {
			s := &alternativesSettings{call: c, learning: newLearning(), show: 3}
			c.opens = &s.reading
			search := s.group(parcorels.SearchGroup, "nodes", "policy", "symmetry", "without")
			return s.find, []group{s.group(parcorels.ModelGroup, "max-rules"), {"Alternatives", []*option.Option{
				{Name: "within", Holder: "SHARE", Unset: "within less than a rule", Help: "an objective of at most so much above the optimum is good: 2% or 0.02 of the optimum", Value: percentValue(&s.within)},
				{Name: "within-rules", Holder: "K", Default: "1", Help: "an objective of less than so many rules above the optimum is good; at 1 no rule of a good list is idle", Value: option.Number(&s.rules, "a number above 0, such as 1 or 0.5", option.Positive)},
				{Name: "limit", Holder: "N", Unset: "memory alone", Help: "the most sets of samples to keep; then the models of a smaller threshold are found", Value: option.Integer(&s.limit, 1, 1<<31-1)},
				{Name: "show", Holder: "N", Default: "3", Help: "show the smallest list of so many classifiers", Value: option.Integer(&s.show, 0, 1_000_000)},
				{Name: "sample", Holder: "N", Unset: "none", Help: "show so many lists at random instead, each as likely as any other", Value: option.Integer(&s.sample, 1, 1_000_000)},
				{Name: "seed", Holder: "N", Default: "0", Help: "seed of --sample", Value: option.Integer(&s.seed, 0, 1<<63-1)},
			}}, s.ask.options(), s.group(parcorels.ReadingGroup), s.group(parcorels.MiningGroup), search, {"Output", []*option.Option{
				outputOption(&s.output.modelFile, "write all good models to a compact file, with a proof that none is missing: for --from, and for verify"),
				{Name: "from", Holder: "FILE", Help: "ask the good models in a file that -o wrote, without a search; how the table is read is in it", Value: option.File(&s.from)},
				jsonOption(&s.json, "write what was found as a JSON object, with the lists that are shown"),
				progressOption(&s.progress, "a line a second about the graph while it grows, on stderr"),
				quietOption(&s.quiet, "print the numbers, no lists"),
			}}}
		},
	}
}

// percentValue is a share, as a decimal, a fraction or a percentage.
func percentValue(to *string) option.Value {
	return option.Custom("number", "a share such as 2%, 0.02 or 1/50", func(text string) error {
		if _, err := percent(text); err != nil {
			return option.ErrExpected
		}
		*to = text
		return nil
	}, func() []string {
		if *to == "" {
			return nil
		}
		return []string{*to}
	})
}

func percent(text string) (ratio.Ratio, error) {
	number, isPercent := strings.CutSuffix(strings.TrimSpace(text), "%")
	r, err := ratio.Parse(number)
	switch {
	case err != nil:
		return r, err
	case r.Num <= 0:
		return r, option.ErrExpected
	case isPercent:
		x := big.NewRat(r.Num, r.Den)
		x.Quo(x, big.NewRat(100, 1))
		if x.Denom().BitLen() > 40 {
			return r, option.ErrExpected
		}
		return ratio.Ratio{Num: x.Num().Int64(), Den: x.Denom().Int64()}, nil
	}
	return r, nil
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
	s.options.Memory, s.options.Software = e.memory.Search(s.options.Memory), "parcorels "+version()
	problem, err := e.problemOf(ctx, s.learning, d, args[0], true)
	if err != nil {
		return err
	}
	o := parcorels.AlternativesOptions{Options: s.options, States: s.limit}
	if s.options.Time > 0 {
		o.Time = max(s.options.Time-time.Since(e.start), 1)
	}
	if s.within != "" {
		o.Within, _ = percent(s.within) // was checked
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
	if s.family().Kind == model.Tree {
		return s.findTrees(ctx, e, args[0], problem, o)
	}
	start := time.Now()
	a, err := foundModels(ctx, e, s.output.modelFile, o, problem.Alternatives)
	if err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	r := &alternativesRun{alternativesSettings: s, problem: problem, a: a, took: time.Since(start)}
	if s.ask.without != "" {
		if r.a, err = a.Without(s.ask.without); err != nil {
			return fmt.Errorf("%s: %w", args[0], err)
		}
	}
	return r.write(ctx, e, args[0])
}

// foundModels finds good models, or reads them, and writes them to a file with their proof, "" for none.
func foundModels[M any](ctx context.Context, e *env, file string, o parcorels.AlternativesOptions, find func(context.Context, parcorels.AlternativesOptions) (M, error)) (found M, err error) {
	run := func() (err error) {
		found, err = await(ctx, func() (M, error) { return find(ctx, o) })
		return err
	}
	if file == "" {
		return found, run()
	}
	return found, e.writeFile(file, func(w io.Writer) error {
		o.Proof = &parcorels.Proof{To: w}
		return run()
	})
}

// checkAll finds what is wrong with the options before any work.
func (s *alternativesSettings) checkAll(file string) error {
	if err := bitvec.KernelError(); err != nil {
		return err
	}
	if s.within != "" && s.given["within-rules"] {
		return errors.New("--within and --within-rules both say which models are good: give one of them")
	}
	s.reading = s.family().Reading(s.reading)
	if err := s.options.Validate(s.reading); err != nil {
		return err
	}
	if err := s.checkFormat(s.given, file); err != nil {
		return err
	}
	switch kind := s.family().Kind; {
	case kind != model.Tree && kind != model.RuleList:
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
			if _, s.reading, s.options, err = parcorels.ParseProofSettings(proof.About().Settings); err == nil {
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
func (t *progressTable) growing(g parcorels.Growing) {
	t.line(false, cell{"states", 12, wording.Short(int64(g.States))}, cell{"open", 12, wording.Short(int64(g.Open))}, cell{"bounded", 12, wording.Short(g.Nodes)}, cell{"time", 7, wording.Seconds(g.Elapsed)})
}

// mostForms is how many lists are gone through to count block forms.
const mostForms = 300_000

// mostClassified bounds the entries of tables of classifiers: some hundred bytes each.
const mostClassified = 10_000_000

// alternativesRun is what was found.
type alternativesRun struct {
	*alternativesSettings
	problem *parcorels.Problem
	a       *parcorels.Alternatives
	took    time.Duration

	counts      *rashomon.Counts
	lists       *big.Int
	forms       *rashomon.Forms
	classifiers *rashomon.Classifiers
	shown       []rashomon.List
}

func (r *alternativesRun) write(ctx context.Context, e *env, file string) error {
	r.counts = r.a.Count()
	if r.lists = r.counts.Lists(); r.lists.Sign() == 0 {
		return r.writeNone(e, file)
	}
	if r.lists.Cmp(big.NewInt(mostForms)) <= 0 {
		f := r.a.Forms()
		r.forms = &f
	}
	r.classifiers, _ = r.a.Classifiers(mostClassified)
	r.pick()
	object, err := r.object()
	if err != nil {
		return err
	}
	answers, inJSON, err := (&asking{&r.ask, r.reading, r.problem, "rule", r.a}).answer(ctx, e, file)
	if err != nil {
		return err
	}
	object.answersJSON = inJSON
	var errs []error
	if r.json != "" {
		errs = append(errs, e.writeJSON(r.json, object))
	}
	if r.json != "-" {
		errs = append(errs, e.print(samplesLine(file, r.problem.Set.Data)+classLine(r.problem.Set.Data)+"\n"+notes(r.problem.Set.Data.Notes)+"\n"+r.text(object)+answers))
	}
	return errors.Join(errs...)
}

// writeNone says that no good model is without a column.
func (r *alternativesRun) writeNone(e *env, file string) error {
	threshold := r.a.Objective(r.a.Threshold())
	var errs []error
	if r.json != "" {
		errs = append(errs, e.writeJSON(r.json, &alternativesJSON{
			Model: r.family().Kind, Lambda: r.a.Lambda.String(), Optimum: r.a.Best.Certificate().Objective.Value, Threshold: threshold, Complete: r.a.Complete,
			Asked: r.a.Objective(r.a.Asked), Lists: "0", Without: r.ask.without, ByRules: []byRulesJSON{}, Shown: []alternateJSON{},
		}))
	}
	if r.json != "-" {
		errs = append(errs, e.print(noneWithout(file, r.ask.without, threshold)))
	}
	return errors.Join(errs...)
}

// pick chooses the lists to show.
func (r *alternativesRun) pick() {
	switch {
	case r.sample > 0:
		rng := rand.New(rand.NewPCG(r.seed, 0))
		for range r.sample {
			r.shown = append(r.shown, r.counts.Sample(rng))
		}
	case r.classifiers != nil:
		for i := range min(r.show, r.classifiers.Len()) {
			r.shown = append(r.shown, r.classifiers.At(i))
		}
	}
}

// alternativesJSON is what was found, for programs. Counts are texts, as they may be of any
// size.
type alternativesJSON struct {
	Model       model.Family    `json:"model"`
	Lambda      string          `json:"lambda"`
	Optimum     float64         `json:"optimum"`
	Threshold   float64         `json:"threshold"`
	Complete    bool            `json:"complete"`
	Asked       float64         `json:"threshold_asked"`
	States      int             `json:"states"`
	Edges       int             `json:"edges"`
	Lists       string          `json:"lists"`
	Without     string          `json:"without_column,omitempty"`
	ByRules     []byRulesJSON   `json:"lists_by_rules"`
	Irreducible *int64          `json:"irreducible,omitempty"`
	Paying      *int64          `json:"paying,omitempty"`
	Blocks      *int64          `json:"block_forms,omitempty"`
	Classifiers *int            `json:"classifiers,omitempty"`
	Seconds     float64         `json:"seconds_search"`
	Shown       []alternateJSON `json:"shown"`
	answersJSON
}

type byRulesJSON struct {
	Rules int    `json:"rules"`
	Lists string `json:"lists"`
}

type alternateJSON struct {
	Objective float64 `json:"objective"`
	Rules     int     `json:"rules"`
	Errors    int64   `json:"errors"`
	Text      string  `json:"text"`
}

func (r *alternativesRun) object() (*alternativesJSON, error) {
	a := r.a
	least, _ := a.Least()
	o := &alternativesJSON{
		Model: r.family().Kind, Lambda: a.Lambda.String(), Optimum: a.Objective(least), Threshold: a.Objective(a.Threshold()), Complete: a.Complete, Asked: a.Objective(a.Asked),
		States: a.States(), Edges: a.Edges(), Lists: r.lists.String(), Without: r.ask.without, Seconds: r.took.Seconds(), Shown: []alternateJSON{},
	}
	if r.forms != nil {
		o.Irreducible, o.Paying, o.Blocks = &r.forms.Irreducible, &r.forms.Paying, &r.forms.Blocks
	}
	if r.classifiers != nil {
		n := r.classifiers.Len()
		o.Classifiers = &n
	}
	o.ByRules = byRules(r.counts.Entries())
	for _, l := range r.shown {
		m, err := a.Model(l)
		if err != nil {
			return nil, err
		}
		o.Shown = append(o.Shown, alternateJSON{a.Objective(l.Objective), len(l.Rules), model.Errors(m.Cases()), m.Text(helpWidth)})
	}
	return o, nil
}

// text says how many there are, and shows some.
func (r *alternativesRun) text(o *alternativesJSON) string {
	var b strings.Builder
	b.WriteString(thresholdText(o.Optimum, o.Threshold, o.Asked, o.Lambda, o.Complete))
	b.WriteString(withoutText(r.ask.without, o.Optimum, r.a.Best))
	b.WriteString("\n")
	rows := [][]string{{"rules", "rule lists"}}
	for _, n := range o.ByRules {
		rows = append(rows, []string{fmt.Sprint(n.Rules), grouped(n.Lists)})
	}
	b.WriteString(columns(append(rows, []string{"all", grouped(o.Lists)})))
	b.WriteString("\n")
	switch {
	case o.Classifiers == nil:
		b.WriteString("too many classifiers to be told apart\n")
	default:
		fmt.Fprintf(&b, "%s: lists that predict the same for every sample count once\n", wording.Count(int64(*o.Classifiers), "classifier"))
	}
	if o.Blocks != nil {
		fmt.Fprintf(&b, "%s: lists that differ in the order of rules of one label count once\n", wording.Count(*o.Blocks, "block form"))
		fmt.Fprintf(&b, "%s without an idle rule, %s in which each rule pays for itself\n", wording.Count(*o.Irreducible, "list"), wording.Thousands(*o.Paying))
	}
	fmt.Fprintf(&b, "(found in %s, %s and %s of the graph)\n", wording.Seconds(r.took), wording.Count(int64(o.States), "set"), wording.Count(int64(o.Edges), "edge"))
	if r.quiet {
		return b.String()
	}
	for i, l := range o.Shown {
		what := "classifier"
		if r.sample > 0 {
			what = "list"
		}
		fmt.Fprintf(&b, "\n%s %d, objective %.7f:\n\n%s\n", what, i+1, l.Objective, strings.TrimRight(l.Text, "\n"))
	}
	return b.String()
}

// grouped writes a number with commas.
func grouped(digits string) string {
	out := ""
	for i, c := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			out += ","
		}
		out += string(c)
	}
	return out
}
