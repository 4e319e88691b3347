package testgen

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"parcorels/internal/testing/cases"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"parcorels/internal/testing/oracle"
	"parcorels/ratio"
)

func TestSameSeedSameInstance(t *testing.T) {
	for _, generate := range []Generator{Small, Ties, Nearly, Knotty, Symmetric, Wide, Medium, Table} {
		for seed := range uint64(20) {
			a, b := generate(seed), generate(seed)
			if !reflect.DeepEqual(a, b) {
				t.Fatalf("%s seed %d gives two instances", a.Family, seed)
			}
			if reflect.DeepEqual(a, generate(seed+1)) {
				t.Errorf("%s seeds %d and %d give the same instance", a.Family, seed, seed+1)
			}
		}
	}
}

func TestInstancesAreProblems(t *testing.T) {
	for _, generate := range []Generator{Small, Ties, Nearly, Knotty, Symmetric, Wide, Medium, Table} {
		for seed := range uint64(Few(100)) {
			in := generate(seed)
			if err := in.Check(); err != nil || !in.Lambda.Within() || len(in.Labels) == 0 {
				t.Errorf("%s seed %d: λ = %v, %v", in.Family, seed, in.Lambda, err)
			}
		}
	}
}

// TestSmallReaches asks that the generator reaches what it is for.
func TestSmallReaches(t *testing.T) {
	seeds := Few(max(500, cases.Some(1500)))
	seen := map[string]int{}
	for seed := range uint64(seeds) {
		in := Small(seed)
		best, err := in.Best()
		if err != nil {
			t.Fatal(err)
		}
		seen["length "+strconv.Itoa(len(best.Antecedents))]++
		if in.Weights != nil {
			seen["weights"]++
		}
		if best.Errors > 0 {
			seen["errors that stay"]++
		}
		if !slices.Contains(in.Labels, true) || !slices.Contains(in.Labels, false) {
			seen["one class"]++
		}
		if ties(t, in, best.Antecedents) {
			seen["ties with the reversed columns"]++
		}
	}
	t.Log(seen)
	for _, what := range []string{
		"length 0", "length 1", "length 2", "length 3", "length 4", "length 5",
		"weights", "errors that stay", "one class", "ties with the reversed columns",
	} {
		if seen[what] < max(1, seeds/500) {
			t.Errorf("%s: %d of %d instances", what, seen[what], seeds)
		}
	}
}

// TestWideIsWithinReach asks that the oracle never has much to do.
func TestWideIsWithinReach(t *testing.T) {
	long, words, seeds := 0, 0, max(100, cases.Some(500))
	for seed := range uint64(seeds) {
		in := Wide(seed)
		best, err := in.Best()
		if err != nil {
			t.Fatal(err)
		}
		most := 1.0
		for k := range int64(len(in.Columns)) {
			if in.Lambda.Num*in.Total()*(k+1) <= in.Lambda.Den*minority(in.Problem) {
				most *= float64(int64(len(in.Columns)) - k)
			}
		}
		if most > 1e6 {
			t.Errorf("seed %d has %.0f lists", seed, most)
		}
		if len(best.Antecedents) > 1 {
			long++
		}
		if len(in.Labels) > 128 {
			words++
		}
	}
	if long < seeds/20 || words < seeds/5 {
		t.Errorf("of %d optimal lists %d are longer than a rule; %d instances have more than 128 samples", seeds, long, words)
	}
}

// TestKnottyIsWithinReach asks that the oracle has at most 110,000 lists to
// look at, and that most of the optimal ones are of several rules.
func TestKnottyIsWithinReach(t *testing.T) {
	long, seeds := 0, max(20, cases.Some(60))
	for seed := range uint64(seeds) {
		in := Knotty(seed)
		best, err := in.Best()
		if err != nil {
			t.Fatal(err)
		}
		if len(in.Columns) > 8 {
			t.Errorf("seed %d has %d antecedents", seed, len(in.Columns))
		}
		if len(best.Antecedents) > 2 {
			long++
		}
	}
	if long < seeds/2 {
		t.Errorf("of %d optimal lists %d have more than two rules", seeds, long)
	}
}

