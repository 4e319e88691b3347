package predict

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"parcorels/dataset"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/model/evaluate"
)

// The columns that Stream appends. If the table has one of their names already,
// all get the first number from 2 on that makes them new, as in prediction_2.
// Behind ProbabilityColumn stands one for the probability of class 1, "P(yes)";
// of more than two classes one for each.
const (
	LabelColumn       = "prediction"             // label predicted
	RuleColumn        = "prediction_rule"        // case that decided: "1: priors > 3", or "else"
	ProbabilityColumn = "prediction_probability" // of that label, see Prediction.Probabilities
)

// Stream predicts for all rows of a table whose header Bind was given. It writes the
// header and then each row to w as it is, followed by the columns above. A nil w
// writes nothing. Where the table has the model's target column, the labels
// there are compared with the predictions.
//
// No cell stops it: what cannot be judged is counted in the Summary. With
// Options.Strict such a cell is an error, and a label that the model does not
// know, too; rows that lack what the rules ask for stay without prediction where
// the model was learned without such rows. Errors begin with name and line; what
// was written before stays written.
func (p *Predictor) Stream(name string, rows *dataset.Rows, w *csv.Writer) (*Summary, error) {
	s, err := p.newStream()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", wording.Printable(name), err)
	}
	if w != nil {
		if err := w.Write(append(slices.Clone(p.header), s.names...)); err != nil {
			return nil, err
		}
	}
	for {
		cells, err := rows.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		added, err := s.row(cells, rows.Line())
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", wording.Printable(name), rows.Line(), err)
		}
		if w == nil {
			continue
		}
		s.record = append(append(s.record[:0], rows.Raw()...), added...)
		if err := w.Write(s.record); err != nil {
			return nil, err
		}
	}
	if w != nil {
		w.Flush()
		if err := w.Error(); err != nil {
			return nil, err
		}
	}
	return s.finish(), nil
}

// appended returns the names of the columns to append, none of which is in the
// header.
func (p *Predictor) appended() []string {
	first := []string{LabelColumn, RuleColumn, ProbabilityColumn}
	for _, c := range evaluate.Told(p.frame.Classes) {
		first = append(first, "P("+wording.Printable(p.frame.Label(c))+")")
	}
	names := slices.Clone(first)
	taken := func(n string) bool { return slices.Contains(p.header, n) }
	for k := 2; slices.ContainsFunc(names, taken); k++ {
		for i, n := range first {
			names[i] = n + "_" + strconv.Itoa(k)
		}
	}
	return names
}

// stream is the state of one call of Stream.
type stream struct {
	*Predictor
	summary    Summary
	evaluation *evaluate.Evaluation
	by         int                             // index of the column of groups
	groups     map[string]*evaluate.Evaluation // nil: none
	names      []string                        // of the columns appended
	added      [][]string                      // what each case appends
	weight     int                             // index of the column of weights, -1 for none
	target     int                             // index of the target column, -1 if the table lacks it
	known      []model.Known                   // of each column of the model
	matrix     []float64                       // of costs, as model.Costs; nil: none
	cost       []float64                       // of the row, by class
	costs      []int                           // indices of the columns of costs, by class; nil: none
	record     []string
}

