package cli

import (
	"context"

	"parcorels/answer"
	"parcorels/cmd/parcorels/internal/process"
)

func beginEvaluate(*call) (work, []process.Group) {
	s := &rowSettings{}
	return s.begin(s.evaluate, "by", "weight", "json", "sep", "laplace", "strict")
}

func (s *rowSettings) evaluate(ctx context.Context, e *process.Env, args []string) error {
	p, rows, err := bind(ctx, e, s, args, s.json)
	if err != nil {
		return err
	}
	defer rows.Close()
	m := p.Model()
	summary, err := p.Stream(args[1], rows, nil)
	if err != nil {
		return err
	}
	if summary.Evaluation == nil {
		return answer.NoLabels(args[1], m, summary)
	}
	r := answer.NewEvaluated(m, summary, args[1], s.model.By)
	if s.json != "" {
		if err := e.WriteJSON(s.json, r); err != nil || s.json == "-" {
			return err
		}
	}
	r.Notes = e.FlaggedAll(r.Notes)
	return e.Print(r.Text(args[1]))
}
