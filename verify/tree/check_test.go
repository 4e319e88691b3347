package tree_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"parcorels/dataset"
	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/oracle"
	"parcorels/internal/testing/prooftamper"
	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
	"parcorels/rules"
	"parcorels/tree/search"
	"parcorels/verify/framing"
	"parcorels/verify/tree"
)

// features are all features alone.
var features = rules.Options{MaxCard: 1, MinSupport: ratio.New(0, 1)}

// randomSet draws a small problem of two classes or more.
func randomSet(r *rand.Rand) *rules.Set {
	p := testgen.Classes(r)
	if r.IntN(2) == 0 {
		p = testgen.AsClasses(testgen.Small(r.Uint64()))
	}
	return testgen.ClassSet(&p)
}

// proved returns the proof of the optimal tree.
func proved(t testing.TB, set *rules.Set, o search.Options) (*search.Result, []byte) {
	t.Helper()
	var b bytes.Buffer
	o.Proof = &search.Proof{To: &b, Digest: set.Digest(), Settings: []byte("settings")}
	r := solved(t, set, o)
	if r.ProofErr != nil {
		t.Fatal(r)
	}
	return r, b.Bytes()
}

func TestProofsHold(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 16))
	for i := range 400 {
		set := randomSet(rng)
		o := search.Options{Lambda: ratio.New(rng.Int64N(4), 1+rng.Int64N(100)), Depth: max(0, rng.IntN(6)-2), Workers: 1 + rng.IntN(2)*2}
		if rng.IntN(3) == 0 {
			o.Memory = 1
		}
		if rng.IntN(3) == 0 {
			o.MinRows = 2 + rng.IntN(6)
		}
		want, proof := proved(t, set, o)
		got, err := check(t.Context(), bytes.NewReader(proof), set, framing.Options{Workers: 1 + rng.IntN(3)})
		if err != nil {
			t.Fatalf("table %d, %+v: %v\n%+v", i, o, err, want)
		}
		if !slices.Equal(got.Tree, want.Tree) || got.Objective != want.Objective || got.Errors != want.Errors || got.Scale != want.Scale ||
			got.MinRows != o.MinRows || got.Records != want.Stats.ProofRecords {
			t.Fatalf("%+v is proved, %+v was found", got, want)
		}
	}
}

// TestMutations changes bytes of proofs, with checksums and seal made to match:
// what is accepted must still be true, of the problem that it is then about. Half of
// the mutants name another price or depth to begin with.
func TestMutations(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 16))
	mutations := cases.Some(10_000)
	accepted, other := 0, 0
	for done := 0; done < mutations; {
		set := randomSet(rng)
		o := search.Options{Lambda: ratio.New(1, 10+rng.Int64N(90)), Depth: rng.IntN(4), MinRows: rng.IntN(2) * rng.IntN(7), Workers: 1}
		want, proof := proved(t, set, o)
		for i := range 50 {
			done++
			bad := proof
			if i%2 == 0 {
				bad = withProblem(rng, bad)
			}
			if i%4 != 0 {
				bad = prooftamper.Mutate(rng, bad)
			}
			if bytes.Equal(bad, proof) {
				continue
			}
			got, err := check(t.Context(), bytes.NewReader(bad), set, framing.Options{Workers: 1})
			if err != nil {
				if !errors.Is(err, framing.ErrRefused) && !errors.Is(err, framing.ErrFormat) {
					t.Fatalf("an error of another kind: %v", err)
				}
				continue
			}
			accepted++
			truth := want
			if got.Lambda != o.Lambda || got.Depth != o.Depth || got.MinRows != o.MinRows {
				other++
				truth = solved(t, set, search.Options{Lambda: got.Lambda, Depth: got.Depth, MinRows: got.MinRows, Workers: 1})
			}
			if !slices.Equal(got.Tree, truth.Tree) || got.Leaves != truth.Leaves || got.Errors != truth.Errors {
				t.Fatalf("%v is accepted for λ = %v, depth %d, %d samples, the smallest is %v", got.Tree, got.Lambda, got.Depth,
					got.MinRows, truth.Tree)
			}
		}
	}
	t.Logf("%d of %d mutations are true proofs, %d of another problem, which was solved for each", accepted, mutations, other)
	if accepted > mutations/2 || other < mutations/500 {
		t.Error("mutations seem to change nothing, or never the problem")
	}
}

// solved returns the optimal tree.
func solved(t testing.TB, set *rules.Set, o search.Options) *search.Result {
	t.Helper()
	if o.MinRows > 1 {
		o.Rows = testgen.RowsOf(t, set)
	}
	r := must.Get(search.Solve(context.Background(), testgen.Points(t, set), o))(t)
	return r
}

