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
	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/prooftamper"
	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
	"parcorels/rules"
	"parcorels/verify/framing"
	"parcorels/verify/goodmodels"
)

// randomSet draws a small table of at most so many columns and of so many classes, with conditions of at most card literals.
func randomSet(t testing.TB, r *rand.Rand, most, classes, card int) *rules.Set {
	return testgen.Mined(t, r, 1+r.IntN(most), classes, rules.Options{MaxCard: card, MinSupport: ratio.New(0, 1), Budget: 12})
}

// good is all good lists of a table, or all good trees, with a proof.
type good struct {
	set    *rules.Set
	lambda ratio.Ratio
	trees  bool
	depth  int    // of trees
	inside []bool // of limits
	found  *graph.Set
	proof  []byte
}

// kinds are lists and trees.
var kinds = map[string]bool{"lists": false, "trees": true}

// randomGood draws a table of two to four classes, and finds the models up to three rules or leaves above the least.
func randomGood(t testing.TB, seed uint64, most int, trees bool) *good {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 20))
	g := &good{lambda: ratio.New(1+r.Int64N(5), 20+r.Int64N(80)), trees: trees}
	if trees {
		g.set, g.depth = randomSet(t, r, most+1, 2+int(seed%2), 1), max(0, r.IntN(5)-1)
	} else {
		g.set = randomSet(t, r, most, 2+int(seed%3), 1+r.IntN(2))
	}
	g.prove(t, g.threshold(t, ratio.New(r.Int64N(30), 10)))
	return g
}

func (g *good) problem(t testing.TB) *graph.Problem {
	t.Helper()
	p := must.Get(g.problemOf(g.lambda))(t)
	p.Trees, p.Depth = g.trees, g.depth
	return p
}

func (g *good) problemOf(lambda ratio.Ratio) (*graph.Problem, error) {
	points, err := instance.PointsFromSet(g.set)
	if err != nil {
		return nil, err
	}
	return graph.FromPoints(points, lambda)
}

// threshold is so many rules or leaves above the least.
func (g *good) threshold(t testing.TB, more ratio.Ratio) int64 {
	t.Helper()
	p := g.problem(t)
	for most := p.Price; ; most *= 2 { // the least of all is in the first set that is not empty
		all := must.Get(graph.Build(t.Context(), p, most, graph.Options{}))(t)
		if least, ok := all.Least(); ok {
			return least + p.Price*more.Num/more.Den
		}
	}
}

// options ask for a proof.
func (g *good) options(to *bytes.Buffer) graph.Options {
	return graph.Options{Workers: 1, Proof: &graph.Proof{Proof: &blockfile.Proof{To: to, Digest: g.set.Digest(),
		Settings: []byte("settings")}, Lambda: g.lambda, Weight: g.set.Data.TotalWeight()}}
}

// prove finds the models within a threshold.
func (g *good) prove(t testing.TB, threshold int64) {
	t.Helper()
	var b bytes.Buffer
	var err error
	if g.found, err = graph.Build(t.Context(), g.problem(t), threshold, g.options(&b)); err != nil {
		t.Fatal(err)
	}
	g.proof = b.Bytes()
}

func (g *good) check(t testing.TB, proof []byte) (*goodmodels.Result, *goodmodels.Proof, error) {
	t.Helper()
	p, err := goodmodels.Open(bytes.NewReader(proof))
	if err != nil {
		return nil, nil, err
	}
	r, err := p.Check(t.Context(), g.set, g.inside)
	return r, p, err
}

// read reads the graph without a check.
func (g *good) read(proof []byte) (*graph.Set, error) {
	about := graph.Proof{Proof: &blockfile.Proof{Digest: g.set.Digest()}, Weight: g.set.Data.TotalWeight()}
	return graph.Read(bytes.NewReader(proof), about, g.trees, g.problemOf)
}

// without returns the proof with other records.
func (g *good) without(records []byte) []byte {
	blocks := prooftamper.Blocks(g.proof)
	for i := range blocks {
		if blocks[i].Kind == framing.Records {
			blocks[i].Payload = records
		}
	}
	return prooftamper.File(g.proof[:framing.MagicLength+4], blocks)
}

// TestProofs checks proofs of random tables, asks for the same count, and reads the models back.
func TestProofs(t *testing.T) {
	for kind, trees := range kinds {
		for seed := range uint64(cases.Short(1_500)) {
			g := randomGood(t, seed, 4, trees)
			want := g.found.Count().Models()
			got, _, err := g.check(t, g.proof)
			if err != nil {
				t.Fatalf("%s, seed %d: %v", kind, seed, err)
			}
			least, _ := g.found.Least()
			if got.Models.Cmp(want) != 0 || got.Objective != least || got.Threshold != g.found.Threshold() {
				t.Fatalf("seed %d: %v %s from %d on, want %v from %d on", seed, got.Models, kind, got.Objective, want, least)
			}
			again, err := g.read(g.proof)
			if err != nil {
				t.Fatalf("%s, seed %d: %v", kind, seed, err)
			}
			if n := again.Count().Models(); n.Cmp(want) != 0 || again.States() != g.found.States() ||
				again.Threshold() != g.found.Threshold() {
				t.Fatalf("seed %d: %v %s are read, %v were written", seed, n, kind, want)
			}
			if a, b := fmt.Sprint(again.Flips()), fmt.Sprint(g.found.Flips()); a != b {
				t.Fatalf("%s, seed %d: what is read decides %s, what was written %s", kind, seed, a, b)
			}
		}
	}
}

