package cli

import (
	"bytes"
	"compress/gzip"
	"os"
	"strings"
	"testing"

	"parcorels/family"
	"parcorels/model"
	"parcorels/report/html"
)

// TestRefitCommand: a page's command gives an option a value where the table of options has it
// take one, and none where it is a switch.
func TestRefitCommand(t *testing.T) {
	t.Chdir(t.TempDir())
	exampleTable(t, "monk1", "t.csv")
	mustRun(t, "fit", "t.csv", "-o", "m.json")
	m, err := family.Load("m.json")
	if err != nil {
		t.Fatal(err)
	}
	switches := 0
	for _, row := range family.OptionTable(&family.Reading{}, &family.Options{}) {
		if !row.Decides {
			continue
		}
		m.About().Options = []model.Option{{Name: row.Name, Value: "true"}}
		want := "parcorels fit t.csv --" + row.Name
		if row.Type != "switch" {
			want += " true"
		} else {
			switches++
		}
		if got := html.New(m).Refit(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if switches == 0 {
		t.Error("no option is a switch")
	}
}

// TestReportOfHeldRows: what rows kept back say comes first, and a compressed copy of the
// table that the model was learned from is known as such.
func TestReportOfHeldRows(t *testing.T) {
	t.Chdir(t.TempDir())
	exampleTable(t, "monk1", "t.csv")
	mustRun(t, words("fit t.csv --holdout 0.25 -o m.json")...)
	_, page, _ := run("report", "m.json")
	_, story, _ := strings.Cut(page, `<p class="story">`)
	story, _, _ = strings.Cut(story, "</p>")
	for _, want := range []string{"of 108 rows kept back are predicted right", "Always predicting",
		"of the 324 rows that it was learned from"} {
		if !strings.Contains(story, want) {
			t.Errorf("the story is without %q: %s", want, story)
		}
	}
	table, err := os.ReadFile("t.csv")
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write(table)
	_ = z.Close()
	write(t, map[string]string{"copy.csv.gz": packed.String()})
	mustRun(t, words("fit t.csv -o m.json")...)
	if _, stdout, _ := run("evaluate", "m.json", "copy.csv.gz"); !strings.Contains(stdout, "the model was learned from this table") {
		t.Error(stdout)
	}
}
