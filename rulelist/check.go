package rulelist

import (
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strings"

	"parcorels/internal/status"
	"parcorels/ratio"
)

// maxWeight bounds a total weight, so that sums of two never overflow; package
// dataset keeps to it.
const maxWeight = 1<<62 - 1

var hashForm = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)

// check returns the first thing in which m contradicts itself. New and Load
// both ask it, so that no model exists that it would refuse.
func (m *Model) check() error {
	for _, part := range []func() error{m.checkData, m.checkColumns, m.checkLines, m.checkCounts, m.checkObjective} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

func (m *Model) checkData() error {
	d := m.Data
	switch {
	case m.Status == status.Unknown:
		return fmt.Errorf("status is %q, expected one of %s", m.Status, status.Ends())
	case !m.Lambda.Within():
		return fmt.Errorf("lambda is %s, expected a number between 0 and 1, both excluded", m.Lambda)
	case m.Classes[0] == m.Classes[1]:
		return fmt.Errorf("both classes are %q", m.Classes[0])
	case !hashForm.MatchString(d.Hash):
		return fmt.Errorf(`data.hash is %q, expected "sha256:" and 64 hexadecimal digits`, d.Hash)
	case d.Format != "csv" && d.Format != "out":
		return fmt.Errorf(`data.format is %q, expected "csv" or "out"`, d.Format)
	case d.Samples < 1 || d.Samples > maxWeight || d.Dropped < 0:
		return fmt.Errorf("data has %d samples and %d dropped rows, expected at least one sample", d.Samples, d.Dropped)
	case d.WeightUnit.Num < 1:
		return fmt.Errorf("data.weight_unit is %s, expected a positive number", d.WeightUnit)
	case d.Weight < d.Samples || d.Weight > maxWeight:
		return fmt.Errorf("data.weight is %d for %d samples, expected at least 1 each and less than 2^62", d.Weight, d.Samples)
	case !d.Weighted && (d.Weight != d.Samples || d.WeightUnit != ratio.New(1, 1)):
		return fmt.Errorf("data has no weights, but a weight of %d in units of %s for %d samples", d.Weight, d.WeightUnit, d.Samples)
	}
	return nil
}

func (m *Model) checkLines() error {
	columns := map[string]bool{}
	for _, c := range m.Columns {
		columns[c.Name] = true
	}
	for i, l := range m.Rules {
		if len(l.Literals) == 0 {
			return fmt.Errorf("rules[%d] has no literals", i)
		}
		var names []string
		for j, lit := range l.Literals {
			if !columns[lit.Column] {
				return fmt.Errorf("rules[%d].literals[%d]: column %q is not among the columns of the model", i, j, lit.Column)
			}
			if err := m.checkTest(lit.Test); err != nil {
				return fmt.Errorf("rules[%d].literals[%d].test: %w", i, j, err)
			}
			names = append(names, lit.Name)
		}
		if name := strings.Join(names, " and "); l.Antecedent != name {
			return fmt.Errorf("rules[%d].antecedent is %q, but its literals read %q", i, l.Antecedent, name)
		}
	}
	if m.Default.Antecedent != "" || len(m.Default.Literals) > 0 {
		return errors.New("default has an antecedent")
	}
	return nil
}

// checkCounts checks that the lines share out the samples among them.
func (m *Model) checkCounts() error {
	samples, weight := m.Data.Samples, m.Data.Weight
	for i, l := range m.Lines() {
		name := "default"
		if i < len(m.Rules) {
			name = index("rules", i)
		}
		if err := l.checkCounts(m.Data); err != nil {
			return fmt.Errorf("%s.%w", name, err)
		}
		// Each count is at most the total, so that this cannot overflow.
		for c := range 2 {
			if samples -= l.Samples[c]; samples < 0 {
				return fmt.Errorf("the lines up to %s capture more than the %d samples of data", name, m.Data.Samples)
			}
			if weight -= l.Weights[c]; weight < 0 {
				return fmt.Errorf("the lines up to %s capture more than the weight %d of data", name, m.Data.Weight)
			}
		}
	}
	if samples != 0 || weight != 0 {
		return fmt.Errorf("the lines leave %d samples of weight %d of data uncaptured", samples, weight)
	}
	return nil
}

func (l Line) checkCounts(d Data) error {
	if l.Class != 0 && l.Class != 1 {
		return fmt.Errorf("predict is %d, expected class 0 or 1", l.Class)
	}
	for c := range 2 {
		n, w := l.Samples[c], l.Weights[c]
		switch {
		case n < 0 || n > d.Samples:
			return fmt.Errorf("samples[%d] is %d, expected 0 to %d", c, n, d.Samples)
		case w < n || w > d.Weight || (n == 0) != (w == 0):
			return fmt.Errorf("weights[%d] is %d for %d samples, of total weight %d", c, w, n, d.Weight)
		case !d.Weighted && w != n:
			return fmt.Errorf("weights[%d] is %d for %d samples of data without weights", c, w, n)
		}
	}
	return nil
}

// checkObjective recomputes the objective from the counts.
func (m *Model) checkObjective() error {
	den := times(m.Lambda.Den, m.Data.Weight)
	objective := times(m.Lambda.Den, m.ErrorWeight())
	rules := times(m.Lambda.Num, m.Data.Weight)
	objective.Add(objective, rules.Mul(rules, big.NewInt(int64(len(m.Rules)))))
	o, b := m.Objective, m.LowerBound
	switch {
	case !den.IsInt64() || !objective.IsInt64():
		return fmt.Errorf("lambda %s times the total weight %d exceeds 63 bits", m.Lambda, m.Data.Weight)
	case o != fraction(objective.Int64(), den.Int64()):
		return fmt.Errorf("objective is %d/%d = %v, but the counts give %d/%d", o.Num, o.Den, o.Value, objective, den)
	case b != fraction(b.Num, den.Int64()) || b.Num < 0 || b.Num > o.Num:
		return fmt.Errorf("lower_bound is %d/%d = %v, expected a part of %d between 0 and the objective's %d", b.Num, b.Den, b.Value, den, o.Num)
	case m.Status == status.Optimal && b != o:
		return fmt.Errorf("status is optimal, but the lower bound %v is not the objective %v", b.Value, o.Value)
	case m.Gap != gap(o, b):
		return fmt.Errorf("gap is %v, but objective and lower bound give %v", m.Gap, gap(o, b))
	}
	return nil
}

func times(a, b int64) *big.Int { return new(big.Int).Mul(big.NewInt(a), big.NewInt(b)) }

// gap returns (objective − bound)/objective, 0 of objective 0.
func gap(objective, bound Fraction) float64 {
	if objective.Num == 0 {
		return 0
	}
	return float64(objective.Num-bound.Num) / float64(objective.Num)
}
