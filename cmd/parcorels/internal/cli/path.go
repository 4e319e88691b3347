package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"
	"time"

	"parcorels/answer"
	"parcorels/ask/crossval"
	askpath "parcorels/ask/path"
	"parcorels/family"
	"parcorels/internal/option"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/ratio"
	"parcorels/report/html"
)

// pathSettings is what the options of path say.
type pathSettings struct {
	*call
	*learning
	output
	to    string        // --to
	cv    bool          // --cv
	pick  crossval.Pick // --pick
	most  int           // --rules
	chart string        // --svg
}

func pathCommand() *command {
	return &command{
		name:    "path",
		summary: "all optimal models for all λ: how many rules for how many errors",
		usage:   "FILE [options]",
		details: []string{
			"FILE is a table or X.out, as for fit. Path finds every rule list, or with --model tree every tree, that is optimal for some λ. It prints for which λ each is optimal, as exact fractions, and proves it.",
			"It begins at large λ, where no rule pays, and goes down to --to. A time limit leaves out the smaller λ, and the output says what is open.",
			"With --cv each model has the accuracy that models of its λ reach on rows that they have not seen. --pick chooses by it. --rules K takes the largest model of at most K rules. -o writes the choice.",
		},
		min: 1, max: 1,
		complete: each(endingIn(tableEndings...)),
		begin: func(c *call) (func(context.Context, *env, []string) error, []group) {
			s := &pathSettings{call: c, learning: newLearning()}
			c.opens = &s.reading
			search := s.group(family.SearchGroup, "lambda", "nodes")
			for _, o := range search.options {
				if o.Name == "time" {
					o.Help = "end all searches together, also those of --cv, this long after the start of the program"
				}
			}
			return s.follow, []group{s.group(family.ModelGroup), {"Path", []*option.Option{
				{Name: "to", Holder: "λ", Default: "0.005", Help: "smallest λ of the path", Value: option.Number(&s.to, "a number between 0 and 1, such as 0.001 or 1/300", ratio.Ratio.Within)},
				{Name: "cv", Help: "cross-validate each model's λ, with 10 folds", Value: option.Switch(&s.cv)},
				{Name: "pick", Holder: "RULE", Unset: "pick none", Help: "pick the λ of the smallest mean error (best), or the largest within one standard error of it (one-se)", Value: option.Choice(&s.pick, crossval.Best, crossval.OneStandardError)},
				{Name: "rules", Holder: "K", Help: "pick the largest model of at most K rules or leaves", Value: option.Integer(&s.most, 1, 10_000)},
			}}, s.group(family.WishGroup), s.group(family.ReadingGroup), s.group(family.MiningGroup), search, {"Output", []*option.Option{
				outputOption(&s.output.modelFile, "write the model picked"),
				jsonOption(&s.json, "write the path as a JSON object"),
				{Name: "svg", Holder: "FILE", Help: "draw accuracy against rules", Value: option.Text(&s.chart, "a file name")},
				quietOption(&s.quiet, "print the table, no models"),
			}}}
		},
	}
}

func (s *pathSettings) follow(ctx context.Context, e *env, args []string) error {
	if err := s.check(args[0]); err != nil {
		return err
	}
	reading := reader{noHash: s.output.modelFile+s.json == "", keepColumns: s.cv}
	d, err := e.read(ctx, s.learning, s.given, args[0], reading)
	if err != nil {
		return err
	}
	s.options = e.ofSearch(s.options)
	problem, err := e.problemOf(ctx, s.learning, d, args[0], true)
	if err != nil {
		return err
	}
	least, _ := ratio.Parse(cmp.Or(s.to, "0.005")) // was checked
	start, searches := time.Now(), s.options
	if searches.Time = e.left(s.options.Time); s.cv {
		searches.Time = (searches.Time + 1) / 2 // the rest is for the folds
	}
	path, err := askpath.Ask(ctx, problem, askpath.Options{Options: searches, Least: least})
	if err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	r := &pathRun{pathSettings: s, problem: problem, path: path, took: time.Since(start), picked: -1}
	if s.cv && len(path.Vertices) > 0 {
		if r.report, err = crossval.OfPath(ctx, d, path, s.options, e.start); err != nil {
			return fmt.Errorf("%s: %w", args[0], err)
		}
		r.summaries = r.report.Summaries()
	}
	r.stopped = ctx.Err() != nil
	r.choose()
	err = r.write(e, args[0])
	if !r.stopped || errors.As(err, new(outputError)) {
		return err
	}
	if err != nil { // of what was asked, and an interrupted search cannot give
		e.note("%v", err)
	}
	return errStopped
}

