package export

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"text/template"

	"parcorels/dataset"
	"parcorels/model"
)

// Python, JavaScript and C get a function that returns the number of the rule that decides a row. The templates
// hold functions that test a cell, as package dataset does, and this file writes the calls of them.
//
// A row is a dictionary of cells by column in Python and JavaScript: texts, numbers, truth values or nothing. In C
// it is a struct. A member is a double where the column held numbers or truth values, with NAN for what is
// missing, and a text elsewhere, with NULL for what is missing.

//go:embed code
var templates embed.FS

// language is how a language writes what a model needs.
type language struct {
	template string
	comment  string
	// tests names the function for each kind of test, or for a kind and a type of column.
	tests        map[dataset.Kind]string
	variable     string    // of a column, by its index
	complete     [2]string // whether the column had no missing cell in training: no, yes
	holds, fails string    // how the result of a test is compared
	and, always  string
	unbounded    [2]string // no lower bound, no upper one
	infinity     string
	quote        func(string) string
	open, close  string // of a list of texts
	cell         string // of a row in a script, by the quoted name of its column
	text, level  string // functions of scripts: the text of a cell, of its level's number,
	day          string // of its days since 1970
}

var python = &language{
	template: "python.tmpl", comment: "#", variable: "c%d", complete: [2]string{"False", "True"}, fails: " is False",
	tests: map[dataset.Kind]string{
		dataset.Is: "_is", dataset.Among: "_among", dataset.True: "_is_true", dataset.Missing: "_is_missing", dataset.Given: "_is_given",
		dataset.Number: "_equals", dataset.Interval: "_at_least_below", dataset.Threshold: "_above_at_most",
	},
	and: " and ", always: "True", unbounded: [2]string{"None", "None"}, infinity: `float("inf")`,
	quote: jsonOf[string], open: "[", close: "]", cell: "row[%s]", text: "_text", level: "_level", day: "_day",
}

var javascript = &language{
	template: "javascript.tmpl", comment: "//", variable: "c%d", complete: [2]string{"false", "true"}, fails: " === false",
	tests: map[dataset.Kind]string{
		dataset.Is: "is", dataset.Among: "among", dataset.True: "isTrue", dataset.Missing: "isMissing", dataset.Given: "isGiven",
		dataset.Number: "equals", dataset.Interval: "atLeastBelow", dataset.Threshold: "aboveAtMost",
	},
	and: " && ", always: "true", unbounded: [2]string{"null", "null"}, infinity: "Infinity",
	quote: jsonOf[string], open: "[", close: "]", cell: "row[%s]", text: "text", level: "level", day: "day",
}

var c99 = &language{
	template: "c.tmpl", comment: "//", variable: "row->c%d", complete: [2]string{"0", "1"}, holds: " == 1", fails: " == 0",
	tests: map[dataset.Kind]string{
		dataset.Is: "test_is", dataset.Among: "test_among", dataset.True: "test_true", dataset.Given: "test_true",
		dataset.Missing:             "test_text_missing",
		dataset.Missing + " number": "test_number_missing", dataset.Missing + " truth": "test_number_missing",
		dataset.Number: "test_equals", dataset.Interval: "test_at_least_below", dataset.Threshold: "test_above_at_most",
	},
	and: " && ", always: "1", unbounded: [2]string{"-INFINITY", "INFINITY"}, infinity: "INFINITY",
	quote: cString, open: "(const char *const []){", close: ", 0}",
}

// code is a model in a language: what the templates are filled with.
type code struct {
	*Decision
	*language
}

// write writes the code of a model.
func (l *language) write(to io.Writer, d *Decision) error {
	t := template.Must(template.New(l.template).Funcs(template.FuncMap{
		"json":     jsonOf[any],
		"braces":   func(v any) string { return strings.NewReplacer("[", "{", "]", "}").Replace(jsonOf(v)) },
		"quote":    l.quote,
		"comment":  Case.condition,
		"name":     func(name string) string { return oneLine(jsonOf(name)) },
		"real":     Column.real,
		"describe": Column.describe,
	}).ParseFS(templates, "code/"+l.template))
	return t.Execute(to, code{d, l})
}

// Heading says in a comment what the code is.
func (c code) Heading() string { return c.heading(c.comment) }

// Words are the texts of missing values in lower case.
func (c code) Words() []string { return lower(c.MissingWords) }

