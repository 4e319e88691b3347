package rulelist

import (
	"strings"
	"testing"

	"parcorels/ratio"
)

func TestTextGolden(t *testing.T) {
	weighted := *compas
	weighted.Data.Weighted, weighted.Data.Weight, weighted.Data.WeightUnit = true, 19467, ratio.New(3, 2)
	weighted.Rules = compas.Rules[:1]
	empty := *compas
	empty.Rules = nil
	hostile := *compas
	hostile.Classes = [2]string{"", "\x1b[31myes"}
	hostile.Rules = []Line{{Literals: named("a\u202eb = \a"), Class: 1}}
	long := *compas
	long.Rules = []Line{
		{Literals: named(strings.Repeat("very ", 7)+"long = a", "b", "c", "d"), Class: 1},
		{Literals: named("x", strings.Repeat("wide", 9)), Class: 1},
	}
	for _, c := range []struct {
		name  string
		model *Model
		width int
		want  string
	}{
		{"unlimited", compas, 0, `
if   priors > 3                          then yes   (1,921 of 6,489 samples,  65.9% right)
else if age in 21–22 and priors in 2–3   then yes   (   14 of 6,489 samples, 100.0% right)
else                                          no    (4,554 of 6,489 samples,  99.9% right)
`},
		{"80 columns", compas, 80, `
if   priors > 3         then yes   (1,921 of 6,489 samples,  65.9% right)
else if age in 21–22
    and priors in 2–3   then yes   (   14 of 6,489 samples, 100.0% right)
else                         no    (4,554 of 6,489 samples,  99.9% right)
`},
		{"weighted", &weighted, 80, `
if   priors > 3   then yes   (1,921 of 6,489 samples, 65.9% right)
else                   no    (4,554 of 6,489 samples, 99.9% right)
percentages by weight: 6,489 samples weigh 12,978
`},
		{"empty", &empty, 80, `
predict no for everyone   (6,489 samples, 99.9% right)
`},
		{"quoted", &hostile, 80, `
if   "a\u202eb = \a"   then "\x1b[31myes"   (    0 of 6,489 samples)
else                        class 0         (4,554 of 6,489 samples, 99.9% right)
`},
		{"long names", &long, 80, `
if   very very very very very very very long = a
    and b and c and d   then yes   (    0 of 6,489 samples)
else if x
    and widewidewidewidewidewidewidewidewide
                        then yes   (    0 of 6,489 samples)
else                         no    (4,554 of 6,489 samples, 99.9% right)
`},
	} {
		if got, want := c.model.Text(c.width), strings.TrimPrefix(c.want, "\n"); got != want {
			t.Errorf("%s: got\n%swant\n%s", c.name, got, want)
		}
	}
}

func TestPercentClaimsNothing(t *testing.T) {
	for _, c := range []struct {
		part, whole int64
		want        string
	}{
		{0, 7, "0.0%"}, {7, 7, "100.0%"}, {1, 1 << 61, "0.1%"}, {1<<61 - 1, 1 << 61, "99.9%"},
		{1, 3, "33.3%"}, {2, 3, "66.7%"}, {0, 0, ""},
	} {
		if got := percent(c.part, c.whole); got != c.want {
			t.Errorf("percent(%d, %d) = %q, want %q", c.part, c.whole, got, c.want)
		}
	}
}

func TestEvaluationGolden(t *testing.T) {
	e := Evaluation{Classes: [2]string{"no", "y\tes"}, Confusion: [2][2]int64{{2437, 989}, {1197, 1866}}}
	const want = `accuracy 66.3% (4,303 of 6,489 rows right), TPR 60.9%, FPR 28.9%
                 predicted no   predicted "y\tes"
actual no               2,437                 989
actual "y\tes"          1,197               1,866
`
	if got := e.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	e.Confusion = [2][2]int64{{3, 0}, {0, 0}}
	if got, _, _ := strings.Cut(e.String(), "\n"); got != "accuracy 100.0% (3 of 3 rows right), TPR undefined, FPR 0.0%" {
		t.Errorf("without class 1: %s", got)
	}
}

// compas is a list in the style of the COMPAS ones, with made-up counts.
var compas = &Model{
	Lambda:  ratio.New(1, 200),
	Data:    Data{Samples: 6489, Weight: 6489, WeightUnit: ratio.New(1, 1)},
	Classes: [2]string{"no", "yes"},
	Rules: []Line{
		{Literals: named("priors > 3"), Class: 1, Samples: [2]int64{655, 1266}, Weights: [2]int64{655, 1266}},
		{Literals: named("age in 21–22", "priors in 2–3"), Class: 1, Samples: [2]int64{0, 14}, Weights: [2]int64{0, 14}},
	},
	Default: Line{Samples: [2]int64{4553, 1}, Weights: [2]int64{4553, 1}},
}

func named(names ...string) (list []Literal) {
	for _, n := range names {
		list = append(list, Literal{Name: n})
	}
	return list
}
