package export

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strings"

	"parcorels/dataset"
	"parcorels/model"
)

// PMML 4.4 gets a TreeModel of a tree, and of all other families a RuleSetModel in which the first rule
// that holds decides. A field is a double where C has doubles (c.go),
// a text without space around it elsewhere. A predicate on a missing value is unknown, and a rule
// with such a predicate does not hold. So a literal on a column that had missing values in
// training says itself what holds on them. In a tree, the first child whose predicate is true is
// taken: that of the side where the test holds, or else the other one, whose predicate is True. Words that mean missing are told with each field, in
// the spellings that ONNX has (onnx.go).

func pmmlText(d *Decision) string {
	var b strings.Builder
	line := func(format string, texts ...string) {
		quoted := make([]any, len(texts))
		for i, t := range texts {
			quoted[i] = xmlAttribute(t)
		}
		fmt.Fprintf(&b, format+"\n", quoted...)
	}
	line(`<?xml version="1.0" encoding="UTF-8"?>`)
	line(`<PMML version="4.4" xmlns="http://www.dmg.org/PMML-4_4">`)
	line(`<Header description=%s><Application name="parcorels"/></Header>`, d.heading(""))
	fmt.Fprintf(&b, "<DataDictionary numberOfFields=\"%d\">\n", len(d.Columns)+1)
	for _, c := range d.Columns {
		if c.onnxText() {
			line(`<DataField name=%s optype="categorical" dataType="string">`, c.Name)
			for _, word := range d.spelled() {
				line(`<Value value=%s property="missing"/>`, word)
			}
		} else {
			line(`<DataField name=%s optype="continuous" dataType="double">`, c.Name)
			if c.Levels != nil || c.Time != "" {
				line(`<Extension name="meaning" value=%s/>`, c.describe())
			}
			for _, word := range d.numericWords() {
				line(`<Value value=%s property="missing"/>`, word)
			}
		}
		line(`</DataField>`)
	}
	line(`<DataField name=%s optype="categorical" dataType="string">`, d.Target)
	for _, class := range d.Classes {
		line(`<Value value=%s/>`, class)
	}
	line("</DataField>\n</DataDictionary>")
	if d.nodes != nil {
		line(`<TreeModel functionName="classification" missingValueStrategy="none" splitCharacteristic="binarySplit">`)
		d.pmmlSchema(line)
		d.pmmlNode(line, new(int), 0, `<True/>`)
		line("</TreeModel>\n</PMML>")
		return b.String()
	}
	line(`<RuleSetModel functionName="classification">`)
	d.pmmlSchema(line)
	last := d.Cases[len(d.Cases)-1]
	line("<RuleSet defaultScore=%s>\n<RuleSelectionMethod criterion=\"firstHit\"/>", d.Classes[last.Class])
	d.pmmlShares(line, last)
	for i, c := range d.Cases[:len(d.Cases)-1] {
		line(`<SimpleRule id=%s score=%s>`, fmt.Sprint(i), d.Classes[c.Class])
		b.WriteString(d.pmmlAll(c.When) + "\n")
		d.pmmlShares(line, c)
		line(`</SimpleRule>`)
	}
	line("</RuleSet>\n</RuleSetModel>\n</PMML>")
	return b.String()
}

func (d *Decision) pmmlSchema(line func(string, ...string)) {
	line(`<MiningSchema>`)
	for _, c := range d.Columns {
		line(`<MiningField name=%s invalidValueTreatment="asIs"/>`, c.Name)
	}
	line("<MiningField name=%s usageType=\"target\"/>\n</MiningSchema>", d.Target)
}

// pmmlNode writes a node of a tree, to which a predicate leads, and those below it. Leaves are cases in
// their order; leaf counts them.
func (d *Decision) pmmlNode(line func(string, ...string), leaf *int, at int, predicate string) {
	predicate = strings.ReplaceAll(predicate, "%", "%%")
	n := &d.nodes[at]
	if n.Leaf() {
		c := d.Cases[*leaf]
		line("<Node id=%s score=%s>\n"+predicate, fmt.Sprint(*leaf), d.Classes[c.Class])
		d.pmmlShares(line, c)
		line(`</Node>`)
		*leaf++
		return
	}
	line("<Node>\n" + predicate)
	d.pmmlNode(line, leaf, at+1, d.pmmlAll(n.Literals))
	d.pmmlNode(line, leaf, n.Else, `<True/>`)
	line(`</Node>`)
}

