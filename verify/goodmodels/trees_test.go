package goodmodels_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"parcorels/ask/goodmodels/graph"
	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/internal/blockfile"
	"parcorels/internal/testing/prooftamper"
	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
	"parcorels/rules"
	"parcorels/verify/framing"
	"parcorels/verify/goodmodels"
)

// goodTrees is a set of good trees with its proof.
type goodTrees struct {
	set    *rules.Set
	lambda ratio.Ratio
	trees  *graph.Set
	proof  []byte
}

// randomTrees draws a table of two or three classes, and finds the trees within up to three leaves of the best.
func randomTrees(t testing.TB, seed uint64, most int) *goodTrees {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 26))
	var b strings.Builder
	features, classes := 1+r.IntN(most), 2+r.IntN(2)
	for f := range features {
		fmt.Fprintf(&b, "c%d,", f)
	}
	b.WriteString("w,y\n")
	for i := range 4 + r.IntN(30) {
		sum, last := 0, 0
		for range features {
			if r.IntN(5) > 0 { // else as the one before
				last = r.IntN(2)
			}
			sum += last
			fmt.Fprintf(&b, "%d,", last)
		}
		y := (sum + r.IntN(5)/4) % classes
		if i < classes {
			y = i
		}
		fmt.Fprintf(&b, "%d,k%d\n", 1+r.IntN(5), y)
	}
	o := dataset.Options{Multiclass: true, Ignore: []string{"w"}}
	if r.IntN(2) == 0 {
		o = dataset.Options{Multiclass: true, Weight: "w"}
	}
	d, err := dataset.ReadFrom(strings.NewReader(b.String()), "t.csv", o)
	if err != nil {
		t.Fatal(err)
	}
	set, err := rules.Mine(t.Context(), d, rules.Options{MaxCard: 1, MinSupport: ratio.New(0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	g := &goodTrees{set: set, lambda: ratio.New(1+r.Int64N(5), 20+r.Int64N(80))}
	g.prove(t, max(0, r.IntN(5)-1), ratio.New(r.Int64N(30), 10))
	return g
}

func (g *goodTrees) problem(t testing.TB, depth int) *graph.Problem {
	t.Helper()
	points, err := instance.PointsFromSet(g.set)
	if err != nil {
		t.Fatal(err)
	}
	p, err := graph.FromPoints(points, g.lambda)
	if err != nil {
		t.Fatal(err)
	}
	p.Trees, p.Depth = true, depth
	return p
}

// prove finds the trees within so many leaves of the least.
func (g *goodTrees) prove(t testing.TB, depth int, leaves ratio.Ratio) {
	t.Helper()
	p := g.problem(t, depth)
	threshold := p.Price
	for least, ok := int64(0), false; !ok; threshold *= 2 {
		all, err := graph.Build(t.Context(), p, threshold, graph.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if least, ok = all.Least(); ok {
			threshold = least + p.Price*leaves.Num/leaves.Den
			break
		}
	}
	g.proveWithin(t, depth, threshold)
}

func (g *goodTrees) proveWithin(t testing.TB, depth int, threshold int64) {
	t.Helper()
	var b bytes.Buffer
	var err error
	o := graph.Options{Proof: &graph.Proof{Proof: &blockfile.Proof{To: &b, Digest: g.set.Digest(), Settings: []byte("settings")},
		Lambda: g.lambda, Weight: g.set.Data.TotalWeight()}}
	if g.trees, err = graph.Build(t.Context(), g.problem(t, depth), threshold, o); err != nil {
		t.Fatal(err)
	}
	g.proof = b.Bytes()
}

func (g *goodTrees) check(t testing.TB, proof []byte) (*goodmodels.Result, *goodmodels.Proof, error) {
	t.Helper()
	p, err := goodmodels.Open(bytes.NewReader(proof))
	if err != nil {
		return nil, nil, err
	}
	r, err := p.Check(t.Context(), g.set, nil)
	return r, p, err
}

func (g *goodTrees) read(t testing.TB, proof []byte) (*graph.Set, error) {
	t.Helper()
	about := graph.Proof{Proof: &blockfile.Proof{Digest: g.set.Digest()}, Weight: g.set.Data.TotalWeight()}
	return graph.Read(bytes.NewReader(proof), about, true, func(lambda ratio.Ratio) (*graph.Problem, error) {
		points, err := instance.PointsFromSet(g.set)
		if err != nil {
			t.Fatal(err)
		}
		return graph.FromPoints(points, lambda)
	})
}

// TestTreesProofs checks proofs of random tables, and reads the trees back.
func TestTreesProofs(t *testing.T) {
	for seed := range uint64(some(1_000)) {
		g := randomTrees(t, seed, 5)
		want := g.trees.Count().Models()
		got, _, err := g.check(t, g.proof)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		least, _ := g.trees.Least()
		if got.Models.Cmp(want) != 0 || got.Objective != least || got.Threshold != g.trees.Threshold() {
			t.Fatalf("seed %d: %v trees from %d on, want %v from %d on", seed, got.Models, got.Objective, want, least)
		}
		again, err := g.read(t, g.proof)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if n := again.Count().Models(); n.Cmp(want) != 0 || again.States() != g.trees.States() || again.Threshold() != g.trees.Threshold() {
			t.Fatalf("seed %d: %v trees are read, %v were written", seed, n, want)
		}
		if a, b := fmt.Sprint(again.Flips()), fmt.Sprint(g.trees.Flips()); a != b {
			t.Fatalf("seed %d: what is read decides %s, what was written %s", seed, a, b)
		}
	}
}

// TestTreesMutations changes proofs: one that is still accepted must be true.
func TestTreesMutations(t *testing.T) {
	accepted, refused := 0, 0
	for seed := range uint64(some(100)) {
		g := randomTrees(t, seed, 4)
		r := rand.New(rand.NewPCG(seed, 27))
		for range 100 {
			mutant := prooftamper.Mutate(r, g.proof)
			if bytes.Equal(mutant, g.proof) {
				continue
			}
			_, _ = g.read(t, mutant) // nothing is asked of it but to end
			got, p, err := g.check(t, mutant)
			switch {
			case errors.Is(err, framing.ErrRefused), errors.Is(err, framing.ErrFormat):
				refused++
				continue
			case err != nil:
				t.Fatalf("seed %d: %v", seed, err)
			}
			accepted++
			truth := *g
			truth.lambda = p.About().Lambda
			truth.proveWithin(t, got.Depth, got.Threshold)
			if want := truth.trees.Count().Models(); got.Models.Cmp(want) != 0 {
				t.Fatalf("seed %d: a proof of %v trees within %d is accepted, there are %v", seed, got.Models, got.Threshold, want)
			}
		}
	}
	t.Logf("%d accepted, %d refused", accepted, refused)
	if refused == 0 {
		t.Errorf("%d accepted, %d refused", accepted, refused)
	}
}

// TestTreesOmissions leaves each state's last split out: what remains must be refused.
func TestTreesOmissions(t *testing.T) {
	omitted := 0
	for seed := range uint64(some(200)) {
		g := randomTrees(t, seed, 4)
		blocks := prooftamper.Blocks(g.proof)
		for i := range blocks {
			if blocks[i].Kind == framing.Records && len(blocks[i].Payload) > 2 { // the root has no split, and no state follows
				blocks[i].Payload = []byte{1, 0}
				omitted++
			}
		}
		if g.trees.States() == 1 {
			continue
		}
		if _, _, err := g.check(t, prooftamper.File(g.proof[:framing.MagicLength+4], blocks)); !errors.Is(err, framing.ErrRefused) {
			t.Fatalf("seed %d: a proof without splits is accepted: %v", seed, err)
		}
	}
	if omitted == 0 {
		t.Error("nothing was left out")
	}
}

// TestKnownTrees checks the proof of 708,663 trees of the papers' data.
func TestKnownTrees(t *testing.T) {
	d, err := dataset.Read(testgen.Data(t, "binary", "compas-binary.csv.gz"), dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	set, err := rules.Mine(t.Context(), d, rules.Options{MaxCard: 1, MinSupport: ratio.New(0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	g := &goodTrees{set: set, lambda: ratio.New(1, 100)}
	least := int64(100*2382 + 3*6907)
	g.proveWithin(t, 0, least*110/100)
	got, _, err := g.check(t, g.proof)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes, %d records", len(g.proof), got.Records)
	if got.Models.String() != "708663" || got.Objective != least {
		t.Errorf("%v trees from %d on, want 708663 from %d on", got.Models, got.Objective, least)
	}
}

func FuzzTrees(f *testing.F) {
	g := randomTrees(f, 3, 3)
	for _, b := range prooftamper.Blocks(g.proof) {
		f.Add(b.Kind, b.Payload)
	}
	f.Fuzz(func(t *testing.T, kind byte, payload []byte) {
		file := withBlock(g.proof, kind, payload)
		_, _, _ = g.check(t, file)
		_, _ = g.read(t, file)
	})
}