// NumericWords are the missing words that are numbers.
func (c code) NumericWords() []string { return c.numericWords() }

// Rules are the cases but for the last, which always holds.
func (c code) Rules() []Case { return c.Cases[:len(c.Cases)-1] }

// Default is the last case.
func (c code) Default() Case { return c.Cases[len(c.Cases)-1] }

// Probabilities returns those of each case and class.
func (c code) Probabilities() (rows [][]float64) {
	for _, r := range c.Cases {
		rows = append(rows, r.Probabilities)
	}
	return rows
}

// Predictions returns the class of each case.
func (c code) Predictions() (classes []int) {
	for _, r := range c.Cases {
		classes = append(classes, r.Class)
	}
	return classes
}

// Cell is the text of a cell in a script. A date stands for its days, an ordered category for its place.
func (c code) Cell(column Column) string {
	cell := fmt.Sprintf("%s(%s)", c.text, fmt.Sprintf(c.cell, c.quote(column.Name)))
	switch {
	case column.Levels != nil:
		return fmt.Sprintf("%s(%s, %s)", c.level, cell, c.open+joined(column.Levels, c.quote)+c.close)
	case column.Time != "":
		return fmt.Sprintf("%s(%s, %s)", c.day, cell, c.quote(string(column.Time)))
	}
	return cell
}

// If is the condition of a case.
func (c code) If(rule Case) string { return rule.all(c.literal, c.and, c.always) }

// literal calls the test of a literal.
func (c code) literal(l model.Literal) string {
	at, t := c.at(l.Column), l.Test
	complete := c.complete[0]
	if t.Complete || t.Kind == dataset.Given {
		complete = c.complete[1]
	}
	arguments := []string{fmt.Sprintf(c.variable, at), complete}
	switch t.Kind {
	case dataset.Is:
		arguments = append(arguments, c.quote(t.Value))
	case dataset.Among:
		arguments = append(arguments, c.open+joined(t.Values, c.quote)+c.close)
	case dataset.Number:
		arguments = append(arguments, c.number(t.Number()))
	case dataset.Interval, dataset.Threshold:
		arguments = append(arguments, c.bound(t.Low, 0), c.bound(t.High, 1))
	}
	test := cmp.Or(c.tests[t.Kind+dataset.Kind(" "+c.Columns[at].Type)], c.tests[t.Kind])
	result := c.holds
	if l.Negated {
		result = c.fails
	}
	return test + "(" + strings.Join(arguments, ", ") + ")" + result
}

func (l *language) bound(v *float64, side int) string {
	if v == nil {
		return l.unbounded[side]
	}
	return l.number(*v)
}

func (l *language) number(v float64) string {
	switch {
	case math.IsInf(v, 1):
		return l.infinity
	case math.IsInf(v, -1):
		return "-" + l.infinity
	}
	return number(v)
}

// real reports whether cells of a column are doubles in a language that has types.
func (c Column) real() bool { return c.Type == NumberColumn || c.Type == TruthColumn }

// describe says what a cell is in such a language.
func (c Column) describe() string {
	switch {
	case c.Levels != nil:
		return "the place among " + oneLine(jsonOf(c.Levels)) + " from 0, NAN if missing"
	case c.Time != "":
		return "days since 1970-01-01 00:00, with a fraction for the time of day, NAN if missing"
	case c.Type == NumberColumn:
		return "NAN if missing"
	case c.Type == TruthColumn:
		return "1, 0, or NAN if missing"
	}
	return "UTF-8, NULL if missing"
}

// joined returns a list of texts, each as write has it.
func joined(texts []string, write func(string) string) string {
	list := make([]string, len(texts))
	for i, text := range texts {
		list[i] = write(text)
	}
	return strings.Join(list, ", ")
}

func lower(words []string) []string {
	low := make([]string, len(words))
	for i, w := range words {
		low[i] = strings.ToLower(w)
	}
	return low
}

// cString quotes a text, every byte that is not plain ASCII as three octal digits,
// so that no digit behind it is taken for a part of it.
func cString(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"' || c == '\\' || c == '?': // ?? begins a trigraph
			b.WriteString(`\` + string(c))
		case c < ' ' || c > '~':
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// jsonOf writes texts, numbers and lists of them as JSON, which Python and
// JavaScript read as their own.
func jsonOf[T any](v T) string {
	text, _ := json.Marshal(v) // texts and finite numbers cannot fail
	return string(text)
}
