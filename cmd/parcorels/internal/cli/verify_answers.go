package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"os"
	"slices"
	"strings"

	"parcorels"
	"parcorels/model"
	"parcorels/verify"
)

// readAnswers reads answers about good models from a file; ok is false if it has none.
func readAnswers(path string) (told *alternativesJSON, ok bool) {
	text, err := os.ReadFile(path)
	told = &alternativesJSON{}
	if err != nil || json.Unmarshal(text, told) != nil {
		return nil, false
	}
	return told, told.Lists+told.Trees != ""
}

// comparison compares the answers of a file with those of a checked proof.
type comparison struct {
	*alternativesJSON
	v                *verified
	good             *parcorels.VerifiedModels
	compared, others []string // what was compared, and what was not
	err              error    // the first difference
}

func (c *comparison) differ(what string, told, there any) {
	if c.err == nil {
		c.err = fmt.Errorf("%w: %s: it says %v, the samples say %v", verify.ErrRefused, what, told, there)
	}
}

// equal compares numbers and texts that are exact.
func (c *comparison) equal(what string, told, there any) {
	if told != there {
		c.differ(what, told, there)
	}
}

func (c *comparison) same(what string, told, there float64) {
	if math.IsNaN(told) || math.Abs(told-there) > 1e-9*max(1, math.Abs(there)) {
		c.differ(what, told, there)
	}
}

// answered notes what was compared, or that there are too many models for that.
func (c *comparison) answered(what string, err error) error {
	switch {
	case errors.Is(err, parcorels.ErrTooMany):
		c.others = append(c.others, what+" (too many)")
	case err != nil:
		return err
	default:
		c.compared = append(c.compared, what)
	}
	return nil
}

func (c *comparison) compare(ctx context.Context, e *env) error {
	if c.Without != "" {
		c.good = c.good.Without(c.Without)
	}
	for _, part := range []func(context.Context, *env) error{c.numbers, c.forms, c.columns, c.choices, c.disagreement, c.front, c.test, c.rows} {
		if err := part(ctx, e); err != nil {
			return err
		}
	}
	return c.err
}

func (c *comparison) numbers(context.Context, *env) error {
	c.equal("model", c.Model, c.v.model.Family())
	c.equal("λ", c.Lambda, c.v.lambda.String())
	models, least := c.good.Models()
	c.same("threshold", c.Threshold, c.good.Threshold)
	if c.Complete {
		c.same("threshold of all that was asked for", c.Asked, c.good.Threshold)
	}
	lists, trees := models.String(), ""
	if c.Model == model.Tree {
		lists, trees = trees, lists
	}
	if c.Lists != lists || c.Trees != trees {
		c.differ("number of models", c.Lists+c.Trees, models)
	}
	if models.Sign() == 0 { // none without a column: the optimum told is that of all
		models, least = c.v.good.Models()
	}
	if models.Sign() > 0 {
		c.same("optimum", c.Optimum, least)
	}
	if len(c.Shown) > 0 {
		c.others = append(c.others, "models shown")
	}
	c.compared = append(c.compared, "threshold", "optimum", "number of models")
	sizes := c.good.Sizes()
	for _, x := range slices.Concat(c.ByRules, c.ByLeaves) {
		size, told := x.number(), x.Lists
		if c.Model == model.Tree {
			told = x.Trees
		}
		if n := sizes[size]; n == nil || n.String() != told || told != x.Lists+x.Trees {
			c.differ(fmt.Sprintf("number of models of size %d", size), told, n)
		}
		delete(sizes, size)
	}
	if len(sizes) > 0 {
		c.differ("sizes of models", len(c.ByRules)+len(c.ByLeaves), "more")
	}
	return c.answered("numbers by size", nil)
}

// forms makes sure of the numbers of classifiers, and of lists as people see them.
func (c *comparison) forms(context.Context, *env) error {
	if c.Classifiers != nil {
		n, err := c.good.Classifiers()
		if err == nil {
			c.equal("classifiers", *c.Classifiers, n)
		}
		if err := c.answered("classifiers", err); err != nil {
			return err
		}
	}
	if c.Irreducible == nil && c.Paying == nil && c.Blocks == nil {
		return nil
	}
	f, err := c.good.Forms()
	if err == nil {
		number := func(what string, told *int64, there int64) {
			if told != nil {
				c.equal(what, *told, there)
			}
		}
		number("lists without an idle rule", c.Irreducible, f.Irreducible)
		number("lists in which each rule pays", c.Paying, f.Paying)
		number("block forms", c.Blocks, f.Blocks)
	}
	return c.answered("forms", err)
}

