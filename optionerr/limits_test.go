package optionerr_test

import (
	"errors"
	"testing"

	"parcorels/optionerr"
)

func TestLimits(t *testing.T) {
	for want, l := range map[string]optionerr.Limits{
		"": {Workers: 8, Time: 1, Nodes: 1, Memory: 1}, "Workers": {Workers: 9}, "Time": {Time: -1}, "Nodes": {Nodes: -1},
		"Memory": {Memory: -1},
	} {
		var bad *optionerr.Error
		if err := l.Check(8); errors.As(err, &bad) != (want != "") || bad != nil && bad.Field != want || want == "" && err != nil {
			t.Errorf("%+v: %v, expected the field %q", l, err, want)
		}
	}
	if (optionerr.Limits{Workers: -1}).Check(8) == nil {
		t.Error("-1 workers were accepted")
	}
}
