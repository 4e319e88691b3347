package cli

import (
	"cmp"
	"context"
	"errors"
	"time"

	"parcorels/answer"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/report/html"
)

func beginReport(*call) (work, []process.Group) {
	s := &rowSettings{}
	return s.begin(s.writeReport, "output", "by", "weight", "sep", "strict")
}

func (s *rowSettings) writeReport(ctx context.Context, e *process.Env, args []string) error {
	if err := checkInputs(args, s.output); err != nil {
		return err
	}
	if len(args) < 2 && s.model.By+s.model.Weight != "" {
		return errors.New("--by and --weight name columns of a table: name the table behind the model")
	}
	page, err := pageOf(ctx, e, s, args)
	if err != nil {
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
