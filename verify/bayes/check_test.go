package bayes_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bits-and-blooms/bitset"

	"parcorels/bayes/search"
	"parcorels/dataset"
	"parcorels/internal/status"
	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/prooftamper"
	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
	"parcorels/rules"
	"parcorels/verify/bayes"
	"parcorels/verify/framing"
)

// randomSet draws a small table.
func randomSet(t testing.TB, r *rand.Rand) *rules.Set {
	return testgen.Mined(t, r, 2+r.IntN(4), 2, rules.Options{MaxCard: 1 + r.IntN(2), MinSupport: ratio.New(0, 1), Budget: 12})
}

// usualPrior is that of the reference implementation.
func usualPrior() search.Prior {
	return search.Prior{Length: ratio.New(10, 1), Width: ratio.New(1, 1), Alpha1: ratio.New(1, 1), Alpha0: ratio.New(1, 1)}
}

func randomPrior(r *rand.Rand) search.Prior {
	some := func(most int64) ratio.Ratio { return ratio.New(1+r.Int64N(most), 1+r.Int64N(3)) }
	return search.Prior{Length: some(6), Width: some(4), Alpha1: some(4), Alpha0: some(4)}
}

// proved returns the proof of the best list.
func proved(t testing.TB, set *rules.Set, o search.Options) (*search.Result, []byte) {
	t.Helper()
	var b bytes.Buffer
	o.Proof = &search.Proof{To: &b, Digest: set.Digest(), Settings: []byte("settings")}
	if o.MinRows > 0 {
		o.RowsOf = testgen.RowsOf(t, set)
	}
	_, r, err := search.Fit(t.Context(), set, testgen.Points(t, set), o, "test", dataset.Options{})
	if err != nil || r.ProofErr != nil || r.Status != status.Optimal {
		t.Fatal(err, r)
	}
	return r, b.Bytes()
}

func check(t testing.TB, proof []byte, set *rules.Set, workers int) (bayes.Result, error) {
	p, err := bayes.Open(bytes.NewReader(proof))
	if err != nil {
		return bayes.Result{}, err
	}
	return p.Check(t.Context(), set, framing.Options{Workers: workers})
}

func TestProofsHold(t *testing.T) {
	proofHolds(t, 4876) // weights that have a number in common
	for seed := range testgen.Seeds(60) {
		proofHolds(t, uint64(seed))
	}
}

// proofHolds checks the proof of a random table.
func proofHolds(t *testing.T, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 18))
	set := randomSet(t, rng)
	o := search.Options{Prior: randomPrior(rng), MaxRules: rng.IntN(5), Chains: 1, Iterations: 5, Workers: 1 + rng.IntN(3),
		Restriction: search.Restriction{MinRows: max(0, rng.IntN(20)-10), Falling: rng.IntN(2) == 0}}
	want, proof := proved(t, set, o)
	got, err := check(t, proof, set, 1+rng.IntN(3))
	if err != nil {
		t.Fatalf("table %d, %+v: %v\n%+v", seed, o, err, want)
	}
	if !slices.Equal(got.List, want.Rules) || got.Posterior != want.Posterior || got.Records != want.ProofRecords {
		t.Fatalf("table %d: %+v is proved, %+v was found", seed, got, want)
	}
}

// TestOthersAreRefused: a proof is not one of another list, other data, or another prior.
func TestOthersAreRefused(t *testing.T) {
	refused := 0
	for seed := range max(20, cases.Some(30)) {
		rng := rand.New(rand.NewPCG(uint64(seed), 19))
		set := randomSet(t, rng)
		o := search.Options{Prior: randomPrior(rng), Chains: 1, Iterations: 5, Workers: 1}
		_, proof := proved(t, set, o)
		if _, err := check(t, proof, randomSet(t, rng), 1); !errors.Is(err, framing.ErrRefused) {
			t.Fatalf("table %d: of other data: %v", seed, err)
		}
		// The best list of one rule or two, claimed to be the best of all.
		o.MaxRules = 1 + seed%2
		short, other := proved(t, set, o)
		blocks := prooftamper.Blocks(other)
		long := prooftamper.Blocks(proof)
		if bytes.Equal(long[0].Payload, blocks[0].Payload) {
			continue
		}
		at := bytes.Index(blocks[0].Payload, append([]byte{byte(o.MaxRules), 0, 0, byte(len(short.Rules))}, asBytes(short.Rules)...))
		if at < 0 {
			continue
		}
		blocks[0].Payload[at] = 0
		best := must.Get(check(t, proof, set, 1))(t)
		_, err := check(t, prooftamper.File(other[:12], blocks), set, 1)
		if best.Posterior != short.Posterior {
			refused++
			if !errors.Is(err, framing.ErrRefused) {
				t.Fatalf("table %d: of a list that is worse: %v", seed, err)
			}
			for _, records := range forged(len(set.Antecedents)) {
				blocks[1].Payload, blocks[2].Payload = records.payload, []byte{1, records.count}
				if _, err = check(t, prooftamper.File(other[:12], blocks), set, 1); !errors.Is(err, framing.ErrRefused) {
					t.Fatalf("table %d, records %v: of a list that is worse: %v", seed, records, err)
				}
			}
		}
	}
	if refused < 5 {
		t.Errorf("only %d lists were worse", refused)
	}
}