func (c *comparison) columns(context.Context, *env) error {
	if c.Columns == nil {
		return nil
	}
	all := c.good.Columns()
	models, _ := c.good.Models()
	reliance := false
	var failed, unshuffled error
	for _, x := range c.Columns {
		if !slices.Contains(all, x.Column) {
			c.differ("columns", x.Column, "no condition looks at it")
			return nil
		}
		without, best := c.good.Without(x.Column).Models()
		with := new(big.Int).Sub(models, without)
		c.equal("models that look at column "+x.Column, x.Lists, with.String())
		share, _ := new(big.Rat).SetFrac(with, models).Float64()
		c.same("share of models that look at column "+x.Column, x.Share, share)
		some := without.Sign() > 0
		c.equal("models without column "+x.Column, x.Without != nil, some)
		if some && x.Without != nil {
			c.same("the best without column "+x.Column, *x.Without, best)
		}
		least, most, err := c.good.Decided(x.Column)
		if err != nil {
			failed = err
		} else {
			c.same("least share decided by column "+x.Column, x.Least, least)
			c.same("largest share decided by column "+x.Column, x.Most, most)
		}
		if (x.Loses == nil) != (x.LosesMost == nil) {
			c.differ("reliance on column "+x.Column, "one of two ends", "both")
		} else if x.Loses != nil {
			reliance = true
			if least, most, err = c.good.Reliance(x.Column); err != nil {
				unshuffled = err
			} else {
				c.same("least reliance on column "+x.Column, *x.Loses, least)
				c.same("largest reliance on column "+x.Column, *x.LosesMost, most)
			}
		}
	}
	c.compared = append(c.compared, "models and the best without each column")
	if reliance {
		if err := c.answered("reliance", unshuffled); err != nil {
			return err
		}
	}
	return c.answered("shares decided", failed)
}

// choices makes sure of the sets of columns that are enough: each is, none of its parts is, and if some
// columns meet all of these sets, no good model is without them.
func (c *comparison) choices(context.Context, *env) error {
	if c.Choices == nil {
		return nil
	}
	all, counted := c.good.Columns(), map[string]*big.Int{}
	without := func(columns []string) (*big.Int, float64) {
		models, least := c.good.Without(columns...).Models()
		counted[strings.Join(columns, "\x00")] = models
		return models, least
	}
	const mostCounts = 1000
	var met func(avoided []string)
	met = func(avoided []string) {
		slices.Sort(avoided)
		if counted[strings.Join(avoided, "\x00")] != nil || len(counted) > mostCounts || c.err != nil {
			return
		}
		if models, _ := without(avoided); models.Sign() == 0 {
			return
		}
		for _, x := range c.Choices {
			if !slices.ContainsFunc(x.Columns, func(column string) bool { return slices.Contains(avoided, column) }) {
				for _, column := range x.Columns {
					met(append(slices.Clone(avoided), column))
				}
				return
			}
		}
		c.differ("sets of columns that are enough", len(c.Choices), "there is one without "+strings.Join(avoided, ", "))
	}
	for _, x := range c.Choices {
		others := slices.DeleteFunc(slices.Clone(all), func(column string) bool { return slices.Contains(x.Columns, column) })
		name := "columns " + strings.Join(x.Columns, ", ")
		if models, least := without(others); models.Sign() == 0 {
			c.differ(name, "enough", "no good model")
		} else {
			c.same(name, x.Objective, least)
		}
		for _, column := range x.Columns {
			if models, _ := without(append(slices.Clone(others), column)); models.Sign() > 0 {
				c.differ(name, "all needed", "enough without "+column)
			}
		}
	}
	met(nil)
	if len(counted) > mostCounts {
		return c.answered("sets of columns", parcorels.ErrTooMany)
	}
	return c.answered("sets of columns", nil)
}

func (c *comparison) disagreement(context.Context, *env) error {
	d := c.Disagreement
	if d == nil {
		return nil
	}
	c.same("ambiguity", d.Ambiguity, c.good.Ambiguity())
	c.compared = append(c.compared, "ambiguity")
	most, err := c.good.Discrepancy()
	if err == nil {
		c.same("discrepancy", d.Discrepancy, most)
	}
	return c.answered("discrepancy", err)
}

