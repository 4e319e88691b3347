package instance

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/bits-and-blooms/bitset"
)

// samples is a small data set as a person would write it down.
type samples struct {
	columns []*bitset.BitSet
	classOf []uint16
	classes int
	weights []int64 // nil: 1 each
}

// drawSamples draws n samples of a pool of rows, so that some are alike and disagree on labels.
func drawSamples(r *rand.Rand, n, antecedents, classes, pool int) samples {
	s := samples{columns: make([]*bitset.BitSet, antecedents), classes: classes}
	row := make([]int, n)
	for i := range row {
		row[i] = r.IntN(pool)
		s.classOf = append(s.classOf, uint16((row[i]+max(0, r.IntN(8)-4))%classes))
	}
	for a := range s.columns {
		s.columns[a] = bitset.New(uint(n))
		holds, share := make([]bool, pool), 1+r.IntN(3)
		for k := range holds {
			holds[k] = r.IntN(4) < share
		}
		for i, k := range row {
			s.columns[a].SetTo(uint(i), holds[k])
		}
	}
	if most := int64(1) << r.IntN(40); r.IntN(2) == 0 {
		for range n {
			s.weights = append(s.weights, 1+r.Int64N(most))
		}
	}
	return s
}

// drawSome is drawSamples of any number and many columns.
func drawSome(r *rand.Rand, classes int) samples {
	n := 1 + r.IntN(400)
	return drawSamples(r, n, r.IntN(140), classes, 1+r.IntN(n))
}

func (s samples) n() int { return len(s.classOf) }

func (s samples) weight(i int) int64 {
	if s.weights == nil {
		return 1
	}
	return s.weights[i]
}

func (s samples) table() *tableSamples {
	return &tableSamples{antecedents: len(s.columns), columns: wordsOf(s.columns), of: s.classOf, classes: s.classes, weights: s.weights}
}

func (s samples) instance() (*Instance, error) { return s.table().instance(false) }

func (s samples) points() (*Points, error) {
	p, err := s.table().points()
	return p.WithColumns(), err
}

// grouped returns by definition the rows of the points, in the order of their first samples, and their weights by class.
func (s samples) grouped() (rows []string, weights map[string][]int64) {
	weights = map[string][]int64{}
	for i, c := range s.classOf {
		row := make([]byte, len(s.columns))
		for a, column := range s.columns {
			row[a] = '0'
			if column.Test(uint(i)) {
				row[a] = '1'
			}
		}
		if weights[string(row)] == nil {
			rows, weights[string(row)] = append(rows, string(row)), make([]int64, s.classes)
		}
		weights[string(row)][c] += s.weight(i)
	}
	return rows, weights
}

// rowAt returns the bits of columns at a place.
func rowAt(columns [][]uint64, i int) string {
	var row strings.Builder
	for _, c := range columns {
		row.WriteByte('0' + byte(c[i/64]>>(i%64)&1))
	}
	return row.String()
}

// made returns what was made without an error.
func made[T any](t *testing.T, x T, err error) T {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// sameInstance compares what instances say of points.
func sameInstance(t *testing.T, a, b *Instance) {
	t.Helper()
	x, y := *a, *b
	for _, in := range []*Instance{&x, &y} {
		in.Samples, in.Total, in.Weight1, in.Base = 0, 0, 0, 0
	}
	if !reflect.DeepEqual(x, y) {
		t.Fatalf("the instance is %s, want %s", fmt.Sprintf("%+v", x), fmt.Sprintf("%+v", y))
	}
}
