package cli

import (
	"strings"
	"testing"
	"time"

	"parcorels/dataset"
	"parcorels/ratio"
	"parcorels/rulelist/search"
	"parcorels/rules"
)

// TestSlowness: the advice names what would make this search faster, once.
func TestSlowness(t *testing.T) {
	set := &rules.Set{Antecedents: []rules.Antecedent{{Literals: make([]rules.Literal, 1)}, {Literals: make([]rules.Literal, 2)}, {Literals: make([]rules.Literal, 2)}}}
	s := newSettings()
	s.search.Lambda = ratio.New(1, 100)
	p := search.Progress{Elapsed: 12 * time.Second, Gap: 0.24}
	f := &fitted{set: set}
	const want = "no proof after 12.0 s, gap 24.0%: faster with a larger --lambda (0.02 instead of 0.01) or --max-card 1 (1 instead of 3 antecedents)"
	if got := f.slowness(s, p); got != want+"; --time 5m, or Ctrl-C, ends with the best list so far" {
		t.Error(got)
	}
	s.search.Time = time.Minute
	if got := f.slowness(s, p); got != want {
		t.Error(got)
	}
	s.resume = "run.ckpt" // with another λ it would be another search
	if got := f.slowness(s, p); got != "no proof after 12.0 s, gap 24.0%" {
		t.Error(got)
	}
	s.resume, s.search.Lambda, f.set = "", ratio.New(1, 2), &rules.Set{Antecedents: set.Antecedents[:1]}
	if got := f.slowness(s, p); got != "no proof after 12.0 s, gap 24.0%" {
		t.Error(got)
	}

	var b strings.Builder
	s.search.Lambda, s.progress, s.quiet = ratio.New(1, 100), "always", true
	look := f.watch(&env{stderr: &b}, s)
	for range 3 {
		look(p)
	}
	if n := strings.Count(b.String(), "no proof after"); n != 1 {
		t.Errorf("advised %d times:\n%s", n, b.String())
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
	got := strings.Join(columnTable(d), "\n")
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
	if got := classLine(d); got != "class 1 is yes: 3 samples (50.0%), class 0 is no: 3 samples (50.0%)" {
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
	const hint = "hint: every sample is predicted no: no rule saves enough errors to be\n      worth its price λ. The best single rule saves 0.02000 of the samples: try\n      --lambda 0.01, or --class-weights balanced, which counts errors on yes\n      more\n"
	if status != exitDone || !strings.HasSuffix(stdout, "\n"+hint) {
		t.Errorf("status %d, %s%s", status, stdout, stderr)
	}
	if _, stdout, _ = run("fit", "t.csv", "--lambda", "0.01"); strings.Contains(stdout, "hint") || !strings.Contains(stdout, "else") {
		t.Errorf("with the λ of the hint:\n%s", stdout)
	}
}

// TestProgressFull prints each list that is better than those before.
func TestProgressFull(t *testing.T) {
	t.Chdir(t.TempDir())
	done(t, "data monk1 -o t.csv")
	_, stderr := done(t, "fit t.csv --progress full")
	if !strings.Contains(stderr, "if   jacket_color = red") {
		t.Error(stderr)
	}
}