// xmlAttribute quotes a text. What XML has no place for becomes U+FFFD.
func xmlAttribute(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xfffe || r == 0xffff {
			return '\ufffd'
		}
		return r
	}, text)
	return `"` + spaces.Replace(html.EscapeString(text)) + `"`
}

// spaces keeps those that XML would turn into blanks in an attribute.
var spaces = strings.NewReplacer("\t", "&#9;", "\n", "&#10;", "\r", "&#13;")

// spelled are the words that mean missing in a text, as they may be written.
func (d *Decision) spelled() (words []string) {
	for _, word := range d.MissingWords {
		for _, s := range []string{word, strings.ToLower(word), strings.ToUpper(word), capital(word)} {
			if !slices.Contains(words, s) {
				words = append(words, s)
			}
		}
	}
	return words
}

func capital(word string) string {
	if word == "" {
		return ""
	}
	return strings.ToUpper(word[:1]) + strings.ToLower(word[1:])
}

func (d *Decision) pmmlShares(line func(string, ...string), c Case) {
	for k, p := range c.Probabilities {
		line(`<ScoreDistribution value=%s recordCount=%s probability=%s/>`, d.Classes[k], fmt.Sprint(c.Samples[k]), number(p))
	}
}

func (d *Decision) pmmlAll(literals []model.Literal) string {
	var parts []string
	for _, l := range literals {
		parts = append(parts, d.pmmlLiteral(l))
	}
	return compound("and", parts...)
}

func compound(operator string, parts ...string) string {
	if len(parts) == 1 {
		return parts[0]
	}
	return `<CompoundPredicate booleanOperator="` + operator + `">` + strings.Join(parts, "") + `</CompoundPredicate>`
}

// pmmlLiteral returns the predicate that a literal holds.
func (d *Decision) pmmlLiteral(l model.Literal) string {
	t := l.Test
	simple := func(operator, value string) string {
		return `<SimplePredicate field=` + xmlAttribute(l.Column) + ` operator="` + operator + `" value=` + xmlAttribute(value) + `/>`
	}
	missing := `<SimplePredicate field=` + xmlAttribute(l.Column) + ` operator="isMissing"/>`
	if t.Kind == dataset.Missing {
		switch {
		case l.Negated:
			return strings.Replace(missing, "isMissing", "isNotMissing", 1)
		case t.Complete:
			return `<False/>`
		}
		return missing
	}
	// What holds, and what its negation holds on, of cells that are not missing.
	var holds, fails []string
	low, high := between(t)
	above, below, under, over := "greaterThan", "lessOrEqual", "lessOrEqual", "greaterThan"
	switch t.Kind {
	case dataset.Is:
		holds, fails = []string{simple("equal", t.Value)}, []string{simple("notEqual", t.Value)}
	case dataset.True, dataset.Given:
		holds, fails = []string{simple("equal", "1")}, []string{simple("equal", "0")}
	case dataset.Number:
		holds, fails = []string{simple("equal", number(t.Number()))}, []string{simple("notEqual", number(t.Number()))}
	case dataset.Interval:
		above, below, under, over = "greaterOrEqual", "lessThan", "lessThan", "greaterOrEqual"
		fallthrough
	default:
		if !math.IsInf(low, 0) {
			holds, fails = append(holds, simple(above, number(low))), append(fails, simple(under, number(low)))
		}
		if !math.IsInf(high, 0) {
			holds, fails = append(holds, simple(below, number(high))), append(fails, simple(over, number(high)))
		}
	}
	if !l.Negated {
		return compound("and", holds...)
	}
	if !t.Complete && t.Kind != dataset.Given {
		fails = append(fails, missing)
	}
	return compound("or", fails...)
}
