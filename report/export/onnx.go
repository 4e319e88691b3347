package export

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"parcorels/dataset"
	"parcorels/model"
)

// ONNX gets a graph of plain operators, for models of every family: a truth value for each
// literal, the number of the first case whose literals all hold, and what that case says. The
// operator TreeEnsembleClassifier is not used: it rounds numbers to 32 bits, and knows no texts.
//
// Each column is an input of shape [rows, 1]: doubles where C has doubles (c.go), with NaN for
// what is missing, texts without space around them elsewhere, with "" for what is missing. The
// outputs are label [rows], probabilities [rows, classes] and rule [rows], the case from 0 on.
// These spellings of a word that means missing are known: as it is listed, in lower and in
// upper case, and with a capital.

const (
	onnxVersion   = 7  // of the file's format
	onnxOperators = 13 // version of the operators
	onnxEncoder   = 2  // version of those of ai.onnx.ml: LabelEncoder
)

// graph is a GraphProto that grows.
type graph struct {
	d        *Decision
	body     message
	taken    map[string]bool // names of values
	values   int
	constant map[string]string // name by what it is
	missing  []string          // by column: whether its cells are missing
	codes    []string          // by column of texts: their codes
	code     []map[string]int64
}

const missingCode = -2 // of a text

func onnxText(d *Decision) string {
	g := &graph{d: d, taken: map[string]bool{}, constant: map[string]string{},
		missing: make([]string, len(d.Columns)), codes: make([]string, len(d.Columns)), code: make([]map[string]int64, len(d.Columns))}
	for _, c := range d.Columns {
		g.taken[c.Name] = true
	}
	g.body.text(2, "parcorels")
	g.inputs()
	rule := g.node("Reshape", g.decide(), g.initial("shape", tensor([]int64{-1}, 1), -1))
	var labels []string
	var probabilities []float64
	for _, c := range d.Cases {
		labels = append(labels, d.Classes[c.Class])
		probabilities = append(probabilities, c.Probabilities...)
	}
	cases, classes := int64(len(d.Cases)), int64(len(d.Classes))
	g.output("label", stringElement, 0, "Gather", g.initial("labels", tensor(labels, cases), labels), rule)
	g.output("probabilities", doubleElement, classes, "Gather", g.initial("probabilities", tensor(probabilities, cases, classes),
		probabilities), rule)
	g.output("rule", int64Element, 0, "Identity", rule)
	return string(g.file())
}

// file returns the ModelProto.
func (g *graph) file() []byte {
	var m message
	m.varint(1, onnxVersion)
	m.text(2, g.d.Software)
	m.text(6, g.d.heading(""))
	m.bytes(7, g.body)
	m.bytes(8, operators("", onnxOperators))
	m.bytes(8, operators("ai.onnx.ml", onnxEncoder))
	for _, c := range g.d.Columns {
		var about message
		about.text(1, "column "+c.Name)
		about.text(2, strings.Replace(c.describe(), "NULL", `""`, 1))
		m.bytes(14, about)
	}
	return m
}

func operators(domain string, version int64) []byte {
	var m message
	m.text(1, domain)
	m.varint(2, version)
	return m
}

// inputs adds an input for each column; a model that looks at none counts the rows of "row".
func (g *graph) inputs() {
	if len(g.d.Columns) == 0 {
		g.taken["row"] = true
		g.body.bytes(11, valueInfo("row", doubleElement, 1))
	}
	for i, c := range g.d.Columns {
		if c.onnxText() {
			g.body.bytes(11, valueInfo(c.Name, stringElement, 1))
			g.encode(i)
			g.missing[i] = g.node("Equal", g.codes[i], g.integer(missingCode))
			continue
		}
		g.body.bytes(11, valueInfo(c.Name, doubleElement, 1))
		g.missing[i] = g.not(g.node("Equal", c.Name, c.Name)) // NaN
		for _, word := range g.d.numericWords() {
			v, _ := dataset.ParseNumber(word)
			g.missing[i] = g.node("Or", g.missing[i], g.node("Equal", c.Name, g.number(v)))
		}
	}
}

func (c Column) onnxText() bool { return c.Type != NumberColumn && c.Type != TruthColumn }

// encode gives each text that a literal asks for a code, and those that mean missing another.
func (g *graph) encode(column int) {
	code := map[string]int64{}
	var keys []string
	var values []int64
	add := func(text string, v int64) {
		if _, known := code[text]; !known {
			code[text] = v
			keys, values = append(keys, text), append(values, v)
		}
	}
	add("", missingCode)
	for _, word := range g.d.spelled() {
		add(word, missingCode)
	}
	for _, c := range g.d.Cases {
		for _, l := range c.When {
			if g.d.at(l.Column) != column {
				continue
			}
			for _, text := range textsOf(l.Test) {
				add(text, int64(len(code)))
			}
		}
	}
	g.code[column] = code
	g.codes[column] = g.add("ai.onnx.ml", "LabelEncoder",
		[][]byte{attribute("keys_strings", keys), attribute("values_int64s", values), attribute("default_int64", int64(-1))},
		g.d.Columns[column].Name)
}

