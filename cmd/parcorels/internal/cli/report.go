package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"parcorels/answer"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/family"
	"parcorels/internal/option"
	"parcorels/internal/wording"
	"parcorels/report"
	"parcorels/report/html"
)

func reportCommand() *command {
	return &command{
		name: "report", min: 1, max: 2,
		begin: func(c *call) (func(context.Context, *process.Env, []string) error, []process.Group) {
			s := newRowSettings(c)
			return s.writeReport, []process.Group{{Title: "Options", Options: []*option.Option{
				toStdout(&s.output), s.by(), s.weight(),
				{Name: "fit", Value: option.Text(&s.fitJSON, "a file name")},
				s.separator(), s.strict(),
			}}}
		},
	}
}

func (s *rowSettings) writeReport(ctx context.Context, e *process.Env, args []string) error {
	if err := checkInputs(append(args[:len(args):len(args)], s.fitJSON), s.output); err != nil {
		return err
	}
	if len(args) < 2 && s.model.By+s.model.Weight != "" {
		return errors.New("--by and --weight name columns of a table: name the table behind the model")
	}
	page, err := pageOf(ctx, e, s, args)
	if err != nil {
		return err
	}
	if err := addFit(page, s.fitJSON); err != nil {
		return err
	}
	return e.WriteFile(cmp.Or(s.output, "-"), page.Write)
}

// page returns the page of a model, and of its evaluation if there is a table.
func pageOf(ctx context.Context, e *process.Env, s *rowSettings, args []string) (*html.Page, error) {
	m, err := e.Load(ctx, args[0])
	if err != nil {
		return nil, err
	}
	page := html.New(m)
	page.Made = time.Now().Format(time.DateOnly)
	if len(args) < 2 {
		return page, nil
	}
	rows, err := openRowsFor(ctx, e, m, s, args[1])
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	summary, err := page.Judge(args[1], rows, s.model, answer.LearnedFrom(m, args[1]))
	if errors.Is(err, html.ErrNoLabels) {
		return nil, answer.NoLabels(args[1], m, summary)
	} else if err != nil {
		return nil, err
	}
	return page, nil
}

// addFit adds the gap over time that fit recorded.
func addFit(page *html.Page, path string) error {
	if path == "" {
		return nil
	}
	var r report.Result
	if err := readJSON(path, &r); err != nil {
		return err
	}
	page.Trace = html.NewTrace("Objective", r.Stats.Trace)
	page.Notes, page.Compared, page.Summary.Proved = r.Data.Notes, r.Compared, r.Proved
	if r.Chance != nil {
		text := r.Chance.Text(family.Of(page.Family).Noun())
		page.Chance = wording.Capital(text)
	}
	return nil
}

// readJSON reads a file that another command wrote.
func readJSON(path string, into any) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	const most = 256 << 20
	if err := json.NewDecoder(io.LimitReader(f, most)).Decode(into); err != nil {
		return fmt.Errorf("%s: not what --json of fit or cv writes: %w", path, err)
	}
	return nil
}
