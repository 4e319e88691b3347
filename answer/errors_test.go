package answer

import (
	"strings"
	"testing"

	"parcorels/family"
	"parcorels/internal/testing/must"
)

// TestErrorsHaveUnits holds that errors are told in rows, and by weight where rows have weights.
func TestErrorsHaveUnits(t *testing.T) {
	const table = "x,w,y\na,.5,0\na,.5,0\nb,2,1\nb,.25,0\n"
	for _, read := range []family.Reading{{Weight: "w"}, {Ignore: []string{"w"}}} {
		data := must.Get(family.ReadFrom(strings.NewReader(table), "t.csv", read))(t)
		m := must.Get(family.Fit(t.Context(), data, family.Options{Lambda: "0", MaxRules: 1, MinSupport: "0"}))(t)
		want := errorsJSON{Errors: 1}
		if read.Weight != "" {
			want.Weight = .25
		}
		if got := wrongRows(m.Model); got != want {
			t.Errorf("%+v: %+v, want %+v", read, got, want)
		}
	}
}
