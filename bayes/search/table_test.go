package search

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"parcorels/instance"
	"parcorels/internal/status"
	"parcorels/ratio"
)

// strongest keeps the n antecedents of most information gain, in their order.
func strongest(t testing.TB, pts *instance.Points, cards []int, n int) (*instance.Points, []int) {
	if n == 0 || n >= len(cards) {
		return pts, cards
	}
	h := func(a, b float64) float64 {
		if a == 0 || b == 0 {
			return 0
		}
		return -a*math.Log(a/(a+b)) - b*math.Log(b/(a+b))
	}
	gains, order := make([]float64, len(cards)), make([]int, len(cards))
	for j, column := range pts.Columns {
		order[j] = j
		var in, out [2]float64
		for i := range pts.Count {
			side := &out
			if column[i/64]>>(i%64)&1 != 0 {
				side = &in
			}
			side[0] += float64(pts.Weights[0][i])
			side[1] += float64(pts.Weights[1][i])
		}
		gains[j] = -h(in[0], in[1]) - h(out[0], out[1])
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(gains[b], gains[a]) })
	order = order[:n]
	slices.Sort(order)
	return chosen(t, pts, cards, order)
}

// chosen groups the points anew by some antecedents.
func chosen(t testing.TB, pts *instance.Points, cards []int, order []int) (*instance.Points, []int) {
	some := &instance.Points{Samples: pts.Samples, Count: pts.Count, Antecedents: len(order), Classes: 2, Total: pts.Total,
		ClassTotals: pts.ClassTotals, Words: pts.Words, Weights: pts.Weights}
	kept := make([]int, len(order))
	for k, j := range order {
		some.Columns, kept[k] = append(some.Columns, pts.Columns[j]), cards[j]
	}
	return merged(t, some), kept
}

// merged makes one point of all that satisfy the same antecedents.
func merged(t testing.TB, pts *instance.Points) *instance.Points {
	at := map[string]int{}
	var first []int
	m := *pts
	m.Weights = [][]int64{nil, nil}
	for i := range pts.Count {
		row := make([]byte, len(pts.Columns))
		for j, c := range pts.Columns {
			row[j] = byte(c[i/64] >> (i % 64) & 1)
		}
		k, ok := at[string(row)]
		if !ok {
			k = len(first)
			at[string(row)] = k
			first = append(first, i)
			m.Weights[0], m.Weights[1] = append(m.Weights[0], 0), append(m.Weights[1], 0)
		}
		m.Weights[0][k] += pts.Weights[0][i]
		m.Weights[1][k] += pts.Weights[1][i]
	}
	m.Count, m.Words = len(first), (len(first)+63)/64
	for c := range 2 {
		m.Weights[c] = append(m.Weights[c], make([]int64, 64*m.Words-m.Count)...)
	}
	m.Columns = nil
	for _, c := range pts.Columns {
		words := make([]uint64, m.Words)
		for k, i := range first {
			words[k/64] |= c[i/64] >> (i % 64) & 1 << (k % 64)
		}
		m.Columns = append(m.Columns, words)
	}
	return &m
}

// row is a line of the table of instances.
type row struct {
	name   string
	keep   int   // antecedents of most gain; 0: all
	length int64 // λ·2
	most   int   // rules; 0: no limit
	want   float64
}

// rows are instances that an independent program closed, with its log posterior
// where that is known (0 elsewhere).
var rows = []row{
	{"monks1", 0, 6, 0, -47.49},
	{"monks3", 0, 6, 0, -28.7635},
	{"bcancer", 200, 6, 0, -109.7676},
	{"votes", 50, 6, 0, 0},
	{"votes", 100, 6, 0, 0},
	{"haberman", 50, 6, 0, 0},
	{"tdata_R", 50, 6, 0, 0},
	{"compas_train", -1, 1, 0, -4098.0048},
	{"compas_train", -1, 6, 0, -4086.2113},
	{"compas_train", 30, 2, 0, 0},
	{"compas_train", 40, 2, 0, 0},
	{"ttt_train", 50, 20, 0, -86.6897},
	{"haberman", 200, 6, 3, 0},
	{"votes", 0, 6, 3, 0},
	{"compas_train", 0, 6, 3, 0},
	// Open there.
	{"compas_train", 0, 6, 4, 0},
	{"monks2", 20, 6, 0, 0},
	{"votes", 200, 6, 0, 0},
	{"haberman", 100, 6, 0, 0},
	{"tdata_R", 0, 6, 0, 0},
	{"ttt_train", 100, 20, 0, 0},
	{"compas_train", 50, 2, 0, 0},
	{"bcancer", 0, 6, 0, 0},
}

func (r row) load(t testing.TB) (*instance.Points, []int, Prior) {
	pts, cards := pointsOf(t, "corels/"+r.name+".out.gz")
	prior := usualPrior()
	prior.Length = ratio.New(r.length, 2)
	if r.keep >= 0 {
		pts, cards = strongest(t, pts, cards, r.keep)
		return pts, cards, prior
	}
	var single []int
	for j, c := range cards {
		if c == 1 {
			single = append(single, j)
		}
	}
	pts, cards = chosen(t, pts, cards, single)
	return pts, cards, prior
}

// TestTable closes instances: PARCORELS_BAYES=FROM-TO selects rows, with a colon
// and seconds behind it the limit of each.
func TestTable(t *testing.T) {
	which := os.Getenv("PARCORELS_BAYES")
	if which == "" {
		t.Skip("PARCORELS_BAYES is not set")
	}
	span, limit, _ := strings.Cut(which, ":")
	first, last, _ := strings.Cut(span, "-")
	from, _ := strconv.Atoi(first)
	to, _ := strconv.Atoi(last)
	seconds, _ := strconv.Atoi(limit)
	workers, err := strconv.Atoi(os.Getenv("PARCORELS_WORKERS"))
	if err != nil {
		workers = 1
	}
	runtime.GOMAXPROCS(workers)
	for _, r := range rows[from:min(to+1, len(rows))] {
		pts, cards, prior := r.load(t)
		before := cpuSeconds()
		got, err := Solve(context.Background(), pts, cards, Options{
			Prior: prior, Workers: workers, MaxRules: r.most, Time: time.Duration(seconds) * time.Second, Memory: 6 << 30})
		if err != nil {
			t.Fatal(err)
		}
		f := float64(got.Posterior) / float64(Unit)
		name := fmt.Sprintf("%s %d λ=%g most %d", r.name, len(cards), float64(r.length)/2, r.most)
		fmt.Printf("%-34s F %.4f rules %d gap %.3f %s, %d points, chains %.2f s, exact %.3f s, CPU %.2f s, %d expanded\n",
			name, f, len(got.Rules), nats(got.Bound-got.Posterior), got.Status, got.Points, got.Seconds.Chains, got.Seconds.Exact,
			cpuSeconds()-before, got.Expanded)
		if got.Status == status.Optimal && r.want != 0 && math.Abs(f-r.want) > 6e-3 {
			t.Errorf("%s: F = %.4f, want %.4f", name, f, r.want)
		}
	}
}

// cpuSeconds is what the process has used of all processors.
func cpuSeconds() float64 {
	sample := []metrics.Sample{{Name: "/cpu/classes/user:cpu-seconds"}}
	runtime.GC() // which brings the estimate up to date
	metrics.Read(sample)
	return sample[0].Value.Float64()
}
