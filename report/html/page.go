// Package html makes a report of a model as one HTML file for people: what the
// model says, what is proved, what it was learned from and how good it is. Begin
// with [New] and [Page.Write].
//
// The file needs no network and no script: style and charts (SVG) are in it, and
// its content security policy allows nothing else. It can be read on a phone, on
// paper, in dark mode and by a screen reader: every chart has its numbers in a
// table or in its label. Texts from data and files are escaped.
package html

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"parcorels/bayes"
	"parcorels/dataset"
	"parcorels/internal/interval"
	"parcorels/internal/status"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/model/evaluate"
	"parcorels/model/predict"
	"parcorels/report"
	"parcorels/tree"
)

// Page is what a report shows. Begin with New and fill in what there is.
type Page struct {
	model.Model
	Title    string
	Summary  report.Summary
	Frame    *model.Frame
	Optimal  bool
	Warning  string // of figures on the table that the model was learned from
	Columns  []columnRow
	Classes  []classRow
	Drawing  template.HTML   // of a tree, an SVG whose texts are escaped; "" of others
	Notes    []string        // what fit said of the table
	Chance   string          // what shuffled labels say of the model; "" where nobody asked
	Compared *report.Summary // of the best model without wishes; nil where nobody asked
	Wish     string          // what was wished; "" for nothing
	Made     string          // day of the report; "" where it is not said
	SpreadOf string          // the table whose values the columns show; "" for none
	RowsAt   string          // address of the rows that a case decides, up to its number; "" in a file
	KeptBack *model.KeptBack // how the model, or one like it, does on rows that were kept back; nil where none were

	instead    model.Model // is judged in its place; nil: nothing is
	Evaluation *evaluation // nil without a table
	// Unseen is the share of rows that models like this one predict right on the folds left out, with its standard error; nil where
	// nobody cross-validated.
	Unseen *[2]float64
}

// classRow is a class with its share of the samples.
type classRow struct {
	Number       int
	Colour       int // in pictures
	Label, Share string
	samples      int64
}

// columnRow is a column that the model looks at.
type columnRow struct {
	Name, Kind string
	Conditions []string
	Spread     *Spread // nil without a table
}

// New returns the page of a model.
func New(m model.Model) *Page {
	p := &Page{Model: m, Title: "Report: " + string(m.Family()) + " for " + m.About().Target, Frame: m.About(),
		Summary: report.Summarize(m), Optimal: m.Certificate().Status == status.Optimal, KeptBack: m.About().KeptBack}
	if x, ok := m.(*tree.Model); ok {
		p.Drawing = template.HTML(x.SVG(tree.Drawing{})) // its texts are escaped there
	}
	p.addClasses(m)
	p.addColumns(m)
	return p
}

// Frequent is the class of most samples.
func (p *Page) Frequent() classRow {
	return slices.MaxFunc(p.Classes, func(a, b classRow) int { return cmp.Compare(a.samples, b.samples) })
}

// Price says what the wishes cost.
func (p *Page) Price() string { return report.Price(p.Summary, *p.Compared) }

func (p *Page) addClasses(m model.Model) {
	all, _ := model.Totals(m.Cases())
	for i, label := range p.Frame.Labels() {
		p.Classes = append(p.Classes, classRow{i, min(i, spreadClasses-1), label, wording.Percent(all.Samples[i], p.Frame.Data.Samples),
			all.Samples[i]})
	}
}

// Interval is the probability of class 1 where case i decides, of a family that has one; "" of others.
func (p *Page) Interval(i int) string {
	list, ok := p.Model.(*bayes.Model)
	if !ok {
		return ""
	}
	l := list.Lines()[i]
	return p.likely(l.Mean, interval.Interval{Low: l.Low, High: l.High})
}

// Likely is the share of class 1 in a case with its interval, of other families; "" with more classes.
func (p *Page) Likely(c model.Case) string {
	if _, ok := p.Model.(*bayes.Model); ok || len(c.Samples) != 2 || c.Captured() == 0 {
		return ""
	}
	return p.likely(float64(c.Samples[1])/float64(c.Captured()), interval.Wilson(c.Samples[1], c.Captured()))
}

