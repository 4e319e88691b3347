package dataset_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"parcorels/dataset"
	"parcorels/optionerr"
	"parcorels/table"
)

// partsOf returns the parts of dates that a reading with options makes, with the levels that
// have a feature of their own.
func partsOf(t *testing.T, table string, o dataset.Options) map[string][]string {
	t.Helper()
	d, err := dataset.ReadFrom(strings.NewReader(table), "t.csv", o)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]string{}
	for _, f := range d.Features {
		if part := d.PartOf(f.Column); part == nil {
			found[f.Column] = append(found[f.Column], f.Name)
		} else if f.Test.Kind == dataset.Number {
			found[f.Column] = append(found[f.Column], f.Test.Value)
		}
	}
	return found
}

func TestPartsOfDatesAreThoseOfTheCalendar(t *testing.T) {
	layouts := map[dataset.Time]string{table.ISODate: "2006-01-02T15:04:05", table.DottedDate: "2.1.2006", table.DayMonthYear: "2/1/2006",
		table.MonthDayYear: "1/2/2006"}
	for written, layout := range layouts {
		weekday, month := dataset.Part{Of: "d", Part: dataset.Weekday, Time: written},
			dataset.Part{Of: "d", Part: dataset.Month, Time: written}
		for i := range 3000 {
			day := time.Date(1967, 12, 25, 23, 59, 59, 0, time.UTC).Add(time.Duration(i) * 37 * time.Hour)
			cell := day.Format(layout)
			if got := weekday.Text(" " + cell); got != day.Weekday().String() {
				t.Fatalf("%s is a %s, not a %s", cell, day.Weekday(), got)
			}
			if got := month.Text(cell); got != day.Month().String() {
				t.Fatalf("%s is in %s, not in %s", cell, day.Month(), got)
			}
		}
		if weekday.Text(" NA ") != "NA" || month.Text("2019-02-30") != "2019-02-30" {
			t.Error("what is no date has a part")
		}
	}
}

func TestPartsOfDatesAreColumns(t *testing.T) {
	var b strings.Builder
	b.WriteString("seen,x,y\n")
	for i := range 400 {
		day := time.Date(2019, 3, 4, 0, 0, 0, 0, time.UTC).AddDate(0, 0, i%60)
		cell := day.Format(time.DateOnly)
		if i%80 == 79 {
			cell = "NA"
		}
		fmt.Fprintf(&b, "%s,%d,%v\n", cell, i%3, day.Weekday() == time.Sunday)
	}
	both := map[string][]dataset.DatePart{"seen": {dataset.Month, dataset.Weekday}}
	found := partsOf(t, b.String(), dataset.Options{DateParts: both, Ignore: []string{"seen"}})
	if days := found["weekday of seen"]; len(days) != 7 || !slices.Contains(days, "Sunday") {
		t.Errorf("weekdays %q", days)
	}
	if months := found["month of seen"]; len(months) != 3 || !slices.Contains(months, "May") {
		t.Errorf("months %q", months)
	}
	if found["seen"] != nil {
		t.Errorf("a column to ignore has the features %q", found["seen"])
	}
	if found = partsOf(t, b.String(), dataset.Options{DateParts: both}); found["seen"] == nil {
		t.Error("a column has lost its own features to its parts")
	}
	if found = partsOf(t, b.String(), dataset.Options{DateParts: both, DropMissing: true,
		KeepColumns: true}); len(found["weekday of seen"]) != 7 {
		t.Errorf("without missing cells weekdays are %q", found["weekday of seen"])
	}
}

func TestPartsThatCannotBe(t *testing.T) {
	const table = "d,month of d,x,y\n2019-03-04,1,2,0\n2019-03-05,1,3,1\n2019-03-06,2,2,1\n"
	for name, o := range map[string]dataset.Options{
		"of numbers": {DateParts: map[string][]dataset.DatePart{"x": {dataset.Month}}},
		"of nothing": {DateParts: map[string][]dataset.DatePart{"z": {dataset.Month}}},
		"of labels":  {DateParts: map[string][]dataset.DatePart{"y": {dataset.Month}}},
		"of codes":   {DateParts: map[string][]dataset.DatePart{"d": {dataset.Weekday}}, Categories: []string{"d"}},
		"twice":      {DateParts: map[string][]dataset.DatePart{"d": {dataset.Weekday, dataset.Weekday}}},
		"unknown":    {DateParts: map[string][]dataset.DatePart{"d": {"hour"}}},
		"taken":      {DateParts: map[string][]dataset.DatePart{"d": {dataset.Month}}},
		"ignored cut": {DateParts: map[string][]dataset.DatePart{"d": {dataset.Weekday}}, Ignore: []string{"d"},
			Cuts: map[string][]float64{"d": {3}}},
	} {
		_, err := dataset.ReadFrom(strings.NewReader(table), "t.csv", o)
		var wrong *optionerr.Error
		if !errors.As(err, &wrong) {
			t.Errorf("parts %s: %v", name, err)
		} else if wrong.Field != "DateParts" && name != "ignored cut" {
			t.Errorf("parts %s: %v, of field %q", name, err, wrong.Field)
		}
	}
}
