package instance

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"parcorels/internal/testing/cases"
)

// TestPoints compares points of two to five classes with a map from rows to weights. Where there are two, the reduction is that of the
// samples, and each class of each point has a place of its weight.
func TestPoints(t *testing.T) {
	for seed := range uint64(cases.Some(600)) {
		r := rand.New(rand.NewPCG(seed, 11))
		s := drawSome(r, 2+max(0, r.IntN(7)-3))
		points, err := s.points()
		p := made(t, points, err)
		checkPoints(t, p, s)
		if s.classes > 2 {
			continue
		}
		in, err := s.instance()
		if !reflect.DeepEqual(reduced(p), made(t, in, err)) {
			t.Fatalf("seed %d: the reduction of the points is not that of the samples", seed)
		}
		checkSplit(t, p)
	}
}

func checkPoints(t *testing.T, p *Points, s samples) {
	t.Helper()
	rows, want := s.grouped()
	totals, total := make([]int64, p.Classes), int64(0)
	for i := range 64 * p.Words {
		row, weights := strings.Repeat("0", p.Antecedents), make([]int64, p.Classes)
		if i < len(rows) {
			row, weights = rows[i], want[rows[i]]
		}
		for c, w := range weights {
			totals[c] += w
			if total += w; p.Weights[c][i] != w {
				t.Fatalf("point %d weighs %d of class %d, want %d", i, p.Weights[c][i], c, w)
			}
		}
		if got := rowAt(p.Columns, i); got != row {
			t.Fatalf("point %d is %s, want %s", i, got, row)
		}
	}
	if p.Count != len(rows) || p.Samples != s.n() || p.Words != (len(rows)+63)/64 || len(p.Columns) != p.Antecedents ||
		p.Total != total || !slices.Equal(p.ClassTotals, totals) {
		t.Fatalf("%d points in %d words, total %d of %v; want %d, %d of %v", p.Count, p.Words, p.Total, p.ClassTotals, len(rows), total,
			totals)
	}
}

// TestRowsReduce compares instances of changed weights, of few different costs and of
// many, with those by all weights.
func TestRowsReduce(t *testing.T) {
	for seed := range uint64(cases.Some(100)) {
		r := rand.New(rand.NewPCG(seed, 9))
		p, err := drawSome(r, 2).points()
		points := made(t, p, err)
		other := *points
		other.Weights = [][]int64{make([]int64, 64*points.Words), make([]int64, 64*points.Words)}
		for c := range other.Weights {
			for i := range points.Count {
				other.Weights[c][i] = r.Int64N([]int64{2, 1000}[seed%2])
			}
		}
		sameInstance(t, points.Reduce(other.Weights[1], other.Weights[0]), reduced(&other))
	}
}

// reduced returns the instance of points of any number of classes.
func reduced(p *Points) *Instance {
	in, k := &Instance{Samples: p.Samples, Total: p.Total, Weight1: p.ClassTotals[1], Antecedents: p.Antecedents}, *p.keys
	for i := range p.Count {
		for c := range p.Classes {
			k.weights = append(k.weights, p.Weights[c][i])
		}
	}
	in.lay(&k)
	return in
}

// checkSplit checks that each class of each point has a place of its weight, with the point's column bits, and that there are no
// other places.
func checkSplit(t *testing.T, p *Points) {
	t.Helper()
	in, at := p.Split()
	places, sum := 0, int64(0)
	for c := range 2 {
		for i := range p.Count {
			k := at[c][i]
			if (k >= 0) != (p.Weights[c][i] > 0) {
				t.Fatalf("point %d has %d of class %d and the place %d", i, p.Weights[c][i], c, k)
			}
			if k < 0 {
				continue
			}
			places++
			if in.Costs[k] != p.Weights[c][i] || (k < 64*in.Words1) != (c == 1) || rowAt(in.Columns, k) != rowAt(p.Columns, i) {
				t.Fatalf("class %d of point %d weighs %d at place %d", c, i, in.Costs[k], k)
			}
		}
	}
	for _, c := range in.Costs {
		sum += c
	}
	if places != in.Points || sum != p.Total {
		t.Fatalf("%d places of %d, weight %d of %d", places, in.Points, sum, p.Total)
	}
}

// TestRefused: an instance and points are of samples that there can be.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		weights []int64
		says    string
	}{
		{[]int64{1, 0}, "sample 1 has weight 0"},
		{[]int64{-7, 1}, "sample 0 has weight -7"},
		{[]int64{MaxTotal, 1}, "2^62"},
		{[]int64{1 << 61, 1 << 62}, "2^62"},
		{[]int64{MaxTotal - 1, 1}, ""},
	} {
		s := &tableSamples{of: []uint16{0, 1}, classes: 3, weights: c.weights}
		_, err := s.points()
		_, err2 := s.instance(false)
		for _, err := range []error{err, err2} {
			if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("%+v: error %v, want one that says %q", c, err, c.says)
			}
		}
	}
}
