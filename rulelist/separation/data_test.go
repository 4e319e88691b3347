package separation

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
	"parcorels/rules"
)

func load(t testing.TB, file string) *instance.Instance {
	path := testgen.Data(t, file)
	o := dataset.Options{}
	if dataset.IsOut(path) {
		o.Labels = strings.TrimSuffix(strings.TrimSuffix(path, ".gz"), ".out") + ".label"
	}
	d, err := dataset.Read(path, o)
	if err != nil {
		t.Fatal(err)
	}
	set, err := rules.Given(d)
	if err != nil {
		t.Fatal(err)
	}
	in, err := instance.FromSet(set)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// TestRootBounds solves the root of real instances and compares the bound with
// the known optimum, which it must not exceed.
func TestRootBounds(t *testing.T) {
	for _, c := range []struct {
		file, lambda string
		best         float64
	}{
		{"corels/compas_train.out.gz", "0.005", .3480936970},
		{"corels/mammo.out.gz", "0.01", .1833715},
		{"corels/mammo.out.gz", "0.005", .1729657},
		{"corels/credita.out.gz", "0.02", .1634783},
		{"corels/pima.out.gz", "0.02", .2778125},
		{"corels/phoneme.out.gz", "0.02", .2737010},
		{"corels/haberman.out.gz", "0.01", .2424183},
		{"corels/cars.out.gz", "0.02", .1352315},
		{"corels/cars.out.gz", "0.01", .0916667},
		{"corels/fcadult.out.gz", "0.005", .2022226},
	} {
		t.Run(filepath.Base(c.file)+" "+c.lambda, func(t *testing.T) {
			in := load(t, c.file)
			lambda, err := ratio.Parse(c.lambda)
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			p := New(in.Columns, in.Table, Prices{Error: lambda.Den, Rule: lambda.Num * in.Total}, in.Total)
			scale := float64(lambda.Den * in.Total)
			best := int64(math.Round(c.best * scale))
			room := p.Value(best+1-lambda.Den*in.Base, 0)
			r := p.NewRoot(1<<40, 1)
			r.Solve(room, Effort{Work: 1 << 30})
			bound := (float64(r.Value)/float64(p.Scale) + float64(lambda.Den*in.Base)) / scale
			t.Logf("%d points, %d antecedents: bound %.7f of %.7f, %d rules live, %d sets, %d steps, %d entries, %v",
				in.Points, in.Antecedents, bound, c.best, r.Live(), r.Pool.Len(), r.s.steps, r.s.work, time.Since(start))
			if r.Value >= room {
				t.Errorf("bound %v exceeds the optimum %v", bound, c.best)
			}
		})
	}
}
