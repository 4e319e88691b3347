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
	"parcorels/model/predict"
	"parcorels/rules"
)

// writeOut writes mined antecedents in the reference format and returns the
// path of the .out file.
func writeOut(t *testing.T, s *rules.Set) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.out")
	var features, labels bytes.Buffer
	if err := s.WriteOut(&features); err != nil {
		t.Fatal(err)
	}
	if err := s.WriteLabel(&labels); err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{path: features.Bytes(), strings.TrimSuffix(path, ".out") + ".label": labels.Bytes()} {
		if err := os.WriteFile(name, b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// TestOutData learns on given antecedents and predicts on the file that they
// came from, with and without its labels.
func TestOutData(t *testing.T) {
	path := writeOut(t, read(t, table, dataset.Options{}, rules.Options{}))
	d, err := dataset.Read(path, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := rules.Given(d)
	if err != nil {
		t.Fatal(err)
	}
	learned := modelOf(t, s, dataset.Options{}, []Rule{
		pick(t, s, "{weather_=_sun,hilly}", false), pick(t, s, "{weather_=_sun}", true),
	}, false)
	m, err := given.Model(Codec, bytes.NewReader(encoded(t, learned)), "m.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, labelled := range []bool{true, false} {
		if !labelled {
			if err := os.Remove(strings.TrimSuffix(path, ".out") + ".label"); err != nil {
				t.Fatal(err)
			}
		}
		sum, written := streamFile(t, m, path)
		if (sum.Evaluation != nil) != labelled {
			t.Errorf("evaluation %v", sum.Evaluation)
		}
		if labelled && sum.Evaluation.Errors() != 2 {
			t.Errorf("%d errors, expected 2", sum.Evaluation.Errors())
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
	rows, err := dataset.OpenRows(path, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	p, err := predict.Bind(m, rows.Header(), strict)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	sum, err := p.Stream(path, rows, csv.NewWriter(&b))
	if err != nil {
		t.Fatal(err)
	}
	return sum, b.String()
}
