package crossval

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/testing/must"
	"parcorels/model"
	"parcorels/model/predict"
	"parcorels/ratio"
)

// shop returns the header and rows of a table with numbers, categories, missing
// cells and three classes, which the numbers tell mostly; two of them with few
// classes.
func shop(rng *rand.Rand, classes int) (header []string, rows [][]string) {
	for range 150 {
		age, city := rng.IntN(60), []string{"Rome", "Oslo", "", "Bern"}[rng.IntN(4)]
		label := 0
		switch {
		case age > 40:
			label = 2 % classes
		case age > 20 != (city == "Oslo"):
			label = 1
		}
		if rng.IntN(8) == 0 {
			label = rng.IntN(classes)
		}
		cell := fmt.Sprint(age)
		if rng.IntN(20) == 0 {
			cell = ""
		}
		rows = append(rows, []string{cell, city, fmt.Sprint("c", label)})
	}
	return []string{"age", "city", "label"}, rows
}

// TestFamilies: every family is learned by one worker as by many, and what is
// counted on a fold is what its model predicts for the rows as they are read.
func TestFamilies(t *testing.T) {
	trees := family.Options{Family: model.Tree, MaxCard: 1}
	for name, c := range map[string]struct {
		models  family.Options
		classes int
		lambda  ratio.Ratio
	}{
		"list":       {family.Options{}, 2, ratio.New(1, 50)},
		"tree":       {trees, 2, ratio.New(1, 50)},
		"many":       {family.Options{Family: model.Tree, MaxCard: 1, Depth: 3}, 3, ratio.New(1, 50)},
		"pairs":      {family.Options{Family: model.Tree}, 3, ratio.New(1, 30)},
		"set":        {family.Options{Family: model.RuleSet}, 2, ratio.New(2, 1)},
		"bayes":      {family.Options{Family: model.BayesianRuleList, MaxCard: 1, Chains: 2, Iterations: 500}, 2, ratio.New(3, 1)},
		"tree, rest": {trees, 2, ratio.New(1, 4)},
	} {
		t.Run(name, func(t *testing.T) {
			header, rows := shop(rand.New(rand.NewPCG(7, 7)), c.classes)
			var text strings.Builder
			for _, row := range append([][]string{header}, rows...) {
				text.WriteString(strings.Join(row, ",") + "\n")
			}
			d := must.Get(dataset.ReadFrom(strings.NewReader(text.String()), "t.csv", dataset.Options{KeepColumns: true,
				Multiclass: c.classes > 2}))(t)
			o := Options{Options: c.models, Lambdas: []ratio.Ratio{c.lambda}, Folds: 3, Seed: 1}
			o.Workers = 1
			one := must.Get(Run(context.Background(), d, o))(t)
			o.Workers = 5
			many := must.Get(Run(context.Background(), d, o))(t)
			for f, fit := range one.Fits[0] {
				other := many.Fits[0][f]
				if a, b := fmt.Sprint(fit.Lines(), fit.Model.Certificate(), fit.Test.Confusion),
					fmt.Sprint(other.Lines(), other.Model.Certificate(), other.Test.Confusion); a != b {
					t.Errorf("fold %d: one worker finds\n%s\nmany\n%s", f, a, b)
				}
				if got, want := fit.Test.Confusion, predicted(t, d, one, f, header, rows); !same(got, want) {
					t.Errorf("fold %d: counted %v, predicted %v", f, got, want)
				}
			}
			if s := one.Summaries()[0]; s.Done != 3 || s.Measured.Accuracy.Values != 3 || s.Measured.LogLoss.Mean <= 0 {
				t.Errorf("summary %+v", s)
			}
		})
	}
}

// predicted compares labels with what the model of a fold says of the rows left out.
func predicted(t *testing.T, d *dataset.Dataset, r *Report, fold int, header []string, rows [][]string) confusion {
	t.Helper()
	p := must.Get(predict.Bind(r.Fits[0][fold].Model, header, predict.Options{}))(t)
	c := newConfusion(d.ClassCount())
	for i, row := range rows {
		if !r.Folds[fold].Test(uint(i)) {
			continue
		}
		said := must.Get(p.Predict(row))(t)
		c[d.Class(i)][said.Class]++
	}
	return c
}
