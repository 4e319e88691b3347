package search

import (
	"context"
	"math"
	"testing"
	"time"

	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
	"parcorels/rules"
)

// load reads a table of PARCORELS_DATA, with all features and their negations as
// literals.
func load(t testing.TB, name string) *instance.Points {
	d := must.Get(dataset.Read(testgen.Data(t, name), dataset.Options{}))(t)
	set := must.Get(rules.Mine(t.Context(), d, rules.Options{MaxCard: 1, Negations: true, MinSupport: ratio.New(0, 1)}))(t)
	pts := must.Get(instance.PointsFromSet(set))(t)
	return pts
}

// TestKnown: values on public data that an independent program found, too.
func TestKnown(t *testing.T) {
	for _, c := range []struct {
		name  string
		λ, β2 ratio.Ratio
		value float64
	}{
		{"tic-tac-toe", ratio.New(1, 1), ratio.New(1, 10), 599.80},
		{"tic-tac-toe", ratio.New(8, 1), ratio.New(1, 100), 433.78},
		{"compas-binary", ratio.New(1, 1), ratio.New(1, 10), 897},
		{"fico_binary", ratio.New(1, 1), ratio.New(1, 10), 2103.6},
	} {
		pts := load(t, "binary/"+c.name+".csv.gz")
		o := Options{Prices: DefaultPrices(), Workers: 1}
		o.Prices.Literal, o.Prices.Beta2 = c.λ, c.β2
		start := time.Now()
		r := must.Get(Solve(context.Background(), pts, o))(t)
		f := func(v int64) float64 { return float64(v) / float64(r.Unit) }
		t.Logf("%s d=%d λ=%v β2=%v: V %.2f bound %.2f rules %d rho %.4f slack %.3f nodes %d: %.2f s",
			c.name, pts.Antecedents, c.λ, c.β2, f(r.Value), f(r.UpperBound), len(r.Rules), r.Rho, r.Slack, r.Nodes,
			time.Since(start).Seconds())
		if math.Abs(f(r.Value)-c.value) > 1e-9 || r.Slack != 0 {
			t.Errorf("%s: value %v with slack %v, want %v", c.name, f(r.Value), r.Slack, c.value)
		}
	}
}
