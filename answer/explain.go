package answer

import (
	"parcorels/model/explain"
	"parcorels/model/predict"
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
	return render("explanation", map[string]any{"Said": x, "Part": p.Model().Certificate().Part, "Classes": p.Model().About().Labels(),
		"Others": others, "First": others.Found[:min(len(others.Found), listed)], "More": len(others.Found) - listed}), nil
}
