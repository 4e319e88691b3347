package dataset

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"parcorels/internal/cases"
)

// scored makes a table of floats, whole numbers, codes and texts, some missing, whose labels depend on them.
func scored(r *rand.Rand, rows, classes int) (columns []typed) {
	score := make([]float64, rows)
	for i := range 2 + r.IntN(5) {
		c := typed{name: fmt.Sprintf("c%d", i), kind: []string{"float64", "float64", "int32", "int8", "text"}[r.IntN(5)]}
		if i == 0 {
			c.kind = "float64"
		}
		spread := []float64{9, 40, 300, 3000, 1e6}[r.IntN(5)]
		way := float64(1 - 2*r.IntN(2))
		for row := range rows {
			u := r.NormFloat64()
			switch v := math.Round(spread*u) * way; {
			case c.kind == "int8": // codes, whose order is of no help
				v = float64(r.IntN(8))
				c.numbers, u = append(c.numbers, v), 3*math.Mod(v, 2)-1.5
			case c.kind == "text":
				c.texts = append(c.texts, fmt.Sprint(math.Round(u*2)))
			case c.kind == "float64" && i%2 == 0 && r.IntN(30) == 0:
				v, u = math.NaN(), 0
				c.numbers = append(c.numbers, v)
			case c.kind == "float64" && i%3 == 0 && r.IntN(300) == 0:
				c.numbers = append(c.numbers, math.Inf(int(way)))
			case c.kind == "float64":
				c.numbers = append(c.numbers, v/8)
			default:
				c.numbers = append(c.numbers, v)
			}
			score[row] += u / float64(i+1)
		}
		columns = append(columns, c)
	}
	weight, label := typed{name: "w", kind: "float64"}, typed{name: "y", kind: "text"}
	for _, s := range score {
		class := int(math.Floor(s + .8*r.NormFloat64() + .5))
		label.texts = append(label.texts, fmt.Sprint("class", max(0, min(classes-1, class))))
		weight.numbers = append(weight.numbers, float64(1+r.IntN(9))/4)
	}
	return append(columns, weight, label)
}

// TestLabelsFirst: a table whose labels and weights come first, so that cells are let go of as the columns come, is the
// one that is read in the order of the columns. Some have more rows than cuts are chosen by.
func TestLabelsFirst(t *testing.T) {
	t.Parallel()
	features, large := 0, 0
	for seed := range uint64(max(30, cases.Some(90))) {
		r := rand.New(rand.NewPCG(seed, 53))
		rows, classes := alwaysKept+1+r.IntN(9000), 2+int(seed%3)
		isLarge := seed%15 == 7 && !testing.Short()
		if isLarge {
			rows = cutSamples + 5000
			large++
		}
		columns := scored(r, rows, classes)
		n := len(columns)
		o := Options{
			Multiclass: true, NoHash: true, Bins: r.IntN(3) * 4, CutsBy: []CutsBy{ByLabel, ByLabel, ByInformation, ByQuantile}[r.IntN(4)],
			ClassWeights: []string{"", "", "balanced"}[r.IntN(3)], DropMissing: r.IntN(8) == 0, Ordered: map[string][]string{},
		}
		if r.IntN(4) == 0 {
			o.Numeric = Intervals
		}
		if isLarge {
			o.CutsBy, o.DropMissing, o.Numeric = ByLabel, false, []Numeric{Thresholds, Intervals}[large%2]
		}
		if r.IntN(3) == 0 {
			o.Weight = "w"
		}
		if r.IntN(6) == 0 {
			o.Cuts = map[string][]float64{"c0": {-1, 0, 2.5}}
		}
		want, wantErr := ReadFrom(bytes.NewReader(encodeColumns(t, "", rows, columns)), "t", o)
		got, err := ReadFrom(bytes.NewReader(encodeColumns(t, "", rows, columns, n-1, n-2)), "t", o)
		if fmt.Sprint(err) != fmt.Sprint(wantErr) || !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: %d rows, %+v: %v\n%+v, in the order of columns %v\n%+v", seed, rows, o, err, got, wantErr, want)
		}
		if err == nil {
			features += len(got.Features)
		}
	}
	if features < 600 || large < 2 && !testing.Short() {
		t.Errorf("%d features, %d large tables", features, large)
	}
}

// TestCellsOfColumnsAreLetGo: columns of 8 bytes a cell take one, whether all rows choose cuts or a sample.
func TestCellsOfColumnsAreLetGo(t *testing.T) {
	for _, rows := range []int{20_000, cutSamples + 5000} {
		if rows > cutSamples && testing.Short() {
			continue
		}
		r := rand.New(rand.NewPCG(uint64(rows), 1))
		columns := make([]typed, 9)
		for i := range columns {
			columns[i] = typed{name: fmt.Sprint("c", i), kind: "float64"}
			for range rows {
				columns[i].numbers = append(columns[i].numbers, r.NormFloat64())
			}
		}
		y := &columns[8]
		y.name = "y"
		for row := range y.numbers {
			y.numbers[row] = 0
			if columns[0].numbers[row]+columns[1].numbers[row]*columns[2].numbers[row]+r.NormFloat64() > .5 {
				y.numbers[row] = 1
			}
		}
		o := Options{NoHash: true, Memory: int64(rows) * 24} // that of a block may be half
		if _, err := ReadFrom(bytes.NewReader(encodeColumns(t, "", rows, columns, 8)), "t", o); err != nil {
			t.Errorf("%d rows: %v", rows, err)
		}
		if _, err := ReadFrom(bytes.NewReader(encodeColumns(t, "", rows, columns)), "t", o); err == nil || !strings.Contains(err.Error(), "memory") {
			t.Errorf("%d rows in the order of columns: %v, expected too much memory", rows, err)
		}
	}
}
