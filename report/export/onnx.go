package export

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"parcorels/dataset"
	"parcorels/internal/wording"
	"parcorels/model"
)

// ONNX gets a graph of plain operators, for models of every family: a truth value for each
// literal, the number of the first case whose literals all hold, and what that case says. The
// operator TreeEnsembleClassifier is not used: it rounds numbers to 32 bits, and knows no texts.
//
// Each column is an input of shape [rows, 1]: doubles where C has doubles (Column.real), with NaN for
// what is missing, texts without space around them elsewhere, with "" for what is missing. The
// outputs are label [rows], probabilities [rows, classes] and rule [rows], the case from 0 on.
// These spellings of a word that means missing are known: as it is listed, in lower and in
// upper case, and with a capital.

const (
	onnxVersion   = 7  // of the file's format
	onnxOperators = 13 // version of the operators
	onnxEncoder   = 2  // version of those of ai.onnx.ml: LabelEncoder

	int64Element, stringElement, doubleElement            = 7, 8, 11 // of tensors
	integerAttribute, integersAttribute, stringsAttribute = 2, 7, 8
)

// graph is a GraphProto that grows.
type graph struct {
	d        *Decision
	nodes    [][]byte
	initials [][]byte // constants
	inputs   [][]byte
	outputs  [][]byte
	taken    map[string]bool   // names of values
	values   int               // that were named
	known    map[string]string // constants, by what they are
	missing  []string          // by column: whether its cells are missing
	codes    []string          // by column of texts: their codes
	code     []map[string]int64
}

const missingCode int64 = -2 // of a text

func writeONNX(to io.Writer, d *Decision) error {
	columns := len(d.Columns)
	g := &graph{d: d, taken: map[string]bool{}, known: map[string]string{},
		missing: make([]string, columns), codes: make([]string, columns), code: make([]map[string]int64, columns)}
	about := [][]byte{}
	for _, c := range d.Columns {
		g.taken[c.Name] = true
		about = append(about, message(1, "column "+c.Name, 2, strings.Replace(c.describe(), "NULL", `""`, 1)))
	}
	g.input()
	rule := g.node("Reshape", g.decide(), g.constant([]int64{-1}, 1))
	var labels []string
	var probabilities []float64
	for _, c := range d.Cases {
		labels = append(labels, d.Classes[c.Class])
		probabilities = append(probabilities, c.Probabilities...)
	}
	cases, classes := int64(len(d.Cases)), int64(len(d.Classes))
	g.output("label", stringElement, 0, "Gather", g.constant(labels, cases), rule)
	g.output("probabilities", doubleElement, classes, "Gather", g.constant(probabilities, cases, classes), rule)
	g.output("rule", int64Element, 0, "Identity", rule)
	body := message(1, g.nodes, 2, "parcorels", 5, g.initials, 11, g.inputs, 12, g.outputs)
	_, err := to.Write(message(1, onnxVersion, 2, d.Software, 6, d.heading(""), 7, body,
		8, message(2, onnxOperators), 8, message(1, "ai.onnx.ml", 2, onnxEncoder), 14, about))
	return err
}

// input adds an input for each column; a model that looks at none counts the rows of "row".
func (g *graph) input() {
	if len(g.d.Columns) == 0 {
		g.taken["row"] = true
		g.inputs = append(g.inputs, valueInfo("row", doubleElement, 1))
	}
	for i, c := range g.d.Columns {
		if !c.real() {
			g.inputs = append(g.inputs, valueInfo(c.Name, stringElement, 1))
			g.encode(i)
			g.missing[i] = g.node("Equal", g.codes[i], g.constant(missingCode))
			continue
		}
		g.inputs = append(g.inputs, valueInfo(c.Name, doubleElement, 1))
		g.missing[i] = g.not(g.node("Equal", c.Name, c.Name)) // NaN
		for _, word := range g.d.numericWords() {
			v, _ := dataset.ParseNumber(word)
			g.missing[i] = g.node("Or", g.missing[i], g.node("Equal", c.Name, g.constant(v)))
		}
	}
}

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
	g.code[column], g.codes[column] = code, g.name()
	g.nodes = append(g.nodes, message(1, g.d.Columns[column].Name, 2, g.codes[column], 4, "LabelEncoder", 7, "ai.onnx.ml",
		5, message(1, "keys_strings", 9, keys, 20, stringsAttribute),
		5, message(1, "values_int64s", 8, values, 20, integersAttribute),
		5, message(1, "default_int64", 3, -1, 20, integerAttribute)))
}