// check finds what is wrong with the options before any work.
func (s *pathSettings) check(file string) error {
	if err := s.learning.check(s.given, file); err != nil {
		return err
	}
	switch {
	case s.pick != "" && s.most > 0:
		return errors.New("--pick and --rules both choose a model: give one of them")
	case s.output.modelFile != "" && s.pick == "" && s.most == 0:
		return errors.New("-o writes one model: say which by --rules or --pick")
	}
	s.cv = s.cv || s.pick != ""
	return checkOutputs([]string{s.output.modelFile, s.json, s.chart}, []string{file, s.reading.Labels})
}

// pathRun is a path with what cross-validation says of it.
type pathRun struct {
	*pathSettings
	problem   *family.Problem
	path      *askpath.Answer
	took      time.Duration
	report    *crossval.Report
	summaries []crossval.Summary // by vertex; nil without --cv
	picked    int                // index of a vertex; -1 if none is
	stopped   bool               // by Ctrl-C
}

func (r *pathRun) choose() {
	if r.pick != "" {
		if l, ok := r.report.Pick(r.pick); ok {
			r.picked = l
		}
	}
	for i, v := range r.path.Vertices {
		if r.most > 0 && v.Size <= r.most {
			r.picked = i
		}
	}
}

// write puts the path everywhere it is to go.
func (r *pathRun) write(e *env, file string) error {
	var errs []error
	switch {
	case r.output.modelFile == "":
	case r.picked < 0:
		errs = append(errs, errors.New("no model of the path is as asked for, so none is written"))
	default:
		errs = append(errs, e.writeFile(r.output.modelFile, r.path.Vertices[r.picked].Model.Encode))
	}
	if r.chart != "" {
		errs = append(errs, e.writeFile(r.chart, r.draw))
	}
	return errors.Join(append(errs, r.tell(e, r.object(), answer.DataHead(file, r.problem.Set.Data)+r.text()))...)
}

// text is the table, what is proved, and the models.
func (r *pathRun) text() string {
	rows := [][]string{{wording.Plural(2, r.part()), "errors", "right", "optimal for λ from", "to"}}
	if r.summaries != nil {
		rows[0] = append(rows[0], "right on other rows")
	}
	for i, v := range r.path.Vertices {
		mark := ""
		if i == r.picked {
			mark = "*"
		}
		row := []string{fmt.Sprint(mark, v.Size), wording.Thousands(model.Errors(v.Model.Cases())), wording.Percentage(answer.Right(v.Model)), answer.Lambda(v.From), "1"}
		if v.To != nil {
			row[4] = answer.Lambda(v.To)
		}
		if r.summaries != nil {
			a := r.summaries[i].Measured.Accuracy
			row = append(row, fmt.Sprintf("%s ± %s", wording.Percentage(float64(a.Mean)), wording.Percentage(a.StandardError())))
		}
		rows = append(rows, row)
	}
	text := answer.Columns(rows) + "\n" + r.proved()
	if r.picked >= 0 {
		v := r.path.Vertices[r.picked]
		text += fmt.Sprintf("\n* picked:\n\n%s\n", strings.TrimRight(v.Model.Text(answer.Width), "\n"))
		return text + answer.AskForeknown(v.Model)
	}
	if r.quiet {
		return text
	}
	for _, v := range r.path.Vertices {
		text += fmt.Sprintf("\n%s, λ ≥ %s:\n\n%s\n", wording.Count(int64(v.Size), r.part()), answer.Lambda(v.From), strings.TrimRight(v.Model.Text(answer.Width), "\n"))
	}
	for _, v := range r.path.Vertices {
		if asked := answer.AskForeknown(v.Model); asked != "" {
			return text + asked
		}
	}
	return text
}

// part is what the models are made of: rules, or leaves.
func (r *pathRun) part() string {
	if r.family().Kind == model.Tree {
		return "leaf"
	}
	return "rule"
}

