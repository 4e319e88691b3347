package rulelist

import (
	"fmt"
	"strings"
)

// Details returns what is to be known of the model besides its text: how sure
// it is to be the best, what it was learned from and by what, in lines of a
// name and a value.
func (m *Model) Details() string {
	rows := [][2]string{
		{"status", m.verdict()},
		{"objective", m.terms()},
		{"lower bound", fmt.Sprintf("%.10f (gap %s)", m.LowerBound.Value, percent(m.Objective.Num-m.LowerBound.Num, max(m.Objective.Num, 1)))},
		{"data", fmt.Sprintf("%s, %s samples, target %s", printable(m.Data.Source), thousands(m.Data.Samples), printable(m.Target))},
		{"data hash", printable(m.Data.Hash)},
		{"software", printable(m.Software)},
	}
	names := make([]string, len(rows))
	for i, r := range rows {
		names[i] = r[0]
	}
	padRight(names)
	var b strings.Builder
	for i, r := range rows {
		b.WriteString(names[i] + columnGap + r[1] + "\n")
	}
	return b.String()
}

// verdict says what the status means for the list.
func (m *Model) verdict() string {
	if m.Status == "optimal" {
		return "optimal: no rule list on the antecedents searched has a smaller objective"
	}
	return m.Status + ": the best list found, there may be better ones"
}

// terms returns the objective and what it consists of.
func (m *Model) terms() string {
	wrong := fmt.Sprintf("%s of %s samples wrong", thousands(m.Errors()), thousands(m.Data.Samples))
	if m.Data.Weighted {
		wrong += ", by weight"
	}
	share := float64(m.ErrorWeight()) / float64(m.Data.Weight)
	n := len(m.Rules)
	return fmt.Sprintf("%.10f = %.10f (%s) + %d %s × %s", m.Objective.Value, share, wrong, n, plural(n, "rule", "rules"), m.Lambda)
}
