package rulelist

import (
	"strings"
	"testing"

	"parcorels/dataset"
	"parcorels/model"
	"parcorels/ratio"
)

func TestTextGolden(t *testing.T) {
	weighted := *compas
	weighted.Data.Weighted, weighted.Data.Weight, weighted.Data.WeightUnit = true, 19467, ratio.New(3, 2)
	weighted.Rules = compas.Rules[:1]
	empty := *compas
	empty.Rules = nil
	hostile := *compas
	hostile.Classes = []string{"", "\x1b[31myes"}
	hostile.Rules = []Line{{Literals: named("a\u202eb = \a"), Class: 1, Counts: none}}
	long := *compas
	long.Rules = []Line{
		{Literals: named(strings.Repeat("very ", 7)+"long = a", "b", "c", "d"), Class: 1, Counts: none},
		{Literals: named("x", strings.Repeat("wide", 9)), Class: 1, Counts: none},
	}
	towns := *compas
	many := strings.Fields("Aachen Berlin Celle Dresden Essen Fulda Goslar Hamburg Ingolstadt Jena Kiel")
	towns.Rules = []Line{{Literals: named("town in 11 values"), Class: 1, Counts: none},
		{Literals: named("town not in 11 values"), Class: 0, Counts: none}}
	for i := range towns.Rules {
		towns.Rules[i].Literals[0].Test = dataset.Test{Kind: dataset.Among, Values: many}
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
if   priors > 3   then yes   (1,921 of 6,489 samples, 65.9% right, 65.9% by weight)
else                   no    (4,554 of 6,489 samples, 99.9% right, 99.9% by weight)
weights: 6,489 samples weigh 12,978
`},
		{"empty", &empty, 80, `
predict no for everyone   (6,489 samples, 99.9% right)
`},
		{"quoted", &hostile, 80, `
if   "a\u202eb = \a"   then "\x1b[31myes"   (    0 of 6,489 samples)
else                        class 0         (4,554 of 6,489 samples, 99.9% right)
`},
		{"a group of many values", &towns, 68, `
if   town in 11 values
       then yes   (    0 of 6,489 samples)
else if town not in 11 values
       then no    (    0 of 6,489 samples)
else        no    (4,554 of 6,489 samples, 99.9% right)
town in 11 values: Aachen, Berlin, Celle, Dresden, Essen, Fulda,
    Goslar, Hamburg, Ingolstadt, Jena, Kiel
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

// compas is a list in the style of the COMPAS ones, with made-up counts.
var compas = &Model{
	Frame: model.Frame{
		Data:    model.Data{Samples: 6489, Weight: 6489, WeightUnit: ratio.New(1, 1)},
		Classes: []string{"no", "yes"},
	},
	Rules: []Line{
		{Literals: named("priors > 3"), Class: 1, Counts: model.Counts{Samples: []int64{655, 1266}, Weights: []int64{655, 1266}}},
		{Literals: named("age in 21–22", "priors in 2–3"), Class: 1, Counts: model.Counts{Samples: []int64{0, 14},
			Weights: []int64{0, 14}}},
	},
	Default: Line{Counts: model.Counts{Samples: []int64{4553, 1}, Weights: []int64{4553, 1}}},
}

func named(names ...string) (list []model.Literal) {
	for _, n := range names {
		list = append(list, model.Literal{Name: n})
	}
	return list
}

// none are the counts of a line that captured nothing.
var none = model.Counts{Samples: []int64{0, 0}, Weights: []int64{0, 0}}
