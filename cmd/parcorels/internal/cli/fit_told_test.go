package cli

import (
	"strings"
	"testing"

	"parcorels/answer"
	"parcorels/dataset"
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
			if o := fitCommand().option(w.Name); o == nil || o.Set(w.Value) != nil {
				t.Errorf("%s: %+v names no option", f.Name, w)
			}
		}
	}
}

// TestReadAs has a line for each kind of column.
func TestReadAs(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, map[string]string{"t.csv": "flag,colour,n,long_" + strings.Repeat("x", 40) + ",gone,class\n" +
		"0,red,1,a,7,yes\n1,blue,2,b,?,no\n0,red,3,a,7,yes\n1,blue,4,b,8,no\n0,green,5,a,8,yes\n1,red,6,b,7,no\n"})
	d, err := dataset.Read("t.csv", dataset.Options{Cuts: map[string][]float64{"n": {2, 4}}})
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(answer.ColumnTable(d), "\n")
	for _, want := range []string{
		"  flag                      yes or no",
		"  colour                    3 values: blue, green, red",
		"  n                         number in intervals from 2, 4",
		"  long_xxxxxxxxxxxxxxxxxx…  2 values: a, b",
		"  gone                      1 missing; ",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if got := answer.ClassLine(d); got != "class 1 is yes: 3 samples (50.0%), class 0 is no: 3 samples (50.0%)" {
		t.Error(got)
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

// TestNothingToLearnFrom: every family predicts one class of a table without values.
func TestNothingToLearnFrom(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, map[string]string{"t.csv": "a,b,class\n,,yes\n,,no\n,,yes\n,,no\n,,no\n"})
	for _, family := range []string{"list", "tree", "set", "bayes"} {
		if stdout, _ := done(t, "fit t.csv --quiet --model "+family); !strings.Contains(stdout, "for everyone") {
			t.Errorf("%s: %s", family, stdout)
		}
		done(t, "cv t.csv --folds 2 --quiet --model "+family)
	}
}