// TestFalseTrees: a tree that is not the smallest is refused, with all records.
func TestFalseTrees(t *testing.T) {
	set := testgen.MinedText(t, "a,b,c,y\n1,0,1,1\n0,1,0,0\n1,1,0,0\n0,0,0,0\n1,0,0,1\n", dataset.Options{}, features)
	_, proof := proved(t, set, search.Options{Lambda: ratio.New(1, 100), Workers: 1})
	for _, c := range []struct {
		nodes  []uint64
		errors uint64
	}{{[]uint64{6}, 2}, {[]uint64{7}, 3}, {[]uint64{1, 6, 7}, 1}, {[]uint64{0, 7, 6}, 1}} {
		bad := withClaim(t, proof, c.nodes, c.errors)
		if r, err := check(t.Context(), bytes.NewReader(bad), set, framing.Options{}); !errors.Is(err, framing.ErrRefused) {
			t.Errorf("%v: %+v, %v", c.nodes, r, err)
		}
	}
}

// TestTwoLeavesOfASide: y = (f ? g : h) has a tree of two splits on a path. The one split by g is not as small, which only the trees of
// two leaves on either side of f show: no bound of all trees makes it so.
func TestTwoLeavesOfASide(t *testing.T) {
	f, g, h := testgen.Bits("11110000"), testgen.Bits("11001100"), testgen.Bits("10101010")
	for split, columns := range map[uint64][][]bool{1: {f, g, h}, 0: {g, h, f}} {
		set := testgen.Instance{Problem: oracle.Problem{Columns: columns, Labels: testgen.Bits("11001010")}}.Set()
		r, proof := proved(t, set, search.Options{Lambda: ratio.New(3, 40), Depth: 2, Workers: 1})
		blocks := prooftamper.Blocks(withClaim(t, proof, []uint64{split, 4, 3}, 2))
		for bound := range uint64(2000) {
			blocks[1].Payload = binary.AppendUvarint(nil, bound)
			for i := int64(1); i < r.Stats.ProofRecords; i++ { // of the root's child, which say nothing
				blocks[1].Payload = append(blocks[1].Payload, byte(i), 0, 0)
			}
			r, err := check(t.Context(), bytes.NewReader(prooftamper.File(proof[:12], blocks)), set, framing.Options{})
			if !errors.Is(err, framing.ErrRefused) {
				t.Fatalf("a split by %d: %+v, %v", split, r, err)
			}
		}
	}
}

func TestOtherData(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	_, proof := proved(t, randomSet(rng), search.Options{Lambda: ratio.New(1, 50), Workers: 1})
	if _, err := check(t.Context(), bytes.NewReader(proof), randomSet(rng), framing.Options{}); !errors.Is(err, framing.ErrRefused) ||
		!strings.Contains(err.Error(), "digest") {
		t.Error(err)
	}
}

func TestCancelled(t *testing.T) {
	set := randomSet(rand.New(rand.NewPCG(1, 5)))
	_, proof := proved(t, set, search.Options{Lambda: ratio.New(1, 50), Workers: 1})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := check(ctx, bytes.NewReader(proof), set, framing.Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestKnown needs the data of the papers, in the folder that PARCORELS_DATA names.
func TestKnown(t *testing.T) {
	for _, c := range []struct {
		file   string
		lambda ratio.Ratio
	}{{"tic-tac-toe", ratio.New(1, 200)}, {"car-evaluation", ratio.New(1, 200)}, {"fico_binary", ratio.New(1, 400)},
		{"compas-binary", ratio.New(1, 1000)}} {
		set := testgen.Published(t, features, "binary", c.file+".csv.gz")
		want, proof := proved(t, set, search.Options{Lambda: c.lambda, Workers: 1})
		start := time.Now()
		got, err := check(t.Context(), bytes.NewReader(proof), set, framing.Options{Workers: 1})
		if err != nil || got.Objective != want.Objective {
			t.Errorf("%s: %v", c.file, err)
		}
		t.Logf("%s %s: %d bytes, %d records, checked in %v, searched in %v", c.file, c.lambda, len(proof), got.Records, time.Since(start),
			want.Stats.Search)
	}
}

// FuzzCheck: no bytes make the checker panic, or take something for a proof that
// is none.
func FuzzCheck(f *testing.F) {
	rng := rand.New(rand.NewPCG(2, 2))
	set := randomSet(rng)
	want, proof := proved(f, set, search.Options{Lambda: ratio.New(1, 40), Workers: 1})
	f.Add(proof)
	f.Add(proof[:len(proof)/2])
	for range 8 {
		f.Add(prooftamper.Mutate(rng, proof))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := check(t.Context(), bytes.NewReader(b), set, framing.Options{Workers: 1})
		if err == nil && got.Lambda == ratio.New(1, 40) && got.Depth == 0 && !slices.Equal(got.Tree, want.Tree) {
			t.Fatalf("%v is accepted, the smallest is %v", got.Tree, want.Tree)
		}
	})
}

// check opens a proof and checks it.
func check(ctx context.Context, r io.Reader, set *rules.Set, o framing.Options) (tree.Result, error) {
	p, err := tree.Open(r)
	if err != nil {
		return tree.Result{}, err
	}
	return p.Check(ctx, set, o)
}