type records struct {
	payload []byte
	count   byte
	closed  []int
}

// forged returns records that close too much: that of the empty prefix alone; and for each
// antecedent b, one where b alone is expanded and closes all others.
func forged(antecedents int) (all []records) {
	all = append(all, records{payload: []byte{0}, count: 1})
	for b := range antecedents {
		payload := []byte{byte(antecedents)}
		for a := range antecedents {
			if payload = append(payload, 0); a == b {
				payload = append(payload, 0)
			} else {
				payload = append(payload, 1, byte(b))
			}
		}
		all = append(all, records{payload: append(payload, 0), count: 2})
	}
	return all
}

// TestClosedByWorse: a prefix is not closed by its rules in another order that give less. Each proof expands all other prefixes, and
// claims any list but the best.
func TestClosedByWorse(t *testing.T) {
	for seed, worse := uint64(60), 0; worse < 4; seed++ {
		rng := rand.New(rand.NewPCG(seed, 21))
		set := testgen.Mined(t, rng, 3, 2, rules.Options{MaxCard: 1, MinSupport: ratio.New(0, 1), Budget: 3})
		best, proof := proved(t, set, search.Options{Prior: randomPrior(rng), Chains: 1, Iterations: 5, Workers: 1})
		blocks, left := prooftamper.Blocks(proof), bitset.New(uint(set.Data.N)).Complement()
		header := blocks[0].Payload
		at := bytes.LastIndex(header, append([]byte{0, 0, 0, byte(len(best.Rules))}, asBytes(best.Rules)...))
		if at < 0 || len(best.Rules) < 2 || best.Rules[0] < best.Rules[1] {
			continue
		}
		x := best.Rules[:2]
		for _, w := range []records{everything(set, left, nil, nil), everything(set, left, nil, x)} {
			blocks[1].Payload, blocks[2].Payload = w.payload, []byte{1, w.count}
			for _, claim := range lists(len(set.Antecedents), nil) {
				blocks[0].Payload = slices.Concat(header[:at+3], []byte{byte(len(claim))}, asBytes(claim), header[at+4+len(best.Rules):])
				_, err := check(t, prooftamper.File(proof[:12], blocks), set, 1)
				if is := slices.Equal(claim, best.Rules); err == nil && !is || err != nil && is && w.closed == nil {
					t.Fatalf("table %d: %v of best %v, %v closed: %v", seed, claim, best.Rules, w.closed, err)
				}
			}
		}
		worse++
	}
}

// TestRulesThatCaptureNothing: where the best list has a rule that captures nothing, as the prior is for long lists, no other list is
// proved by records that leave such rules out.
func TestRulesThatCaptureNothing(t *testing.T) {
	for seed, met := uint64(0), 0; met < 4; seed++ {
		set := testgen.Mined(t, rand.New(rand.NewPCG(seed, 22)), 3, 2, rules.Options{MaxCard: 1, MinSupport: ratio.New(0, 1), Budget: 3})
		best, proof := proved(t, set, search.Options{Prior: usualPrior(), Chains: 1, Iterations: 5, Workers: 1})
		left, nothing := bitset.New(uint(set.Data.N)).Complement(), false
		for _, a := range best.Rules {
			nothing = nothing || left.IntersectionCardinality(set.Captured()[a]) == 0
			left.InPlaceDifference(set.Captured()[a])
		}
		if !nothing {
			continue
		}
		met++
		blocks, w := prooftamper.Blocks(proof), everything(set, bitset.New(uint(set.Data.N)).Complement(), nil, nil)
		blocks[1].Payload, blocks[2].Payload = w.payload, []byte{1, w.count}
		header := blocks[0].Payload
		at := bytes.LastIndex(header, append([]byte{0, 0, 0, byte(len(best.Rules))}, asBytes(best.Rules)...))
		for _, claim := range lists(len(set.Antecedents), nil) {
			blocks[0].Payload = slices.Concat(header[:at+3], []byte{byte(len(claim))}, asBytes(claim), header[at+4+len(best.Rules):])
			if _, err := check(t, prooftamper.File(proof[:12], blocks), set, 1); err == nil && !slices.Equal(claim, best.Rules) {
				t.Fatalf("table %d: %v is proved, the best is %v", seed, claim, best.Rules)
			}
		}
	}
}

