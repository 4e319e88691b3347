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
		value float64
	}{{"tic-tac-toe", 599.80}, {"compas-binary", 897}, {"fico_binary", 2103.6}} {
		pts := load(t, "binary/"+c.name+".csv.gz")
		o := Options{Literal: ratio.New(1, 1), Workers: 1}
		start := time.Now()
		r := must.Get(Solve(context.Background(), pts, o))(t)
		f := func(v int64) float64 { return float64(v) / float64(r.Unit) }
		t.Logf("%s d=%d: V %.2f bound %.2f rules %d rho %.4f slack %.3f nodes %d: %.2f s",
			c.name, pts.Antecedents, f(r.Value), f(r.UpperBound), len(r.Rules), r.Rho, r.Slack, r.Nodes,
			time.Since(start).Seconds())
		if math.Abs(f(r.Value)-c.value) > 1e-9 || r.Slack != 0 {
			t.Errorf("%s: value %v with slack %v, want %v", c.name, f(r.Value), r.Slack, c.value)
		}
	}
}
