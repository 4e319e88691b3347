// Package evaluate measures predictions against labels: accuracy, rates, AUC, losses, with
// intervals, for all rows and by group. Begin with [Evaluation], which counts rows by the
// case that decided them, and with [Evaluation.Measures].
package evaluate

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"parcorels/internal/interval"
	"parcorels/internal/wording"
)

// Rate is a measure that may be undefined, which is NaN, or infinite. JSON has
// neither and shows null.
type Rate float64

// MarshalJSON writes the number, or null where there is none.
func (r Rate) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(r)) || math.IsInf(float64(r), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(r))
}

// UnmarshalJSON reads what MarshalJSON writes; null is NaN.
func (r *Rate) UnmarshalJSON(text []byte) error {
	v := math.NaN()
	if string(text) != "null" {
		if err := json.Unmarshal(text, &v); err != nil {
			return err
		}
	}
	*r = Rate(v)
	return nil
}

// Percent returns a rate as a percentage with one decimal, a dash where there is none.
func (r Rate) Percent() string {
	if math.IsNaN(float64(r)) {
		return "–"
	}
	return strconv.FormatFloat(100*float64(r), 'f', 1, 64) + "%"
}

// Decimal returns a measure that is no share with so many decimals.
func (r Rate) Decimal(decimals int) string {
	switch {
	case math.IsNaN(float64(r)):
		return "–"
	case math.IsInf(float64(r), 0):
		return "∞"
	}
	return strconv.FormatFloat(float64(r), 'f', decimals, 64)
}

// WeightText returns the weight of rows as people read it: a count if they count one each.
func WeightText(w float64) string {
	if w == math.Trunc(w) && w < 1<<53 {
		return wording.Thousands(int64(w))
	}
	return strconv.FormatFloat(w, 'f', 1, 64)
}

// Measures are what an evaluation comes to. A measure of no rows is NaN. With
// weights every share of rows is one of their weight.
type Measures struct {
	Rows      int64       `json:"rows"`
	Weight    *float64    `json:"weight,omitempty"` // of all rows; nil where they count one each
	Classes   []string    `json:"classes"`
	Confusion [][]float64 `json:"confusion"` // by actual class, then by predicted class
	Accuracy  Rate        `json:"accuracy"`  // share of rows predicted rightly
	Majority  Rate        `json:"majority"`  // accuracy of always predicting the most frequent class
	Frequent  string      `json:"majority_class"`
	Balanced  Rate        `json:"balanced_accuracy"` // mean of the recalls of all classes that occur

	// With two classes those of class 1, with more the means over all classes that
	// occur; the precision of one that is never predicted counts as 0 there.
	Precision Rate `json:"precision"` // share of the rows predicted to be of the class that are
	Recall    Rate `json:"recall"`    // share of the rows of the class that are predicted to be
	F1        Rate `json:"f1"`        // harmonic mean of precision and recall
	// AUC is the chance that a row of the class has a larger probability of it
	// than a row of another, ties counting one half (area under the ROC curve).
	AUC Rate `json:"auc"`
	// AveragePrecision is the mean of the precision over all rows of class 1, where the rows are worked down from the largest
	// probability: Σ (R_k − R_{k−1})·P_k, rows of one probability together. NaN with more than two classes.
	AveragePrecision Rate `json:"average_precision"`
	// Lift is how many times more frequent class 1 is among the tenth of the rows with the largest probabilities than among
	// all; of rows with one probability a share counts. NaN with more than two classes.
	Lift    Rate `json:"lift"`
	LogLoss Rate `json:"log_loss"` // mean of −ln of the probability of the actual class; infinite if one was 0
	// Brier is the mean of the squared difference of the probability of class 1
	// and what is true, 0 or 1; of more classes the sum over all of them.
	Brier Rate `json:"brier"`

	PerClass []ClassMeasures `json:"per_class"`

	Intervals *Intervals `json:"intervals,omitempty"` // nil unless asked for
}

// Intervals are where measures lie on all rows like these, in 95 of 100 tables. Shares have
// the interval of Wilson, AUC that of DeLong. Nil is one that is not defined.
type Intervals struct {
	Accuracy  *interval.Interval `json:"accuracy,omitempty"`
	Precision *interval.Interval `json:"precision,omitempty"` // this and what follows: of class 1 of two
	Recall    *interval.Interval `json:"recall,omitempty"`
	AUC       *interval.Interval `json:"auc,omitempty"`
}

// ClassMeasures are the measures of telling one class from all others.
type ClassMeasures struct {
	Class     string `json:"class"`
	Rows      int64  `json:"rows"`
	Selected  Rate   `json:"selection_rate"` // share of all rows predicted to be of the class
	Precision Rate   `json:"precision"`      // also called PPV
	Recall    Rate   `json:"recall"`         // also called TPR
	FPR       Rate   `json:"fpr"`            // share of the rows of other classes predicted to be of this one
	F1        Rate   `json:"f1"`
	AUC       Rate   `json:"auc"`
}

