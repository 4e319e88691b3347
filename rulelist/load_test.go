package rulelist

import (
	"bytes"
	"runtime"
	"strings"
	"testing"

	"parcorels/dataset"
	"parcorels/internal/testing/given"
	"parcorels/model/predict"
	"parcorels/rules"
)

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
