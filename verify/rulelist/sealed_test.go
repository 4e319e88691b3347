package rulelist_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
	"parcorels/verify"
	verifylist "parcorels/verify/rulelist"
)

// The tests here alter a proof and seal it again, as somebody would who wants a
// wrong list believed.

// TestFalseDominationIsRefused adds one record that is not true, about a prefix
// that the proof may or may not have a use for.
func TestFalseDominationIsRefused(t *testing.T) {
	tried := 0
	for seed := range seeds(900) {
		in := sample(seed)
		rng := rand.New(rand.NewPCG(seed, 4))
		p := prove(t, in, nil, int(seed%3), rng)
		b := randomPrefix(rng, len(in.Columns))
		if b == nil {
			continue
		}
		code, a := randomDominator(rng, b, len(in.Columns))
		if p.dominates(a, b) {
			continue
		}
		record := slices.Concat([]byte{2}, ints(b), code)
		if last := len(b) - 1; rng.IntN(2) == 0 { // perhaps its second record
			record = slices.Concat([]byte{1}, ints(b[:last]), []byte{byte(b[last] + 1)}, code, []byte{0})
		}
		tried++
		p.script.records = slices.Insert(p.script.records, rng.IntN(len(p.script.records)+1), record)
		_, err := check(t, p.script.file(), p.set, 1+int(seed%3))
		var fail *verifylist.Failure
		if !errors.As(err, &fail) || !errors.Is(err, verify.ErrRefused) || len(fail.Prefix) == 0 {
			t.Fatalf("seed %d: %v is not dominated by %v: %v\n%v", seed, b, a, err, in)
		}
	}
	if tried < int(seeds(300)) {
		t.Errorf("only %d records", tried)
	}
}

func randomPrefix(rng *rand.Rand, antecedents int) []int {
	if antecedents == 0 {
		return nil
	}
	return rng.Perm(antecedents)[:1+rng.IntN(min(4, antecedents))]
}

