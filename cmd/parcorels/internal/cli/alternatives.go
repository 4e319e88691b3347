package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"time"

	"parcorels/answer"
	"parcorels/ask/goodmodels"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/option"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/ratio"
	"parcorels/rules/rates"
	runs "parcorels/run"
	"parcorels/verify"
	verifygood "parcorels/verify/goodmodels"
)

// alternativesSettings is what the options of alternatives say.
type alternativesSettings struct {
	*call
	*process.Learning
	process.Output
	within ratio.Ratio // --within
	rules  ratio.Ratio // --within-rules
	limit  int         // --limit
	show   int         // --show
	sample int         // --sample
	seed   uint64      // --seed
	from   string      // --from
	ask    questions
}

func beginAlternatives(c *call) (work, []process.Group) {
	s := &alternativesSettings{call: c, Learning: process.NewLearning(), show: 3}
	search := s.Group(family.SearchGroup, "nodes")
	return s.find, []process.Group{s.Group(family.ModelGroup, "max-rules"), {Title: "Alternatives", Options: []*option.Option{
		{Name: "within", Unset: "within less than a rule", Value: shareValue(&s.within, "a share such as 2%, 0.02 or 1/50",
			option.Positive)},
		{Name: "within-rules", Default: "1", Value: shareValue(&s.rules, "a number above 0, such as 1 or 0.5",
			option.Positive)},
		{Name: "limit", Unset: "memory alone", Value: option.Integer(&s.limit, 1, 1<<31-1)},
		{Name: "show", Default: "3", Value: option.Integer(&s.show, 0, 1_000_000)},
		{Name: "sample", Unset: "none", Value: option.Integer(&s.sample, 1, 1_000_000)},
		{Name: "seed", Default: "0", Value: option.Integer(&s.seed, 0, 1<<63-1)},
	}}, s.ask.options(), s.Group(family.ReadingGroup), s.Group(family.MiningGroup), search,
		outputGroup("Output", "output from json progress quiet", &s.Output, &option.Option{Name: "from", Value: option.File(&s.from)})}
}

// shareValue is a share that ok accepts, as a decimal, a fraction or a percentage.
func shareValue(to *ratio.Ratio, expect string, ok func(ratio.Ratio) bool) option.Value {
	return option.Of("number", expect, to, func(text string) (ratio.Ratio, error) {
		number, isPercent := strings.CutSuffix(strings.TrimSpace(text), "%")
		r, err := ratio.Parse(number)
		if isPercent && err == nil {
			if r, _ = ratio.FromRat(ratio.Over(r.Rat(), ratio.Int(100))); r.Den > 1<<40 {
				return r, option.ErrExpected
			}
		}
		if err != nil || !ok(r) {
			return r, option.ErrExpected
		}
		return r, nil
	}, ratio.Ratio.String)
}

// find finds all good models and writes about them.
func (s *alternativesSettings) find(ctx context.Context, e *process.Env, args []string) error {
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
	d, err := e.Read(ctx, s.Learning, s.given, args[0], process.Reader{NoHash: s.Output.ModelFile == "", Quiet: s.Quiet})
	if err != nil {
		return err
	}
	s.Options = e.OfSearch(s.Options)
	problem, err := e.ProblemOf(ctx, s.Learning, d)
	if err != nil {
		return err
	}
	o := goodmodels.Options{Options: s.Options, States: s.limit, Within: s.within}
	o.Time = e.Left(s.Options.Time)
	if s.given["within-rules"] {
		o.Rules = s.rules
	}
	if t := e.ProgressTable(&s.Output); t != nil {
		o.Growing, o.ProgressEvery = t.Growing, cmp.Or(e.ProgressEvery, time.Second)
	}
	if from != nil {
		o.From = from
	}
	start := time.Now()
	a, err := s.search(ctx, e, problem, o)
	if err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	found := answer.NewGoodModels(a, s.Family().Kind, s.ask.without, time.Since(start))
	if _, some := a.Least(); !some {
		return s.Tell(e, found, fmt.Sprintf("%s: no good model is without column %s: the best is worse than %.7f\n",
			wording.Escape(args[0]), wording.Escape(s.ask.without), found.Threshold))
	}
	if err := found.Show(s.show, s.sample, s.seed); err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	if err := s.ask.answer(ctx, e, s.Reading, problem, args[0], found); err != nil {
		return err
	}
	return s.Tell(e, found, answer.DataHead(args[0], problem.Set.Data)+found.Text(s.Quiet))
}