func (p *Predictor) newStream() (*stream, error) {
	f := p.frame
	s := &stream{
		Predictor:  p,
		evaluation: p.newEvaluation(),
		names:      p.appended(),
		target:     slices.Index(p.header, f.Target),
		weight:     -1,
	}
	if p.options.Weight != "" {
		if s.weight = slices.Index(p.header, p.options.Weight); s.weight < 0 {
			return nil, fmt.Errorf("the table lacks column %q of weights", p.options.Weight)
		}
	}
	s.costs = s.costing()
	if p.options.By != "" {
		if s.by, s.groups = slices.Index(p.header, p.options.By), map[string]*evaluate.Evaluation{}; s.by < 0 {
			return nil, fmt.Errorf("the table lacks column %q, by which to evaluate", p.options.By)
		}
	}
	decimals := func(v float64) string { return strconv.FormatFloat(v, 'f', 6, 64) }
	for i, said := range p.says {
		rule := "else"
		if text := p.cases[i].Text; text != "" {
			// The number makes the text no formula to a spreadsheet.
			rule = strconv.Itoa(i+1) + ": " + wording.Printable(text)
		}
		added := []string{said.Label, rule, decimals(said.Probability())}
		for _, c := range evaluate.Told(p.frame.Classes) {
			added = append(added, decimals(said.Probabilities[c]))
		}
		s.added = append(s.added, added)
	}
	for _, c := range f.Columns {
		s.known = append(s.known, c.Known())
		s.summary.Unjudged = append(s.summary.Unjudged, Cells{Column: c.Name})
		s.summary.Unfamiliar = append(s.summary.Unfamiliar, Cells{Column: c.Name})
	}
	return s, nil
}

// row returns what is appended to a row; it is valid until the next row.
func (s *stream) row(cells []string, line int) ([]string, error) {
	s.summary.Rows++
	lacks := func(l literal) bool { return s.lacks(cells[l.at]) }
	if s.options.Strict && s.frame.Reading.DropMissing && slices.ContainsFunc(s.cells, lacks) {
		s.summary.Skipped++
		return make([]string, len(s.names)), nil
	}
	said, err := s.Predict(cells)
	if err != nil {
		return nil, err
	}
	s.note(cells, line)
	if s.costs != nil {
		if err := s.spend(cells, said.Case); err != nil {
			return nil, err
		}
	} else if s.target >= 0 {
		actual, err := s.compare(cells, said.Case, line)
		if err != nil {
			return nil, err
		}
		if s.options.Seen != nil {
			s.options.Seen(cells, actual)
		}
	}
	return s.added[said.Case], nil
}

// note counts cells that cannot be judged, and those of unfamiliar values.
func (s *stream) note(cells []string, line int) {
	odd := false
	for i := range s.cells {
		cell, test := cells[s.cells[i].at], &s.cells[i].test
		if s.lacks(cell) {
			if test.Complete || test.Kind == dataset.Given {
				s.summary.Unjudged[i].add(cell, line)
				odd = true
			}
			continue
		}
		if _, err := test.Holds(cell); err != nil {
			s.summary.Unjudged[i].add(cell, line)
			odd = true
		} else if !s.known[i].Has(cell) {
			s.summary.Unfamiliar[i].add(cell, line)
			odd = true
		}
	}
	if odd {
		s.summary.Odd++
	}
}

// compare counts a prediction against the label of a row, whose class it returns: −1 for none
// that is known.
func (s *stream) compare(cells []string, decided, line int) (actual int, err error) {
	actual, err = s.frame.ClassOf(cells[s.target])
	switch {
	case err != nil && s.options.Strict:
		return -1, err
	case err != nil:
		s.summary.Strange.Column = s.frame.Target
		s.summary.Strange.add(cells[s.target], line)
		return -1, nil
	case actual < 0:
		s.summary.Unlabelled++
		return -1, nil
	}
	weight, err := s.weigh(cells)
	if err != nil {
		return -1, err
	}
	s.evaluation.Add(decided, actual, weight)
	if k := len(s.cost); len(s.matrix) >= (actual+1)*k && s.matrix != nil {
		for class, cost := range s.matrix[actual*k : (actual+1)*k] {
			s.cost[class] = weight * cost
		}
		s.add(s.cost, decided)
	}
	if s.groups == nil {
		return actual, nil
	}
	group, err := s.group(cells)
	if err != nil {
		return -1, fmt.Errorf("column %q %w", s.options.By, err)
	}
	group.Add(decided, actual, weight)
	return actual, nil
}

// weigh returns the weight of a row.
func (s *stream) weigh(cells []string) (float64, error) {
	if s.weight < 0 {
		return 1, nil
	}
	cell := strings.TrimSpace(cells[s.weight])
	w, ok := dataset.ParseNumber(cell)
	if !ok || w <= 0 || math.IsInf(w, 0) {
		return 0, fmt.Errorf("column %q: weight %q is not a positive number", s.options.Weight, cell)
	}
	return w, nil
}

