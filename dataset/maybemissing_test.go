package dataset

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestMaybeMissing: codes far from all other values, and words of missing values, get a note; values that are
// rare, near or in a list of the user do not.
func TestMaybeMissing(t *testing.T) {
	b := rowsOf("far,negative,near,rare,signed,many,word,y", 6000, func(i int) string {
		far, negative, near, rare, signed, many, word := i%50, i%90, i%101, i%70, i%40-20, float64(i)/7, "a"
		if i%40 == 0 {
			far, negative, signed, many, word = 999, -9, -9, -99999, "Unknown"
		}
		if i%2000 == 0 {
			rare = 9999
		}
		return fmt.Sprintf("%d,%d,%d,%d,%d,%.3f,%s,%d", far, negative, near, rare, signed, many, word, i%2)
	})
	const text = "values may mean missing, and are read as values (if they do, list them in option Missing, as they are written): "
	for _, c := range []struct {
		missing []string
		want    string // "" for no note
	}{
		{nil, text + `"far" (999), "negative" (-9), "many" (-99999), "word" ("Unknown")`},
		{[]string{"999"}, ""},
	} {
		read(t, b, Options{Missing: c.missing}) // cuts by the labels let go of the numbers
		d := read(t, b, Options{atQuantiles: true, Missing: c.missing})
		i := slices.IndexFunc(d.Notes, func(n string) bool { return strings.HasPrefix(n, "values may mean missing") })
		if i < 0 && c.want != "" || i >= 0 && d.Notes[i] != c.want {
			t.Errorf("missing %q: notes %q, want %q", c.missing, d.Notes, c.want)
		}
		if c.want != "" != slices.Equal(d.MaybeMissing, []string{"-9", "-99999", "999", "Unknown"}) {
			t.Errorf("missing %q: values %q", c.missing, d.MaybeMissing)
		}
	}
}