// everything returns the records of all prefixes from one on, but for closed, which its rules in the other order close.
func everything(set *rules.Set, left *bitset.BitSet, prefix, closed []int) (all records) {
	all.closed, all.count, all.payload = closed, 1, []byte{0}
	var below []records
	last := -1
	for a, x := range set.Captured() {
		if slices.Contains(prefix, a) || left.IntersectionCardinality(x) == 0 {
			continue
		}
		all.payload[0]++
		all.payload = append(all.payload, byte(a-last-1))
		last = a
		if child := append(slices.Clip(prefix), a); closed != nil && slices.Equal(child, closed) {
			all.payload = append(all.payload, 1, byte(closed[1]), byte(closed[0]))
		} else {
			all.payload = append(all.payload, 0)
			below = append(below, everything(set, left.Difference(x), child, closed))
		}
	}
	for _, r := range below {
		all.payload, all.count = append(all.payload, r.payload...), all.count+r.count
	}
	return all
}

// lists returns all lists that begin with a prefix.
func lists(antecedents int, prefix []int) [][]int {
	all := [][]int{prefix}
	for a := range antecedents {
		if !slices.Contains(prefix, a) {
			all = append(all, lists(antecedents, append(slices.Clip(prefix), a))...)
		}
	}
	return all
}

func asBytes(list []int) (b []byte) {
	for _, a := range list {
		b = append(b, byte(a))
	}
	return b
}

// TestMutants: whatever is changed in a proof, it never proves another list than the best of those that it is about. Half of the
// mutants ask for other rules to begin with.
func TestMutants(t *testing.T) {
	refused := 0
	for seed := range testgen.Seeds(60) {
		rng := rand.New(rand.NewPCG(uint64(seed), 20))
		set := randomSet(t, rng)
		o := search.Options{Prior: randomPrior(rng), Chains: 1, Iterations: 5, Workers: 1,
			Restriction: search.Restriction{MinRows: max(0, rng.IntN(20)-10), Falling: rng.IntN(2) == 0}}
		_, proof := proved(t, set, o)
		for i := range 20 {
			bad := proof
			if i%2 == 0 {
				bad = withRestriction(rng, bad)
			}
			if i%4 > 0 {
				bad = prooftamper.Mutate(rng, bad)
			}
			got, err := check(t, bad, set, 1)
			switch {
			case err == nil && got.MaxRules == 0 && sameAbout(got.Header, proof):
				o.MinRows, o.Falling = got.MinRows, got.Falling
				if want, _ := proved(t, set, o); got.Posterior != want.Posterior || !slices.Equal(got.List, want.Rules) {
					t.Fatalf("table %d: a mutant proves %v, the best list is %v of %+v", seed, got.List, want.Rules, o)
				}
			case errors.Is(err, framing.ErrRefused):
				refused++
			case err != nil:
				t.Fatalf("table %d: %v", seed, err)
			}
		}
	}
	t.Logf("%d mutants were refused", refused)
	if refused == 0 {
		t.Error("no mutant was refused")
	}
}

// withRestriction returns the proof with other least samples of a rule, or about lists that need not fall if those must, in its header.
func withRestriction(rng *rand.Rand, proof []byte) []byte {
	blocks := prooftamper.Blocks(proof)
	// Four of the problem, six of the prior, most rules, least samples and whether lists fall.
	fields, rest := prooftamper.Varints(blocks[0].Payload[sha256.Size:], 13)
	if rng.IntN(2) == 0 {
		fields[12] = 1 - fields[12]
	} else {
		fields[11] = rng.Uint64N(2 * (fields[11] + 2))
	}
	blocks[0].Payload = append(prooftamper.Append(blocks[0].Payload[:sha256.Size], fields...), rest...)
	return prooftamper.File(proof[:12], blocks)
}

// sameAbout reports whether a header is about the prior that a proof is about.
func sameAbout(h bayes.Header, proof []byte) bool {
	p, err := bayes.Open(bytes.NewReader(proof))
	if err != nil {
		return false
	}
	return p.About().Lambda == h.Lambda && prior(p) == [3]ratio.Ratio{h.Width, h.Alpha1, h.Alpha0}
}

func prior(p *bayes.Proof) [3]ratio.Ratio {
	h := p.Header()
	return [3]ratio.Ratio{h.Width, h.Alpha1, h.Alpha0}
}

func FuzzCheck(f *testing.F) {
	rng := rand.New(rand.NewPCG(1, 21))
	set := randomSet(f, rng)
	_, proof := proved(f, set, search.Options{Prior: usualPrior(), Chains: 1, Iterations: 5, Workers: 1})
	f.Add(proof)
	for range 10 {
		f.Add(prooftamper.Mutate(rng, proof))
	}
	f.Fuzz(func(t *testing.T, proof []byte) {
		if _, err := check(t, proof, set, 1); err != nil && !errors.Is(err, framing.ErrRefused) && !errors.Is(err, framing.ErrFormat) {
			t.Error(err)
		}
	})
}
