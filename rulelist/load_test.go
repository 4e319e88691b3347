package rulelist

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"parcorels/dataset"
	"parcorels/model/given"
	"parcorels/model/predict"
	"parcorels/rules"
)

// TestLoadRefuses changes one thing at a time in a good file.
func TestLoadRefuses(t *testing.T) {
	good := string(encoded(t, bicycle(t, dataset.Options{})))
	for _, c := range []struct{ from, to, want string }{
		{good, "", `m.json: empty, expected a model file`},
		{good, "\n \n", `m.json: empty, expected a model file`},
		{good, "null", `m.json: not a model file: "format" is "", expected "parcorels rule list"`},
		{good, "[1]", `m.json:1:1: a JSON array cannot be here`},
		{good, "weather,hilly\n", `m.json:1:1: no model file, which is JSON: invalid character 'w' looking for beginning of value`},
		{good, good[:300], `m.json:15:3: the file ends within its JSON object: truncated?`},
		{good, good + "{}", `m.json:132:1: no model file, which is JSON: invalid character '{' after top-level value`},
		{`"parcorels rule list"`, `"other"`, `m.json: not a model file: "format" is "other", expected "parcorels rule list"`},
		{`"version": 1`, `"version": 2`, `m.json: version 2 of the model format, this program reads version 1 only`},
		{`"version": 1`, `"version": "1"`, `m.json:3:16: a JSON string cannot be here`},
		{`"version": 1`, `"version": 1e99`, `m.json:3:17: a JSON number 1e99 cannot be here`},
		{`"gap": 1`, `"gap": 1, "more": {"a": 1}`, `m.json: no model file: a field is missing, unknown, null or there twice`},
		{`"gap": 1`, `"Gap": 1`, `m.json: no model file: a field is missing, unknown, null or there twice`},
		{`"gap": 1`, `"gap": 1, "gap": 1`, `m.json: no model file: a field is missing, unknown, null or there twice`},
		{`"gap": 1,`, ``, `m.json: no model file: a field is missing, unknown, null or there twice`},
		{`"gap": 1`, `"gap": null`, `m.json: no model file: a field is missing, unknown, null or there twice`},
		{`"gap": 1`, `"gap": 0.5`, `m.json: gap is 0.5, but objective and lower bound give 1`},
		{`"samples": 12`, `"samples": -12`, `m.json: data has -12 samples and 0 dropped rows, expected at least one sample`},
		{`"rules": [`, `"kept_back": {"rows": 4, "accuracy": 1.5, "majority": 0.5, "majority_class": "yes", "refit": false}, "rules": [`,
			`m.json: kept_back has 4 rows and the shares 1.5 and 0.5, expected a row and shares from 0 to 1`},
		{`"samples": 12`, `"samples": 12.5`, `m.json:22:19: a JSON number 12.5 cannot be here`},
		{`"samples": 12`, `"samples": 11`, `m.json: data has no weights, but a weight of 12 in units of 1 for 11 samples`},
		{`"weight": 12,`, `"weight": 4611686018427387904,`, `m.json: data.weight is 4611686018427387904 for 12 samples, expected at least 1 each and less than 2^62`},
		{`"weight_unit": "1"`, `"weight_unit": "0"`, `m.json: data.weight_unit is 0, expected a positive number`},
		{`"status": "interrupted"`, `"status": "best"`, `m.json: status is "best", expected one of optimal, time-limit, node-limit, memory-limit, interrupted, stalled, finished`},
		{`"status": "interrupted"`, `"status": "optimal"`, `m.json: status is optimal, but the lower bound 0 is not the objective 0.18666666666666668`},
		{`"lambda": "0.01"`, `"lambda": "1"`, `m.json: lambda is 1, expected a number between 0 and 1, both excluded`},
		{`"lambda": "0.01"`, `"lambda": 0.01`, `m.json:6:16: a JSON number cannot be here`},
		{`"classes": [`, `"classes": {}, "x": [`, `m.json:34:14: a JSON object cannot be here`},
		{`"lambda": "0.01"`, `"lambda": "abc"`, `m.json: "abc" is not a decimal number such as 0.01, nor a fraction such as 1/300`},
		{`"numerator": 224`, `"numerator": 223`, `m.json: objective is 223/1200 = 0.18666666666666668, but the counts give 224/1200`},
		{`"numerator": 0`, `"numerator": 225`, `m.json: lower_bound is 225/1200 = 0, expected a part of 1200 between 0 and the objective's 224`},
		{`"sha256:`, `"md5:`, fmt.Sprintf(`m.json: data.hash is "md5:%s", expected "sha256:" and 64 hexadecimal digits`, hexOf(good))},
		{`"format": "csv"`, `"format": "xml"`, `m.json: data.format is "xml", expected "csv" or "out"`},
		{`"format": "csv"`, `"format": "out"`, `m.json: columns[0].cell: a test of kind "is" in data of format "out"`},
		{"\"no\",\n    \"yes\"", "\"no\"", `m.json: classes has 1 labels, expected at least two`},
		{"\"no\",\n    \"yes\"", `"no", "no"`, `m.json: two classes are "no"`},
		{`"name": "hilly",
      "cell"`, `"name": "weather",
      "cell"`, `m.json: columns[1] is named "weather" like an earlier one`},
		{`"kind": "true"`, `"kind": "maybe"`, `m.json: columns[1].cell: unknown kind of test "maybe"`},
		{`"kind": "true"`, `"kind": "number"`, `m.json: columns[1].cell: "" is not a number to compare with`},
		{`"kind": "true"`, `"kind": "interval"`, `m.json: columns[1].cell: an interval of no or of all numbers`},
		{`"kind": "true"`, `"kind": "is"`, `m.json: columns[1] has 0 values and cells of kind "is"`},
		{`"column": "hilly"`, `"column": "hill"`, `m.json: rules[0].literals[1]: column "hill" is not among the columns of the model`},
		{`"antecedent": "weather = sun"`, `"antecedent": "weather = rain"`,
			`m.json: rules[1].antecedent is "weather = rain", but its literals read "weather = sun"`},
		{`"predict": 1`, `"predict": 2`, `m.json: rules[1].predict is 2, expected class 0 to 1`},
		{`"predict": 1`, `"predict": true`, `m.json:109:21: a JSON bool cannot be here`},
		{"0,\n        4\n", "-1,\n        5\n", `m.json: rules[1].samples[0] is -1, expected 0 to 12`},
		{"0,\n        4\n", "1,\n        4\n", `m.json: rules[1].weights[0] is 0 for 1 samples, of total weight 12`},
		{"5,\n      1\n", "6,\n      0\n", `m.json: default.weights[0] is 5 for 6 samples, of total weight 12`},
		{`"rules": [`, `"rules": [], "x": [`, `m.json: no model file: a field is missing, unknown, null or there twice`},
	} {
		bad := strings.Replace(good, c.from, c.to, 1)
		if bad == good {
			t.Fatalf("%q is not in the file", c.from)
		}
		if m, err := given.Model(Codec, strings.NewReader(bad), "m.json"); err == nil || m != nil || err.Error() != c.want {
			t.Errorf("%.40q → %.40q:\n got %v\nwant %s", c.from, c.to, err, c.want)
		}
	}
}

