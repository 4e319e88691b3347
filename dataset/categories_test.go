package dataset_test

import (
	"fmt"
	"strings"
	"testing"

	"parcorels/dataset"
)

func TestCategoriesOfNumbers(t *testing.T) {
	var b strings.Builder
	b.WriteString("race,id,y\n")
	for i := range 9000 { // more different numbers than are kept as codes
		fmt.Fprintf(&b, "%d,%d,%d\n", i%7, i, i%7&1)
	}
	d, err := dataset.ReadFrom(strings.NewReader(b.String()), "t.csv", dataset.Options{Categories: []string{"race", "id"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Features) < 7 {
		t.Fatalf("%d features, expected one for each race", len(d.Features))
	}
	for i, f := range d.Features[:7] {
		if want := fmt.Sprintf("race = %d", i); f.Name != want || f.Test.Kind != dataset.Is {
			t.Errorf("feature %q of kind %s, expected %q", f.Name, f.Test.Kind, want)
		}
	}
	for _, o := range []dataset.Options{
		{Categories: []string{"none"}}, {Categories: []string{"y"}}, {Categories: []string{"race"}, Ignore: []string{"race"}},
		{Categories: []string{"race"}, Cuts: map[string][]float64{"race": {3}}},
	} {
		if _, err := dataset.ReadFrom(strings.NewReader(b.String()), "t.csv", o); err == nil {
			t.Errorf("%+v was accepted", o)
		}
	}
}

func TestDropUnlabelled(t *testing.T) {
	const text = "a,b,y\n1,x,0\n2,,1\n3,x,NA\n,x,1\n4,z,\n5,z,0\n"
	d, err := dataset.ReadFrom(strings.NewReader(text), "t.csv", dataset.Options{DropUnlabelled: true})
	if err != nil {
		t.Fatal(err)
	}
	if rows := fmt.Sprint(d.FileRows()); rows != "[1 2 4 6]" || d.Dropped != 2 {
		t.Errorf("rows %s are kept and %d dropped", rows, d.Dropped)
	}
	if want := `2 of 6 rows are dropped for a missing value, most often "y" in 2`; d.Notes[0] != want {
		t.Errorf("note %q, expected %q", d.Notes[0], want)
	}
}