// Measures computes all measures.
func (e *Evaluation) Measures() Measures {
	w := e.CaseWeights()
	m := Measures{Rows: e.Rows(), Classes: e.Classes, Confusion: e.Confusion()}
	total, right, most, recalls, occur := 0.0, 0.0, -1.0, 0.0, 0
	for c, label := range e.Classes {
		k := e.class(c, m.Confusion)
		m.PerClass = append(m.PerClass, k)
		own := Sum(m.Confusion[c])
		total, right = total+own, right+m.Confusion[c][c]
		if own > most {
			most, m.Frequent = own, label
		}
		if own > 0 {
			recalls, occur = recalls+float64(k.Recall), occur+1
		}
	}
	if e.Weights != nil {
		m.Weight = &total
	}
	m.Accuracy, m.Majority = Rate(right/total), Rate(most/total) // NaN of no rows
	m.Balanced = Rate(recalls / float64(occur))
	m.LogLoss, m.Brier = e.losses(w, total)
	m.AveragePrecision, m.Lift = e.ranking()
	mean := e.mean(m.PerClass)
	m.Precision, m.Recall, m.F1, m.AUC = mean.Precision, mean.Recall, mean.F1, mean.AUC
	return m
}

// Intervals returns those of rows that count one each, nil of rows with weights.
func (e *Evaluation) Intervals() *Intervals {
	if e.Weights != nil {
		return nil
	}
	ofShare := func(part, whole float64) *interval.Interval {
		if whole == 0 {
			return nil
		}
		return new(interval.Wilson(int64(part), int64(whole)))
	}
	c, right := e.Confusion(), 0.0
	for class, row := range c {
		right += row[class]
	}
	r := &Intervals{Accuracy: ofShare(right, float64(e.Rows()))}
	if len(e.Classes) != 2 {
		return r
	}
	r.Precision, r.Recall = ofShare(c[1][1], c[0][1]+c[1][1]), ofShare(c[1][1], Sum(c[1]))
	if i, ok := interval.AUC(e.Steps(1)); ok && i.Low < i.High { // not of classes that are told apart wholly
		r.AUC = &i
	}
	return r
}

// mean returns the measures of class 1 of two, and of more classes their means.
func (e *Evaluation) mean(per []ClassMeasures) (m ClassMeasures) {
	if len(per) == 2 {
		return per[1]
	}
	n := Rate(0)
	for _, k := range per {
		if k.Rows == 0 {
			continue
		}
		n++
		if k.Selected > 0 {
			m.Precision += k.Precision
		}
		m.Recall += k.Recall
		m.F1 += k.F1
		m.AUC += k.AUC
	}
	m.Precision, m.Recall, m.F1, m.AUC = m.Precision/n, m.Recall/n, m.F1/n, m.AUC/n
	return m
}

// class returns the measures of one class.
func (e *Evaluation) class(c int, confusion [][]float64) ClassMeasures {
	var selected, rows float64
	for a := range confusion {
		selected += confusion[a][c]
		rows += Sum(confusion[a])
	}
	own, right := Sum(confusion[c]), confusion[c][c]
	n := int64(0)
	for _, counts := range e.Counts {
		n += counts[c]
	}
	return ClassMeasures{
		Class: e.Classes[c], Rows: n,
		Selected:  Rate(selected / rows),
		Precision: Rate(right / selected),
		Recall:    Rate(right / own),
		FPR:       Rate((selected - right) / (rows - own)),
		F1:        Rate(2 * right / (selected + own)),
		AUC:       e.auc(c),
	}
}

// auc returns the area under the ROC curve of a class, exactly.
func (e *Evaluation) auc(class int) Rate {
	var pairs, positives, negatives float64
	for _, s := range e.Steps(class) {
		pairs += s.Positives * (negatives + s.Negatives/2)
		positives, negatives = positives+s.Positives, negatives+s.Negatives
	}
	return Rate(pairs / (positives * negatives))
}

// topShare is the share of the rows that lift is about.
const topShare = 0.1

// ranking returns average precision and lift.
func (e *Evaluation) ranking() (average, lift Rate) {
	if len(e.Classes) != 2 {
		return Rate(math.NaN()), Rate(math.NaN())
	}
	steps := e.Steps(1)
	var total, positives, above, found, top float64
	for _, s := range steps {
		total, positives = total+s.Positives+s.Negatives, positives+s.Positives
	}
	if positives == 0 {
		return Rate(math.NaN()), Rate(math.NaN())
	}
	for _, s := range slices.Backward(steps) {
		all := s.Positives + s.Negatives
		if all == 0 {
			continue
		}
		top += s.Positives * min(1, max(0, topShare*total-above)/all)
		above, found = above+all, found+s.Positives
		average += Rate(s.Positives / positives * found / above)
	}
	return average, Rate(top / (topShare * positives))
}

