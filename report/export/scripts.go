package export

import (
	_ "embed" // of the preludes
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"parcorels/dataset"
	"parcorels/model"
)

// Python and JavaScript get a function that takes a row as cells by column name,
// as texts, numbers, truth values or nothing. Their preludes read cells as
// package dataset does.

//go:embed prelude/decide.py
var pythonPrelude string

//go:embed prelude/decide.js
var javascriptPrelude string

// script is how a scripting language writes what a model needs.
type script struct {
	none, yes, no string // literals
	infinity      string
	tests         map[dataset.Kind]string // functions of the prelude
	isFalse       string                  // how a result is compared with false
	and, always   string

	text, level, day, part string // functions of the prelude: the text of a cell, of its number, and of a part of a date
}

var python = script{
	none: "None", yes: "True", no: "False", infinity: `float("inf")`,
	tests: map[dataset.Kind]string{
		dataset.Is: "_is", dataset.Among: "_among",
		dataset.Number: "_equals", dataset.Interval: "_at_least_below", dataset.Threshold: "_above_at_most",
		dataset.True: "_is_true", dataset.Missing: "_is_missing", dataset.Given: "_is_given",
	},
	isFalse: " is False", and: " and ", always: "True", text: "_text", level: "_level", day: "_day", part: "_part",
}

var javascript = script{
	none: "null", yes: "true", no: "false", infinity: "Infinity",
	tests: map[dataset.Kind]string{
		dataset.Is: "is", dataset.Among: "among",
		dataset.Number: "equals", dataset.Interval: "atLeastBelow", dataset.Threshold: "aboveAtMost",
		dataset.True: "isTrue", dataset.Missing: "isMissing", dataset.Given: "isGiven",
	},
	isFalse: " === false", and: " && ", always: "true", text: "text", level: "level", day: "day", part: "part",
}

func pythonText(d *Decision) string {
	var b strings.Builder
	b.WriteString(d.heading("#"))
	b.WriteString("\n" + pythonPrelude)
	fmt.Fprintf(&b, "\n\n_MISSING = %s\nCLASSES = %s\nPROBABILITIES = %s\n", jsonOf(lower(d.MissingWords)), jsonOf(d.Classes),
		jsonOf(d.table()))
	b.WriteString("\n\ndef decide(row):\n    \"\"\"Return the number of the rule that decides a row, from 0 on.\"\"\"\n")
	d.writeColumns(&b, "    c%d = %s\n", python)
	d.writeCases(&b, python, "    if %s:  # %s\n        return %d\n", "    return %d  # %s\n")
	b.WriteString(`

def predict(row):
    """Return the class of a row, a dictionary of cells by column, and the probability
    of each class."""
    rule = decide(row)
    return CLASSES[_CLASS_OF[rule]], dict(zip(CLASSES, PROBABILITIES[rule]))


`)
	fmt.Fprintf(&b, "_CLASS_OF = %s\n", jsonOf(d.predictions()))
	return b.String()
}

func javascriptText(d *Decision) string {
	var b strings.Builder
	b.WriteString(d.heading("//"))
	fmt.Fprintf(&b, "\nconst MISSING = new Set(%s);\nconst CLASSES = %s;\nconst CLASS_OF = %s;\nconst PROBABILITIES = %s;\n\n",
		jsonOf(lower(d.MissingWords)), jsonOf(d.Classes), jsonOf(d.predictions()), jsonOf(d.table()))
	b.WriteString(javascriptPrelude)
	b.WriteString("\n// decide returns the number of the rule that decides a row, from 0 on.\nfunction decide(row) {\n")
	d.writeColumns(&b, "  const c%d = %s;\n", javascript)
	d.writeCases(&b, javascript, "  if (%s) // %s\n    return %d;\n", "  return %d; // %s\n")
	b.WriteString(`}

// predict returns the class of a row, an object of cells by column, and the
// probabilities in the order of CLASSES.
function predict(row) {
  const rule = decide(row);
  return { label: CLASSES[CLASS_OF[rule]], probabilities: PROBABILITIES[rule], rule };
}

if (typeof module !== "undefined") module.exports = { predict, decide, CLASSES };
`)
	return b.String()
}

// writeColumns writes a variable for each column.
func (d *Decision) writeColumns(b *strings.Builder, format string, s script) {
	for i, c := range d.Columns {
		cell := s.text + "(row[" + jsonOf(c.Name) + "])"
		if p := c.Part; p != nil {
			cell = fmt.Sprintf("%s(%s(row[%s]), %s, %s, %s)", s.part, s.text, jsonOf(p.Of), jsonOf(p.Time), jsonOf(p.Part),
				jsonOf(c.Levels))
		}
		switch {
		case c.Levels != nil:
			cell = fmt.Sprintf("%s(%s, %s)", s.level, cell, jsonOf(c.Levels))
		case c.Time != "":
			cell = fmt.Sprintf("%s(%s, %s)", s.day, cell, jsonOf(c.Time))
		}
		fmt.Fprintf(b, format, i, cell)
	}
}

// writeCases writes the cases in order: format of one that has a condition, and
// of the last.
func (d *Decision) writeCases(b *strings.Builder, s script, format, otherwise string) {
	last := len(d.Cases) - 1
	for i, c := range d.Cases[:last] {
		literal := func(l model.Literal) string { return d.scriptLiteral(s, l) }
		fmt.Fprintf(b, format, c.all(literal, s.and, s.always), c.condition(), i)
	}
	fmt.Fprintf(b, otherwise, last, d.Cases[last].condition())
}

// scriptLiteral calls the test of a literal.
func (d *Decision) scriptLiteral(s script, l model.Literal) string {
	arguments := []string{fmt.Sprintf("c%d", d.at(l.Column))}
	if l.Test.Kind != dataset.Given {
		complete := s.no
		if l.Test.Complete {
			complete = s.yes
		}
		arguments = append(arguments, complete)
	}
	switch l.Test.Kind {
	case dataset.Is:
		arguments = append(arguments, jsonOf(l.Test.Value))
	case dataset.Among:
		arguments = append(arguments, jsonOf(l.Test.Values))
	case dataset.Number:
		arguments = append(arguments, s.number(l.Test.Number()))
	case dataset.Interval, dataset.Threshold:
		arguments = append(arguments, s.bound(l.Test.Low), s.bound(l.Test.High))
	}
	call := s.tests[l.Test.Kind] + "(" + strings.Join(arguments, ", ") + ")"
	if l.Negated {
		return call + s.isFalse
	}
	return call
}

func (s script) bound(v *float64) string {
	if v == nil {
		return s.none
	}
	return s.number(*v)
}

func (s script) number(v float64) string {
	switch {
	case math.IsInf(v, 1):
		return s.infinity
	case math.IsInf(v, -1):
		return "-" + s.infinity
	}
	return number(v)
}

// table returns the probabilities of each case.
func (d *Decision) table() [][]float64 {
	rows := make([][]float64, len(d.Cases))
	for i, c := range d.Cases {
		rows[i] = c.Probabilities
	}
	return rows
}

// predictions returns the class of each case.
func (d *Decision) predictions() []int {
	classes := make([]int, len(d.Cases))
	for i, c := range d.Cases {
		classes[i] = c.Class
	}
	return classes
}

func lower(words []string) []string {
	low := make([]string, len(words))
	for i, w := range words {
		low[i] = strings.ToLower(w)
	}
	return low
}

// jsonOf writes texts, numbers and lists of them as JSON, which Python and
// JavaScript read as their own.
func jsonOf(v any) string {
	text, _ := json.Marshal(v) // texts and finite numbers cannot fail
	return string(text)
}
