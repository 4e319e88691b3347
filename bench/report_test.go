package bench

import (
	"strings"
	"testing"
)

// TestColumns: every column of every table is known.
func TestColumns(t *testing.T) {
	for _, s := range Suites() {
		for part, names := range s.Tables {
			for _, name := range names {
				_, column, different := strings.Cut(name, " = ")
				if !different {
					column = name
				}
				if columns[column] == nil {
					t.Errorf("%s %s: no column %q", s.Name, part, name)
				}
			}
		}
	}
}

// TestSuites: every case of every suite can be run, but for its data.
func TestSuites(t *testing.T) {
	r := &Runner{}
	for _, s := range Suites() {
		cases, err := Find([]string{s.Name}, nil, 0, "")
		if err != nil || len(cases) == 0 {
			t.Errorf("%s: %d cases, error %v", s.Name, len(cases), err)
		}
		seen := map[Case]bool{}
		for _, c := range cases {
			if err := r.ready(c); err != nil && !strings.Contains(err.Error(), ErrAbsent.Error()) {
				t.Errorf("%s: %v", s.Name, err)
			}
			k := (&Record{Case: c}).key()
			if seen[k] {
				t.Errorf("%s: two cases are %s", s.Name, c.Name())
			}
			seen[k] = true
		}
	}
	if _, err := Find([]string{"nowhere"}, []string{"0.1"}, 1, ""); err == nil {
		t.Error("found nowhere")
	}
	if got, err := Find([]string{"quick"}, nil, 1, "monk2"); err != nil || len(got) != 1 || got[0].Lambda != "0.05" {
		t.Errorf("selected %+v, error %v", got, err)
	}
}
