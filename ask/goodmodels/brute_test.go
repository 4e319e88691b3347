package goodmodels_test

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"parcorels/ask/fair"
	"parcorels/ask/goodmodels"
	"parcorels/ask/goodmodels/graph"
	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/testing/testgen"
	"parcorels/model"
	"parcorels/model/explain"
	"parcorels/model/predict"
	"parcorels/optionerr"
	"parcorels/ratio"
	"parcorels/rules/rates"
	"parcorels/verify"
)

// TestAnswersBruteForce asks all questions about good lists and trees of small random tables, and of the checker, and
// compares the answers with those of all models one by one, on raw cells.
func TestAnswersBruteForce(t *testing.T) {
	asked := map[string]int{}
	for seed := range testgen.Seeds(1500) {
		for _, family := range []model.Family{model.RuleList, model.Tree} {
			b := &bruteCase{T: t, name: fmt.Sprintf("case %d of %s", seed, family), family: family,
				rng: rand.New(rand.NewPCG(uint64(seed), 27)), asked: asked}
			b.run()
			if t.Failed() {
				t.FailNow()
			}
		}
	}
	t.Log(asked)
	for _, what := range []string{"models", "further", "front", "without", "fair", "checked", "many classes", "limited",
		"limited questions"} {
		if asked[what] == 0 {
			t.Errorf("no case asked for %s", what)
		}
	}
}

type bruteCase struct {
	*testing.T
	name   string
	family model.Family
	rng    *rand.Rand
	asked  map[string]int

	header []string
	rows   [][]string
	group  []bool
	o      goodmodels.Options
	d      *family.Data
	p      *family.Problem
	holds  [][]bool // by row, the antecedents that hold
	weight []int64
	total  int64
	scale  int64
	price  int64
	steps  int
}

// bruteModel is a list or a tree: its cases in order, the first that applies decides.
type bruteModel struct {
	when      [][]int // antecedents that hold, and complements of those that do not
	class     []int
	objective int64
}

func antecedentOf(k int) int { return max(k, ^k) }

func (m *bruteModel) decides(holds []bool) (class int, by []int) {
	for i, when := range m.when {
		if !slices.ContainsFunc(when, func(k int) bool { return holds[antecedentOf(k)] != (k >= 0) }) {
			return m.class[i], when
		}
	}
	panic("no case")
}

func (b *bruteCase) table() {
	rng := b.rng
	classes := 2 + rng.IntN(3)
	kinds := make([]int, 1+rng.IntN(4))
	for j := range kinds {
		kinds[j] = rng.IntN(5)
		b.header = append(b.header, "x"+strconv.Itoa(j))
	}
	b.header = append(b.header, "w", "y")
	for range 6 + rng.IntN(30) {
		row, sum := b.cells(kinds), 0
		for j, cell := range row {
			if cell != "" {
				sum += (j + 1) * int(cell[len(cell)-1])
			}
		}
		y := sum % classes
		if rng.IntN(5) == 0 {
			y = rng.IntN(classes)
		}
		b.rows = append(b.rows, append(row, strconv.Itoa(1+rng.IntN(3)), "y"+strconv.Itoa(y)))
		b.group = append(b.group, rng.IntN(3) > 0)
	}
}

// cells returns random cells of kinds of columns: two values, one of them rare; three; numbers; with missing ones;
// and a copy of the column before.
func (b *bruteCase) cells(kinds []int) (row []string) {
	rng := b.rng
	for j, kind := range kinds {
		switch {
		case kind == 0:
			row = append(row, "v"+strconv.Itoa(rng.IntN(6)/5))
		case kind == 1:
			row = append(row, "v"+strconv.Itoa(rng.IntN(3)))
		case kind == 2:
			row = append(row, strconv.Itoa(1+rng.IntN(4)))
		case kind == 3:
			row = append(row, []string{"", "v0", "v0", "v1", "v2"}[rng.IntN(5)])
		case j > 0 && rng.IntN(9) > 0:
			row = append(row, row[j-1])
		default:
			row = append(row, "v0")
		}
	}
	return row
}

