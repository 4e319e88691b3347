package tree

import (
	"strings"
	"testing"

	"parcorels/dataset"
	"parcorels/internal/status"
	"parcorels/internal/testing/must"
	"parcorels/model"
	"parcorels/ratio"
	"parcorels/rules"
)

// TestNewRefuses: a tree of another objective makes no model. Package model tests trees, their files and predictions.
func TestNewRefuses(t *testing.T) {
	d := must.Get(dataset.ReadFrom(strings.NewReader("a,b,y\n1,0,1\n0,1,0\n1,1,0\n0,0,0\n"), "t.csv", dataset.Options{}))(t)
	set := must.Get(rules.Given(d))(t)
	good := model.Meta{Software: "s", Status: status.Optimal, Lambda: ratio.New(1, 100), Objective: 100 + 4, LowerBound: 100 + 4}
	for _, tree := range [][]int{{-3}, {-2}, {0, -1, -1}} {
		if _, err := New(set, tree, good); err == nil {
			t.Errorf("%v makes a model", tree)
		}
	}
	if _, err := New(set, []int{-1}, good); err != nil {
		t.Error(err)
	}
}
