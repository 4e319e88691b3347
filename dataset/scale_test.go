package dataset_test

import (
	"fmt"
	"strings"
	"testing"

	"parcorels/dataset"
)

// read returns the features of a table, and what is wrong with it.
func read(text string, o dataset.Options) ([]dataset.Feature, error) {
	d, err := dataset.ReadFrom(strings.NewReader(text), "t.csv", o)
	if err != nil {
		return nil, err
	}
	return d.Features, nil
}

func TestCutsOfDates(t *testing.T) {
	for _, column := range []string{"2019-%02d-%02d", "%[2]d.%[1]d.2019", "%d/%d/2019", "%[2]d/%[1]d/2019"} {
		var b strings.Builder
		b.WriteString("hired,y\n")
		for i := range 360 {
			fmt.Fprintf(&b, "%s,%d\n", fmt.Sprintf(column, i/30%12+1, i%28+1), i/180)
		}
		features, err := read(b.String(), dataset.Options{})
		if err != nil || len(features) == 0 {
			t.Fatalf("%s: %d features, %v", column, len(features), err)
		}
		for _, f := range features {
			if f.Test.Kind != dataset.Threshold || !strings.Contains(f.Name, "2019-0") {
				t.Errorf("%s: feature %q of kind %s", column, f.Name, f.Test.Kind)
			}
			june, _ := f.Test.Holds("2019-06-01 08:00")
			december, _ := f.Test.Holds(fmt.Sprintf(column, 12, 28))
			if june == december {
				t.Errorf("%s: %s is %v in June and in December", column, f.Name, june)
			}
			if _, err := f.Test.Holds("soon"); err == nil {
				t.Errorf("%s: soon is a date", column)
			}
		}
	}
	features, err := read("d,y\n1/2/2019,0\n2/1/2019,1\n3/3/2019,1\n", dataset.Options{})
	if err != nil || len(features) != 3 || features[0].Test.Kind != dataset.Is {
		t.Errorf("days and months that cannot be told apart: %v, %v", features, err)
	}
}
