package search_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/rulelist/blocks"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/search"
)

// openBlock is a block that waits, with what searches have written of its proof.
type openBlock struct {
	content []byte
	given   [][]byte // since that was saved
	pieces  []blocks.Piece
}

// blockSearch divides a search at random, breaks searches off, and lets several processes, each
// with a first incumbent of its own, search the blocks.
type blockSearch struct {
	t       *testing.T
	rng     *rand.Rand
	ready   []*blocks.Ready
	open    []openBlock
	done    []blocks.Piece
	best    blocks.List
	given   int
	broken  int
	without int // broken off, of those that had given parts away since they were saved
}

// step searches a block that waits, for a while or to its end.
func (x *blockSearch) step() error {
	i := x.rng.IntN(len(x.open))
	b := x.open[i]
	x.open = slices.Delete(x.open, i, i+1)
	r := x.ready[x.rng.IntN(len(x.ready))]
	if x.rng.IntN(2) == 0 {
		if err := r.Offer(x.best.Antecedents); err != nil {
			return err
		}
	}
	var proof bytes.Buffer
	ctx, cancel := context.WithCancel(x.t.Context())
	defer cancel()
	written := int64(0)
	lost := x.rng.IntN(3) == 0 // as if its process were killed: what it saved last counts
	stops := 1 + x.rng.IntN(6)
	var failed error
	piece := func(p *blocks.Standstill) {
		n, err := p.Records()
		if err != nil {
			failed = err
		}
		b.pieces = append(b.pieces, blocks.Piece{From: bytes.NewReader(slices.Clone(proof.Bytes())), Records: n - written})
		proof.Reset()
		written = n
	}
	part := search.Part{Proof: &proof, Every: 1, Digest: [32]byte{1, 2, 3}, Given: b.given}
	save := func(p *blocks.Standstill) {
		kept, err := p.Save()
		if err != nil {
			failed = err
		}
		piece(p)
		b.content, b.given = kept.Content, nil
	}
	if b.content != nil {
		part.From = bytes.NewReader(b.content)
	}
	result, err := r.Search(ctx, part, func(p *blocks.Standstill) {
		switch x.rng.IntN(4) {
		case 0, 1:
			given, err := p.Split(blocks.Shares{Parts: 1 + x.rng.IntN(3), Least: 1 + x.rng.IntN(3), Large: x.rng.IntN(9)})
			if err != nil {
				failed = err
			}
			if p.Ended && given != nil {
				failed = fmt.Errorf("a search that has ended gives %d parts away", len(given))
			}
			if x.rng.IntN(4) == 0 {
				break // nobody took the parts
			}
			b.given = slices.Clone(b.given)
			for _, g := range given {
				x.open = append(x.open, openBlock{content: g.Content})
				b.given = append(b.given, g.Content)
				x.given++
			}
			p.Give()
		case 2:
			save(p)
		}
		if stops--; stops == 0 {
			cancel()
		}
		if p.Ended && !lost {
			save(p)
		}
	})
	if err != nil || failed != nil || result.ProofErr != nil {
		return fmt.Errorf("%v, %v, %v", err, failed, result.ProofErr)
	}
	if l := r.Best(); l.Smaller(x.best) {
		x.best = l
	}
	if result.Status != parallel.Optimal {
		x.broken++
		if b.given != nil {
			x.without++
		}
		x.open = append(x.open, b)
		return nil
	}
	b.pieces = append(b.pieces, blocks.Piece{From: bytes.NewReader(proof.Bytes()), Records: result.Stats.ProofRecords - written})
	x.done = append(x.done, b.pieces...)
	return nil
}

// TestBlocks: any process may search any block, and however they are divided, broken off and resumed,
// the smallest list comes back, and the records of all blocks prove it.
func TestBlocks(t *testing.T) {
	t.Parallel()
	given, broken, without := 0, 0, 0
	tried := search.Seeds(t, 400, func(seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 80))
		in := []testgen.Generator{testgen.Small, testgen.Ties, testgen.Wide, testgen.Knotty}[rng.IntN(4)](seed)
		want := search.Best(t, in)
		set := in.Set()
		points := testgen.Reduced(t, set)
		x := &blockSearch{t: t, rng: rng, open: []openBlock{{}}}
		var file bytes.Buffer
		o := search.Options{
			Lambda: in.Lambda, MaxRules: in.MaxRules, Workers: 1 + rng.IntN(4), Symmetry: search.Symmetry(rng.IntN(3)),
			Without: []problem.Prunings{search.Early, search.Wide, search.Wide | problem.Bound}[rng.IntN(3)],
			Proof:   &search.Proof{To: &file, Digest: set.Digest()},
		}
		if len(in.Columns) > 5 {
			o.Without &^= problem.Bound // or it takes minutes
		}
		o = search.Slowly(o, rng.IntN(3) == 0)
		for range 1 + rng.IntN(3) {
			r := must.Get(blocks.Prepare(t.Context(), points, o))(t)
			x.ready = append(x.ready, r)
		}
		x.best = x.ready[0].Best()
		for len(x.open) > 0 {
			if err := x.step(); err != nil {
				t.Fatalf("seed %d, %s: %v\n%v", seed, search.Describe(o), err, in)
			}
		}
		if !slices.Equal(x.best.Antecedents, want.Antecedents) || x.best.Objective != want.Objective {
			t.Fatalf("seed %d, %s: %v, want %v\n%v", seed, search.Describe(o), x.best, want, in)
		}
		must.Do(t, x.ready[0].Offer(x.best.Antecedents))
		r := x.ready[0].Result(parallel.Optimal, 0)
		err := x.ready[0].WriteProof(&r, func() (*blocks.Piece, error) {
			if len(x.done) == 0 {
				return nil, nil
			}
			i := rng.IntN(len(x.done))
			p := x.done[i]
			x.done = slices.Delete(x.done, i, i+1)
			return &p, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		v, err := search.CheckProof(file.Bytes(), set, 1)
		if err != nil || v.Objective != want.Objective {
			t.Fatalf("seed %d, %s: verified %d, want %d: %v\n%v", seed, search.Describe(o), v.Objective, want.Objective, err, in)
		}
		given += x.given
		broken += x.broken
		without += x.without
	})
	t.Logf("%d parts were given away, %d searches broken off, %d after a gift", given, broken, without)
	// The race detector takes few instances, and chance may break off none.
	if cases.All() && tried == 400 && (given < 100 || broken < 100 || without < 8) || tried >= 40 && (given == 0 || broken == 0) {
		t.Errorf("%d parts were given away, %d searches broken off: nothing is tested", given, broken)
	}
}
