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

// TestHint: who gets a list of no use is told the price at which a rule comes in.
func TestHint(t *testing.T) {
	t.Chdir(t.TempDir())
	var rows strings.Builder
	for i := range 100 {
		rows.WriteString([]string{"x,y,", "z,w,"}[min(i/90, 1)] + []string{"no\n", "yes\n"}[min(i/94, 1)]) // z is wrong on 4 of 10
	}
	write(t, map[string]string{"t.csv": "a,b,class\n" + rows.String()})
	status, stdout, stderr := run("fit", "t.csv", "--lambda", "0.1")
	const hint = "hint: every sample is predicted no: no rule saves enough errors to be\n      worth its price λ. The best single rule " +
		"saves 0.02000 of the samples: try\n      --lambda 0.01, or --recall 80%, which finds the best list that predicts so\n" +
		"      much of yes, or --model bayes, whose rules say where yes is likelier, or\n" +
		"      --class-weights balanced, which counts errors on yes more\n"
	if status != exitDone || !strings.HasSuffix(stdout, "\n"+hint) {
		t.Errorf("status %d, %s%s", status, stdout, stderr)
	}
	if _, stdout, _ = run("fit", "t.csv", "--lambda", "0.01"); strings.Contains(stdout, "hint") || !strings.Contains(stdout, "else") {
		t.Errorf("with the λ of the hint:\n%s", stdout)
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

// TestHintOfFamilies: what to try is told for every family.
func TestHintOfFamilies(t *testing.T) {
	t.Chdir(t.TempDir())
	rows, three := "", ""
	for i := range 100 {
		a, c := "x", "no"
		if i%10 == 0 {
			a = "z"
		}
		if i%10 == 0 && i > 50 || i == 1 {
			c = "yes"
		}
		rows += a + "," + c + "\n"
		three += a + "," + c + map[bool]string{true: "!"}[i == 3] + "\n"
	}
	write(t, map[string]string{"t.csv": "a,class\n" + rows, "three.csv": "a,class\n" + three, "one.csv": "a,class\nx,no\ny,no\nx,no\n"})
	for args, want := range map[string]string{
		"fit t.csv --model tree --lambda 0.2": "no split saves enough errors to be worth the price λ of a leaf. Few samples are yes: try " +
			"--model bayes, whose rules say where yes is likelier, or --class-weights balanced, which counts errors on yes more",
		"fit three.csv --model tree --lambda 0.2": "no single split saves an error, however small λ is. Try --class-weights balanced, " +
			"which counts errors on rare classes more; or, as several may save some together, a smaller --lambda (0.1)",
		"fit t.csv --model set --lambda 9": "no rule covers enough samples of class 1 to be worth its price. Try a smaller " +
			"--lambda (4.5), or other conditions",
		"fit t.csv --model bayes --min-support 0":  "no rule makes another class likelier. But P(yes) goes from",
		"fit t.csv --model bayes --length 0.00001": "no rule makes another class likelier. Try rules of more conditions",
		"fit one.csv --model tree":                 "",
		"fit one.csv":                              "",
	} {
		stdout, _ := done(t, args)
		got := strings.Join(strings.Fields(stdout), " ")
		if want == "" && strings.Contains(got, "hint") || !strings.Contains(got, want) {
			t.Errorf("%s: no %q in\n%s", args, want, stdout)
		}
	}
}

// TestHintOfMinRows: a least number of rows is named, as it may be the cause.
func TestHintOfMinRows(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, map[string]string{
		"w.csv": "a,b,c,w,y\n1,0,1,0.5,1\n0,1,1,1.25,0\n1,1,0,0.125,1\n0,0,1,1,0\n1,0,0,2,1\n0,1,0,1,0\n0,1,1,1,1\n1,1,1,1,0\n",
	})
	const unlikely = "no rule makes another class likelier."
	for args, want := range map[string]string{
		"--min-rows 6 --weight w --lambda 0.4 --model tree --depth 2": "no split within --min-rows 6 saves enough errors to be worth the " +
			"price λ of a leaf. Try fewer than --min-rows 6, or a smaller --lambda (0.2)",
		"--model set --min-rows 2 --lambda 9 --weight w":                "or a smaller --lambda (4.5), or other conditions",
		"--model bayes --length 0.00001 --max-card 3 --min-support 0.3": unlikely,
		"--model bayes --min-rows 100 --max-card 3 --min-support 0":     unlikely + " Try fewer than --min-rows 100.",
	} {
		stdout, _ := done(t, "fit w.csv --positive 1 "+args)
		if got := strings.Join(strings.Fields(stdout), " "); !strings.HasSuffix(got, want) {
			t.Errorf("%s: no %q at the end of\n%s", args, want, stdout)
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
