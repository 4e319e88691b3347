package bench

import (
	"cmp"
	"testing"

	"parcorels/internal/testing/must"
)

// TestTreeCase: a tree of MONK's first problem, alone and beside itself.
func TestTreeCase(t *testing.T) {
	c := Case{Instance: "monk1", Model: Trees, Lambda: "0.01", Workers: 1}
	one := must.Get(Execute(t.Context(), c, ""))(t)
	if one.Status != "optimal" || one.Wrong != 0 || one.Objective != float64(one.Length)/100 || one.Gap != 0 || one.Expanded == 0 ||
		one.MapEntries == 0 || one.Searchers != 1 {
		t.Errorf("%+v", one)
	}
	c.Copies = 2
	two, err := Execute(t.Context(), c, "")
	if err != nil || two.Objective != one.Objective || two.Expanded != one.Expanded || two.SearchBytes != 2*one.SearchBytes ||
		two.SecondsSearch <= 0 {
		t.Errorf("%v, %+v", err, two)
	}
	c.Depth = 1
	if shallow, err := Execute(t.Context(), c, ""); err != nil || shallow.Length > 2 {
		t.Errorf("%v, %+v", err, shallow)
	}
	for _, bad := range []Case{{Model: "forest"}, {Model: Trees, Depth: -1}, {Model: Trees, Policy: "bound"}, {Model: Trees, Lambda: "2"},
		{Instance: "weak/x"}, {Instance: "weak/1x1"}, {Instance: "weak/10x0"}} {
		bad.Instance = cmp.Or(bad.Instance, "monk1")
		bad.Lambda = cmp.Or(bad.Lambda, "0.1")
		if _, err := Execute(t.Context(), bad, ""); err == nil {
			t.Errorf("%+v: no error", bad)
		}
	}
}
