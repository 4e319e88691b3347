package html

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"parcorels/internal/interval"
	"parcorels/internal/wording"
	"parcorels/model/evaluate"
	"parcorels/model/predict"
)

// evaluation is how good the model is on a table.
type evaluation struct {
	Table       string
	Trained     bool   // it is the table that the model was learned from
	Instead     bool   // they are rows kept back from a model like this one, which is judged
	Own         bool   // the page shows how it does on other rows, too
	Warning     string // of the figures of such a table
	GroupChart  *Plot  // selection rates by group; nil of more than two classes
	Rows        int64
	WeightedBy  string // column
	Notes       []string
	Measures    evaluate.Measures
	Charts      []*Plot
	Calibration []calibrationRow
	Limits      []limitRow // where there are two classes
	By          string
	Groups      []evaluate.GroupMeasures
	Differences []evaluate.Difference
}

type calibrationRow struct {
	Case     int
	Class    string
	Rows     int64
	Said     float64
	Observed float64
}

// Evaluate adds what a table's labels say of the model, by the values of column by
// if that is not "". The column weight says what rows weigh; "": one each. A trained
// table is the one that the model was learned from.
func (p *Page) Evaluate(table, by, weight string, trained bool, s *predict.Summary) {
	e := s.Evaluation
	x := &evaluation{Table: table, Trained: trained, Instead: p.instead != nil, Own: p.RowsAt != "",
		Warning: wording.Capital(p.Warning), Rows: s.Rows,
		Notes: s.Warnings(), Measures: e.Measures(), By: by, WeightedBy: weight}
	x.Measures.Intervals = e.Intervals()
	for _, g := range s.Groups {
		x.Groups = append(x.Groups, g.Measures())
	}
	x.Differences = evaluate.Differences(x.Groups)
	if len(e.Classes) == 2 {
		x.GroupChart = groupChart(x.Groups, e.Classes[1])
		x.limit(e)
	}
	for _, c := range evaluate.Told(e.Classes) {
		if roc := rocChart(e, c, x.Measures.PerClass[c].AUC); roc != nil {
			x.Charts = append(x.Charts, roc)
		}
	}
	for _, c := range evaluate.Told(e.Classes) {
		x.calibrate(e, c)
	}
	p.Evaluation = x
}

// ByChance is the average precision of rows in any order.
func (x *evaluation) ByChance() string {
	no, yes := evaluate.Sum(x.Measures.Confusion[0]), evaluate.Sum(x.Measures.Confusion[1])
	return evaluate.Rate(yes / (no + yes)).Decimal(3)
}

// limitRow says what comes of answering class 1 from a probability on, in rows of 100.
type limitRow struct {
	From                                  float64
	Right, Marked, Found, Alarms, Precise string
}

// limit tries each probability that the model gives as the least one for class 1, the largest first.
func (x *evaluation) limit(e *evaluate.Evaluation) {
	of := func(n, all float64) string { return strconv.FormatFloat(100*n/max(all, 1), 'f', 0, 64) }
	steps := slices.Backward(e.Steps(1))
	var all, yes, marked, found float64
	for _, s := range steps {
		all, yes = all+s.Positives+s.Negatives, yes+s.Positives
	}
	for _, s := range steps {
		marked, found = marked+s.Positives+s.Negatives, found+s.Positives
		alarms := marked - found
		x.Limits = append(x.Limits, limitRow{s.Score, of(all-yes-alarms+found, all), of(marked, all), of(found, yes),
			of(alarms, all-yes), of(found, marked)})
	}
}

// groupChart draws the share of each group that is predicted class 1, a circle each,
// with its interval. Groups of few rows are in the table alone.
func groupChart(groups []evaluate.GroupMeasures, label string) *Plot {
	groups = slices.DeleteFunc(slices.Clone(groups), func(g evaluate.GroupMeasures) bool { return g.Rows < evaluate.FewRows })
	if len(groups) < 2 || len(groups) > mostBars {
		return nil
	}
	p := ofShares("Share predicted "+label+" by group", "Share of each group that is predicted "+label+"; the table has the numbers",
		"groups of "+strconv.Itoa(evaluate.FewRows)+" rows and more", "predicted "+label)
	p.Diagonal, p.XTicks = false, nil
	for i, g := range groups {
		share, x := float64(g.PerClass[1].Selected), (float64(i)+.5)/float64(len(groups))
		at := interval.Wilson(int64(math.Round(share*float64(g.Rows))), g.Rows)
		p.Points = append(p.Points, Point{X: x, Y: share, R: 2, Low: at.Low, High: at.High,
			Title: fmt.Sprintf("%s: %s of %d rows", g.Group, evaluate.Rate(share).Percent(), g.Rows)})
		p.XTicks = append(p.XTicks, tick{side * x, wording.Cut(g.Group, max(3*mostBars/len(groups), 4))})
	}
	return p
}

// mostBars is how many groups a chart has room for.
const mostBars = 12

// rocChart draws the ROC curve of a class; nil where there is none.
func rocChart(e *evaluate.Evaluation, class int, auc evaluate.Rate) *Plot {
	curve := e.ROC(class)
	if curve == nil {
		return nil
	}
	label := e.Classes[class]
	p := ofShares("ROC curve of class "+label, fmt.Sprintf("ROC curve of class %s, area %s", label, auc.Decimal(3)),
		"false positive rate", "true positive rate")
	p.joined = true
	for _, at := range curve {
		p.Points = append(p.Points, Point{X: at[0], Y: at[1], R: 1.4,
			Title: fmt.Sprintf("%.1f%% false alarms, %.1f%% found", 100*at[0], 100*at[1])})
	}
	return p
}

// calibrate compares, case by case, the probability of a class that training gives
// with its share in the table.
func (x *evaluation) calibrate(e *evaluate.Evaluation, class int) {
	label := e.Classes[class]
	p := ofShares("Calibration of class "+label, "Calibration: observed share of class "+label+
		" over the probability from training, a circle for each case; on the diagonal they agree",
		"P("+label+") from training", "observed share")
	weights, total := e.CaseWeights(), 0.0
	for _, w := range weights {
		total += evaluate.Sum(w)
	}
	for i, w := range weights {
		weight := evaluate.Sum(w)
		if weight == 0 {
			continue
		}
		rows := evaluate.Sum(e.Counts[i])
		said, observed := e.Probabilities[i][class], w[class]/weight
		x.Calibration = append(x.Calibration, calibrationRow{i + 1, label, rows, said, observed})
		p.Points = append(p.Points, Point{X: said, Y: observed, R: 1.2 + 6*math.Sqrt(weight/total),
			Title: fmt.Sprintf("case %d, %d rows: P %.3f, observed %.3f", i+1, rows, said, observed)})
	}
	x.Charts = append(x.Charts, p)
}