// proved says down to which λ the path is certified.
func (r *pathRun) proved() string {
	text := fmt.Sprintf("proved: these are all optimal %ss for λ ≥ %s\n(proved in %s, %s)\n", r.family().Kind, answer.Lambda(r.path.Down),
		wording.Seconds(r.took), wording.Count(int64(r.path.Solves), "search"))
	least, err := ratio.Parse(cmp.Or(r.to, "0.005"))
	switch {
	case err != nil:
	case r.path.Down.Cmp(big.NewRat(least.Num, least.Den)) > 0:
		why := "a limit ended the search: a larger --time goes on"
		if r.stopped {
			why = answer.WasInterrupted
		}
		text += fmt.Sprintf("for smaller λ, down to %s, %s\n", least, why)
	case len(r.path.Vertices) == 1:
		text += fmt.Sprintf("no %s is worth such a price: --to %s goes to smaller ones\n", r.part(), ratio.New(least.Num, 5*least.Den))
	default:
		if usual, err := r.problem.Price(r.options); err == nil && !r.given["to"] && usual.Float() < least.Float() {
			text += fmt.Sprintf("fit takes λ = %s of this table by itself: --to %[1]s goes down to it\n", usual)
		}
	}
	for _, o := range r.path.Open {
		text += fmt.Sprintf("but for λ between %s and %s another may be better, by a limit on the time\n", answer.Lambda(o.Low), answer.Lambda(o.High))
	}
	return text + r.provable()
}

// provable says of which models fit can write a proof.
func (r *pathRun) provable() string {
	if r.reading.AllCuts && r.options.Depth == 0 {
		return "a proof of trees with --cuts all needs --depth\n"
	}
	if len(r.path.Vertices) == 0 {
		return ""
	}
	var without []string
	for _, v := range r.path.Vertices {
		if _, err := ratio.Parse(v.From.RatString()); err != nil {
			without = append(without, fmt.Sprint(v.Size))
		}
	}
	text := "fit --proof FILE proves each model with the λ from which it is optimal"
	if without != nil {
		text += fmt.Sprintf(", but for those of %s %s: their λ has too many digits", strings.Join(without, ", "), wording.Plural(2, r.part()))
	}
	return answer.Hanging(text, 4)
}

// pathJSON is the path for programs. Fractions are texts.
type pathJSON struct {
	Model    model.Family     `json:"model"`
	Down     string           `json:"certified_down_to"`
	Open     [][2]string      `json:"open"`
	Searches int              `json:"searches"`
	Seconds  float64          `json:"seconds_search"`
	Picked   *int             `json:"picked,omitempty"`
	Vertices []pathVertexJSON `json:"vertices"`
}

type pathVertexJSON struct {
	Size     int      `json:"size"`
	Errors   int64    `json:"errors"`
	Right    float64  `json:"right"` // share of the training weight
	From     string   `json:"from"`
	To       string   `json:"to"`
	Accuracy *float64 `json:"cv_accuracy,omitempty"`
	Error    *float64 `json:"cv_standard_error,omitempty"`
	Text     string   `json:"text"`
}

func (r *pathRun) object() pathJSON {
	o := pathJSON{Model: r.family().Kind, Down: r.path.Down.RatString(), Searches: r.path.Solves, Seconds: r.took.Seconds(), Open: [][2]string{}, Vertices: []pathVertexJSON{}}
	for _, i := range r.path.Open {
		o.Open = append(o.Open, [2]string{i.Low.RatString(), i.High.RatString()})
	}
	if r.picked >= 0 {
		o.Picked = &r.picked
	}
	for i, v := range r.path.Vertices {
		x := pathVertexJSON{Size: v.Size, Errors: model.Errors(v.Model.Cases()), Right: answer.Right(v.Model), From: v.From.RatString(), To: "1", Text: v.Model.Text(answer.Width)}
		if v.To != nil {
			x.To = v.To.RatString()
		}
		if r.summaries != nil {
			mean, deviation := float64(r.summaries[i].Measured.Accuracy.Mean), r.summaries[i].Measured.Accuracy.StandardError()
			x.Accuracy, x.Error = &mean, &deviation
		}
		o.Vertices = append(o.Vertices, x)
	}
	return o
}

// draw draws accuracy in training, and on other rows where that is known, against size.
func (r *pathRun) draw(to io.Writer) error {
	c := html.NewCurve("Accuracy by number of "+wording.Plural(2, r.part()), wording.Plural(2, r.part()), "accuracy")
	for i, v := range r.path.Vertices {
		if r.summaries == nil {
			c.Add(float64(v.Size), answer.Right(v.Model), 0)
			continue
		}
		a := r.summaries[i].Measured.Accuracy
		c.Add(float64(v.Size), float64(a.Mean), a.StandardError())
	}
	return c.Write(to)
}
