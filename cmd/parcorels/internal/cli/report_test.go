package cli

import (
	"testing"

	"parcorels/family"
	"parcorels/internal/testing/must"
	"parcorels/model"
	"parcorels/report/html"
)

// TestRefitCommand: a page's command gives an option a value where the table of options has it
// take one, and none where it is a switch.
func TestRefitCommand(t *testing.T) {
	t.Chdir(t.TempDir())
	exampleTable(t, "monk1", "t.csv")
	mustRun(t, "fit", "t.csv", "-o", "m.json")
	m := must.Get(family.Load("m.json"))(t)
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
