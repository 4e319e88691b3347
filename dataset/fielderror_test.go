package dataset

import (
	"errors"
	"math"
	"strings"
	"testing"

	"parcorels/optionerr"
)

// TestFieldErrors: what is wrong with options is told by field, without the
// names that a program has for them.
func TestFieldErrors(t *testing.T) {
	const table = "a,b,b,y\n1,2,3,0\n2,3,1,1\n3,1,2,2\n"
	for _, c := range []struct {
		name  string
		o     Options
		field string
	}{
		{"t.csv", Options{Comma: '"'}, "Comma"},
		{"t.csv", Options{Bins: 1}, "Bins"},
		{"t.csv", Options{ClassWeights: "x"}, "ClassWeights"},
		{"t.csv", Options{Cuts: map[string][]float64{"a": {math.NaN()}}}, "Cuts"},
		{"t.csv", Options{Cuts: map[string][]float64{"z": {1}}}, "Cuts"},
		{"t.csv", Options{Cuts: map[string][]float64{"y": {1}}}, "Cuts"},
		{"t.csv", Options{Target: "z"}, "Target"},
		{"t.csv", Options{Target: "b"}, "Target"},
		{"t.csv", Options{Weight: "z"}, "Weight"},
		{"t.csv", Options{Weight: "y"}, "Weight"},
		{"t.csv", Options{Ignore: []string{"z"}}, "Ignore"},
		{"t.csv", Options{Ignore: []string{"y"}}, "Ignore"},
		{"t.csv", Options{}, "Positive"},
		{"t.csv", Options{Positive: "9"}, "Positive"},
		{"t.csv", Options{Labels: "l"}, "Labels"},
		{"t.out", Options{DropMissing: true}, "DropMissing"},
	} {
		_, err := ReadFrom(strings.NewReader(table), c.name, c.o)
		var wrong *optionerr.Error
		if !errors.As(err, &wrong) || wrong.Field != c.field {
			t.Errorf("%+v: error %v of field %+v, want %s", c.o, err, wrong, c.field)
		}
		if err != nil && strings.Contains(err.Error(), "--") {
			t.Errorf("%v names a flag", err)
		}
	}
}