func (p *Page) likely(share float64, in interval.Interval) string {
	return fmt.Sprintf("P(%s) = %.1f%%, 95%% interval %.1f%%–%.1f%%", p.Frame.Label(1), 100*share, 100*in.Low, 100*in.High)
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
			for _, l := range x.Literals() {
				if l.Column == c.Name && !seen[l.Name] {
					seen[l.Name] = true
					row.Conditions = append(row.Conditions, cmp.Or(l.Spelled(), l.Name))
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

// Instead has another model judged, which was learned as this one from a part of the rows.
func (p *Page) Instead(m model.Model) { p.instead = m }

// ErrNoLabels reports a table by which no model can be judged.
var ErrNoLabels = errors.New("no row has a label")

// Judge adds what the labels of a table say of the model, as Evaluate does, and how the values
// of the columns that it looks at are spread over the classes.
func (p *Page) Judge(table string, rows *dataset.Rows, o predict.Options, trained bool) (*predict.Summary, error) {
	spread := report.NewSpread(rows.Header(), p.Frame.Reading.MissingWords)
	pictures := newSplits(p.Model, rows.Header())
	o.Laplace, o.Seen = true, func(cells []string, class int) {
		spread.Add(cells, class)
		pictures.add(cells, class)
	}
	judged := p.Model
	if p.instead != nil {
		judged = p.instead
	}
	bound, err := predict.Bind(judged, rows.Header(), o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", table, err)
	}
	s, err := bound.Stream(table, rows, nil)
	if err != nil {
		return nil, err
	}
	if s.Evaluation == nil {
		return s, ErrNoLabels
	}
	p.Evaluate(table, o.By, o.Weight, trained, s)
	p.SpreadOf = table
	for i := range p.Columns {
		p.Columns[i].Spread = NewSpread(spread, p.Columns[i].Name, p.Frame.Labels())
	}
	if pictures != nil {
		p.Drawing = template.HTML(pictures.SVG(tree.Drawing{Picture: pictures.picture})) // its texts are escaped there
	}
	return s, nil
}

//go:embed style.css
var style string

//go:embed templates/*.html
var templateFiles embed.FS

// templates are those of the page. The package of templates escapes each text by where
// it stands; what is no text, the style and the drawing of a tree, has a type of its
// own. Commands that write no page need not parse them.
var templates = sync.OnceValue(Templates)

// Templates returns the templates of the report, for pages that show parts of it:
// "story", "model", "evaluation", "groups", "data", "proof" and "chart".
func Templates() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"style":     func() template.CSS { return template.CSS(style) },
		"thousands": wording.Thousands,
		"count":     func(n any, noun string) string { return wording.Count(reflect.ValueOf(n).Int(), noun) },
		"right":     func(wrong, all int64) string { return wording.Percent(all-wrong, all) },
		"seconds":   func(s float64) string { return wording.Seconds(time.Duration(s * float64(time.Second))) },
		"plural":    func(part string) string { return wording.Plural(2, part) },
		"number":    number,
		"brief":     wording.Brief,
		"part":      func(part, whole float64) string { return evaluate.Rate(part / whole).Percent() },
		"percent":   func(v float64) string { return evaluate.Rate(v).Percent() },
		"weight":    evaluate.WeightText,
		"sum":       evaluate.Sum[float64],
		"told":      evaluate.Told,
		"word":      wording.ShellWord,
		"minus":     func(a, b int64) int64 { return a - b },
		"width":     func(part, all int64) float64 { return 100 * float64(part) / float64(all) },
		"list":      func(items ...any) []any { return items },
		"up":        func(v float64) float64 { return side - v },
	}).ParseFS(templateFiles, "templates/*.html"))
}

// Style returns the style of the report.
func Style() string { return style }

// TreeAt is the address of the drawing of a tree with pictures.
func (p *Page) TreeAt() string { return strings.TrimSuffix(p.RowsAt, "rows?case=") + "tree?on=own" }

// Write writes the page.
func (p *Page) Write(to io.Writer) error {
	return templates().ExecuteTemplate(to, "page", p)
}

// Repeatable reports whether the same command learns the same model again. A search that
// a limit stopped is not learned again, as the next search may come further; what was learned from
// a part of the table is not, as the file of the model does not say which part; nor is one of good models or of a front, whose file has no
// options.
func (p *Page) Repeatable() bool {
	k := p.Frame.KeptBack
	return len(p.Frame.Options) > 0 && (p.Optimal || p.Certificate().Status == status.Finished) && (k == nil || k.Refit)
}

// Refit returns the command that learns the model.
func (p *Page) Refit() string {
	words := []string{"parcorels", "fit", p.Source()}
	for _, o := range p.Frame.Options {
		switch {
		case o.Value == "true" && switches[o.Name]:
			words = append(words, "--"+o.Name)
		case strings.HasPrefix(o.Value, "-"):
			words = append(words, wording.ShellWord("--"+o.Name+"="+o.Value))
		default:
			words = append(words, "--"+o.Name, wording.ShellWord(o.Value))
		}
	}
	return strings.Join(words, " ")
}

// switches are the options that take no value.
var switches = map[string]bool{"drop-missing": true, "drop-unlabelled": true, "decimal-comma": true, "header": true, "no-header": true,
	"falling": true, "negations": true}

// Source is the data as a command names it.
func (p *Page) Source() string {
	if p.Frame.Data.Source == "stdin" {
		return "-"
	}
	name := p.Frame.Data.Source
	if strings.HasPrefix(name, "-") {
		name = "./" + name
	}
	return wording.ShellWord(name)
}
