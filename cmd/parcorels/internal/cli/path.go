package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"parcorels/answer"
	"parcorels/ask/crossval"
	askpath "parcorels/ask/path"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/family"
	"parcorels/internal/option"
	"parcorels/ratio"
	runs "parcorels/run"
)

// pathSettings is what the options of path say.
type pathSettings struct {
	*call
	*process.Learning
	process.Output
	to    ratio.Ratio   // --to
	cv    bool          // --cv
	pick  crossval.Pick // --pick
	most  int           // --rules
	front []ratio.Ratio // --front; nil: what is usual
}

func beginPath(c *call) (work, []process.Group) {
	s := &pathSettings{call: c, Learning: process.NewLearning()}
	search := s.Group(family.SearchGroup, "lambda", "nodes")
	return s.follow, []process.Group{s.Group(family.ModelGroup), {Title: "Path", Options: []*option.Option{
		{Name: "to", Default: askpath.Usual, Value: shareValue(&s.to, "a number between 0 and 1, such as 0.001 or 1/300",
			ratio.Ratio.Within)},
		{Name: "front", Value: numbers(&s.front, "auto, or positive numbers such as 1,2,5,10", "auto")},
		{Name: "cv", Value: option.Switch(&s.cv)},
		{Name: "pick", Unset: "pick none", Value: option.Choice(&s.pick, crossval.Best, crossval.OneStandardError)},
		{Name: "rules", Value: option.Integer(&s.most, 1, 10_000)},
	}}, s.Group(family.WishGroup), s.Group(family.ReadingGroup), s.Group(family.MiningGroup), search,
		outputGroup("Output", "output json quiet", &s.Output)}
}

func (s *pathSettings) follow(ctx context.Context, e *process.Env, args []string) error {
	if err := s.check(args[0]); err != nil {
		return err
	}
	reading := process.Reader{NoHash: s.Output.ModelFile+s.JSON == "", KeepColumns: s.cv, Quiet: s.Quiet}
	d, err := e.Read(ctx, s.Learning, s.given, args[0], reading)
	if err != nil {
		return err
	}
	s.Options = e.OfSearch(s.Options)
	problem, err := e.ProblemOf(ctx, s.Learning, d)
	if err != nil {
		return err
	}
	start, searches := time.Now(), s.Options
	if searches.Time = e.Left(s.Options.Time); s.cv {
		searches.Time = (searches.Time + 1) / 2 // the rest is for the folds
	}
	ask, front := askpath.Options{Options: searches, Least: s.to}, &askpath.Front{}
	if !s.given["front"] {
		front.Answer, err = askpath.Ask(ctx, problem, ask)
	} else {
		front, err = askpath.AskFront(ctx, problem, ask, s.front)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	path := front.Answer
	r := &answer.Path{Answer: path, Problem: problem, Options: s.Options, Least: s.to,
		Weights: front.Weights, Usual: !s.given["to"], Took: time.Since(start), Picked: -1, Quiet: s.Quiet}
	if s.cv && len(path.Vertices) > 0 {
		report, err := crossval.OfPath(ctx, d, path, s.Options, e.Start, nil)
		if err != nil {
			return fmt.Errorf("%s: %w", args[0], err)
		}
		r.Summaries = report.Summaries()
		if l, ok := report.Pick(s.pick); ok && s.pick != "" {
			r.Picked = l
		}
	}
	for i, v := range path.Vertices {
		if s.most > 0 && v.Size <= s.most {
			r.Picked = i
		}
	}
	r.Stopped = ctx.Err() != nil
	err = s.write(e, args[0], r)
	if !r.Stopped || errors.Is(err, runs.ErrOutput) {
		return err
	}
	if err != nil { // of what was asked, and an interrupted search cannot give
		e.Note("%v", err)
	}
	return process.ErrStopped
}

// check finds what is wrong with the options before any work.
func (s *pathSettings) check(file string) error {
	if err := s.Learning.Check(s.given, file); err != nil {
		return err
	}
	switch {
	case s.pick != "" && s.most > 0:
		return errors.New("--pick and --rules both choose a model: give one of them")
	case s.given["front"] && (s.cv || s.pick != "" || s.most > 0):
		return errors.New("--front has models for several weights: it goes without --cv, --pick and --rules")
	case s.Output.ModelFile != "" && s.pick == "" && s.most == 0:
		return errors.New("-o writes one model: say which by --rules or --pick")
	}
	s.cv = s.cv || s.pick != ""
	return runs.CheckOutputs([]string{s.Output.ModelFile, s.JSON}, []string{file, s.Reading.Labels})
}

// write puts the path everywhere it is to go.
func (s *pathSettings) write(e *process.Env, file string, r *answer.Path) error {
	var errs []error
	switch {
	case s.Output.ModelFile == "":
	case r.Picked < 0:
		errs = append(errs, errors.New("no model of the path is as asked for, so none is written"))
	default:
		errs = append(errs, e.WriteFile(s.Output.ModelFile, r.Answer.Vertices[r.Picked].Model.Encode))
	}
	return errors.Join(append(errs, s.Tell(e, r.Object(), answer.DataHead(file, r.Problem.Set.Data)+r.Text()))...)
}