// minority returns the weight of the lighter class.
func minority(p oracle.Problem) int64 {
	p.Columns = nil
	empty, err := p.Evaluate(nil)
	if err != nil {
		return 0
	}
	return empty.Errors
}

// ties reports whether another list has the objective and the length of the
// optimum: with the antecedents in reverse order, it may come first.
func ties(t *testing.T, in Instance, optimum []int) bool {
	t.Helper()
	last := len(in.Columns) - 1
	in.Columns = slices.Clone(in.Columns)
	slices.Reverse(in.Columns)
	best, err := in.Best()
	if err != nil {
		t.Fatal(err)
	}
	for k, j := range best.Antecedents {
		if optimum[k] != last-j {
			return true
		}
	}
	return false
}

func TestTransforms(t *testing.T) {
	for _, transform := range Transforms {
		t.Run(transform.Name, func(t *testing.T) {
			changed, seeds := 0, cases.Some(Few(150))
			for seed := range uint64(seeds) {
				in := Small(seed)
				best, err := in.Best()
				if err != nil {
					t.Fatal(err)
				}
				other, want := transform.Apply(source("transforms", seed), in, best.Antecedents)
				got, err := other.Best()
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(got.Antecedents, want) {
					t.Fatalf("%v\nhas the optimum %v, but\n%v\nhas %v and not %v", in, best.Antecedents, other, got.Antecedents, want)
				}
				if !reflect.DeepEqual(in, Small(seed)) {
					t.Fatalf("the instance of seed %d itself was changed", seed)
				}
				if !reflect.DeepEqual(in.Problem, other.Problem) {
					changed++
				}
			}
			if changed < seeds/3 {
				t.Errorf("changed %d of %d instances", changed, seeds)
			}
		})
	}
}

func TestPermuteAntecedents(t *testing.T) {
	for seed := range uint64(cases.Some(300)) {
		in := Small(seed)
		a, err := in.Best()
		if err != nil {
			t.Fatal(err)
		}
		other := PermuteAntecedents(rand.New(rand.NewPCG(seed, 0)), in)
		b, err := other.Best()
		if err != nil {
			t.Fatal(err)
		}
		if a.Objective != b.Objective || len(a.Antecedents) != len(b.Antecedents) {
			t.Fatalf("%v\nhas %+v, but\n%v\nhas %+v", in, a, other, b)
		}
	}
}

// TestStringIsGo reads the instance back from the Go expression.
func TestStringIsGo(t *testing.T) {
	for seed := range uint64(cases.Some(200)) {
		in := Small(seed)
		expr, err := parser.ParseExpr(in.String())
		if err != nil {
			t.Fatalf("%v\n%v", err, in)
		}
		read := Instance{Family: in.Family, Seed: in.Seed}
		ast.Inspect(expr, func(n ast.Node) bool {
			if field, ok := n.(*ast.KeyValueExpr); ok {
				readField(t, &read, field)
			}
			return true
		})
		if !slices.EqualFunc(read.Columns, in.Columns, slices.Equal) || !slices.Equal(read.Labels, in.Labels) ||
			!slices.Equal(read.Weights, in.Weights) || read.Lambda != in.Lambda {
			t.Fatalf("%v\nreads as\n%v", in, read)
		}
	}
}

func readField(t *testing.T, in *Instance, field *ast.KeyValueExpr) {
	t.Helper()
	var texts []string
	var numbers []int64
	ast.Inspect(field.Value, func(n ast.Node) bool {
		literal, ok := n.(*ast.BasicLit)
		if !ok {
			return true
		}
		var err error
		if literal.Kind == token.STRING {
			var s string
			s, err = strconv.Unquote(literal.Value)
			texts = append(texts, s)
		} else {
			var x int64
			x, err = strconv.ParseInt(literal.Value, 0, 64)
			numbers = append(numbers, x)
		}
		if err != nil {
			t.Fatal(err)
		}
		return true
	})
	switch field.Key.(*ast.Ident).Name {
	case "Columns":
		in.Columns = Columns(texts...)
	case "Labels":
		in.Labels = Bits(texts[0])
	case "Weights":
		in.Weights = numbers
	case "Lambda":
		in.Lambda = ratio.Ratio{Num: numbers[0], Den: numbers[1]}
	}
}
