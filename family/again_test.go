package family

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/bits-and-blooms/bitset"

	"parcorels/internal/testing/must"
	"parcorels/model"
)

// TestRelabelling: where labels do not choose the antecedents, the problem of shuffled labels is
// made of the points that are known, and is the one that would be made of the samples.
func TestRelabelling(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	var words, numbers [][]string
	for range 80 {
		row := []string{fmt.Sprint("a", rng.IntN(4)), fmt.Sprint("b", rng.IntN(3)), fmt.Sprint("c", rng.IntN(2))}
		words = append(words, append(row[:3:3], fmt.Sprint(rng.IntN(2))))
		numbers = append(numbers, append(row[:2:2], fmt.Sprint(rng.IntN(50)), fmt.Sprint(rng.IntN(2))))
	}
	for _, c := range []struct {
		rows   [][]string
		o      Options
		r      Reading
		reused bool
	}{
		{words, Options{}, Reading{}, true},
		{words, Options{Family: model.Tree}, Reading{}, true},
		{words, Options{}, Reading{ClassWeights: "balanced"}, false},
		{words, Options{MaxAntecedents: 10}, Reading{}, false},
		{words, Options{Family: model.RuleSet}, Reading{}, false},
		{numbers, Options{}, Reading{}, false},
	} {
		data := must.Get(Table([]string{"x", "y", "z", "label"}, c.rows, c.r))(t)
		p := must.Get(NewProblem(t.Context(), data, c.o))(t)
		again := must.Get(p.Relabelling(c.o))(t)
		for seed := range uint64(5) {
			d := *data.Dataset
			d.ClassOf = nil
			for _, from := range rand.New(rand.NewPCG(seed, 1)).Perm(d.N) {
				d.ClassOf = append(d.ClassOf, data.ClassOf[from])
			}
			other := d.Recut(bitset.New(uint(d.N)).FlipRange(0, uint(d.N)), &d)
			if again.knows(other) != c.reused {
				t.Fatalf("%+v: known points are used: %v", c.o, !c.reused)
			}
			got := must.Get(again.problem(t.Context(), other))(t)
			want := must.Get(NewProblem(t.Context(), &Data{other, c.r}, c.o))(t)
			if !reflect.DeepEqual(got.instance, want.instance) || !reflect.DeepEqual(got.points, want.points) {
				t.Fatalf("%+v, seed %d: the problem is another one", c.o, seed)
			}
		}
	}
}