// textsOf returns the texts that a test asks for.
func textsOf(t dataset.Test) []string {
	if t.Kind == dataset.Is {
		return []string{t.Value}
	}
	return t.Values
}

// decide returns the number of the case that decides, of shape [rows, 1].
func (g *graph) decide() string {
	last := len(g.d.Cases) - 1
	index := g.integer(int64(last))
	for i := last - 1; i >= 0; i-- {
		index = g.node("Where", g.all(g.d.Cases[i].When), g.integer(int64(i)), index)
	}
	if last > 0 {
		return index
	}
	never := "" // false for each row
	if len(g.d.Columns) == 0 {
		never = g.node("Equal", "row", "row")
	} else {
		never = g.missing[0]
	}
	return g.node("Where", g.node("Xor", never, never), index, index)
}

// all returns whether all literals hold.
func (g *graph) all(literals []model.Literal) string {
	all := g.literal(literals[0])
	for _, l := range literals[1:] {
		all = g.node("And", all, g.literal(l))
	}
	return all
}

// literal returns whether a literal holds, as the tests of C do: a cell that is missing where
// training had none cannot be judged, and neither the literal nor its negation holds.
func (g *graph) literal(l model.Literal) string {
	at := g.d.at(l.Column)
	missing, present := g.missing[at], g.not(g.missing[at])
	if l.Test.Kind == dataset.Missing {
		switch {
		case l.Negated:
			return present
		case l.Test.Complete:
			return g.node("And", missing, present)
		}
		return missing
	}
	holds := g.node("And", g.test(at, l.Test), present)
	if !l.Negated {
		return holds
	}
	judged := g.node("Or", present, missing)
	if l.Test.Complete || l.Test.Kind == dataset.Given {
		judged = present
	}
	if g.d.Columns[at].Type == TruthColumn {
		name := g.d.Columns[at].Name
		known := g.node("Or", g.node("Equal", name, g.number(0)), g.node("Equal", name, g.number(1)))
		judged = g.node("And", judged, g.node("Or", known, missing))
	}
	return g.node("And", judged, g.not(holds))
}

// test returns whether a cell that is not missing passes a test.
func (g *graph) test(at int, t dataset.Test) string {
	name := g.d.Columns[at].Name
	low, high := between(t)
	switch t.Kind {
	case dataset.Is, dataset.Among:
		texts := textsOf(t)
		is := g.node("Equal", g.codes[at], g.integer(g.code[at][texts[0]]))
		for _, text := range texts[1:] {
			is = g.node("Or", is, g.node("Equal", g.codes[at], g.integer(g.code[at][text])))
		}
		return is
	case dataset.True, dataset.Given:
		return g.node("Equal", name, g.number(1))
	case dataset.Number:
		return g.node("Equal", name, g.number(t.Number()))
	case dataset.Interval:
		return g.between(name, "GreaterOrEqual", low, "Less", high)
	}
	return g.between(name, "Greater", low, "LessOrEqual", high)
}

// between compares with the bounds that are finite; one of them is.
func (g *graph) between(name, above string, low float64, below string, high float64) string {
	switch {
	case math.IsInf(low, 0):
		return g.node(below, name, g.number(high))
	case math.IsInf(high, 0):
		return g.node(above, name, g.number(low))
	}
	return g.node("And", g.node(above, name, g.number(low)), g.node(below, name, g.number(high)))
}

func (g *graph) not(value string) string { return g.node("Not", value) }

// node adds an operator and returns its output.
func (g *graph) node(operator string, inputs ...string) string {
	return g.add("", operator, nil, inputs...)
}

func (g *graph) add(domain, operator string, attributes [][]byte, inputs ...string) string {
	out := g.name("value")
	g.operator(domain, operator, attributes, out, inputs...)
	return out
}

func (g *graph) operator(domain, operator string, attributes [][]byte, out string, inputs ...string) {
	var m message
	for _, in := range inputs {
		m.text(1, in)
	}
	m.text(2, out)
	m.text(4, operator)
	for _, a := range attributes {
		m.bytes(5, a)
	}
	m.text(7, domain)
	g.body.bytes(1, m)
}

// name returns a name that no value has.
func (g *graph) name(begin string) string {
	for {
		g.values++
		if name := fmt.Sprintf("%s_%d", begin, g.values); !g.taken[name] {
			return name
		}
	}
}

// output adds an operator whose output is one of the graph; a column of its name gives it a _.
func (g *graph) output(name string, element elementType, width int64, operator string, inputs ...string) {
	for g.taken[name] {
		name += "_"
	}
	g.taken[name] = true
	g.operator("", operator, nil, name, inputs...)
	g.body.bytes(12, valueInfo(name, element, width))
}

func (g *graph) integer(v int64) string { return g.initial("integer", tensor([]int64{v}), v) }

func (g *graph) number(v float64) string { return g.initial("number", tensor([]float64{v}), v) }

// initial adds a constant, once, and returns its name.
func (g *graph) initial(begin string, t message, v any) string {
	key := fmt.Sprintf("%s %v", begin, v)
	if name, known := g.constant[key]; known {
		return name
	}
	name := g.name(begin)
	t.text(8, name)
	g.body.bytes(5, t)
	g.constant[key] = name
	return name
}

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
