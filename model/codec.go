package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"reflect"
	"slices"
	"strings"

	"parcorels/internal/status"
	"parcorels/internal/wording"
	"parcorels/ratio"
)

// Codec reads and writes the model files of one family: a JSON object with the
// fields of an Envelope and, behind them, those of M.
type Codec[M any] struct {
	Family  Family
	Version int            // the value of "version": that of the files written, and the only one read
	Check   func(*M) error // reports the first thing in which a model contradicts itself
}

// Encode writes a model as an indented JSON object. The same model always gives
// the same bytes.
func (c Codec[M]) Encode(w io.Writer, m *M) error {
	text, err := c.text(m)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, text, "", "  "); err != nil {
		return err
	}
	b.WriteByte('\n')
	_, err = w.Write(b.Bytes())
	return err
}

// text returns the JSON object on one line.
func (c Codec[M]) text(m *M) ([]byte, error) {
	head, err := json.Marshal(Envelope{c.Family.Format(), c.Version})
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	return append(append(head[:len(head)-1], ','), body[1:]...), nil
}

// FromFile reads a model that Encode wrote, from a file whose format is known. An accepted file
// is complete, has every field exactly once, none of them null, and no other, and agrees with
// itself in every count. Anything else is one error that names the file and what is wrong in it.
func (c Codec[M]) FromFile(f *File) (*M, error) {
	if f.Format != c.Family.Format() {
		return nil, f.errorf(`: not a model file: "format" is %q, expected %q`, f.Format, c.Family.Format())
	}
	if f.Version != c.Version {
		return nil, f.errorf(": version %d of the model format, this program reads version %d only", f.Version, c.Version)
	}
	m := new(M)
	if err := json.Unmarshal(f.text, m); err != nil {
		return nil, f.locate(err)
	}
	text, err := c.text(m)
	if err == nil {
		err = checkFields(f.text, text)
	}
	if err == nil {
		err = c.Check(m)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.name, err)
	}
	return m, nil
}

var errFields = errors.New("no model file: a field is missing, unknown, null or there twice")

// checkFields compares the JSON text b with what the document that was decoded from
// it would be written as. Package json ignores unknown fields, takes other spellings of known
// ones, and leaves missing, null and repeated ones to chance; here each is an
// error.
func checkFields(b, canonical []byte) error {
	var given, expected any
	if err := errors.Join(json.Unmarshal(b, &given), json.Unmarshal(canonical, &expected)); err != nil {
		return err
	}
	if !reflect.DeepEqual(given, expected) || tokens(b) != tokens(canonical) { // package json keeps the last of equal names
		return errFields
	}
	return nil
}

// tokens counts names, values and brackets.
func tokens(text []byte) (n int) {
	in := json.NewDecoder(bytes.NewReader(text))
	for _, err := in.Token(); err == nil; _, err = in.Token() {
		n++
	}
	return n
}

// maxFile bounds what ReadFile reads. A rule takes about a kilobyte; a model of
// more than a hundred has no reader.
const maxFile = 16 << 20

// Envelope opens every model file, whatever its family and version.
type Envelope struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
}

// File is a model file that has been read, but not understood.
type File struct {
	Envelope
	name string // printable
	text []byte
}

// ReadFile reads a model file of any family; name stands for it in errors. The
// format tells which family's Decode is to understand it.
func ReadFile(r io.Reader, name string) (*File, error) {
	f := &File{name: wording.Printable(name)}
	var err error
	if f.text, err = io.ReadAll(io.LimitReader(r, maxFile+1)); err != nil {
		return nil, f.errorf(": %w", err)
	}
	if len(f.text) > maxFile {
		return nil, f.errorf(": larger than %d MiB, this is no model file", maxFile>>20)
	}
	if err := json.Unmarshal(f.text, &f.Envelope); err != nil {
		return nil, f.locate(err)
	}
	return f, nil
}

// Unknown returns the error of a file whose format no family has.
func (f *File) Unknown() error {
	return f.errorf(`: not a model file: "format" is %q, expected "parcorels rule list", "parcorels tree" or another family`, f.Format)
}