// TestMutations changes proofs: one that is still accepted must be true.
func TestMutations(t *testing.T) {
	for kind, trees := range kinds {
		accepted, refused := 0, 0
		for seed := range uint64(cases.Short(100)) {
			g := randomGood(t, seed, 3, trees)
			r := rand.New(rand.NewPCG(seed, 21))
			for range 100 {
				mutant := prooftamper.Mutate(r, g.proof)
				if bytes.Equal(mutant, g.proof) {
					continue
				}
				_, _ = g.read(mutant) // nothing is asked of it but to end
				got, p, err := g.check(t, mutant)
				switch {
				case errors.Is(err, framing.ErrRefused), errors.Is(err, framing.ErrFormat):
					refused++
					continue
				case err != nil:
					t.Fatalf("%s, seed %d: %v", kind, seed, err)
				}
				accepted++
				truth := *g
				truth.lambda, truth.depth = p.About().Lambda, got.Depth // the mutant may be about others
				truth.prove(t, got.Threshold)
				if want := truth.found.Count().Models(); got.Models.Cmp(want) != 0 {
					t.Fatalf("seed %d: a proof of %v %s within %d is accepted, there are %v", seed, got.Models, kind, got.Threshold, want)
				}
			}
		}
		if t.Logf("%s: %d accepted, %d refused", kind, accepted, refused); refused == 0 {
			t.Error("none was refused")
		}
	}
}

// TestOmissions leaves records out, or all splits: what remains must be refused.
func TestOmissions(t *testing.T) {
	for kind, trees := range kinds {
		omitted := 0
		for seed := range uint64(cases.Short(200)) {
			g := randomGood(t, seed, 4, trees)
			for _, records := range [][]byte{nil, {1, 0}} { // the root has no split, and no state follows
				if g.found.States() == 1 && records != nil {
					continue
				}
				omitted++
				if _, _, err := g.check(t, g.without(records)); !errors.Is(err, framing.ErrRefused) {
					t.Fatalf("%s, seed %d: a proof with records %v is accepted: %v", kind, seed, records, err)
				}
			}
		}
		if omitted == 0 {
			t.Error("nothing was left out")
		}
	}
}

// TestKnownProofs checks proofs of all good models of the papers' data.
func TestKnownProofs(t *testing.T) {
	for _, k := range []struct {
		folder, file string
		trees        bool
		least        int64
		percent      int64
		models       string
	}{
		{"corels", "compas_train.out.gz", false, 238_778, 2, "2456"},              // 2,258 errors and 2 rules
		{"binary", "compas-binary.csv.gz", true, 100*2382 + 3*6907, 10, "708663"}, // and 3 leaves
	} {
		set := testgen.Published(t, rules.Options{MaxCard: 1, MinSupport: ratio.New(0, 1)}, k.folder, k.file)
		g := &good{set: set, lambda: ratio.New(1, 100), trees: k.trees}
		g.prove(t, k.least+k.least*k.percent/100)
		got, _, err := g.check(t, g.proof)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d bytes, %d records", len(g.proof), got.Records)
		if got.Models.String() != k.models || got.Objective != k.least {
			t.Errorf("%v models from %d on, want %s from %d on", got.Models, got.Objective, k.models, k.least)
		}
	}
}

// FuzzCheck changes proofs about all good models and about limits.
func FuzzCheck(f *testing.F) {
	limited := randomFair(f, 7, 3)
	proofs := []*good{randomGood(f, 6, 3, false), randomGood(f, 7, 3, false), randomGood(f, 8, 3, true)}
	for _, file := range [][]byte{proofs[0].proof, proofs[1].proof, proofs[2].proof, limited.proof} {
		for _, b := range prooftamper.Blocks(file) {
			f.Add(b.Kind, b.Payload)
		}
	}
	f.Fuzz(func(t *testing.T, kind byte, payload []byte) {
		for _, g := range proofs {
			file := withBlock(g.proof, kind, payload)
			_, _, _ = g.check(t, file)
			_, _ = g.read(file)
		}
		_, _, _ = limited.check(t, withBlock(limited.proof, kind, payload))
	})
}

// withBlock returns a proof with another payload of the first block of a kind.
func withBlock(proof []byte, kind byte, payload []byte) []byte {
	blocks := prooftamper.Blocks(proof)
	for i := range blocks {
		if blocks[i].Kind == kind {
			blocks[i].Payload = payload
			break
		}
	}
	return prooftamper.File(proof[:framing.MagicLength+4], blocks)
}

// TestStateWithoutRoom: a state of which no completion in the graph is good may lack rules that are part of good
// lists of two rules. Here each rule alone saves less than a default costs above the threshold.
func TestStateWithoutRoom(t *testing.T) {
	rows := "a,b,y\n" + strings.Repeat("1,0,k1\n", 30) + strings.Repeat("0,1,k1\n", 30) + strings.Repeat("0,0,k0\n", 45)
	set := testgen.MinedText(t, rows, dataset.Options{}, rules.Options{MaxCard: 1, MinSupport: ratio.New(0, 1), Budget: 12})
	g := &good{set: set, lambda: ratio.New(2, 21)} // a rule costs as much as ten errors
	g.prove(t, g.threshold(t, ratio.New(0, 1)))
	if n := g.found.Count().Models().String(); n != "2" {
		t.Fatalf("%s lists, want two of two rules each", n)
	}
	blocks := prooftamper.Blocks(g.proof)
	forged := []prooftamper.Block{blocks[0], {Kind: framing.Records, Payload: []byte{1, 0}},
		{Kind: framing.Claim, Payload: []byte{1, '0', 1, 1}}}
	if r, _, err := g.check(t, prooftamper.File(g.proof[:framing.MagicLength+4], forged)); !errors.Is(err, framing.ErrRefused) {
		t.Errorf("%v lists are verified, there are two: %v", r.Models, err)
	}
}