// TestHarmlessRecords repeats a record, as two workers may find out the same at once, and puts one without exceptions beside each
// that a prefix is expanded, which may have them.
func TestHarmlessRecords(t *testing.T) {
	tried := 0
	for seed := range seeds(400) {
		rng := rand.New(rand.NewPCG(seed, 8))
		p := prove(t, sample(seed), nil, 2, rng)
		r := append(slices.Clone(p.script.records), p.script.records[rng.IntN(len(p.script.records))])
		for _, with := range p.script.records {
			if with[0] == 1 {
				without := append(append([]byte{1}, ints(prefixOf(with))...), 0)
				if len(with) > len(without) {
					tried++
				}
				r = slices.Insert(r, rng.IntN(len(r)+1), without)
			}
		}
		p.script.records = r
		if _, err := check(t, p.script.file(), p.set, 1+int(seed%2)); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if tried < int(seeds(300)/10) {
		t.Errorf("only %d records with exceptions", tried)
	}
}

// TestMutantsThatPassAreProofs alters bytes of records and claims at random. A
// mutant may pass, as not all records are needed and other true ones exist; but
// never with another list than the smallest.
func TestMutantsThatPassAreProofs(t *testing.T) {
	passed, refused := 0, 0
	for seed := range seeds(300) {
		in := sample(seed)
		rng := rand.New(rand.NewPCG(seed, 7))
		p := prove(t, in, nil, int(seed%3), rng)
		original := p.script
		for range 20 {
			p.script = original
			p.script.records = slices.Clone(original.records)
			for range 1 + rng.IntN(3) {
				p.mutate(rng)
			}
			r, err := check(t, p.script.file(), p.set, 1+rng.IntN(2))
			if err != nil {
				refused++
				if !errors.Is(err, verify.ErrRefused) {
					t.Fatalf("seed %d: %v", seed, err)
				}
				continue
			}
			passed++
			expect(t, in, p.best, r)
		}
	}
	if passed < int(seeds(100)) || refused < int(seeds(2000)) {
		t.Errorf("%d mutants passed, %d were refused", passed, refused)
	}
}

// mutate alters the script in one place.
func (p *prover) mutate(rng *rand.Rand) {
	s := &p.script
	switch n := len(s.records); rng.IntN(8) {
	case 0:
		if n > 0 {
			s.records = slices.Delete(s.records, 0, 1)
		}
	case 1:
		s.list = another(rng, s.list, len(p.Instance.Columns))
		if l, err := p.Instance.Evaluate(s.list); err == nil && rng.IntN(2) == 0 {
			s.claims(l)
		}
	case 2:
		s.errors += rng.Int64N(3) - 1
	case 3:
		s.labels = slices.Clone(s.labels)
		s.labels[rng.IntN(len(s.labels))] ^= 1
	default:
		if n > 0 {
			i := rng.IntN(n)
			r := slices.Clone(s.records[i])
			if len(r) == 0 {
				return
			}
			r[rng.IntN(len(r))] = byte(rng.IntN(len(p.Instance.Columns) + 2))
			s.records[i] = r
		}
	}
}

// TestRandomRecordsProveNothingFalse claims a list that is not the smallest, with
// records that nobody has thought about.
func TestRandomRecordsProveNothingFalse(t *testing.T) {
	for seed := range seeds(2000) {
		in := sample(seed)
		rng := rand.New(rand.NewPCG(seed, 8))
		best := must.Get(in.Best())(t)
		claim := another(rng, best.Antecedents, len(in.Columns))
		if slices.Equal(claim, best.Antecedents) {
			continue
		}
		p := newProver(t, in, claim, 0, rng)
		p.script.records = randomRecords(rng, in)
		if _, err := check(t, p.script.file(), p.set, 1); !errors.Is(err, verify.ErrRefused) {
			t.Fatalf("seed %d: claim %v: %v\n%v", seed, claim, err, in)
		}
	}
}

// randomRecords returns well-formed records.
func randomRecords(rng *rand.Rand, in testgen.Instance) (records [][]byte) {
	for range rng.IntN(100) {
		b := randomPrefix(rng, len(in.Columns))
		if b == nil {
			break
		}
		code, _ := randomDominator(rng, b, len(in.Columns))
		if rng.IntN(2) == 0 {
			records = append(records, append(append([]byte{1}, ints(b[:rng.IntN(len(b)+1)])...), 0))
			continue
		}
		records = append(records, slices.Concat([]byte{2}, ints(b), code))
	}
	slices.SortFunc(records, slices.Compare)
	return slices.CompactFunc(records, func(a, b []byte) bool {
		return a[0] == b[0] && a[1] == b[1] && slices.Equal(a[:2+a[1]], b[:2+b[1]])
	})
}

// TestAnotherCellIsRefused changes the data under the proof, one place at a time.
func TestAnotherCellIsRefused(t *testing.T) {
	for seed := range seeds(60) {
		rng := rand.New(rand.NewPCG(seed, 10))
		p := prove(t, sample(seed), nil, 2, rng)
		file := p.script.file()
		i := uint(rng.IntN(p.set.Data.N))
		p.set.Data.ClassOf[i] ^= 1
		if _, err := check(t, file, p.set, 1); !errors.Is(err, verify.ErrRefused) {
			t.Fatalf("seed %d: another label: %v", seed, err)
		}
		p.set.Data.ClassOf[i] ^= 1
		for _, a := range p.set.Antecedents {
			a.Captured().Flip(i)
			if _, err := check(t, file, p.set, 1); !errors.Is(err, verify.ErrRefused) {
				t.Fatalf("seed %d: another cell: %v", seed, err)
			}
			a.Captured().Flip(i)
		}
		must.Get(check(t, file, p.set, 1))(t)
	}
}

// TestFailuresDoNotDependOnWorkers puts several false records into proofs, and
// leaves some records out.
func TestFailuresDoNotDependOnWorkers(t *testing.T) {
	failures := 0
	for seed := range seeds(200) {
		rng := rand.New(rand.NewPCG(seed, 11))
		p := prove(t, sample(seed), nil, 3, rng)
		if len(p.Instance.Columns) == 0 {
			continue
		}
		p.script.records = slices.DeleteFunc(p.script.records, func([]byte) bool { return rng.IntN(4) == 0 })
		for range 3 {
			b := randomPrefix(rng, len(p.Instance.Columns))
			code, _ := randomDominator(rng, b, len(p.Instance.Columns))
			p.script.records = append(p.script.records, slices.Concat([]byte{2}, ints(b), code))
		}
		file := p.script.file()
		_, one := check(t, file, p.set, 1)
		for workers := range 4 {
			if _, err := check(t, file, p.set, workers); (err == nil) != (one == nil) || err != nil && err.Error() != one.Error() {
				t.Fatalf("seed %d: %d workers: %v, one worker: %v", seed, workers, err, one)
			}
		}
		if one != nil {
			failures++
		}
	}
	if failures < int(seeds(50)) {
		t.Errorf("only %d failures", failures)
	}
}
