package dataset_test

import (
	"fmt"
	"strings"
	"testing"

	"parcorels/dataset"
	"parcorels/table"
)

func TestDatesAsNumbers(t *testing.T) {
	for _, c := range []struct {
		written dataset.Time
		text    string
		want    float64
		ok      bool
	}{
		{table.ISODate, "1970-01-01", 0, true}, {table.ISODate, "1969-12-31", -1, true}, {table.ISODate, "2019-03-31", 17986, true},
		{table.ISODate, "2019-03-31T06:00", 17986.25, true}, {table.ISODate, "2019-03-31 12:00:00Z", 17986.5, true},
		{table.ISODate, "2019-02-29", 0, false}, {table.ISODate, "2019-13-01", 0, false}, {table.ISODate, "2019-1-01", 0, false},
		{table.ISODate, "2019-03-31T24:00", 0, false}, {table.ISODate, "2019-03-31T", 0, false}, {table.ISODate, "31/3/2019", 0, false},
		{table.DayMonthYear, "31/3/2019", 17986, true}, {table.MonthDayYear, "03/31/2019", 17986, true},
		{table.DottedDate, "31.03.2019", 17986, true},
		{table.DayMonthYear, "3/31/2019", 0, false}, {table.DottedDate, "31/3/2019", 0, false},
		{table.DayMonthYear, "2019-03-31", 17986, true},
		{table.DayMonthYear, "1/1/19", 0, false}, {table.DayMonthYear, "", 0, false}, {table.ISODate, "٢٠١٩-03-31", 0, false},
	} {
		s := dataset.Scale{Time: c.written}
		v, ok := s.Parse(c.text)
		if ok != c.ok || ok && v != c.want {
			t.Errorf("%q written as %s is %v, %v; expected %v, %v", c.text, c.written, v, ok, c.want, c.ok)
		}
		if again, _ := s.Parse(s.Format(v)); ok && again != v {
			t.Errorf("%v is written as %q, which is %v", v, s.Format(v), again)
		}
	}
}

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

func TestOrderedCategories(t *testing.T) {
	const table = "stage,y\nmid,0\nlow,0\nhigh,1\nworst,1\nlow,1\n"
	features, err := read(table, dataset.Options{Ordered: map[string][]string{"stage": {"low", "mid", "high", "worst"}}, Bins: 2})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range features {
		names = append(names, f.Name)
	}
	want := "stage = worst, stage = high, stage = mid, stage = low, stage > mid, stage > low, stage ≤ high, stage ≤ mid"
	if got := strings.Join(names, ", "); got != want {
		t.Errorf("features %s, expected %s", got, want)
	}
	for _, levels := range [][]string{{"low", "mid"}, {"low", "low"}, {"low"}, {"low", ""}} {
		if _, err := read(table, dataset.Options{Ordered: map[string][]string{"stage": levels}}); err == nil {
			t.Errorf("the levels %q were accepted", levels)
		}
	}
}