// checkAll finds what is wrong with the options before any work.
func (s *alternativesSettings) checkAll(file string) error {
	if s.given["within"] && s.given["within-rules"] {
		return errors.New("--within and --within-rules both say which models are good: give one of them")
	}
	if err := s.Learning.Check(s.given, file); err != nil {
		return err
	}
	if kind := s.Family().Kind; kind != model.Tree && kind != model.RuleList {
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
	if s.Output.ModelFile == "-" {
		return errors.New("-o writes a file that is asked again: give a name")
	}
	return runs.CheckOutputs([]string{s.JSON, s.Output.ModelFile}, []string{s.from, file, s.Reading.Labels, s.ask.rows})
}

// openFrom opens the file of --from, and takes from it how the table is read.
func (s *alternativesSettings) openFrom(ctx context.Context) (*os.File, error) {
	f, err := process.Open(ctx, s.from)
	if err != nil {
		return nil, err
	}
	labels, asked := s.Reading.Labels, s.Options
	proof, err := verify.Open(f)
	if good, ok := proof.(*verifygood.Proof); err == nil && (!ok || len(good.Limits()) > 0) {
		err = errors.New("it is a proof about one model, not a file that alternatives -o wrote")
	} else if err == nil {
		_, s.Reading, s.Options, err = family.ReadProof(proof)
	}
	if err == nil {
		s.Reading.Labels, s.Options.Workers, s.Options.Memory, s.Options.Time = labels, asked.Workers, asked.Memory, asked.Time
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		_ = f.Close() // it was only read from
		return nil, fmt.Errorf("%s: %w", s.from, err)
	}
	return f, nil
}

// search finds good models, or reads them, and writes them to a file with their proof if one is asked
// for. It returns those that the options look at.
func (s *alternativesSettings) search(ctx context.Context, e *process.Env, p *family.Problem,
	o goodmodels.Options) (found *goodmodels.Answer,

	err error) {
	run := func() (err error) {
		found, err = process.Await(ctx, func() (*goodmodels.Answer, error) { return goodmodels.Ask(ctx, p, o) })
		return err
	}
	if s.Output.ModelFile == "" {
		err = run()
	} else {
		err = e.WriteFile(s.Output.ModelFile, func(w io.Writer) error {
			o.Proof = &family.Proof{To: w}
			return run()
		})
	}
	if err == nil && s.ask.without != "" {
		found, err = found.Without(s.ask.without)
	}
	return found, err
}

// questions are what is asked of all good models.
type questions struct {
	columns bool   // --columns
	without string // --without-column
	group   string // --group
	measure rates.Measure
	row     int64  // --row
	rows    string // --rows
}

func (q *questions) options() process.Group {
	return process.Group{Title: "Questions about all good models", Options: []*option.Option{
		{Name: "columns", Value: option.Switch(&q.columns)},
		{Name: "without-column", Value: option.Text(&q.without, "a column name")},
		{Name: "group", Value: option.Text(&q.group, "a column, or column=value")},
		{Name: "measure", Default: string(rates.SelectionRate), Value: option.Choice(&q.measure, rates.Measures...)},
		{Name: "row", Unset: "none", Value: option.Integer(&q.row, 1, math.MaxInt64)},
		{Name: "rows", Unset: "the table itself", Value: option.Text(&q.rows, "a file name")},
	}}
}

// check finds what is wrong with the questions before any work.
func (q *questions) check(given map[string]bool) error {
	if given["measure"] && q.group == "" {
		return errors.New("--measure compares groups: give --group, too")
	}
	return nil
}

// answer answers the questions.
func (q *questions) answer(ctx context.Context, e *process.Env, reading dataset.Options, p *family.Problem, path string,
	to *answer.GoodModels) error {
	if q.columns {
		if err := to.AskColumns(); err != nil {
			return err
		}
	}
	if q.group != "" {
		inside, name, err := e.Membership(ctx, reading, path, q.group, p.Set)
		if err != nil {
			return err
		}
		if err := to.AskGroup(inside, q.group, name, q.measure); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	if q.row == 0 && q.rows == "" {
		return nil
	}
	path = cmp.Or(q.rows, path)
	header, rows, err := e.Table(ctx, reading, path)
	if err != nil {
		return err
	}
	first := int64(1)
	if q.row > 0 {
		if q.row > int64(len(rows)) {
			return fmt.Errorf("%s: no row %d, the table has %s", path, q.row, wording.Count(int64(len(rows)), "row"))
		}
		first, rows = q.row, rows[q.row-1:q.row]
	}
	return to.AskRows(ctx, path, header, rows, first, q.row > 0)
}
