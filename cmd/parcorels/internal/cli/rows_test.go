package cli

import (
	"fmt"
	"math/rand/v2"
	"os"
	"parcorels/internal/testing/must"
	"regexp"
	"strings"
	"testing"
)

// TestWeightsAreRows: a table with a column of numbers of rows gives the model of the table in which each row is
// repeated, byte for byte but for the name and the hash of the file and the column of weights.
func TestWeightsAreRows(t *testing.T) {
	t.Chdir(t.TempDir())
	differs := regexp.MustCompile(`"(source|hash|width)": .*|(?s)    \{\n +"name": "(weight|use|target)",\n.*?\},?\n`)
	for seed := range uint64(3) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var weighed, repeated strings.Builder
		weighed.WriteString("x,z,town,k,id,y,w\n")
		repeated.WriteString("x,z,town,k,id,y\n")
		for i := range 150 {
			x, town, y := rng.NormFloat64(), string(rune('a'+rng.IntN(4))), "no"
			if town == "a" && x > 0 || x+rng.NormFloat64()*0.7 > 0.8 {
				y = "yes"
			}
			row := fmt.Sprintf("%.3f,%.3f,%s,%d,%d,%s", x, rng.NormFloat64(), town, rng.IntN(20), i, y)
			times := 1 + rng.IntN(4)
			if seed == 2 {
				times = 2
			}
			fmt.Fprintf(&weighed, "%s,%d\n", row, times)
			repeated.WriteString(strings.Repeat(row+"\n", times))
		}
		write(t, map[string]string{"w.csv": weighed.String(), "r.csv": repeated.String()})
		for _, options := range []string{"", "--model tree", "--model tree --cuts all --depth 2", "--model set",
			"--model bayes --max-card 1 --iterations 300", "--class-weights 2,2",
			"--class-weights balanced", "--model set --class-weights balanced", "--model tree --class-weights 1,3"} {
			var models [2]string
			for i, args := range []string{"w.csv --target y --weight w", "r.csv --target y"} {
				done(t, "fit "+args+" --workers 1 --chance none --nodes 3000 -o m.json "+options)
				model := must.Get(os.ReadFile("m.json"))(t)
				models[i] = differs.ReplaceAllString(string(model), "")
			}
			if models[0] != models[1] {
				t.Errorf("seed %d, %s:\n%s\nrepeated\n%s", seed, options, models[0], models[1])
			}
		}
	}
}
