package rulelist

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"parcorels/dataset"
	"parcorels/internal/status"
	"parcorels/internal/testing/must"
	"parcorels/model"
	"parcorels/model/predict"
	"parcorels/ratio"
	"parcorels/rules"
)

// table is a small table of our own: who comes by bicycle, by weather, way and
// age. It has a category, a truth value, numbers and two missing cells.
const table = `weather,hilly,age,bicycle
sun,no,23,yes
sun,no,31,yes
sun,yes,44,yes
rain,no,25,yes
rain,yes,61,no
rain,yes,38,no
rain,no,?,no
snow,no,29,no
snow,yes,52,no
sun,yes,70,no
sun,no,66,yes
sun,no,?,yes
`

// read returns the antecedents of a table given as text.
func read(t testing.TB, text string, o dataset.Options, mine rules.Options) *rules.Set {
	t.Helper()
	d := must.Get(dataset.ReadFrom(strings.NewReader(text), "folder/table.csv", o))(t)
	s := must.Get(rules.Mine(t.Context(), d, mine))(t)
	return s
}

// one returns the number of a class of two.
func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// pick returns the rule with the antecedent of that name.
func pick(t testing.TB, s *rules.Set, name string, predict bool) Rule {
	t.Helper()
	for i, a := range s.Antecedents {
		if a.Name == name {
			return Rule{i, one(predict)}
		}
	}
	var names []string
	for _, a := range s.Antecedents {
		names = append(names, a.Name)
	}
	t.Fatalf("no antecedent %q among %q", name, names)
	return Rule{}
}

// objective counts the scaled objective of a list sample by sample, from the
// definition.
func objective(s *rules.Set, list []Rule, def bool, lambda ratio.Ratio) int64 {
	var errors, total int64
	for i := range uint(s.Data.N) {
		says := def
		for j := len(list) - 1; j >= 0; j-- {
			if s.Antecedents[list[j].Antecedent].Captured().Test(i) {
				says = list[j].Class == 1
			}
		}
		w := int64(1)
		if s.Data.Weights != nil {
			w = s.Data.Weights[i]
		}
		total += w
		if says != (s.Data.Class(int(i)) == 1) {
			errors += w
		}
	}
	return lambda.Den*errors + lambda.Num*total*int64(len(list))
}

// model makes a model as an interrupted search would that knows no bound.
func modelOf(t testing.TB, s *rules.Set, o dataset.Options, list []Rule, def bool) *Model {
	t.Helper()
	lambda := ratio.New(1, 100)
	m := must.Get(New(s, list, one(def), model.Meta{
		Software: "parcorels test", Status: status.Interrupted, Lambda: lambda,
		Objective: objective(s, list, def, lambda), Options: o,
	}))(t)
	return m
}

// bicycle is a model of two rules on table.
func bicycle(t testing.TB, o dataset.Options) *Model {
	s := read(t, table, o, rules.Options{})
	return modelOf(t, s, o, []Rule{
		pick(t, s, "weather = sun and hilly", false),
		pick(t, s, "weather = sun", true),
	}, false)
}

func encoded(t testing.TB, m *Model) []byte {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, m.Encode(&b))
	return b.Bytes()
}

// randomTable is a table with columns of all kinds, of 5 to 60 rows.
func randomTable(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString("shape;smiles;age;count;label;w\n")
	shapes := []string{"round", "square", "oct agon", "?", `"a;b"`, "größe"}
	for range 5 + r.IntN(56) {
		age := fmt.Sprint(18+r.IntN(40), ".", r.IntN(10))
		if r.IntN(12) == 0 {
			age = "NA"
		}
		fmt.Fprintf(&b, "%s;%s;%s;%d;%s;%d.5\n", shapes[r.IntN(len(shapes))],
			[]string{"Yes", "no"}[r.IntN(2)], age, r.IntN(4), []string{"good", "bad"}[r.IntN(2)], r.IntN(9))
	}
	return b.String()
}

// randomList is a list of up to four rules, in which any may capture nothing.
func randomList(r *rand.Rand, s *rules.Set) []Rule {
	list := []Rule{}
	if len(s.Antecedents) == 0 {
		return list
	}
	for range r.IntN(5) {
		list = append(list, Rule{r.IntN(len(s.Antecedents)), 1 - r.IntN(2)})
	}
	return list
}

// strict are the options of predictions that refuse what they cannot judge.
var strict = predict.Options{Strict: true, Laplace: true}
