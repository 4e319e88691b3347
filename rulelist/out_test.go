package rulelist

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parcorels/dataset"
	"parcorels/internal/testing/given"
	"parcorels/internal/testing/must"
	"parcorels/model/predict"
	"parcorels/rules"
)

// writeOut writes mined antecedents in the reference format and returns the
// path of the .out file.
func writeOut(t *testing.T, s *rules.Set) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.out")
	var features, labels bytes.Buffer
	must.Do(t, s.WriteOut(&features))
	must.Do(t, s.WriteLabel(&labels))
	for name, b := range map[string][]byte{path: features.Bytes(), strings.TrimSuffix(path, ".out") + ".label": labels.Bytes()} {
		must.Do(t, os.WriteFile(name, b, 0o666))
	}
	return path
}

// TestOutData learns on given antecedents and predicts on the file that they
// came from, with and without its labels.
func TestOutData(t *testing.T) {
	path := writeOut(t, read(t, table, dataset.Options{}, rules.Options{}))
	d := must.Get(dataset.Read(path, dataset.Options{}))(t)
	s := must.Get(rules.Given(d))(t)
	learned := modelOf(t, s, dataset.Options{}, []Rule{
		pick(t, s, "{weather_=_sun,hilly}", false), pick(t, s, "{weather_=_sun}", true),
	}, false)
	m := must.Get(given.Model(Codec, bytes.NewReader(encoded(t, learned)), "m.json"))(t)
	for _, labelled := range []bool{true, false} {
		if !labelled {
			must.Do(t, os.Remove(strings.TrimSuffix(path, ".out")+".label"))
		}
		sum, written := streamFile(t, m, path)
		if (sum.Evaluation != nil) != labelled {
			t.Errorf("evaluation %v", sum.Evaluation)
		}
		if labelled {
			m := sum.Evaluation.Measures()
			if wrong, _ := m.Errors(); wrong != 2 {
				t.Errorf("%v errors, expected 2", wrong)
			}
		}
		lines := strings.Split(written, "\n")
		if !strings.HasSuffix(lines[0], ",prediction,prediction_rule,prediction_probability,P(yes)") ||
			!strings.HasSuffix(lines[3], `,no,"1: {weather_=_sun,hilly}",0.500000,0.500000`) {
			t.Errorf("wrote %q and %q", lines[0], lines[3])
		}
	}
}

func streamFile(t *testing.T, m *Model, path string) (*predict.Summary, string) {
	t.Helper()
	rows := must.Get(dataset.OpenRows(path, dataset.Options{}))(t)
	defer rows.Close()
	p := must.Get(predict.Bind(m, rows.Header(), strict))(t)
	var b bytes.Buffer
	sum := must.Get(p.Stream(path, rows, csv.NewWriter(&b)))(t)
	return sum, b.String()
}
