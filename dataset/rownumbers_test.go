package dataset

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestMeasuresThatDiffer: whole numbers that differ in nearly every row are a measure where chance
// explains that, and ids where it does not, or where they have the name or the order of ids.
func TestMeasuresThatDiffer(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	const n = 400
	drawn := rng.Perm(2 * n)
	b := rowsOf("micron,cents,account_id,drawn,falling,y", n, func(i int) string {
		cents := int(100 * math.Exp(10+rng.NormFloat64()))
		return fmt.Sprintf("%d,%d,%d,%d,%d,%d", 1_000_000+rng.IntN(50*n), cents, cents+1, drawn[i], 7*(n-i), i%2)
	})
	d := read(t, b, Options{atQuantiles: true})
	for column, used := range map[string]bool{"micron": true, "cents": true, "account_id": false, "drawn": false, "falling": false} {
		if slices.ContainsFunc(d.Features, func(f Feature) bool { return f.Column == column }) != used {
			t.Errorf("%s: used %v, want %v", column, !used, used)
		}
	}
	want := `numbers differ in nearly every row, and are read as a measure (if they are ids, leave them out, as option Ignore does): "micron", "cents"`
	if !slices.Contains(d.Notes, want) {
		t.Errorf("notes %q", d.Notes)
	}
}

// TestNamesID: a heading that only ends in these letters is no id.
func TestNamesID(t *testing.T) {
	for heading, want := range map[string]bool{"id": true, "ID": true, "patient_id": true, "Store ID": true, "userId": true,
		"patientID": true, "covid": false, "PID": false, "d": false, "": false, "Madrid": false} {
		if got := namesID(heading); got != want {
			t.Errorf("%q: %v", heading, got)
		}
	}
}