func hexOf(file string) string {
	_, rest, _ := strings.Cut(file, "sha256:")
	return rest[:64]
}

// TestLoadCounts refuses files whose lines share out other samples than there
// are, though each line is possible by itself.
func TestLoadCounts(t *testing.T) {
	for _, c := range []struct {
		class int
		by    int64
		want  string
	}{
		{0, 1, "m.json: the lines up to default capture more than the 12 samples of data"},
		{0, -1, "m.json: the lines leave 1 samples of weight 1 of data uncaptured"},
		{1, 11, "m.json: the lines up to default capture more than the 12 samples of data"},
	} {
		m := bicycle(t, dataset.Options{})
		m.Default.Samples[c.class] += c.by
		m.Default.Weights[c.class] += c.by
		if _, err := given.Model(Codec, bytes.NewReader(encoded(t, m)), "m.json"); err == nil || err.Error() != c.want {
			t.Errorf("%+v: got %v", c, err)
		}
	}
}

// TestEveryTruncation cuts a file at every byte.
func TestEveryTruncation(t *testing.T) {
	good := encoded(t, bicycle(t, dataset.Options{}))
	for n := range len(good) - 1 {
		if _, err := given.Model(Codec, bytes.NewReader(good[:n]), "m.json"); err == nil && n < len(good)-2 {
			t.Fatalf("accepts the first %d of %d bytes", n, len(good))
		}
	}
}

func TestLoadLimitsSize(t *testing.T) {
	_, err := given.Model(Codec, endless{}, "a\x1bb")
	if want := `"a\x1bb": larger than 16 MiB, this is no model file`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestDeepFile: what a file nests deeply costs no more than it is long.
func TestDeepFile(t *testing.T) {
	const depth = 5000
	nested := func(value string) string {
		open, key := strings.Builder{}, strings.Repeat("k", 1000)
		for range depth {
			open.WriteString(`{"` + key + `":`)
		}
		return `{"format": "parcorels rule list", "version": 1, "a": [0, ` + open.String() + value + strings.Repeat("}", depth) + "]}"
	}
	text := nested("0")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := given.Model(Codec, strings.NewReader(text), "m.json")
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 100<<20 {
		t.Errorf("%d MiB were allocated for %d of text", n>>20, len(text)>>20)
	}
	if want := "m.json: no model file: a field is missing, unknown, null or there twice"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

type endless struct{}

func (endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
	}
	return len(b), nil
}

// FuzzDecode checks that what Decode accepts survives a round trip, and that a
// predictor of it judges any row without panic.
func FuzzDecode(f *testing.F) {
	f.Add(encoded(f, bicycle(f, dataset.Options{})))
	s := read(f, table, dataset.Options{ClassWeights: "balanced"}, rules.Options{Negations: true})
	f.Add(encoded(f, modelOf(f, s, dataset.Options{Missing: []string{}}, []Rule{{0, 1}, {len(s.Antecedents) - 1, 0}}, true)))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := given.Model(Codec, bytes.NewReader(b), "m.json")
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\x1b") {
				t.Fatalf("error of more than one printable line: %q", err)
			}
			return
		}
		again, err := given.Model(Codec, bytes.NewReader(encoded(t, m)), "m.json")
		if err != nil {
			t.Fatalf("refuses what it wrote: %v", err)
		}
		if again.Text(80) != m.Text(80) {
			t.Fatal("the round trip changes the text")
		}
		for _, cell := range []string{"", "1", "sun", "?", "0x1", "\xff"} {
			row := map[string]string{}
			for _, c := range m.Columns {
				row[c.Name] = cell
			}
			if p, err := predict.Predict(m, row, strict); err == nil && (p.Case < 0 || p.Case > len(m.Rules) || p.Probability() <= 0 ||
				p.Probability() >= 1) {
				t.Fatalf("predicts %+v", p)
			}
		}
	})
}