func (s *stream) finish() *Summary {
	if s.evaluation.Rows() > 0 {
		s.summary.Evaluation = s.evaluation
	}
	s.summary.Groups = listed(s.groups)
	none := func(c Cells) bool { return c.Cells == 0 }
	s.summary.Unjudged = slices.DeleteFunc(s.summary.Unjudged, none)
	s.summary.Unfamiliar = slices.DeleteFunc(s.summary.Unfamiliar, none)
	return &s.summary
}

// Costs are sums over the rows of a table, by what decisions cost there.
type Costs struct {
	Model float64            `json:"model"` // of the decisions of the model
	Each  map[string]float64 `json:"each"`  // of one decision for everyone
	Least float64            `json:"least"` // of the best decision of each row
}

// costing finds the columns of costs of each class, −1 of one with the same cost everywhere; nil where the table or the model has none.
func (s *stream) costing() (at []int) {
	c := s.frame.Costs
	if c == nil {
		return nil
	}
	s.cost = make([]float64, len(s.frame.Classes))
	if s.target >= 0 {
		for _, text := range c.Matrix {
			cost, _ := dataset.ParseNumber(text)
			s.matrix = append(s.matrix, cost)
		}
	}
	for class, name := range c.Columns[:min(len(s.cost), len(c.Columns))] {
		place := slices.Index(s.header, name)
		if name == "" {
			s.cost[class], _ = dataset.ParseNumber(c.Ask)
			place = -1
		} else if place < 0 {
			return nil
		}
		at = append(at, place)
	}
	if at != nil || s.matrix != nil {
		s.summary.Costs = &Costs{Each: map[string]float64{}}
	}
	return at
}

// spend adds up the costs of a row, and evaluates the decision by the difference.
func (s *stream) spend(cells []string, decided int) error {
	for class, at := range s.costs {
		if at < 0 {
			continue
		}
		cell := strings.TrimSpace(cells[at])
		c, ok := dataset.ParseNumber(cell)
		if !ok || math.IsInf(c, 0) {
			return fmt.Errorf("cost %q in column %q is not a number", cell, s.header[at])
		}
		s.cost[class] = c
	}
	s.add(s.cost, decided)
	least := slices.Min(s.cost)
	if least == slices.Max(s.cost) {
		s.summary.Alike++
		return nil
	}
	s.evaluation.Add(decided, slices.Index(s.cost, least), slices.Max(s.cost)-least)
	return nil
}

// add adds up what each decision costs in a row.
func (s *stream) add(cost []float64, decided int) {
	for class, c := range cost {
		s.summary.Costs.Each[s.frame.Label(class)] += c
	}
	s.summary.Costs.Model += cost[s.says[decided].Class]
	s.summary.Costs.Least += slices.Min(cost)
}

// maxGroups is how many groups an evaluation tells apart.
const maxGroups = 100

var errGroups = errors.New("has more than 100 different values: choose a column of groups")

// newEvaluation returns an evaluation of no rows.
func (p *Predictor) newEvaluation() *evaluate.Evaluation {
	e := &evaluate.Evaluation{Classes: p.frame.Labels()}
	for _, said := range p.says {
		e.Predicted = append(e.Predicted, said.Class)
		e.Probabilities = append(e.Probabilities, said.Probabilities)
		e.Counts = append(e.Counts, make([]int64, len(e.Classes)))
		if p.options.Weight != "" {
			e.Weights = append(e.Weights, make([]float64, len(e.Classes)))
		}
	}
	return e
}

// group returns the evaluation of the group that a row is in. Missing values are one
// group, that of the empty text, however they are written.
func (s *stream) group(cells []string) (*evaluate.Evaluation, error) {
	value := cells[s.by]
	if s.lacks(value) {
		value = ""
	}
	e, ok := s.groups[value]
	if !ok {
		if len(s.groups) == maxGroups {
			return nil, errGroups
		}
		e = s.newEvaluation()
		s.groups[string([]byte(value))] = e
	}
	return e, nil
}

