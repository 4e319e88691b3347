package cli

import (
	"context"
	"fmt"
	"math"
	"strings"

	"parcorels/answer"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/internal/option"
	"parcorels/report"

	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/model/evaluate"
	"parcorels/model/predict"
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

// evaluated is the JSON object of evaluate.
type evaluated struct {
	TableRows  int64 `json:"table_rows"`     // of which some may have no label
	Unlabelled int64 `json:"unlabelled"`     // whose label is missing, or unknown to the model
	Trained    bool  `json:"training_table"` // the model was learned from this very file
	evaluate.Measures
	By          string                   `json:"by,omitempty"`
	Groups      []evaluate.GroupMeasures `json:"groups,omitempty"`
	Differences []evaluate.Difference    `json:"differences,omitempty"`
	Notes       []string                 `json:"notes"`
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
		return noLabels(args[1], m, summary)
	}
	r := &evaluated{
		TableRows: summary.Rows, Unlabelled: summary.Rows - summary.Skipped - summary.Evaluation.Rows(),
		Measures: summary.Evaluation.Measures(), By: s.model.By, Notes: append([]string{}, summary.Warnings()...),
	}
	r.Intervals = summary.Evaluation.Intervals()
	if r.Trained = learnedFrom(m, args[1]); r.Trained {
		r.Notes = append([]string{report.OfTraining(m.About())}, r.Notes...)
	}
	if math.IsInf(float64(r.LogLoss), 1) {
		r.Notes = append(r.Notes, "log loss is finite with --laplace")
	}
	for _, g := range summary.Groups {
		r.Groups = append(r.Groups, g.Measures())
	}
	r.Differences = evaluate.Differences(r.Groups)
	if s.json != "" {
		if err := e.WriteJSON(s.json, r); err != nil || s.json == "-" {
			return err
		}
	}
	text := fmt.Sprintf("%s: %s\n", wording.Escape(args[1]), wording.Count(summary.Rows, "row"))
	text += answer.Notes(e.FlaggedAll(r.Notes)) + "\n" + r.Measures.Text()
	if s.model.By != "" {
		text += "\n" + evaluate.GroupText(s.model.By, r.Groups, r.Differences)
	}
	return e.Print(text)
}

// noLabels says that no row could be evaluated.
func noLabels(path string, m model.Model, summary *predict.Summary) error {
	if summary.Rows == 0 {
		return fmt.Errorf("%s: there is a header, but no row of data", path)
	}
	if w := summary.Warnings(); summary.Strange.Cells > 0 {
		return fmt.Errorf("%s: %s: it knows %s", path, w[len(w)-1], strings.Join(m.About().Classes, ", "))
	}
	return fmt.Errorf("%s: no row has a label: what the model predicts should be in column %q", path, m.About().Target)
}
