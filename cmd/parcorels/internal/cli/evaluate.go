package cli

import (
	"context"

	"parcorels/answer"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/internal/option"
)

func evaluateCommand() *command {
	return &command{
		name:    "evaluate",
		summary: "say how good a model is on a table, also by group",
		usage:   "MODEL FILE [options]",
		details: []string{
			"MODEL is a file that fit wrote with -o. FILE is a table with the columns that the model asks for and with the labels; - " +
				"reads it from stdin. The figures are an estimate for new data only if the model was not learned from FILE.",
			"Accuracy stands beside that of always predicting the most frequent class. Balanced accuracy is the mean recall of the " +
				"classes. Precision, recall, F1 and AUC are those of class 1. With more than two classes they are means over the " +
				"classes. Log loss is the mean of −ln P(actual class), Brier the mean squared error of P(class 1).",
			"With --by each value of a column has a line: the share predicted to be of class 1 (selected), TPR, FPR and PPV (the share " +
				"of those selected that are of class 1). The largest differences between groups follow. With more than two classes, " +
				"each class against all others has such lines. With --weight a column has the weights of rows. Probabilities stay " +
				"those of the training samples, each counted once.",
		},
		min: 2, max: 2,
		complete: modelThen,
		begin: func(c *call) (func(context.Context, *process.Env, []string) error, []process.Group) {
			s := newRowSettings(c)
			return s.evaluate, []process.Group{{Title: "Options", Options: []*option.Option{s.by(), s.weight(),
				jsonOption(&s.json, "write the measures as a JSON object"), s.separator(), s.laplace(), s.strict()}}}
		},
	}
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
