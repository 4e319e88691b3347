package export

import (
	_ "embed" // of the prelude
	"fmt"
	"math"
	"slices"
	"strings"

	"parcorels/dataset"
	"parcorels/model"
)

// C gets a struct with a member per column and a function that takes it. A member
// is a double where the column held numbers or truth values, with NAN for what is
// missing, and a text elsewhere, with NULL for what is missing.

//go:embed prelude/decide.c
var cPrelude string

func cText(d *Decision) string {
	var b strings.Builder
	b.WriteString(d.heading("//"))
	b.WriteString("\n")
	words := append(lower(d.MissingWords), "")
	for i := range words[:len(words)-1] {
		words[i] = cString(words[i])
	}
	words[len(words)-1] = "0"
	fmt.Fprintf(&b, "static const char *const missing_words[] = {%s};\n", strings.Join(words, ", "))
	numbers := append(d.numericWords(), "0.0 / 0.0") // NAN equals nothing
	fmt.Fprintf(&b, "static const double missing_numbers[] = {%s};\n\n", strings.Join(numbers, ", "))
	b.WriteString(cPrelude)
	b.WriteString("\ntypedef struct {\n")
	for i, c := range d.Columns {
		fmt.Fprintf(&b, "\t%s; // %s, %s\n", c.declare(i), oneLine(jsonOf(c.Name)), c.describe())
	}
	if len(d.Columns) == 0 {
		b.WriteString("\tchar none; // the model looks at no column\n")
	}
	b.WriteString("} parcorels_row;\n\n")
	d.cTables(&b)
	b.WriteString("// parcorels_decide returns the number of the rule that decides a row, from 0 on.\n")
	b.WriteString("int parcorels_decide(const parcorels_row *row) {\n\t(void)row;\n")
	for _, name := range cTests { // models need some only
		fmt.Fprintf(&b, "\t(void)test_%s;\n", name)
	}
	last := len(d.Cases) - 1
	for i, c := range d.Cases[:last] {
		// a backslash at the end would take in the next line
		fmt.Fprintf(&b, "\tif (%s) // %s\n\t\treturn %d;\n", c.all(d.cLiteral, " && ", "1"), c.condition()+".", i)
	}
	fmt.Fprintf(&b, "\treturn %d;\n}\n", last)
	return b.String()
}

// cTests are the tests of the prelude.
var cTests = []string{"text_missing", "number_missing", "is", "among", "true", "equals", "at_least_below", "above_at_most"}

// cTables writes what the number of a rule stands for.
func (d *Decision) cTables(b *strings.Builder) {
	classes := make([]string, len(d.Classes))
	for i, c := range d.Classes {
		classes[i] = cString(c)
	}
	fmt.Fprintf(b, "// parcorels_class[parcorels_prediction[r]] is the class that rule r predicts, and\n")
	fmt.Fprintf(b, "// parcorels_probability[r][k] the probability of class k in a row that it decides.\n")
	fmt.Fprintf(b, "const char *const parcorels_class[%d] = {%s};\n", len(classes), strings.Join(classes, ", "))
	var predicted, rows []string
	for _, c := range d.Cases {
		predicted = append(predicted, fmt.Sprint(c.Class))
		var row []string
		for _, p := range c.Probabilities {
			row = append(row, number(p))
		}
		rows = append(rows, "{"+strings.Join(row, ", ")+"}")
	}
	fmt.Fprintf(b, "const int parcorels_prediction[%d] = {%s};\n", len(d.Cases), strings.Join(predicted, ", "))
	fmt.Fprintf(b, "const double parcorels_probability[%d][%d] = {%s};\n\n", len(d.Cases), len(classes), strings.Join(rows, ", "))
}

func (c Column) declare(i int) string {
	if c.Type == NumberColumn || c.Type == TruthColumn {
		return fmt.Sprintf("double c%d", i)
	}
	return fmt.Sprintf("const char *c%d", i)
}

func (c Column) describe() string {
	switch {
	case c.Levels != nil:
		return "the place among " + oneLine(jsonOf(c.Levels)) + " from 0, NAN if missing"
	case c.Time != "":
		return "days since 1970-01-01 00:00, with a fraction for the time of day, NAN if missing"
	}
	switch c.Type {
	case NumberColumn:
		return "NAN if missing"
	case TruthColumn:
		return "1, 0, or NAN if missing"
	}
	return "UTF-8, NULL if missing"
}

// cLiteral calls the test of a literal.
func (d *Decision) cLiteral(l model.Literal) string {
	at := d.at(l.Column)
	complete := 0
	if l.Test.Complete {
		complete = 1
	}
	t := l.Test
	low, high := between(t)
	var name string
	var more []string
	switch t.Kind {
	case dataset.Is:
		name, more = "is", []string{cString(t.Value)}
	case dataset.Among:
		var texts []string
		for _, v := range append(slices.Clone(t.Values), "") {
			texts = append(texts, cString(v))
		}
		texts[len(texts)-1] = "0"
		name, more = "among", []string{"(const char *const []){" + strings.Join(texts, ", ") + "}"}
	case dataset.True:
		name = "true"
	case dataset.Given:
		name, complete = "true", 1
	case dataset.Number:
		name, more = "equals", []string{cNumber(t.Number())}
	case dataset.Interval:
		name, more = "at_least_below", []string{cNumber(low), cNumber(high)}
	case dataset.Threshold:
		name, more = "above_at_most", []string{cNumber(low), cNumber(high)}
	default:
		name = "text_missing"
		if d.Columns[at].Type == NumberColumn || d.Columns[at].Type == TruthColumn {
			name = "number_missing"
		}
	}
	wanted := 1
	if l.Negated {
		wanted = 0
	}
	arguments := append([]string{fmt.Sprintf("row->c%d", at), fmt.Sprint(complete)}, more...)
	return fmt.Sprintf("test_%s(%s) == %d", name, strings.Join(arguments, ", "), wanted)
}

func cNumber(v float64) string {
	switch {
	case math.IsInf(v, 1):
		return "INFINITY"
	case math.IsInf(v, -1):
		return "-INFINITY"
	}
	if text := number(v); strings.ContainsAny(text, ".e") {
		return text
	}
	return number(v) + ".0"
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