// decide returns the number of the case that decides, of shape [rows, 1].
func (g *graph) decide() string {
	last := len(g.d.Cases) - 1
	index := g.constant(int64(last))
	for i := last - 1; i >= 0; i-- {
		index = g.node("Where", g.all(g.d.Cases[i].When), g.constant(int64(i)), index)
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
		known := g.node("Or", g.node("Equal", name, g.constant(0.)), g.node("Equal", name, g.constant(1.)))
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
		is := g.node("Equal", g.codes[at], g.constant(g.code[at][texts[0]]))
		for _, text := range texts[1:] {
			is = g.node("Or", is, g.node("Equal", g.codes[at], g.constant(g.code[at][text])))
		}
		return is
	case dataset.True, dataset.Given:
		return g.node("Equal", name, g.constant(1.))
	case dataset.Number:
		return g.node("Equal", name, g.constant(t.Number()))
	case dataset.Interval:
		return g.between(name, "GreaterOrEqual", low, "Less", high)
	}
	return g.between(name, "Greater", low, "LessOrEqual", high)
}

// between compares with the bounds that are finite; one of them is.
func (g *graph) between(name, above string, low float64, below string, high float64) string {
	switch {
	case math.IsInf(low, 0):
		return g.node(below, name, g.constant(high))
	case math.IsInf(high, 0):
		return g.node(above, name, g.constant(low))
	}
	return g.node("And", g.node(above, name, g.constant(low)), g.node(below, name, g.constant(high)))
}

func (g *graph) not(value string) string { return g.node("Not", value) }

// node adds an operator and returns its output.
func (g *graph) node(operator string, inputs ...string) string {
	out := g.name()
	g.nodes = append(g.nodes, message(1, inputs, 2, out, 4, operator))
	return out
}

// name returns a name that no value has.
func (g *graph) name() string {
	for {
		g.values++
		if name := fmt.Sprintf("value_%d", g.values); !g.taken[name] {
			return name
		}
	}
}

// output adds an operator whose output is one of the graph; a column of its name gives it a _.
func (g *graph) output(name string, element int, width int64, operator string, inputs ...string) {
	for g.taken[name] {
		name += "_"
	}
	g.taken[name] = true
	g.nodes = append(g.nodes, message(1, inputs, 2, name, 4, operator))
	g.outputs = append(g.outputs, valueInfo(name, element, width))
}

// constant adds a TensorProto of an int64, a float64, or a slice of them or of texts, once, and returns its name.
func (g *graph) constant(values any, dims ...int64) string {
	key := fmt.Sprintf("%T %v %v", values, values, dims)
	name, known := g.known[key]
	if known {
		return name
	}
	name = g.name()
	g.known[key] = name
	field, element, content := 9, int64Element, values
	switch values.(type) {
	case []string:
		field, element = 6, stringElement
	case float64, []float64:
		element = doubleElement
	}
	if element != stringElement {
		content, _ = binary.Append(nil, binary.LittleEndian, values) // numbers cannot fail
	}
	g.initials = append(g.initials, message(1, dims, 2, element, field, content, 8, name))
	return name
}

// valueInfo returns a ValueInfoProto of a tensor with a row per row of the table, and with width
// columns; 0: it has one dimension.
func valueInfo(name string, element int, width int64) []byte {
	shape := [][]byte{message(2, "rows")}
	if width > 0 {
		shape = append(shape, message(1, width))
	}
	return message(1, name, 2, message(1, message(1, element, 2, message(1, shape))))
}

// message returns a message of protocol buffers from numbers of fields, each with its value, or with a list of values. Numbers
// of fields and of types are those of onnx.proto3, of ONNX 1.8.
func message(fields ...any) (m []byte) {
	for i := 0; i < len(fields); i += 2 {
		field, value := protowire.Number(fields[i].(int)), reflect.ValueOf(fields[i+1])
		switch v := fields[i+1].(type) {
		case []byte:
			m = protowire.AppendBytes(protowire.AppendTag(m, field, protowire.BytesType), v)
		case string:
			m = protowire.AppendString(protowire.AppendTag(m, field, protowire.BytesType), v)
		case int, int64:
			m = protowire.AppendVarint(protowire.AppendTag(m, field, protowire.VarintType), uint64(value.Int()))
		default:
			for k := range value.Len() {
				m = append(m, message(fields[i], value.Index(k).Interface())...)
			}
		}
	}
	return m
}

// spelled are the words that mean missing in a text, as they may be written.
func (d *Decision) spelled() (words []string) {
	for _, word := range d.MissingWords {
		for _, s := range []string{word, strings.ToLower(word), strings.ToUpper(word), wording.Capital(strings.ToLower(word))} {
			if !slices.Contains(words, s) {
				words = append(words, s)
			}
		}
	}
	return words
}