// errorf returns an error that begins with the name of the file.
func (f *File) errorf(format string, args ...any) error {
	return fmt.Errorf("%s%w", f.name, fmt.Errorf(format, args...))
}

// locate puts the place of a JSON error, where it has one, before its text.
func (f *File) locate(err error) error {
	b := f.text
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case len(bytes.TrimSpace(b)) == 0:
		return f.errorf(": empty, expected a model file")
	case errors.As(err, &syntax) && syntax.Offset >= int64(len(b)):
		return f.errorf("%s: the file ends within its JSON object: truncated?", place(b, int64(len(b))))
	case errors.As(err, &syntax):
		return f.errorf("%s: no model file, which is JSON: %s", place(b, syntax.Offset-1), syntax)
	case errors.As(err, &kind):
		return f.errorf("%s: a JSON %s cannot be here", place(b, kind.Offset-1), kind.Value)
	}
	return f.errorf(": %w", err)
}

// place returns ":line:column" of the byte at offset, both from 1.
func place(b []byte, offset int64) string {
	before := b[:min(max(offset, 0), int64(len(b)))]
	line := 1 + bytes.Count(before, []byte{'\n'})
	column := len(before) - bytes.LastIndexByte(before, '\n')
	return fmt.Sprintf(":%d:%d", line, column)
}

// maxWeight bounds a total weight, so that sums of two never overflow; package
// dataset keeps to it.
const maxWeight = 1<<62 - 1

// isHash reports whether a text is "sha256:" and 64 hexadecimal digits.
func isHash(text string) bool {
	sum, found := strings.CutPrefix(text, "sha256:")
	return found && len(sum) == 64 && strings.Trim(sum, "0123456789abcdef") == ""
}

// Check reports a status that no search ends with.
func (o Origin) Check() error {
	if o.Status == status.Unknown {
		return fmt.Errorf("status is %q, expected one of %s", o.Status, status.Ends())
	}
	return nil
}

// Check reports the first thing in which data, classes and columns contradict
// themselves.
func (f *Frame) Check() error {
	return FirstError(f.checkClasses, f.checkData, f.checkColumns, f.checkKeptBack)
}

