package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"parcorels/dataset"
)

func mined(t *testing.T, text string, read dataset.Options, o Options) *Set {
	t.Helper()
	d, err := dataset.ReadFrom(strings.NewReader(text), "t.csv", read)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Mine(t.Context(), d, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func names(s *Set) (list []string) {
	for _, a := range s.Antecedents {
		list = append(list, a.Name)
	}
	return list
}

const numbers = "x,y,label\n1,1,0\n2,2,1\n3,3,0\n4,4,1\n5,5.5,0\n6,?,1\n7,7,1\n8,8,0\n"

// TestBoundsAreRead: two bounds of a column are one condition, and two literals.
func TestBoundsAreRead(t *testing.T) {
	ignoreY := dataset.Options{Ignore: []string{"y"}, Chosen: map[string][]float64{"x": {2, 4, 6}}}
	if got, want := names(mined(t, numbers, ignoreY, Options{MaxCard: 1})), []string{"x ≤ 2", "x ≤ 4", "x ≤ 6", "x > 2", "x > 4",
		"x > 6"}; !slices.Equal(got, want) {
		t.Errorf("single literals %q, want %q", got, want)
	}
	s := mined(t, numbers, ignoreY, Options{})
	if got, want := names(s)[6:], []string{"2 < x ≤ 4", "2 < x ≤ 6", "4 < x ≤ 6"}; !slices.Equal(got, want) {
		t.Errorf("pairs %q, want %q", got, want)
	}
	for _, a := range s.Antecedents[6:] {
		c := Conditions(s.Data, a.Literals)
		if len(c) != 1 || len(a.Literals) != 2 {
			t.Fatalf("%s is %d conditions of %d literals", a.Name, len(c), len(a.Literals))
		}
		for i, cell := range []string{"1", "2", "3", "4", "5", "6", "7", "8"} {
			if holds, err := c[0].Test.Holds(cell); err != nil || holds != a.Captured().Test(uint(i)) {
				t.Errorf("%s of %s: %v, %v", a.Name, cell, holds, err)
			}
		}
	}
	given := dataset.Options{Ignore: []string{"x"}, Cuts: map[string][]float64{"y": {2, 5.5}}}
	if got := names(mined(t, numbers, given, Options{})); !slices.Contains(got, "2 ≤ y < 5.5") {
		t.Errorf("antecedents %q of given cuts", got)
	}
}

// TestNegatedThresholds: the negation of a threshold is the other side of a
// column without missing cells, and not of another.
func TestNegatedThresholds(t *testing.T) {
	s := mined(t, numbers, dataset.Options{Chosen: map[string][]float64{"x": {4}, "y": {3}}}, Options{MaxCard: 1, Negations: true})
	want := []string{"x ≤ 4", "x > 4", "y ≤ 3", "y > 3", "y missing", "not (y ≤ 3)", "not (y > 3)", "y not missing"}
	got := names(s)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("antecedents %q, want %q", got, want)
	}
	for _, a := range s.Antecedents {
		if l := a.Literals[0]; l.Negated && s.Data.Features[l.Feature].TwoSided() {
			t.Errorf("%s is a negation", a.Name)
		}
	}
}

// TestGroupsAreRead: two groups of a column are the texts that are in both.
func TestGroupsAreRead(t *testing.T) {
	var text strings.Builder
	text.WriteString("town,label\n")
	for i := range 360 {
		fmt.Fprintf(&text, "%c,%d\n", "fedcba"[i%6], min(1, i/6%6/(1+i%6/2*2)))
	}
	groups := map[string][][]string{"town": {{"a", "b"}, {"c", "d"}, {"e", "f"}}}
	s := mined(t, text.String(), dataset.Options{ChosenGroups: groups}, Options{})
	if got, want := names(s)[6:], []string{"town in {a, b}", "town in {e, f}", "town in {c, d, e, f}", "town in {a, b, c, d}",
		"town in {c, d}"}; !slices.Equal(got, want) {
		t.Fatalf("conditions %q, want %q", got, want)
	}
	last := s.Antecedents[10]
	c := Conditions(s.Data, last.Literals)
	if len(c) != 1 || len(last.Literals) != 2 || !slices.Equal(c[0].Test.Values, []string{"c", "d"}) {
		t.Fatalf("conditions %+v of %+v", c, last.Literals)
	}
}
