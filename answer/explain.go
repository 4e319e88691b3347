package answer

import (
	"fmt"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/model/explain"
	"parcorels/model/predict"
	"strconv"
	"strings"
)

// listed is how many changes are printed.
const listed = 12

// Explanation says why a model predicts a row of cells as it does, and which changes change that.
func Explanation(p *predict.Predictor, cells []string) (string, error) {
	x, err := explain.Row(p, cells)
	if err != nil {
		return "", err
	}
	others, err := explain.Changes(p, cells)
	if err != nil {
		return "", err
	}
	part := p.Model().Certificate().Part
	var b strings.Builder
	fmt.Fprintf(&b, "predicted %s", wording.Escape(x.Label))
	switch {
	case len(x.Holds) > 0:
		fmt.Fprintf(&b, " by %s %d: %s\n", part, x.Case+1, wording.Escape(model.Conjunction(x.Holds)))
	case part == "leaf": // the only one
		b.WriteString(", as every row is\n")
	default:
		fmt.Fprintf(&b, ", as no %s applies\n", part)
	}
	for _, f := range x.Failed {
		name, cell := wording.Escape(f.Literal.Name), cellText(f.Literal.Column, f.Cell)
		if f.Case == x.Case {
			fmt.Fprintf(&b, "  %s cannot be judged (%s), so the row goes to \"else\"\n", name, cell)
			continue
		}
		fmt.Fprintf(&b, "  %s %d does not apply: %s fails (%s)\n", part, f.Case+1, name, cell)
	}
	for c, q := range x.Probabilities {
		fmt.Fprintf(&b, "  P(%s) = %s\n", wording.Escape(p.Model().About().Label(c)), strconv.FormatFloat(q, 'f', 3, 64))
	}
	b.WriteString("\n" + changes(others))
	return b.String(), nil
}

// cellText shows what a row has in a column.
func cellText(column, cell string) string {
	if strings.TrimSpace(cell) == "" {
		return wording.Escape(column) + " is missing"
	}
	return wording.Escape(column) + " is " + wording.Escape(cell)
}

// changes returns the text about the smallest changes.
func changes(a explain.Alternatives) string {
	switch {
	case a.Cut:
		return fmt.Sprintf("At least %s would have to change; there are too many combinations to look at all.\n",
			wording.Count(int64(a.Columns), "column"))
	case len(a.Found) == 0:
		return "No change of the row changes the prediction.\n"
	}
	text := fmt.Sprintf("The prediction changes if %s %s:\n", wording.Count(int64(a.Columns), "column"),
		map[bool]string{true: "changes", false: "change"}[a.Columns == 1])
	for i, alt := range a.Found {
		if i == listed {
			return text + fmt.Sprintf("- and %s more\n", wording.Thousands(int64(len(a.Found)-i)))
		}
		var each []string
		for _, c := range alt.Changes {
			each = append(each, fmt.Sprintf("%s (%s)", wording.Escape(c.To), strings.TrimPrefix(cellText(c.Column, c.From),
				wording.Escape(c.Column)+" ")))
		}
		text += Hanging("- "+strings.Join(each, " and ")+" → "+wording.Escape(alt.Label), 2)
	}
	return text
}