// Rare reports whether there are two classes, both occur, and one has less than a tenth of the weight: accuracy then says
// little, and what ranks the rows leads.
func (m *Measures) Rare() bool { return len(m.Classes) == 2 && RareBeside(float64(m.Majority)) }

// RareBeside reports whether the class beside a majority of this share is rare.
func RareBeside(majority float64) bool { return majority > 0.9 && majority < 1 }

// Steps returns what the rows of a class, and others, weigh by ascending probability of the class: as many groups as there are cases at
// most.
func (e *Evaluation) Steps(class int) (list []interval.Scored) {
	order, w := make([]int, len(e.Counts)), e.CaseWeights()
	for i := range order {
		order[i] = i
	}
	of := func(i int) float64 { return e.Probabilities[i][class] }
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(of(i), of(j)) })
	for k, i := range order {
		if k == 0 || of(i) != of(order[k-1]) {
			list = append(list, interval.Scored{Score: of(i)})
		}
		s := &list[len(list)-1]
		s.Positives, s.Negatives = s.Positives+w[i][class], s.Negatives+Sum(w[i])-w[i][class]
	}
	return list
}

// losses returns log loss and Brier score.
func (e *Evaluation) losses(w [][]float64, total float64) (log, brier Rate) {
	for i := range w {
		for a, weight := range w[i] {
			if weight == 0 {
				continue
			}
			share := weight / total
			log -= Rate(share * math.Log(e.Probabilities[i][a]))
			brier += Rate(share * e.squares(i, a))
		}
	}
	if total == 0 {
		return Rate(math.NaN()), Rate(math.NaN())
	}
	return log, brier
}

// squares returns the squared error of case i for a row of class a.
func (e *Evaluation) squares(i, a int) (s float64) {
	for k, p := range e.Probabilities[i] {
		truth := 0.0
		if k == a {
			truth = 1
		}
		s += (p - truth) * (p - truth)
	}
	if len(e.Classes) == 2 {
		return s / 2
	}
	return s
}

// ROC returns the points of the ROC curve of a class, from (0, 0) to (1, 1):
// the shares of the rows of other classes and of its own whose probability of
// the class is at least some number. It is nil where either has no row.
func (e *Evaluation) ROC(class int) [][2]float64 {
	curve := [][2]float64{{}}
	var in, out float64
	for _, s := range slices.Backward(e.Steps(class)) {
		in, out = in+s.Positives, out+s.Negatives
		curve = append(curve, [2]float64{out, in})
	}
	if in == 0 || out == 0 {
		return nil
	}
	for i, at := range curve {
		curve[i] = [2]float64{at[0] / out, at[1] / in}
	}
	return curve
}

// Regret is what decisions cost more, on average of some rows, than the best one of each row.
type Regret struct {
	Model float64   `json:"model"`
	Each  []float64 `json:"each"` // by class: to decide so for everyone
}

// Evaluation compares predictions with the labels that a table gives. A model
// says the same of all rows that one case decides, so counts by case and class
// are all that any measure needs. Rows count one each unless there are Weights.
type Evaluation struct {
	Classes       []string    // text of each class, as Frame.Label
	Predicted     []int       // class that each case predicts
	Probabilities [][]float64 // of each class, by case
	Counts        [][]int64   // Counts[i][a]: rows of class a that case i decided
	Weights       [][]float64 // what those rows weigh; nil: one each
}

// Add counts a row of a class that a case decided. The weight counts where there
// are Weights.
func (e *Evaluation) Add(i, actual int, weight float64) {
	e.Counts[i][actual]++
	if e.Weights != nil {
		e.Weights[i][actual] += weight
	}
}

// CaseWeights returns what the rows weigh, by case and class. Sums of counts are exact.
func (e *Evaluation) CaseWeights() [][]float64 {
	if e.Weights != nil {
		return e.Weights
	}
	w := make([][]float64, len(e.Counts))
	for i, counts := range e.Counts {
		for _, n := range counts {
			w[i] = append(w[i], float64(n))
		}
	}
	return w
}

// Rows returns how many rows had a label.
func (e *Evaluation) Rows() (n int64) {
	for _, c := range e.Counts {
		n += Sum(c)
	}
	return n
}

// Confusion returns what the rows weigh by their class, then by the class predicted.
func (e *Evaluation) Confusion() [][]float64 {
	c, rows := make([][]float64, len(e.Classes)), e.CaseWeights()
	for a := range c {
		c[a] = make([]float64, len(e.Classes))
		for i := range rows {
			c[a][e.Predicted[i]] += rows[i][a]
		}
	}
	return c
}