// FirstError returns the first error of the parts of a check.
func FirstError(parts ...func() error) error {
	for _, part := range parts {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

// CheckMaximum reports the first thing in which a value that was maximised, of a name in the file, and its upper bound contradict
// themselves or how the search ended.
func CheckMaximum(end status.Status, name string, value, bound Fraction) error {
	switch {
	case value.Den < 1 || bound.Den != value.Den:
		return fmt.Errorf("%s and upper_bound have the denominators %d and %d, expected one that is positive", name, value.Den, bound.Den)
	case value != NewFraction(value.Num, value.Den) || bound != NewFraction(bound.Num, bound.Den):
		return fmt.Errorf("%s is %d/%d, but it is said to be %v; upper_bound %d/%d, said to be %v", name, value.Num, value.Den, value.Value,
			bound.Num, bound.Den, bound.Value)
	case value.Num > bound.Num:
		return fmt.Errorf("%s is %v, above its upper bound %v", name, value.Value, bound.Value)
	case end == status.Optimal && value != bound:
		return fmt.Errorf("status is optimal, but the upper bound %v is not %s, %v", bound.Value, name, value.Value)
	}
	return nil
}

func (f *Frame) checkClasses() error {
	if len(f.Classes) < 2 {
		return fmt.Errorf("classes has %d labels, expected at least two", len(f.Classes))
	}
	if f.OneVsRest && len(f.Classes) > 2 {
		return fmt.Errorf("one_vs_rest is true of %d classes, expected two", len(f.Classes))
	}
	if f.Costs != nil && f.Costs.Each != nil && len(f.Costs.Each) != len(f.Classes) {
		return fmt.Errorf("costs.each has %d sums, expected %d", len(f.Costs.Each), len(f.Classes))
	}
	seen := map[string]bool{}
	for _, c := range f.Classes {
		if seen[c] {
			return fmt.Errorf("two classes are %q", c)
		}
		seen[c] = true
	}
	return nil
}

func (f *Frame) checkKeptBack() error {
	share := func(x float64) bool { return 0 <= x && x <= 1 }
	if k := f.KeptBack; k != nil && (k.Rows < 1 || !share(k.Accuracy) || !share(k.Majority)) {
		return fmt.Errorf("kept_back has %d rows and the shares %v and %v, expected a row and shares from 0 to 1", k.Rows, k.Accuracy,
			k.Majority)
	}
	return nil
}

func (f *Frame) checkData() error {
	d := f.Data
	switch {
	case d.Hash != "" && !isHash(d.Hash):
		return fmt.Errorf(`data.hash is %q, expected "sha256:" and 64 hexadecimal digits`, d.Hash)
	case d.Format != "csv" && d.Format != "out":
		return fmt.Errorf(`data.format is %q, expected "csv" or "out"`, d.Format)
	case d.Samples < 1 || d.Samples > maxWeight || d.Dropped < 0:
		return fmt.Errorf("data has %d samples and %d dropped rows, expected at least one sample", d.Samples, d.Dropped)
	case d.Kept < 0 || d.Kept > d.Mined || d.Kept == d.Mined && d.Kept > 0:
		return fmt.Errorf("data has %d antecedents kept of %d, expected fewer than there were, or neither number", d.Kept, d.Mined)
	case d.WeightUnit.Num < 1:
		return fmt.Errorf("data.weight_unit is %s, expected a positive number", d.WeightUnit)
	case d.Weight < d.Samples || d.Weight > maxWeight:
		return fmt.Errorf("data.weight is %d for %d samples, expected at least 1 each and less than 2^62", d.Weight, d.Samples)
	case !d.Weighted && (d.Weight != d.Samples || d.WeightUnit != ratio.New(1, 1)):
		return fmt.Errorf("data has no weights, but a weight of %d in units of %s for %d samples", d.Weight, d.WeightUnit, d.Samples)
	}
	return nil
}

// CheckLiterals reports the first of some literals that does not belong to the
// model's columns, at path in the file: "rules[0].literals".
func (f *Frame) CheckLiterals(path string, literals []Literal) error {
	for i, l := range literals {
		if !slices.ContainsFunc(f.Columns, func(c Column) bool { return c.Name == l.Column }) {
			return fmt.Errorf("%s: column %q is not among the columns of the model", index(path, i), l.Column)
		}
		if err := f.checkTest(l.Test); err != nil {
			return fmt.Errorf("%s.test: %w", index(path, i), err)
		}
	}
	return nil
}

// CheckRule reports the first thing that is wrong with the condition of rule i of a
// list or a set of rules: a literal that does not belong to the model's columns, or an
// antecedent that does not read as the literals do.
func (f *Frame) CheckRule(i int, antecedent string, literals []Literal) error {
	if err := f.CheckLiterals(fmt.Sprintf("rules[%d].literals", i), literals); err != nil {
		return err
	}
	if name := Conjunction(literals); antecedent != name {
		return fmt.Errorf("rules[%d].antecedent is %q, but its literals read %q", i, antecedent, name)
	}
	return nil
}

// CheckList reports the first thing that is wrong with the conditions of a list: its rules have one each, the default has none.
func (f *Frame) CheckList(cases []Case) error {
	last := len(cases) - 1
	for i, c := range cases[:last] {
		if len(c.When) == 0 {
			return fmt.Errorf("rules[%d] has no literals", i)
		}
		if err := f.CheckRule(i, c.Text, c.When); err != nil {
			return err
		}
	}
	if cases[last].Text != "" || len(cases[last].When) > 0 {
		return errors.New("default has an antecedent")
	}
	return nil
}

// RulePath names the cases of a model of n rules and a default in its file, for
// CheckCounts: "rules[0]", …, "default".
func RulePath(n int) func(i int) string {
	return func(i int) string {
		if i < n {
			return fmt.Sprintf("rules[%d]", i)
		}
		return "default"
	}
}

// CheckCounts checks that cases predict a class that there is, and share out the
// samples of the data among them. path names case i in the file: "rules[0]".
func (f *Frame) CheckCounts(cases []Case, path func(i int) string) error {
	samples, weight := f.Data.Samples, f.Data.Weight
	for i, c := range cases {
		name := path(i)
		if err := f.checkCase(c); err != nil {
			return fmt.Errorf("%s.%w", name, err)
		}
		// Each count is at most the total, so that this cannot overflow.
		for k := range f.Classes {
			if samples -= c.Samples[k]; samples < 0 {
				return fmt.Errorf("the lines up to %s capture more than the %d samples of data", name, f.Data.Samples)
			}
			if weight -= c.Weights[k]; weight < 0 {
				return fmt.Errorf("the lines up to %s capture more than the weight %d of data", name, f.Data.Weight)
			}
		}
	}
	if samples != 0 || weight != 0 {
		return fmt.Errorf("the lines leave %d samples of weight %d of data uncaptured", samples, weight)
	}
	return nil
}

func (f *Frame) checkCase(c Case) error {
	d, k := f.Data, len(f.Classes)
	switch {
	case c.Class < 0 || c.Class >= k:
		return fmt.Errorf("predict is %d, expected class 0 to %d", c.Class, k-1)
	case len(c.Samples) != k || len(c.Weights) != k:
		return fmt.Errorf("samples and weights have %d and %d elements, expected one for each of %d classes", len(c.Samples),
			len(c.Weights), k)
	}
	for i := range k {
		n, w := c.Samples[i], c.Weights[i]
		switch {
		case n < 0 || n > d.Samples:
			return fmt.Errorf("samples[%d] is %d, expected 0 to %d", i, n, d.Samples)
		case w < n || w > d.Weight || n == 0 && w > 0 && !f.Gains():
			return fmt.Errorf("weights[%d] is %d for %d samples, of total weight %d", i, w, n, d.Weight)
		case !d.Weighted && w != n:
			return fmt.Errorf("weights[%d] is %d for %d samples of data without weights", i, w, n)
		}
	}
	return nil
}

// Check recomputes the objective from the weight of the errors and the number
// of rules or leaves, and compares it with the bound. Only where their number is limited may
// λ be 0.
func (o Optimum) Check(end status.Status, weight, errorWeight int64, size int, limited bool) error {
	if free := limited && o.Lambda == ratio.New(0, 1); !o.Lambda.Within() && !free {
		return fmt.Errorf("lambda is %s, expected a number between 0 and 1, both excluded", o.Lambda)
	}
	den := times(o.Lambda.Den, weight)
	objective := times(o.Lambda.Den, errorWeight)
	price := times(o.Lambda.Num, weight)
	objective.Add(objective, price.Mul(price, big.NewInt(int64(size))))
	v, b := o.Objective, o.LowerBound
	switch {
	case !den.IsInt64() || !objective.IsInt64():
		return fmt.Errorf("lambda %s times the total weight %d exceeds 63 bits", o.Lambda, weight)
	case v != NewFraction(objective.Int64(), den.Int64()):
		return fmt.Errorf("objective is %d/%d = %v, but the counts give %d/%d", v.Num, v.Den, v.Value, objective, den)
	case b != NewFraction(b.Num, den.Int64()) || b.Num < 0 || b.Num > v.Num:
		return fmt.Errorf("lower_bound is %d/%d = %v, expected a part of %d between 0 and the objective's %d", b.Num, b.Den, b.Value, den,
			v.Num)
	case end == status.Optimal && b != v:
		return fmt.Errorf("status is optimal, but the lower bound %v is not the objective %v", b.Value, v.Value)
	case o.Gap != o.gap():
		return fmt.Errorf("gap is %v, but objective and lower bound give %v", o.Gap, o.gap())
	}
	return nil
}

func times(a, b int64) *big.Int { return new(big.Int).Mul(big.NewInt(a), big.NewInt(b)) }

func index(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }
