package instance

import (
	"testing"

	"parcorels/dataset"
	"parcorels/internal/testing/testgen"
	"parcorels/rules"
)

// TestKnownPoints holds the reduction against counts known for public data,
// which PARCORELS_DATA points to.
func TestKnownPoints(t *testing.T) {
	for _, c := range []struct {
		file    string
		samples int
		points  int
	}{
		{"corels/compas_train.out.gz", 6489, 183},
		{"binary/fico_binary.csv.gz", 10459, 2118},
	} {
		path := testgen.Data(t, c.file)
		d, err := dataset.Read(path, dataset.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := antecedents(t, d)
		if err != nil {
			t.Fatal(err)
		}
		in, err := FromSet(s)
		if err != nil {
			t.Fatal(err)
		}
		if err := in.check(); err != nil {
			t.Errorf("%s: %v", c.file, err)
		}
		if in.Samples != c.samples || in.Points != c.points {
			t.Errorf("%s: %d samples, %d points; want %d, %d", c.file, in.Samples, in.Points, c.samples, c.points)
		}
	}
}

func antecedents(t testing.TB, d *dataset.Dataset) (*rules.Set, error) {
	if d.Format == "out" {
		return rules.Given(d)
	}
	return rules.Mine(t.Context(), d, rules.Options{})
}