// further returns rows, some of which have cells of other rows, cells that never were, and none.
func (b *bruteCase) further() (rows [][]string) {
	for range 12 {
		row := slices.Clone(b.rows[b.rng.IntN(len(b.rows))])
		for j := range len(row) - 2 {
			switch b.rng.IntN(8) {
			case 0, 1, 2:
				row[j] = b.rows[b.rng.IntN(len(b.rows))][j]
			case 3:
				row[j] = []string{"", "v9", "2.5"}[b.rng.IntN(3)]
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// holdsAt evaluates all antecedents on raw cells: a literal holds, does not, or cannot be judged.
func (b *bruteCase) holdsAt(cells []string) []bool {
	holds := make([]bool, len(b.p.Set.Antecedents))
	for k, x := range b.p.Set.Antecedents {
		holds[k] = true
		for _, l := range x.Literals {
			f := &b.d.Features[l.Feature]
			says, ok := cellHolds(f.Test, cells[slices.Index(b.header, f.Column)])
			holds[k] = holds[k] && ok && says != l.Negated
		}
	}
	return holds
}

func cellHolds(t dataset.Test, cell string) (holds, ok bool) {
	if cell == "" {
		return t.Kind == dataset.Missing, !t.Complete
	}
	number, err := strconv.ParseFloat(cell, 64)
	switch t.Kind {
	case dataset.Is:
		return cell == t.Value, true
	case dataset.Among:
		return slices.Contains(t.Values, cell), true
	case dataset.Missing:
		return false, true
	case dataset.Number:
		value, _ := strconv.ParseFloat(t.Value, 64)
		return number == value, err == nil
	case dataset.Threshold:
		return err == nil && (t.Low == nil || number > *t.Low) && (t.High == nil || number <= *t.High), err == nil
	case dataset.Interval:
		return err == nil && (t.Low == nil || number >= *t.Low) && (t.High == nil || number < *t.High), err == nil
	}
	panic("a test of kind " + t.Kind)
}

// mostBrute and mostSteps bound what is gone through one by one: other cases are left out.
const mostBrute, mostSteps = 1000, 20_000

func (b *bruteCase) run() {
	b.table()
	rng := b.rng
	r := family.Of(b.family).Reading(family.Reading{Target: "y", Ignore: []string{"w"}})
	if rng.IntN(2) == 0 {
		r.Ignore, r.Weight = nil, "w"
	}
	var err error
	if b.d, err = family.Table(b.header, b.rows, r); err != nil {
		return // one class, or no column that varies
	}
	b.o.Options = family.Options{
		Family: b.family, Lambda: []string{"0.04", "0.07", "0.1", "1/7"}[rng.IntN(4)], Workers: 1,
		MinSupport: []string{"0", "0.1", "0.2", "0.3", "0.4"}[rng.IntN(5)],
	}
	if b.family == model.Tree {
		b.o.Depth = rng.IntN(4)
	} else {
		b.o.MaxCard, b.o.Negations = 1+rng.IntN(2), rng.IntN(2) == 0
	}
	if b.p, err = family.NewProblem(b.Context(), b.d, b.o.Options); err != nil {
		return
	}
	if rng.IntN(4) == 0 {
		b.o.States = 1 + rng.IntN(40)
	} else if len(b.p.Set.Antecedents) > 20 { // all of them would be too many to go through
		b.o.States = 100
	}
	b.o.Rules = []ratio.Ratio{ratio.New(1, 2), ratio.New(1, 1), ratio.New(3, 2), ratio.New(5, 2)}[rng.IntN(4)]
	for i, row := range b.rows {
		b.holds = append(b.holds, b.holdsAt(row))
		b.weight = append(b.weight, b.d.Dataset.Weight(i))
		b.total += b.weight[i]
	}
	lambda, _ := ratio.Parse(b.o.Lambda)
	b.scale, b.price = lambda.Den*b.total, lambda.Num*b.total

	var proof bytes.Buffer
	b.o.Proof = &family.Proof{To: &proof}
	g, err := goodmodels.Ask(b.Context(), b.p, b.o)
	if b.limited(err) {
		g = nil
	} else {
		b.must(err)
	}
	if g == nil {
		b.asked["limited"]++
		return
	}
	if g.Scale != b.scale {
		b.Fatalf("%s: a scale of %d, want %d", b.name, g.Scale, b.scale)
	}
	models := b.models(g.Threshold())
	if models == nil {
		b.asked["too many"]++
		return
	}
	opened, err := verify.Open(&proof)
	b.must(err)
	v, err := family.Verify(b.Context(), opened, b.p.Set, r, family.VerifyOptions{})
	b.must(err)
	b.same("checked models", strings.HasPrefix(v.Claim, fmt.Sprint(len(models))+" "), true)
	b.compare(g, models)
	if b.family == model.RuleList && b.d.ClassCount() == 2 {
		b.fair(r)
	}
	if columns := g.Columns(); len(columns) > 0 {
		column := columns[rng.IntN(len(columns))]
		looks, err := g.Uses(column)
		b.must(err)
		models = slices.DeleteFunc(models, func(m *bruteModel) bool {
			return b.uses(m, looks)
		})
		b.name += " without " + column
		part, err := g.Without(column)
		b.must(err)
		if len(models) > 0 {
			b.asked["without"]++
			b.compare(part, models)
		} else if _, ok := part.Least(); ok {
			b.Errorf("%s: there is a model", b.name)
		}
	}
}

// limited reports whether a question needs more states than are allowed.
func (b *bruteCase) limited(err error) bool {
	if b.o.States == 0 || !errors.Is(err, goodmodels.ErrTooMany) && !errors.Is(err, graph.ErrLimit) {
		return false
	}
	b.asked["limited questions"]++
	return true
}

func (b *bruteCase) must(err error) {
	b.Helper()
	if err != nil {
		b.Fatalf("%s: %v", b.name, err)
	}
}

// models returns all models with an objective of at most a threshold, or nil if they are too many.
func (b *bruteCase) models(threshold int64) []*bruteModel {
	b.steps = 0
	all := b.below(b.everyone(), cmp.Or(b.o.Depth, len(b.rows)), threshold)
	if len(all) > mostBrute || b.steps > mostSteps {
		return nil
	}
	return all
}

// loss is what predicting a class for some rows costs.
func (b *bruteCase) loss(rows []int, class int) (sum int64) {
	for _, i := range rows {
		if b.d.Class(i) != class {
			sum += b.weight[i]
		}
	}
	return sum * (b.scale / b.total)
}

func (b *bruteCase) part(rows []int, antecedent int) (inside, outside []int) {
	if b.steps++; b.steps > mostSteps {
		return nil, nil
	}
	for _, i := range rows {
		if b.holds[i][antecedent] {
			inside = append(inside, i)
		} else {
			outside = append(outside, i)
		}
	}
	return inside, outside
}

// ends returns the models that predict one class for some rows, of this price, that cost at most so much.
func (b *bruteCase) ends(rows []int, price, most int64) (all []*bruteModel) {
	for class := range b.d.ClassCount() {
		if cost := price + b.loss(rows, class); cost <= most {
			all = append(all, &bruteModel{[][]int{nil}, []int{class}, cost})
		}
	}
	return all
}

// below returns the models of some rows that cost at most so much, with so many splits on a path. No split has two ends of one class.
// A list is a tree of which the first side of each split ends.
func (b *bruteCase) below(rows []int, depth int, most int64) (all []*bruteModel) {
	trees, price := b.family == model.Tree, int64(0) // a default costs nothing
	if trees {
		price = b.price
	}
	all = b.ends(rows, price, most)
	if depth == 0 {
		return all
	}
	for k := range b.p.Set.Antecedents {
		inside, outside := b.part(rows, k)
		if len(inside) == 0 || len(outside) == 0 {
			continue
		}
		with := b.ends(inside, b.price, most)
		if trees {
			with = b.below(inside, depth-1, most-b.price)
		}
		if len(with) == 0 {
			continue
		}
		least := slices.MinFunc(with, func(x, y *bruteModel) int { return cmp.Compare(x.objective, y.objective) }).objective
		without := b.below(outside, depth-1, most-least)
		for _, yes := range with {
			for _, no := range without {
				cost := yes.objective + no.objective
				if cost > most || len(yes.when) == 1 && len(no.when) == 1 && yes.class[0] == no.class[0] {
					continue
				}
				m := &bruteModel{nil, append(slices.Clip(yes.class), no.class...), cost}
				for _, when := range yes.when {
					m.when = append(m.when, append([]int{k}, when...))
				}
				for _, when := range no.when {
					if trees { // a sample is decided by all splits on its path, and by one rule of a list
						when = append([]int{^k}, when...)
					}
					m.when = append(m.when, when)
				}
				if all = append(all, m); len(all) > 10*mostBrute || b.steps > mostSteps {
					b.steps = mostSteps + 1
					return all
				}
			}
		}
	}
	return all
}

func (b *bruteCase) uses(m *bruteModel, looks func(int) bool) bool {
	return slices.ContainsFunc(m.when, func(when []int) bool { return looksAt(when, looks) })
}

func looksAt(when []int, looks func(int) bool) bool {
	return slices.ContainsFunc(when, func(k int) bool { return looks(antecedentOf(k)) })
}

func (b *bruteCase) same(what string, got, want any) {
	b.Helper()
	if x, ok := got.(float64); ok {
		if y := want.(float64); math.Abs(x-y) < 1e-9 {
			return
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		b.Errorf("%s: %s: %v, want %v", b.name, what, got, want)
	}
}

// span is the least and the largest of some numbers.
type span struct{ least, most int64 }

func (s *span) add(x int64) { s.least, s.most = min(s.least, x), max(s.most, x) }

func newSpan() span { return span{math.MaxInt64, math.MinInt64} }

func (b *bruteCase) compare(g *goodmodels.Answer, models []*bruteModel) {
	b.asked["models"]++
	least := int64(math.MaxInt64)
	for _, m := range models {
		least = min(least, m.objective)
	}
	b.same("models", g.Count().Models(), len(models))
	found, _ := g.Least()
	b.same("optimum", found, least)
	b.same("the optimum's objective", g.Optimum.Certificate().Objective.Value, g.Objective(least))
	b.classifiers(g, models)
	b.columns(g, models)
	b.optimumPredicts(g, models, least)
	if b.d.ClassCount() == 2 {
		b.front(g, models)
	} else {
		_, err := g.Front(b.group, rates.TPR)
		b.same("no rates", err != nil, true)
		b.asked["many classes"]++
	}
	b.furtherRows(g, models, least)
}

func (b *bruteCase) classes(m *bruteModel, holds [][]bool) (list []int) {
	for _, h := range holds {
		class, _ := m.decides(h)
		list = append(list, class)
	}
	return list
}

func (b *bruteCase) classifiers(g *goodmodels.Answer, models []*bruteModel) {
	known := map[string]bool{}
	for _, m := range models {
		known[fmt.Sprint(b.classes(m, b.holds))] = true
	}
	c, _ := g.Classifiers(goodmodels.MostEntries)
	b.same("classifiers", c.Len(), len(known))
}

func (b *bruteCase) columns(g *goodmodels.Answer, models []*bruteModel) {
	sets := map[string]int64{} // columns, as bits
	for _, m := range models {
		name := []byte{}
		for _, column := range g.Columns() {
			looks, err := g.Uses(column)
			b.must(err)
			bit := byte('0')
			if b.uses(m, looks) {
				bit = '1'
			}
			name = append(name, bit)
		}
		if o, ok := sets[string(name)]; !ok || m.objective < o {
			sets[string(name)] = m.objective
		}
	}
	minimal := map[string]float64{}
	for name, objective := range sets {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(sets)), func(other string) bool {
			part := other != name
			for i := range name {
				part = part && other[i] <= name[i]
			}
			return part
		}) {
			minimal[name] = g.Objective(objective)
		}
	}
	choices, err := g.ColumnChoices()
	b.must(err)
	b.same("sets of columns", len(choices), len(minimal))
	for _, x := range choices {
		name := []byte{}
		for _, column := range g.Columns() {
			name = append(name, '0'+byte(labelOf(slices.Contains(x.Columns, column))))
		}
		b.same("the best of columns "+string(name), x.Best.Certificate().Objective.Value, minimal[string(name)])
	}
	for _, column := range g.Columns() {
		looks, err := g.Uses(column)
		b.must(err)
		with, best, share := 0, int64(math.MaxInt64), newSpan()
		for _, m := range models {
			if b.uses(m, looks) {
				with++
			} else {
				best = min(best, m.objective)
			}
			sum := int64(0)
			for i, h := range b.holds {
				if _, by := m.decides(h); looksAt(by, looks) {
					sum += b.weight[i]
				}
			}
			share.add(sum)
		}
		u, err := g.Use(column)
		b.must(err)
		b.same("models with "+column, u.With, with)
		if b.same("a best without "+column, u.Best != nil, best < math.MaxInt64); u.Best != nil {
			b.same("the best without "+column, u.Best.Certificate().Objective.Value, g.Objective(best))
		}
		low, high := float64(share.least)/float64(b.total), float64(share.most)/float64(b.total)
		b.same("least decided by "+column, u.Least, low)
		b.same("most decided by "+column, u.Most, high)
	}
}

// optimum returns what the optimum predicts, if some model that is as good does.
func (b *bruteCase) optimum(models []*bruteModel, least int64, holds [][]bool, classes []int) {
	if !slices.ContainsFunc(models, func(m *bruteModel) bool {
		return m.objective == least && slices.Equal(b.classes(m, holds), classes)
	}) {
		b.Errorf("%s: no model as good as the optimum predicts %v", b.name, classes)
	}
}

// optimumPredicts compares what the optimum says of all rows with the models of least objective.
func (b *bruteCase) optimumPredicts(g *goodmodels.Answer, models []*bruteModel, least int64) {
	bound, err := predict.Bind(g.Optimum.Model, b.header, predict.Options{})
	b.must(err)
	var own []int
	for _, row := range b.rows {
		says, err := bound.Predict(row)
		b.must(err)
		own = append(own, says.Class)
	}
	b.optimum(models, least, b.holds, own)
}

// difference returns the difference of a rate of class 1 of a model; ok is false if it is not defined.
func (b *bruteCase) difference(m *bruteModel, measure rates.Measure) (d float64, ok bool) {
	var all, one [2]float64
	for i, h := range b.holds {
		if measure == rates.TPR && b.d.Class(i) != 1 || measure == rates.FPR && b.d.Class(i) != 0 {
			continue
		}
		class, _ := m.decides(h)
		side := labelOf(b.group[i])
		all[side] += float64(b.weight[i])
		one[side] += float64(b.weight[i]) * float64(class)
	}
	return one[1]/all[1] - one[0]/all[0], all[0]*all[1] > 0
}

// keepsPoint reports whether a model is within the limit of an operating point.
func (b *bruteCase) keepsPoint(m *bruteModel, l fair.Limit) bool {
	var all, marked [2]int64
	for i, h := range b.holds {
		class, _ := m.decides(h)
		all[b.d.Class(i)] += b.weight[i]
		marked[b.d.Class(i)] += b.weight[i] * int64(class)
	}
	switch l.Measure {
	case rates.Recall:
		return marked[1]*l.Most.Den >= l.Most.Num*all[1]
	case rates.Precision:
		return marked[1]*l.Most.Den >= l.Most.Num*(marked[0]+marked[1])
	}
	return (marked[0]+marked[1])*l.Most.Den <= l.Most.Num*(all[0]+all[1])
}

func labelOf(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (b *bruteCase) front(g *goodmodels.Answer, models []*bruteModel) {
	for _, measure := range rates.Measures {
		least := map[string][2]float64{} // by difference
		var defined bool
		for _, m := range models {
			var d float64
			d, defined = b.difference(m, measure)
			d = math.Abs(d)
			o := g.Objective(m.objective)
			if x, ok := least[fmt.Sprintf("%.9f", d)]; !ok || o < x[0] {
				least[fmt.Sprintf("%.9f", d)] = [2]float64{o, d}
			}
		}
		front, err := g.Front(b.group, measure)
		if !defined {
			var option *optionerr.Error
			b.same("a rate that is not defined", errors.As(err, &option), true)
			continue
		}
		b.must(err)
		var want, got string
		trades := slices.SortedFunc(maps.Values(least), func(x, y [2]float64) int { return slices.Compare(x[:], y[:]) })
		last := math.Inf(1)
		for _, x := range trades {
			if x[1] < last-1e-9 {
				last = x[1]
				want += fmt.Sprintf(" %.7f %.7f", x[0], x[1])
			}
		}
		for _, x := range front {
			got += fmt.Sprintf(" %.7f %.7f", x.Best.Certificate().Objective.Value, math.Abs(x.Difference))
		}
		b.same("front of "+string(measure), got, want)
		b.asked["front"]++
	}
}

func (b *bruteCase) furtherRows(g *goodmodels.Answer, models []*bruteModel, best int64) {
	rows := b.further()
	f, err := g.Further(b.Context(), b.header, rows)
	if b.limited(err) {
		return
	}
	b.must(err)
	var holds [][]bool
	var own []int
	for i, row := range rows {
		holds = append(holds, b.holdsAt(row))
		own = append(own, f.Optimum(i))
	}
	b.optimum(models, best, holds, own)
	b.changes(g, rows, own)
	least := make([][]int64, b.d.ClassCount())
	for c := range least {
		least[c] = slices.Repeat([]int64{-1}, len(rows))
	}
	for _, m := range models {
		for i, class := range b.classes(m, holds) {
			if x := &least[class][i]; *x < 0 || m.objective < *x {
				*x = m.objective
			}
		}
	}
	for i := range rows {
		for c := range least {
			if x, ok := f.Least(i, c); ok != (least[c][i] >= 0) || ok && x != least[c][i] {
				b.Errorf("%s: row %d, class %d: objective %v, want %v", b.name, i, c, x, least[c][i])
			}
		}
		other := int64(-1)
		for c := range least {
			if o := least[c][i]; c != own[i] && o >= 0 && (other < 0 || o < other) {
				other = o
			}
		}
		if class, o, ok := f.Otherwise(i); ok != (other >= 0) || ok && (o != other || least[class][i] != o) {
			b.Errorf("%s: row %d: otherwise class %d of objective %v, want %v", b.name, i, class, o, other)
		}
	}
	b.asked["further"]++
}

// changes compares what the optimum says of rows, and the fewest columns that have to change for another class.
func (b *bruteCase) changes(g *goodmodels.Answer, rows [][]string, own []int) {
	bound, err := predict.Bind(g.Optimum.Model, b.header, predict.Options{})
	b.must(err)
	for i, row := range rows {
		says, err := bound.Predict(row)
		b.must(err)
		b.same(fmt.Sprint("prediction of ", row), says.Class, own[i])
		x, err := explain.Changes(bound, row)
		b.must(err)
		fewest := 0
		var try func(at, changed int)
		try = func(at, changed int) {
			if says, _ := bound.Predict(row); says.Class != own[i] && (fewest == 0 || changed < fewest) {
				fewest = changed
			}
			if at == len(b.header)-2 {
				return
			}
			try(at+1, changed)
			was := row[at]
			for _, cell := range []string{"v0", "v1", "v2", "v8", "0", "1", "1.5", "2", "2.2", "3", "3.5", "4", "5", ""} {
				c := slices.IndexFunc(g.Optimum.About().Columns, func(c model.Column) bool { return c.Name == b.header[at] })
				if c < 0 {
					break
				}
				if _, err := g.Optimum.About().Columns[c].Cell.Holds(cell); err == nil && cell != was {
					row[at] = cell
					try(at+1, changed+1)
				}
			}
			row[at] = was
		}
		try(0, 0)
		b.same(fmt.Sprint("columns to change of ", row), x.Columns, fewest)
	}
}

// fair asks for the best list within limits on a difference.
func (b *bruteCase) fair(r family.Reading) {
	zero, one := b.loss(b.everyone(), 0), b.loss(b.everyone(), 1)
	threshold := min(zero, one)
	var limits []fair.Limit
	for range 1 + b.rng.IntN(2) {
		limits = append(limits, fair.Limit{Measure: rates.Measures[b.rng.IntN(3)], Most: ratio.New(b.rng.Int64N(5), 20)})
	}
	if b.rng.IntN(2) == 0 { // one, as a list of one class is within it, whether it is the better one or not
		point := rates.Limited[3+b.rng.IntN(3)]
		limits, threshold = []fair.Limit{{Measure: point, Most: ratio.New(b.rng.Int64N(21), 20)}}, max(zero, one)
	}
	models := b.models(threshold)
	if models == nil {
		return
	}
	least := int64(math.MaxInt64)
	for _, m := range models {
		fits := true
		for _, l := range limits {
			if !l.Measure.OfGroups() {
				fits = fits && b.keepsPoint(m, l)
				continue
			}
			d, ok := b.difference(m, l.Measure)
			if !ok {
				return
			}
			fits = fits && math.Abs(d) <= l.Most.Float()+1e-9
		}
		if fits {
			least = min(least, m.objective)
		}
	}
	var proof bytes.Buffer
	o := b.o.Options
	o.Proof = &family.Proof{To: &proof}
	group := rates.Group{Name: "g", Inside: b.group}
	f, err := fair.Ask(b.Context(), b.p, fair.Options{Options: o, Group: group, Limits: limits})
	b.must(err)
	want := float64(least) / float64(b.scale)
	b.same("fair proved", f.Proved, true)
	b.same(fmt.Sprint("fair within ", limits), f.Certificate().Objective.Value, want)
	b.asked["fair"]++
	opened, err := verify.Open(&proof)
	b.must(err)
	v, err := family.Verify(b.Context(), opened, b.p.Set, r, family.VerifyOptions{Group: func(string) (rates.Group, error) {
		return group,
			nil
	}})
	b.must(err)
	b.same("checked fair", v.Model.Certificate().Objective.Value, want)
	b.asked["checked"]++
}

func (b *bruteCase) everyone() (rows []int) {
	for i := range b.rows {
		rows = append(rows, i)
	}
	return rows
}
