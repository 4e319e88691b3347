package model

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"

	"parcorels/dataset"
	"parcorels/internal/wording"
)

// The columns that Stream appends. If the table has one of these names
// already, all three get the first number from 2 on that makes them new, as in
// prediction_2.
const (
	LabelColumn       = "prediction"             // label predicted
	RuleColumn        = "prediction_rule"        // case that decided: "1: priors > 3", or "else"
	ProbabilityColumn = "prediction_probability" // of that label, see Prediction.Probabilities
)

// Stream predicts for all rows, which Bind was given the header of, and writes
// each to w as it is, followed by LabelColumn, RuleColumn and
// ProbabilityColumn; the header first. A nil w writes nothing. Where the table
// has the model's target column, the labels there are compared with the
// predictions; a label that the model does not have is an error.
//
// Errors begin with name and line; what was written before stays written.
func (p *Predictor) Stream(name string, rows *dataset.Rows, w *csv.Writer) (*Summary, error) {
	s := p.newStream()
	if err := write(w, append(slices.Clone(p.header), appended(p.header)...)); err != nil {
		return nil, err
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
		s.record = append(append(s.record[:0], cells...), added[:]...)
		if err := write(w, s.record); err != nil {
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

func write(w *csv.Writer, record []string) error {
	if w == nil {
		return nil
	}
	return w.Write(record)
}

// appended returns the names of the three columns, none of which is in header.
func appended(header []string) []string {
	names := []string{LabelColumn, RuleColumn, ProbabilityColumn}
	taken := func(n string) bool { return slices.Contains(header, n) }
	for k := 2; slices.ContainsFunc(names, taken); k++ {
		suffix := "_" + strconv.Itoa(k)
		names = []string{LabelColumn + suffix, RuleColumn + suffix, ProbabilityColumn + suffix}
	}
	return names
}

// stream is the state of one call of Stream.
type stream struct {
	*Predictor
	summary    Summary
	evaluation *Evaluation
	added      [][3]string // what each case appends
	target     int         // index of the target column, -1 if the table lacks it
	missing    dataset.Test
	known      []known // of each column of the model
	unfamiliar []Unfamiliar
	record     []string
}

func (p *Predictor) newStream() *stream {
	f := p.frame
	s := &stream{
		Predictor:  p,
		summary:    Summary{Fired: make([]int64, len(p.says))},
		evaluation: NewEvaluation(f),
		target:     slices.Index(p.header, f.Target),
		missing:    f.Reading.missing(),
	}
	for i, said := range p.says {
		rule := "else"
		if text := p.cases[i].Text; text != "" {
			// The number makes the text no formula to a spreadsheet.
			rule = strconv.Itoa(i+1) + ": " + wording.Printable(text)
		}
		probability := strconv.FormatFloat(said.Probability(), 'f', 6, 64)
		s.added = append(s.added, [3]string{said.Label, rule, probability})
	}
	for _, c := range f.Columns {
		s.known = append(s.known, c.known())
		s.unfamiliar = append(s.unfamiliar, Unfamiliar{Column: c.Name})
	}
	return s
}

// row returns what is appended to a row.
func (s *stream) row(cells []string, line int) (added [3]string, err error) {
	s.summary.Rows++
	if s.options.Strict && s.frame.Reading.DropMissing && s.lacks(cells) {
		s.summary.Skipped++
		return added, nil
	}
	said, err := s.Predict(cells)
	if err != nil {
		return added, err
	}
	s.note(cells, line)
	s.summary.Fired[said.Case]++
	if s.target >= 0 {
		err = s.compare(cells[s.target], said.Class)
	}
	return s.added[said.Case], err
}

// lacks reports whether a cell that the model needs is missing.
func (s *stream) lacks(cells []string) bool {
	for i := range s.cells {
		if lacks, _ := s.missing.Holds(cells[s.cells[i].at]); lacks {
			return true
		}
	}
	return false
}

// note counts the cells of unfamiliar values.
func (s *stream) note(cells []string, line int) {
	for i := range s.cells {
		cell := cells[s.cells[i].at]
		if s.known[i].has(cell) {
			continue
		}
		if lacks, _ := s.missing.Holds(cell); lacks {
			continue
		}
		u := &s.unfamiliar[i]
		if u.Cells++; u.Cells == 1 {
			// The cell is part of the reader's line, which is large and short-lived.
			u.Example, u.Line = string([]byte(cell)), line
		}
	}
}

// compare counts a prediction against the label in cell.
func (s *stream) compare(cell string, predicted int) error {
	actual, err := s.frame.classOf(cell)
	if err != nil {
		return err
	}
	if actual < 0 {
		s.summary.Unlabelled++
		return nil
	}
	s.evaluation.Add(actual, predicted)
	return nil
}

func (s *stream) finish() *Summary {
	if s.evaluation.Rows() > 0 {
		s.summary.Evaluation = s.evaluation
	}
	for _, u := range s.unfamiliar {
		if u.Cells > 0 {
			s.summary.Unfamiliar = append(s.summary.Unfamiliar, u)
		}
	}
	return &s.summary
}