func (c *comparison) front(ctx context.Context, e *env) error {
	if c.Front == nil {
		return nil
	}
	inside, _, err := e.membership(ctx, c.v.reading, c.v.path, c.Group, &parcorels.Problem{Set: c.v.set})
	if err != nil {
		return err
	}
	if !slices.Contains(parcorels.Measures, c.Measure) {
		c.differ("measure", c.Measure, parcorels.Measures)
		return nil
	}
	front, err := c.good.Front(inside, c.Measure)
	if err == nil && len(front) != len(c.Front) {
		c.differ("group differences", len(c.Front), len(front))
		return nil
	}
	for i, t := range front {
		told := c.Front[i]
		c.same("objective of a group difference", told.Objective, t.Objective)
		c.same("group difference", math.Abs(told.Difference), t.Difference)
		if told.Difference < 0 && !t.Below || told.Difference > 0 && !t.Above {
			c.differ("group difference", told.Difference, -told.Difference)
		}
	}
	return c.answered("group differences", err)
}

// further reads rows of another table; ok is false if there is no such file.
func (c *comparison) further(ctx context.Context, e *env, path, what string) (header []string, rows [][]string, ok bool, err error) {
	if _, err := os.Stat(path); err != nil {
		c.others = append(c.others, fmt.Sprintf("%s (%s is not here)", what, path))
		return nil, nil, false, nil
	}
	header, rows, err = e.table(ctx, c.v.reading, path)
	return header, rows, err == nil, err
}

func (c *comparison) test(ctx context.Context, e *env) error {
	t := c.Test
	if t == nil {
		return nil
	}
	what := "errors on " + t.File
	header, rows, ok, err := c.further(ctx, e, t.File, what)
	if !ok {
		return err
	}
	classes, err := testClasses(t.File, header, rows, c.v.set.Data.Target, func(labels []string) ([]int, error) {
		return parcorels.ClassesOf(c.v.model, labels)
	})
	if err != nil {
		return err
	}
	f, err := c.good.Further(header, rows)
	if err != nil {
		return fmt.Errorf("%s: %w", t.File, err)
	}
	least, most, err := f.Errors(classes)
	if err == nil {
		c.equal(what, fmt.Sprintf("%d to %d of %d", t.Least, t.Most, t.Rows), fmt.Sprintf("%d to %d of %d", least, most, labelled(classes)))
	}
	return c.answered(what, err)
}

func (c *comparison) rows(ctx context.Context, e *env) error {
	if c.Rows == nil {
		return nil
	}
	what := "rows of " + c.RowsFile
	header, all, ok, err := c.further(ctx, e, c.RowsFile, what)
	if !ok {
		return err
	}
	var rows [][]string
	for _, x := range c.Rows {
		if x.Row < 1 || x.Row > int64(len(all)) {
			c.differ(what, fmt.Sprintf("row %d", x.Row), fmt.Sprintf("%d rows", len(all)))
			return nil
		}
		rows = append(rows, all[x.Row-1])
	}
	f, err := c.good.Further(header, rows)
	if err != nil {
		return fmt.Errorf("%s: %w", c.RowsFile, err)
	}
	optimum, other, objective, err := f.Otherwise()
	label := c.v.model.About().Label
	for i := range optimum {
		x, name := c.Rows[i], fmt.Sprintf("%s: row %d", c.RowsFile, c.Rows[i].Row)
		c.equal(name, x.Optimum, label(optimum[i]))
		switch {
		case other[i] < 0 && x.Other == "" && x.Otherwise == nil && x.Worse == nil:
		case other[i] < 0 || x.Otherwise == nil || x.Worse == nil:
			c.differ(name, "otherwise "+x.Other, other[i] >= 0)
		default:
			c.equal(name, x.Other, label(other[i]))
			c.same(name, *x.Otherwise, objective[i])
			c.same(name, *x.Worse, objective[i]-c.Optimum)
		}
	}
	return c.answered(what, err)
}

// checkAnswers makes sure of the answers in a file.
func (v *verified) checkAnswers(ctx context.Context, e *env, t *alternativesJSON, path string) error {
	if v.good == nil {
		return fmt.Errorf("%s: it has answers about good models, and %s is a proof about one", path, v.proof)
	}
	c := comparison{alternativesJSON: t, v: v, good: v.good}
	if err := c.compare(ctx, e); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	v.answered = fmt.Sprintf("(%s says the same: %s", path, strings.Join(c.compared, ", "))
	if len(c.others) > 0 {
		v.answered += "; not answered anew: " + strings.Join(c.others, ", ")
	}
	v.answered += ")\n"
	return nil
}