// listed returns groups by value: numbers in ascending order, then texts.
func listed(groups map[string]*evaluate.Evaluation) (list []evaluate.Group) {
	for value, e := range groups {
		list = append(list, evaluate.Group{Value: value, Evaluation: e})
	}
	slices.SortFunc(list, func(a, b evaluate.Group) int {
		return cmp.Or(cmp.Compare(number(a.Value), number(b.Value)), strings.Compare(a.Value, b.Value))
	})
	return list
}

// number returns the number that a text is, and what is greater than all of them
// if it is none.
func number(text string) float64 {
	if v, ok := dataset.ParseNumber(text); ok {
		return v
	}
	return math.Inf(1)
}

// Summary is what Stream saw.
type Summary struct {
	Rows int64 // rows of the table
	// rows without prediction for a missing value, where the model has Reading.DropMissing and Options are strict
	Skipped    int64
	Unlabelled int64                // rows predicted whose label is missing
	Alike      int64                // rows in which all decisions cost the same
	Strange    Cells                // labels that the model does not know
	Evaluation *evaluate.Evaluation // nil if the table has no label column, or no label in it
	Groups     []evaluate.Group     // by the values of Options.By, in order
	Costs      *Costs               // nil unless the model is of decisions and the table has their costs
	Odd        int64                // rows with a cell that is counted below
	Unjudged   []Cells              // cells that are missing or not of the kind that their column had
	Unfamiliar []Cells              // cells whose value has no feature, for being rare or absent in training
}

// Cells counts cells of a column that have something in common.
type Cells struct {
	Column  string
	Cells   int64
	Example string // the first of them
	Line    int    // where that stands
}

func (c *Cells) add(cell string, line int) {
	if c.Cells++; c.Cells == 1 {
		// The cell is part of the reader's line, which is large and short-lived.
		c.Example, c.Line = string([]byte(cell)), line
	}
}

// Warnings returns a line for everything that a reader of the predictions
// should know.
func (s *Summary) Warnings() []string {
	var lines []string
	if s.Skipped > 0 {
		lines = append(lines, fmt.Sprintf("%s of %s rows have a missing value where the rules look, and no prediction: the model was "+
			"learned without such rows",
			wording.Thousands(s.Skipped), wording.Thousands(s.Rows)))
	}
	if s.Odd > 0 {
		lines = append(lines, s.odd())
	}
	if s.Unlabelled > 0 {
		lines = append(lines, fmt.Sprintf("%s of %s rows have no label and are not evaluated",
			wording.Thousands(s.Unlabelled), wording.Thousands(s.Rows)))
	}
	if s.Alike > 0 {
		lines = append(lines, fmt.Sprintf("all decisions cost the same in %s of %s rows, which are not evaluated",
			wording.Thousands(s.Alike), wording.Thousands(s.Rows)))
	}
	if n := s.Strange.Cells; n > 0 {
		lines = append(lines, fmt.Sprintf("%s of %s rows have a label that the model does not know and are not evaluated, the first %q "+
			"in line %d",
			wording.Thousands(n), wording.Thousands(s.Rows), s.Strange.Example, s.Strange.Line))
	}
	return lines
}

// odd is the one line on cells that no condition holds on.
func (s *Summary) odd() string {
	var parts []string
	for _, c := range s.Unjudged {
		parts = append(parts, c.text("missing or of another kind"))
	}
	for _, c := range s.Unfamiliar {
		parts = append(parts, c.text("of a value that was rare or absent in training"))
	}
	return fmt.Sprintf("%s of %s rows have cells on which conditions do not hold: %s",
		wording.Thousands(s.Odd), wording.Thousands(s.Rows), strings.Join(parts, "; "))
}

func (c Cells) text(why string) string {
	return fmt.Sprintf("column %q has %s %s (first %q in line %d)", c.Column, wording.Thousands(c.Cells), why, c.Example, c.Line)
}
