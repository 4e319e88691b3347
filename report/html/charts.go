package html

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"parcorels/internal/interval"
	"parcorels/internal/wording"
	"parcorels/model/evaluate"
	"parcorels/model/predict"
	"parcorels/report"
)

// evaluation is how good the model is on a table.
type evaluation struct {
	Table       string
	Trained     bool   // it is the table that the model was learned from
	Instead     bool   // they are rows kept back from a model like this one, which is judged
	Own         bool   // the page shows how it does on other rows, too
	Warning     string // of the figures of such a table
	Interval    string // of the accuracy
	Figures     []figure
	GroupChart  *Plot // selection rates by group; nil of more than two classes
	Rows        int64
	Weight      string // of the labelled rows; "" where they count one each
	WeightedBy  string // column
	Notes       []string
	Measures    evaluate.Measures
	Confusion   []confusionRow
	Charts      []*Plot
	Calibration []calibrationRow
	Limits      []limitRow // where there are two classes
	By          string
	Groups      []evaluate.GroupMeasures
	GroupTables []groupTable // of class 1, or of each of more than two classes
	Differences []evaluate.Difference
}

// figure is a measure with its name.
type figure struct{ Name, Value, Note string }

// measure names a measure of groups in words.
func measure(name string) string {
	first, class, _ := strings.Cut(name, " of ")
	if class != "" {
		class = " of " + class
	}
	switch first {
	case evaluate.SelectionRate:
		return "marked" + class
	case "TPR":
		return "found" + class
	case "FPR":
		return "false alarms" + class
	case "PPV":
		return "marked rightly" + class
	}
	return name
}

// groupTable has the rates of one class in each group.
type groupTable struct {
	Class string // "" where there are two
	Rows  []groupRow
}

type groupRow struct {
	Group    string
	Rows     int64
	Accuracy evaluate.Rate
	Class    evaluate.ClassMeasures
}

type confusionRow struct {
	Label string
	Cells []confusionCell
}

type confusionCell struct {
	Rows  string
	Right bool
	Share string // of the row of the table
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
		Warning: wording.Capital(report.OfTraining(p.Frame)), Rows: s.Rows,
		Notes: s.Warnings(), Measures: e.Measures(), By: by, WeightedBy: weight}
	x.Measures.Intervals = e.Intervals()
	auc := figure{Name: "AUC", Value: x.Measures.AUC.Decimal(3)}
	if in := x.Measures.Intervals; in != nil && in.AUC != nil {
		auc.Note = fmt.Sprintf("95%% interval %.3f–%.3f", in.AUC.Low, in.AUC.High)
	}
	if in := x.Measures.Intervals; in != nil && in.Accuracy != nil {
		i := in.Accuracy
		x.Interval = evaluate.Rate(i.Low).Percent() + "–" + evaluate.Rate(i.High).Percent()
	}
	m := &x.Measures
	marked, found := "", ""
	if len(e.Classes) == 2 {
		marked = "of the rows marked " + e.Classes[1] + " are " + e.Classes[1]
		found = "of the rows that are " + e.Classes[1] + " are marked"
	}
	x.Figures = []figure{
		{Name: "balanced accuracy", Value: m.Balanced.Percent(), Note: "mean over the classes"},
		{Name: "precision", Value: m.Precision.Percent(), Note: marked}, {Name: "recall", Value: m.Recall.Percent(), Note: found},
		{Name: "F1", Value: m.F1.Percent()}, auc, {Name: "log loss", Value: m.LogLoss.Decimal(3)},
		{Name: "Brier score", Value: m.Brier.Decimal(3)},
	}
	if m.Rare() { // what ranks the rows leads
		no, yes := evaluate.Sum(m.Confusion[0]), evaluate.Sum(m.Confusion[1])
		x.Figures = slices.Concat([]figure{auc, {Name: "average precision", Value: m.AveragePrecision.Decimal(3),
			Note: "of rows worked down by probability; by chance " + evaluate.Rate(yes/(no+yes)).Decimal(3)},
			{Name: "lift", Value: m.Lift.Decimal(1), Note: "times as many " + e.Classes[1] + " in the tenth most likely"}, x.Figures[5]},
			x.Figures[:4], x.Figures[6:])
	}
	if x.Measures.Weight != nil {
		x.Weight = evaluate.WeightText(*x.Measures.Weight)
	}
	for a, counts := range x.Measures.Confusion {
		row := confusionRow{Label: e.Classes[a]}
		for c, n := range counts {
			row.Cells = append(row.Cells, confusionCell{evaluate.WeightText(n), a == c, evaluate.Rate(n / evaluate.Sum(counts)).Percent()})
		}
		x.Confusion = append(x.Confusion, row)
	}
	for _, g := range s.Groups {
		x.Groups = append(x.Groups, g.Measures())
	}
	x.Differences = evaluate.Differences(x.Groups)
	x.tabulate(e.Classes)
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

// limitRow says what comes of answering class 1 from a probability on, in rows of 100.
type limitRow struct {
	From                                  float64
	Right, Marked, Found, Alarms, Precise string
}

// limit tries each probability that the model gives as the least one for class 1, the largest first.
func (x *evaluation) limit(e *evaluate.Evaluation) {
	of := func(n, all float64) string { return strconv.FormatFloat(100*n/max(all, 1), 'f', 0, 64) }
	weights := e.CaseWeights()
	var all, yes float64
	from := map[float64]bool{}
	for i, w := range weights {
		all, yes, from[e.Probabilities[i][1]] = all+evaluate.Sum(w), yes+w[1], true
	}
	for _, p := range slices.Backward(slices.Sorted(maps.Keys(from))) {
		var marked, found float64
		for i, w := range weights {
			if e.Probabilities[i][1] >= p {
				marked, found = marked+evaluate.Sum(w), found+w[1]
			}
		}
		alarms := marked - found
		x.Limits = append(x.Limits, limitRow{p, of(all-yes-alarms+found, all), of(marked, all), of(found, yes), of(alarms, all-yes),
			of(found, marked)})
	}
}

// tabulate makes the tables of groups.
func (x *evaluation) tabulate(classes []string) {
	for _, c := range evaluate.Told(classes) {
		t := groupTable{}
		if len(classes) > 2 {
			t.Class = classes[c]
		}
		for _, g := range x.Groups {
			t.Rows = append(t.Rows, groupRow{g.Group, g.Rows, g.Accuracy, g.PerClass[c]})
		}
		x.GroupTables = append(x.GroupTables, t)
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
		p.XTicks = append(p.XTicks, tick{side * x, shortened(g.Group, 3*mostBars/len(groups))})
	}
	return p
}

// mostBars is how many groups a chart has room for.
const mostBars = 12

// shortened returns a text of at most n letters.
func shortened(text string, n int) string {
	if letters := []rune(text); len(letters) > max(n, 4) {
		return string(letters[:max(n, 4)-1]) + "…"
	}
	return text
}

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
