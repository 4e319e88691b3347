package html

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"parcorels/bayes"
	"parcorels/internal/status"
	"parcorels/model"
	"parcorels/report"
	"parcorels/ruleset"
)

//go:embed style.css
var style string

// Page is what a report shows. Begin with New and fill in what there is.
type Page struct {
	Title       string
	Family      model.Family
	Summary     report.Summary
	Frame       *model.Frame
	Certificate model.Certificate
	Objective   string // what the family calls it
	Metrics     string // of a rule set
	Length      string // λ of the prior of a Bayesian rule list
	Optimal     bool
	Part        string // "rule" or "leaf"
	Checkable   bool   // whether the family has proofs that verify checks
	Cases       []caseRow
	Columns     []columnRow
	Drawing     string // of a tree, an SVG whose texts are escaped; "" of others

	Evaluation *evaluation   // nil without a table
	Validation []lambdaPoint // a cross-validation by λ, if there is one
	Validated  *chart
	Trace      *chart // the gap over time, if it was recorded
}

// caseRow is a rule or leaf with its bar, in per cent of all samples.
type caseRow struct {
	Number                 int
	Conditions             []string // with "and" between them; empty for a default
	Label                  string
	Captured, Right, Wrong int64
	Left                   int64   // samples that go on to later cases
	RightX, WrongX, LeftX  float64 // widths of the parts of the bar
	WrongAt, LeftAt        float64 // where they begin
	Share                  string  // of the captured ones that are right
	Interval               string  // of the probability, where the family has one
}

// columnRow is a column that the model looks at.
type columnRow struct {
	Name, Kind string
	Conditions []string
}

// New returns the page of a model.
func New(m model.Model) *Page {
	c := m.Certificate()
	p := &Page{
		Title:  "Report: " + string(m.Family()) + " for " + m.About().Target,
		Family: m.Family(), Summary: report.Summarize(m), Frame: m.About(), Certificate: c,
		Optimal: c.Status == status.Optimal, Part: c.Part,
	}
	p.Checkable = p.Family != model.RuleSet
	p.Objective = "objective"
	switch x := m.(type) {
	case *ruleset.Model:
		p.Objective, p.Metrics = "value", x.Metrics().String()
	case *bayes.Model:
		p.Objective, p.Length = "log posterior", x.Prior.Length.String()
	}
	p.addCases(m)
	p.addColumns(m)
	return p
}

func (p *Page) addCases(m model.Model) {
	all := float64(p.Frame.Data.Samples)
	left := p.Frame.Data.Samples
	for i, c := range m.Cases() {
		captured, right := c.Captured(), c.Samples[c.Class]
		left -= captured
		row := caseRow{
			Number: i + 1, Label: p.Frame.Label(c.Class),
			Captured: captured, Right: right, Wrong: captured - right, Left: left,
			RightX: 100 * float64(right) / all, WrongX: 100 * float64(captured-right) / all, LeftX: 100 * float64(left) / all,
			Share: model.Percent(right, captured),
		}
		row.WrongAt = row.RightX
		row.LeftAt = row.RightX + row.WrongX
		literals := c.When
		if c.Path != nil {
			literals = c.Path
		}
		for _, l := range literals {
			row.Conditions = append(row.Conditions, l.Name)
		}
		if list, ok := m.(*bayes.Model); ok {
			l := list.Lines()[i]
			row.Interval = fmt.Sprintf("P(%s) %.1f%%, 95%% interval %.1f%%–%.1f%%", p.Frame.Label(1), 100*l.Mean, 100*l.Low, 100*l.High)
		}
		p.Cases = append(p.Cases, row)
	}
}

// addColumns lists the columns with the conditions on them.
func (p *Page) addColumns(m model.Model) {
	kinds := map[string]string{
		"is": "categories", "number": "numbers, by value", "interval": "numbers, by interval", "threshold": "numbers, by threshold",
		"true": "yes or no", "missing": "missing or not", "given": "given antecedent",
	}
	for _, c := range p.Frame.Columns {
		row := columnRow{Name: c.Name, Kind: kinds[string(c.Cell.Kind)]}
		seen := map[string]bool{}
		for _, x := range m.Cases() {
			literals := x.When
			if x.Path != nil {
				literals = x.Path
			}
			for _, l := range literals {
				if l.Column == c.Name && !seen[l.Name] {
					seen[l.Name] = true
					row.Conditions = append(row.Conditions, l.Name)
				}
			}
		}
		p.Columns = append(p.Columns, row)
	}
}

// number returns a float with up to ten decimals.
func number(v float64) string {
	return strings.TrimRight(strings.TrimRight(strconv.FormatFloat(v, 'f', 10, 64), "0"), ".")
}
