package graph

import (
	"fmt"
	"math/big"
	"testing"
	"time"

	"parcorels/instance"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
	"parcorels/rulelist/search"
	"parcorels/rules"
)

// known are numbers of lists that an independent program found.
var known = []struct {
	file, lambda string
	percent      int64
	states       int
	lists        string
	long         bool
}{
	{"compas_train", "0.02", 1, 6, "5", false},
	{"compas_train", "0.02", 2, 22, "35", false},
	{"compas_train", "0.02", 5, 266, "778", false},
	{"compas_train", "0.02", 10, 26573, "273476", true},
	{"compas_train", "0.01", 1, 82, "226", false},
	{"compas_train", "0.01", 2, 375, "2456", false},
	{"compas_train", "0.01", 5, 72096, "2094773", true},
	{"compas_train", "0.005", 1, 72, "252", false},
	{"compas_train", "0.005", 2, 2783, "39060", true},
	{"mammo", "0.01", 5, 159, "255", false},
	{"mammo", "0.005", 2, 513, "4282", false},
	{"haberman", "0.01", 1, 8, "3", false},
	{"haberman", "0.01", 2, 83, "73", false},
	{"haberman", "0.01", 5, 2413, "7311", true},
	{"monks1", "0.01", 10, 48, "66", false},
	{"monks1", "0.01", 25, 4761, "29088", true},
	{"tdata_R", "0.01", 2, 256, "40320", false},
	{"cars", "0.02", 2, 15, "8", true},
	{"cars", "0.02", 10, 102, "202", true},
	{"credita", "0.02", 2, 3, "2", true},
	{"phoneme", "0.02", 2, 8, "7", true},
	{"votes", "0.01", 10, 31, "23", false},
}

// corels reads a problem of the papers' data.
func corels(t testing.TB, file, lambda string) (*Problem, *instance.Instance, ratio.Ratio) {
	t.Helper()
	set := testgen.Published(t, rules.Options{}, "corels", file+".out.gz")
	l := must.Get(ratio.Parse(lambda))(t)
	p := must.Get(FromPoints(testgen.Points(t, set), l))(t)
	return p, testgen.Reduced(t, set), l
}

// within returns the threshold so many percent above the optimum, rounded down.
func within(t testing.TB, in *instance.Instance, l ratio.Ratio, percent int64) int64 {
	t.Helper()
	r := must.Get(search.Solve(t.Context(), in, search.Options{Lambda: l}))(t)
	return r.Objective + new(big.Int).Div(new(big.Int).Mul(big.NewInt(r.Objective), big.NewInt(percent)), big.NewInt(100)).Int64()
}

func TestKnownCounts(t *testing.T) {
	for _, k := range known {
		if k.long && testing.Short() {
			continue
		}
		t.Run(fmt.Sprintf("%s %s %d%%", k.file, k.lambda, k.percent), func(t *testing.T) {
			p, in, l := corels(t, k.file, k.lambda)
			threshold := within(t, in, l, k.percent)
			start := time.Now()
			set := must.Get(Build(t.Context(), p, threshold, Options{}))(t)
			built := time.Since(start)
			lists := set.Count().Models().String()
			t.Logf("%d states (%d), %s lists, built in %v, counted in %v", set.States(), k.states, lists, built,
				time.Since(start)-built)
			if lists != k.lists {
				t.Errorf("%s lists, want %s", lists, k.lists)
			}
		})
	}
}

func sixDigits(x float64) string { return fmt.Sprintf("%.6f", x) }

// compasMale says who is male.
func compasMale(t testing.TB) (male []bool) {
	set := testgen.Published(t, rules.Options{}, "corels", "compas_train.out.gz")
	for _, a := range set.Antecedents {
		if a.Name == "{sex:Male}" {
			for i := range set.Data.N {
				male = append(male, a.Captured().Test(uint(i)))
			}
		}
	}
	return male
}

// pointsOf returns the point of each sample: points come in the order of their first samples.
func pointsOf(p *Problem, file string, t testing.TB) (of []int) {
	set := testgen.Published(t, rules.Options{}, "corels", file+".out.gz")
	known := map[string]int{}
	for i := range set.Data.N {
		row := make([]byte, len(set.Antecedents))
		for k, a := range set.Antecedents {
			if a.Captured().Test(uint(i)) {
				row[k] = 1
			}
		}
		at, ok := known[string(row)]
		if !ok {
			at = len(known)
			known[string(row)] = at
		}
		of = append(of, at)
	}
	if len(known) != p.Points {
		t.Fatalf("%d points, want %d", len(known), p.Points)
	}
	return of
}
