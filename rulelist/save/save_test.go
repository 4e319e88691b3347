package save

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/internal/blockfile"
	"parcorels/internal/testing/must"
	"parcorels/rulelist/problem"
)

const blockAntecedents = 300

// manyPrefixes returns prefixes that take several blocks, neighbours mostly
// with a common beginning.
func manyPrefixes(rng *rand.Rand) (all [][]problem.Antecedent) {
	prefix := []problem.Antecedent{}
	for range 60000 {
		prefix = slices.Clone(prefix[:min(len(prefix), rng.IntN(5))])
		for range rng.IntN(3) {
			if a := problem.Antecedent(rng.IntN(blockAntecedents)); !slices.Contains(prefix, a) {
				prefix = append(prefix, a)
			}
		}
		all = append(all, prefix)
	}
	return all
}

// TestBacklogOfManyBlocks takes prefixes out in the order in which they were
// put, and at any time sees what is left.
func TestBacklogOfManyBlocks(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 70))
	all := manyPrefixes(rng)
	var b Backlog
	var taken int64
	for _, prefix := range all {
		taken += b.Put(prefix, bounded(prefix))
	}
	places := make([]int32, blockAntecedents)
	for i := range places {
		places[i] = int32(blockAntecedents - 1 - i)
	}
	b.Ready(places)
	if len(b.blocks) < 3 || taken != int64(len(b.blocks))*backlogBlock {
		t.Fatalf("%d blocks, %d bytes taken", len(b.blocks), taken)
	}
	var buffer []problem.Column
	looks := []int{0, 1, len(all) / 3, len(all) - 1, len(all)}
	for i := 0; ; i++ {
		if slices.Contains(looks, i) {
			rest := all[i:]
			b.Each(func(prefix []problem.Antecedent, more int64) {
				if len(rest) == 0 || !slices.Equal(prefix, rest[0]) || more != bounded(prefix) {
					t.Fatalf("after %d were taken, %v with %d is left where %v is due", i, prefix, more, rest[:min(1, len(rest))])
				}
				rest = rest[1:]
			})
			if len(rest) > 0 {
				t.Fatalf("after %d were taken, %d are missing", i, len(rest))
			}
		}
		prefix, more, freed, ok := b.Take(buffer)
		if !ok {
			if i != len(all) || taken != 0 {
				t.Fatalf("%d of %d were there, %d bytes stay taken", i, len(all), taken)
			}
			return
		}
		taken -= freed
		var out []problem.Antecedent
		for _, col := range prefix {
			out = append(out, problem.Antecedent(blockAntecedents-1-col))
		}
		if !slices.Equal(out, all[i]) || more != bounded(out) {
			t.Fatalf("%v was put as number %d, %v came out", all[i], i, out)
		}
		buffer = prefix
	}
}

// bounded is by how much the bound of a prefix exceeds that of its cost: any number that
// some have and others have not.
func bounded(prefix []problem.Antecedent) int64 {
	return int64(len(prefix)%3) << (7 * len(prefix) % 50)
}

// TestCheckpointOfManyBlocks reads what was written: open prefixes, closed
// ones, and open ones again.
func TestCheckpointOfManyBlocks(t *testing.T) {
	all := manyPrefixes(rand.New(rand.NewPCG(2, 70)))
	kind := func(i int) byte {
		if i/(len(all)/3)%2 == 1 {
			return KindClosed
		}
		return KindOpen
	}
	var file bytes.Buffer
	w := &Writer{Writer: blockfile.NewWriter(&file)}
	for i, prefix := range all {
		w.Prefix(kind(i), prefix, bounded(prefix))
	}
	must.Do(t, w.Finish())
	r := &Reader{Reader: checkpoint.Blocks(&file), m: blockAntecedents, among: make([]bool, blockAntecedents)}
	i := 0
	err := r.Each(context.Background(), func(k byte, prefix []problem.Antecedent, more int64) {
		if i >= len(all) || k != kind(i) || !slices.Equal(prefix, all[i]) || k == KindOpen && more != bounded(prefix) {
			t.Fatalf("number %d came out as %c %v with %d", i, k, prefix, more)
		}
		i++
	})
	if err != nil || i != len(all) || r.Last() < 3 {
		t.Errorf("%d of %d prefixes in %d blocks came out, error %v", i, len(all), r.Last()+1, err)
	}
}
