package cli

import (
	"fmt"
	"math/rand/v2"
	"os"
	"parcorels/internal/testing/must"
	"path/filepath"
	"strings"
	"testing"
)

// TestChanceCutsAnew: numbers of more rows than are always kept are cut for each shuffle, so that labels without meaning are
// seldom better than chance.
func TestChanceCutsAnew(t *testing.T) {
	better := 0
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 6))
		var b strings.Builder
		b.WriteString("u,v,w,x,y\n")
		for i := range 2000 {
			fmt.Fprintf(&b, "%.4f,%.4f,%.4f,%.4f,%t\n", rng.Float64(), rng.Float64(), rng.Float64(), rng.Float64(), i < 30)
		}
		file := filepath.Join(t.TempDir(), "noise.csv")
		must.Do(t, os.WriteFile(file, []byte(b.String()), 0o600))
		status, out, err := run("fit", file, "--class-weights", "balanced", "--lambda", "0.05", "--quiet", "--chance", "19")
		if status != 0 {
			t.Fatal(err)
		}
		if strings.Contains(out, "\nbetter than chance") {
			better++
		}
	}
	if better > 2 { // one in 20 is to be expected
		t.Errorf("%d of 8 tables of noise are better than chance", better)
	}
}
