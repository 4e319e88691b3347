package explain

import (
	"parcorels/model"
	"parcorels/model/predict"
)

// Explanation says how a model came to a prediction.
type Explanation struct {
	predict.Prediction
	// Holds are the literals of the case that decided; of a leaf those of the
	// whole path. It is empty for a default.
	Holds []model.Literal
	// Failed is what Predictor.Failed returns.
	Failed []predict.Failure
}

// Row predicts for a row and says why.
func Row(p *predict.Predictor, cells []string) (Explanation, error) {
	said, err := p.Predict(cells)
	if err != nil {
		return Explanation{}, err
	}
	return Explanation{Prediction: said, Holds: p.Model().Cases()[said.Case].Literals(), Failed: p.Failed(cells, said)}, nil
}
