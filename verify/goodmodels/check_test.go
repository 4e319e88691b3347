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
	"parcorels/internal/testing/prooftamper"
	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
	"parcorels/rules"
	"parcorels/verify/framing"
	"parcorels/verify/goodmodels"
)

// some is cases.Count, or a hundredth of the cases where tests are to be short.
func some(n int) int {
	if testing.Short() {
		return max(1, n/100)
	}
	return cases.Count(n)
}

// randomSet draws a small table of 0/1 columns, some of them equal or with few rows, of so many classes.
func randomSet(t testing.TB, r *rand.Rand, most, classes int) *rules.Set {
	t.Helper()
	var b strings.Builder
	features, samples := 1+r.IntN(most), 4+r.IntN(40)
	for f := range features {
		fmt.Fprintf(&b, "c%d,", f)
	}
	b.WriteString("w,y\n")
	for i := range samples {
		sum := 0
		for f := range features {
			x := r.IntN(2 + f%3)
			if x > 1 {
				x = 0
			}
			sum += x
			fmt.Fprintf(&b, "%d,", x)
		}
		y := (sum + r.IntN(5)/4) % classes
		if i < classes {
			y = i
		}
		fmt.Fprintf(&b, "%d,k%d\n", 1+r.IntN(5), y)
	}
	o := dataset.Options{Ignore: []string{"w"}, Multiclass: true}
	if r.IntN(2) == 0 {
		o = dataset.Options{Weight: "w", Multiclass: true}
	}
	d, err := dataset.ReadFrom(strings.NewReader(b.String()), "t.csv", o)
	if err != nil {
		t.Fatal(err)
	}
	set, err := rules.Mine(t.Context(), d, rules.Options{MaxCard: 1 + r.IntN(2), MinSupport: ratio.New(0, 1), Budget: 12})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// problem makes points and the threshold so many rules above the least.
func problem(t testing.TB, set *rules.Set, lambda, rulesMore ratio.Ratio) (*graph.Problem, int64) {
	t.Helper()
	points, err := instance.PointsFromSet(set)
	if err != nil {
		t.Fatal(err)
	}
	p, err := graph.FromPoints(points, lambda)
	if err != nil {
		t.Fatal(err)
	}
	for most := p.Price; ; most *= 2 { // the least of all is in the first set that is not empty
		all, err := graph.Build(t.Context(), p, most, graph.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if least, ok := all.Least(); ok {
			return p, least + p.Price*rulesMore.Num/rulesMore.Den
		}
	}
}

// proved returns a set with its proof.
func proved(t testing.TB, set *rules.Set, lambda ratio.Ratio, p *graph.Problem, threshold int64) (*graph.Set, []byte) {
	t.Helper()
	var b bytes.Buffer
	o := graph.Options{Workers: 1, Proof: &graph.Proof{Proof: &blockfile.Proof{To: &b, Digest: set.Digest(),
		Settings: []byte("settings")}, Lambda: lambda, Weight: set.Data.TotalWeight()}}
	s, err := graph.Build(t.Context(), p, threshold, o)
	if err != nil {
		t.Fatal(err)
	}
	return s, b.Bytes()
}

func check(t testing.TB, proof []byte, set *rules.Set) (*goodmodels.Result, error) {
	t.Helper()
	p, err := goodmodels.Open(bytes.NewReader(proof))
	if err != nil {
		return nil, err
	}
	return p.Check(t.Context(), set, nil)
}

// randomLists are all good lists of a random table, with what the checker makes of their proof.
type randomLists struct {
	set       *rules.Set
	p         *graph.Problem
	threshold int64
	lists     *graph.Set
	proof     []byte
	got       *goodmodels.Result
}

func newRandomLists(t *testing.T, seed uint64, r *rand.Rand) (x randomLists) {
	t.Helper()
	x.set = randomSet(t, r, 4, 2+int(seed%3))
	lambda := ratio.New(1+r.Int64N(5), 20+r.Int64N(80))
	x.p, x.threshold = problem(t, x.set, lambda, ratio.New(r.Int64N(30), 10))
	x.lists, x.proof = proved(t, x.set, lambda, x.p, x.threshold)
	var err error
	if x.got, err = check(t, x.proof, x.set); err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	return x
}

// TestProofs checks proofs of random tables, and asks for the same count.
func TestProofs(t *testing.T) {
	for seed := range uint64(some(2_000)) {
		x := newRandomLists(t, seed, rand.New(rand.NewPCG(seed, 20)))
		set, s, proof, got := x.set, x.lists, x.proof, x.got
		least, _ := s.Least()
		if got.Models.Cmp(s.Count().Models()) != 0 || got.Objective != least || got.Threshold != s.Threshold() {
			t.Fatalf("seed %d: %v lists from %d on, want %v from %d on", seed, got.Models, got.Objective, s.Count().Models(), least)
		}
		again, err := read(t, proof, set)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if n := again.Count().Models(); n.Cmp(got.Models) != 0 || again.States() != s.States() || again.Rules() != s.Rules() {
			t.Fatalf("seed %d: %v lists are read, %v were written", seed, n, got.Models)
		}
	}
}

// read reads the graph without a check.
func read(t testing.TB, proof []byte, set *rules.Set) (*graph.Set, error) {
	t.Helper()
	about := graph.Proof{Proof: &blockfile.Proof{Digest: set.Digest()}, Weight: set.Data.TotalWeight()}
	return graph.Read(bytes.NewReader(proof), about, false, func(lambda ratio.Ratio) (*graph.Problem, error) {
		points, err := instance.PointsFromSet(set)
		if err != nil {
			return nil, err
		}
		return graph.FromPoints(points, lambda)
	})
}

// TestMutations changes proofs: one that is still accepted must be true.
func TestMutations(t *testing.T) {
	accepted, refused := 0, 0
	for seed := range uint64(some(100)) {
		r := rand.New(rand.NewPCG(seed, 21))
		set := randomSet(t, r, 3, 2+int(seed%3))
		lambda := ratio.New(1+r.Int64N(3), 20+r.Int64N(40))
		p, threshold := problem(t, set, lambda, ratio.New(r.Int64N(20), 10))
		_, proof := proved(t, set, lambda, p, threshold)
		for range 100 {
			mutant := prooftamper.Mutate(r, proof)
			if bytes.Equal(mutant, proof) {
				continue
			}
			_, _ = read(t, mutant, set) // nothing is asked of it but to end
			got, err := check(t, mutant, set)
			switch {
			case errors.Is(err, framing.ErrRefused), errors.Is(err, framing.ErrFormat):
				refused++
				continue
			case err != nil:
				t.Fatalf("seed %d: %v", seed, err)
			}
			accepted++
			opened, err := goodmodels.Open(bytes.NewReader(mutant))
			if err != nil {
				t.Fatal(err)
			}
			other, _ := problem(t, set, opened.About().Lambda, ratio.New(1, 1)) // the mutant may be about another λ
			truth, err := graph.Build(t.Context(), other, got.Threshold, graph.Options{Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			if want := truth.Count().Models(); got.Models.Cmp(want) != 0 {
				t.Fatalf("seed %d: a proof of %v lists within %d is accepted, there are %v", seed, got.Models, got.Threshold, want)
			}
		}
	}
	if refused == 0 {
		t.Errorf("%d accepted, %d refused", accepted, refused)
	}
}

// TestOmissions leaves records out, or an edge: what remains must be refused.
func TestOmissions(t *testing.T) {
	omitted := 0
	for seed := range uint64(some(100)) {
		r := rand.New(rand.NewPCG(seed, 22))
		set := randomSet(t, r, 4, 2+int(seed%3))
		lambda := ratio.New(1, 20+r.Int64N(40))
		p, threshold := problem(t, set, lambda, ratio.New(1, 1))
		s, proof := proved(t, set, lambda, p, threshold)
		if s.Rules() == 0 {
			continue
		}
		blocks := prooftamper.Blocks(proof)
		for i := range blocks {
			if blocks[i].Kind == framing.Records {
				blocks[i].Payload = nil
				omitted++
			}
		}
		if _, err := check(t, prooftamper.File(proof[:framing.MagicLength+4], blocks), set); !errors.Is(err, framing.ErrRefused) {
			t.Fatalf("seed %d: a proof without records is accepted: %v", seed, err)
		}
	}
	if omitted == 0 {
		t.Error("nothing was left out")
	}
}

// TestKnownProof checks a proof of all good lists of the papers' data.
func TestKnownProof(t *testing.T) {
	d, err := dataset.Read(testgen.Data(t, "corels", "compas_train.out.gz"), dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	set, err := rules.Given(d)
	if err != nil {
		t.Fatal(err)
	}
	lambda := ratio.New(1, 100)
	points, err := instance.PointsFromSet(set)
	if err != nil {
		t.Fatal(err)
	}
	p, err := graph.FromPoints(points, lambda)
	if err != nil {
		t.Fatal(err)
	}
	least := int64(238_778) // 2,258 errors and 2 rules
	_, proof := proved(t, set, lambda, p, least+least*2/100)
	got, err := check(t, proof, set)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes, %d records", len(proof), got.Records)
	if got.Models.String() != "2456" || got.Objective != least {
		t.Errorf("%v lists from %d on, want 2456 from %d on", got.Models, got.Objective, least)
	}
}

// FuzzCheck changes proofs about all good lists and about limits.
func FuzzCheck(f *testing.F) {
	limited := randomFair(f, 7, 3)
	type proof struct {
		set  *rules.Set
		file []byte
	}
	var proofs []proof
	for classes := 2; classes < 4; classes++ {
		set, lambda := randomSet(f, rand.New(rand.NewPCG(7, 23)), 3, classes), ratio.New(1, 30)
		p, threshold := problem(f, set, lambda, ratio.New(1, 1))
		_, file := proved(f, set, lambda, p, threshold)
		proofs = append(proofs, proof{set, file})
	}
	for _, file := range [][]byte{proofs[0].file, proofs[1].file, limited.proof} {
		for _, b := range prooftamper.Blocks(file) {
			f.Add(b.Kind, b.Payload)
		}
	}
	f.Fuzz(func(t *testing.T, kind byte, payload []byte) {
		for _, p := range proofs {
			file := withBlock(p.file, kind, payload)
			_, _ = check(t, file, p.set)
			_, _ = read(t, file, p.set)
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
	d, err := dataset.ReadFrom(strings.NewReader(rows), "t.csv", dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	set, err := rules.Mine(t.Context(), d, rules.Options{MaxCard: 1, MinSupport: ratio.New(0, 1), Budget: 12})
	if err != nil {
		t.Fatal(err)
	}
	lambda := ratio.New(2, 21) // a rule costs as much as ten errors
	p, threshold := problem(t, set, lambda, ratio.New(0, 1))
	s, proof := proved(t, set, lambda, p, threshold)
	if n := s.Count().Models().String(); n != "2" {
		t.Fatalf("%s lists, want two of two rules each", n)
	}
	blocks := prooftamper.Blocks(proof)
	forged := []prooftamper.Block{blocks[0], {Kind: framing.Records, Payload: []byte{1, 0}},
		{Kind: framing.Claim, Payload: []byte{1, '0', 1, 1}}}
	if r, err := check(t, prooftamper.File(proof[:framing.MagicLength+4], forged), set); !errors.Is(err, framing.ErrRefused) {
		t.Errorf("%v lists are verified, there are two: %v", r.Models, err)
	}
}
