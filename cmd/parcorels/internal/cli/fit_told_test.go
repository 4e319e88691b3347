package cli

import (
	"strings"
	"testing"

	"parcorels/answer"
	"parcorels/family"
)

// TestAdviceOfFamilies: lists and trees have advice, of options that fit has.
func TestAdviceOfFamilies(t *testing.T) {
	t.Parallel()
	for _, f := range family.Families() {
		ways := answer.SimplerThan(f, &family.Options{})
		if f.Shares != (len(ways) > 0) {
			t.Errorf("advice of the family %s: %v", f.Name, ways)
		}
		for _, w := range ways {
			if o := find("fit").option(w.Name); o == nil || o.Set(w.Value) != nil {
				t.Errorf("%s: %+v names no option", f.Name, w)
			}
		}
	}
}

// TestProgressFull prints each model that is better than those before.
func TestProgressFull(t *testing.T) {
	t.Chdir(t.TempDir())
	exampleTable(t, "monk1", "t.csv")
	for _, family := range []string{"list", "set", "bayes"} {
		_, stderr := done(t, "fit t.csv --progress full --model "+family)
		if !strings.Contains(stderr, "jacket_color = red") {
			t.Error(family, stderr)
		}
	}
}
