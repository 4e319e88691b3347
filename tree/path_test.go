package tree

import (
	"fmt"
	"strings"
	"testing"

	"parcorels/dataset"
	"parcorels/model"
	"parcorels/model/predict"
	"parcorels/ratio"
)

// middle is a table of 60 numbers, of which those in the middle third are of class
// yes; cell gives their texts.
func middle(cell func(i int) string) string {
	var b strings.Builder
	b.WriteString("a,y\n")
	for k := range 600 { // cuts of a few rows would be guesses
		i := k % 60
		y := "no"
		if i >= 20 && i < 40 {
			y = "yes"
		}
		fmt.Fprintf(&b, "%s,%s\n", cell(i), y)
	}
	return b.String()
}

// reaches reports whether all that a path says is so of a cell.
func reaches(t *testing.T, path []model.Literal, cell string) bool {
	t.Helper()
	for _, l := range path {
		holds, err := l.Test.Holds(cell)
		if err != nil {
			t.Fatal(err)
		}
		if holds == l.Negated {
			return false
		}
	}
	return true
}

// checkPaths checks that of each cell one path says all that is so, that of the leaf
// that decides.
func checkPaths(t *testing.T, m *Model, cells []string) {
	t.Helper()
	p, err := predict.Bind(m, []string{"a"}, predict.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, cell := range cells {
		said, err := p.Predict([]string{cell})
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range m.Cases() {
			if reaches(t, c.Path, cell) != (i == said.Case) {
				t.Errorf("%q: leaf %d decides, %q says another", cell, said.Case, c.Text)
			}
		}
	}
}

func texts(m *Model) (list []string) {
	for _, c := range m.Cases() {
		list = append(list, c.Text)
	}
	return list
}

// A path that asks a column for several bounds says the range that is left.
func TestPathRanges(t *testing.T) {
	cell := func(i int) string { return fmt.Sprintf("%02d", i) }
	_, _, m := fitted(t, middle(cell), dataset.Options{}, ratio.New(1, 100), 0, 1)
	if got := strings.Join(texts(m), "; "); got != "a ≤ 19; 19 < a ≤ 39; a > 39" {
		t.Error(got)
	}
	var cells []string
	for i := range 60 {
		cells = append(cells, cell(i))
	}
	checkPaths(t, m, cells)
}

// Bounds of a column with missing values stay apart where one does not hold: missing
// cells are on that side.
func TestPathMissing(t *testing.T) {
	cell := func(i int) string {
		if i%7 == 6 {
			return ""
		}
		return fmt.Sprint(i)
	}
	_, _, m := fitted(t, middle(cell), dataset.Options{}, ratio.New(1, 100), 0, 1)
	if m.Leaves() < 3 {
		t.Fatal(m)
	}
	checkPaths(t, m, []string{"", "1", "19", "20", "38", "39", "40", "59"})
}