// Sum adds numbers up.
func Sum[N int64 | float64](values []N) (total N) {
	for _, v := range values {
		total += v
	}
	return total
}

// Group is the evaluation of the rows that have one value in a column.
type Group struct {
	Value string
	*Evaluation
}

// GroupMeasures are the measures of one group of rows.
type GroupMeasures struct {
	Group string `json:"group"`
	Measures
	// Class 1 of two classes.
	Selected Rate `json:"selection_rate"` // share predicted to be of class 1
	TPR      Rate `json:"tpr"`            // share of class 1 predicted to be so
	FPR      Rate `json:"fpr"`            // share of class 0 predicted to be of class 1
	PPV      Rate `json:"ppv"`            // share of those predicted to be of class 1 that are
}

// Difference is the largest difference of a measure between two groups in which
// it is defined.
type Difference struct {
	Measure string `json:"measure"`
	Class   string `json:"class,omitempty"` // of more than two, the one told from all others
	Size    Rate   `json:"difference"`
	Most    string `json:"most"`  // the group with the largest value
	Least   string `json:"least"` // the group with the smallest
}

// Name returns the measure, and of which class it is where there are many.
func (d Difference) Name() string {
	if d.Class == "" {
		return d.Measure
	}
	return d.Measure + " of " + d.Class
}

// Measures returns the measures of a group. With more than two classes, those of
// class 1 stay undefined.
func (g Group) Measures() GroupMeasures {
	m := GroupMeasures{Group: g.Value, Measures: g.Evaluation.Measures()}
	one := m.One()
	m.Selected, m.TPR, m.FPR, m.PPV = one.Selected, one.Recall, one.FPR, one.Precision
	return m
}

// One returns the rates of class 1 of two; with more classes they are undefined.
func (m *Measures) One() ClassMeasures {
	if len(m.PerClass) == 2 {
		return m.PerClass[1]
	}
	nan := Rate(math.NaN())
	return ClassMeasures{Selected: nan, Recall: nan, FPR: nan, Precision: nan}
}

// Errors returns the weight of what was predicted wrongly, of all.
func (m *Measures) Errors() (wrong, all float64) {
	for class, row := range m.Confusion {
		all += Sum(row)
		wrong += Sum(row) - row[class]
	}
	return wrong, all
}

// Told are the classes whose measures are told one by one, each against all others: of two, class 1.
func Told(classes []string) []int {
	if len(classes) == 2 {
		return []int{1}
	}
	all := make([]int, len(classes))
	for c := range all {
		all[c] = c
	}
	return all
}

// FewRows is the number of rows below which the measures of a group say too little to be
// compared with those of others.
const FewRows = 30

// Differences returns the largest difference of each measure between groups of FewRows and
// more; of more than two classes those of telling each class from all others.
func Differences(groups []GroupMeasures) (list []Difference) {
	groups = slices.DeleteFunc(slices.Clone(groups), func(g GroupMeasures) bool { return g.Rows < FewRows })
	add := func(name, class string, value func(*GroupMeasures) Rate) {
		if d, ok := difference(groups, value); ok {
			d.Measure, d.Class = name, class
			list = append(list, d)
		}
	}
	add("accuracy", "", func(g *GroupMeasures) Rate { return g.Accuracy })
	if len(groups) == 0 {
		return list
	}
	classes := groups[0].Classes
	for _, c := range Told(classes) {
		class := classes[c]
		if len(classes) == 2 {
			class = ""
		}
		add(SelectionRate, class, func(g *GroupMeasures) Rate { return g.PerClass[c].Selected })
		add("TPR", class, func(g *GroupMeasures) Rate { return g.PerClass[c].Recall })
		add("FPR", class, func(g *GroupMeasures) Rate { return g.PerClass[c].FPR })
		add("PPV", class, func(g *GroupMeasures) Rate { return g.PerClass[c].Precision })
	}
	return list
}

// difference returns the largest difference of a measure between two groups in
// which it is defined; false if there are no two.
func difference(groups []GroupMeasures, value func(*GroupMeasures) Rate) (Difference, bool) {
	least, most, defined := -1, -1, 0
	for i := range groups {
		v := value(&groups[i])
		if math.IsNaN(float64(v)) {
			continue
		}
		defined++
		if least < 0 || v < value(&groups[least]) {
			least = i
		}
		if most < 0 || v > value(&groups[most]) {
			most = i
		}
	}
	if defined < 2 {
		return Difference{}, false
	}
	return Difference{Size: value(&groups[most]) - value(&groups[least]), Most: groups[most].Group, Least: groups[least].Group}, true
}

// SelectionRate is the measure of a difference in the share of rows that are predicted to be of a class.
const SelectionRate = "selection rate"
