package tree_test

import (
	"bytes"
	"crypto/sha256"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/dataset"
	"parcorels/internal/testing/prooftamper"
	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
	"parcorels/tree/search"
	"parcorels/verify/framing"
)

// withClaim returns the proof with another claimed tree, and the numbers of
// blocks and records that it has.
func withClaim(t *testing.T, proof []byte, nodes []uint64, errors uint64) []byte {
	t.Helper()
	if !bytes.Equal(prooftamper.File(proof[:12], prooftamper.Blocks(proof)), proof) {
		t.Fatal("a proof put together again is another")
	}
	blocks := prooftamper.Blocks(proof)
	last := &blocks[len(blocks)-1]
	old, _ := prooftamper.Varints(last.Payload, -1)
	last.Payload = prooftamper.Append(nil, slices.Concat([]uint64{uint64(len(nodes))}, nodes, []uint64{errors}, old[len(old)-2:])...)
	return prooftamper.File(proof[:12], blocks)
}

// withProblem returns the proof with another price of a leaf, another depth or other least samples in
// its header, near those that it has.
func withProblem(rng *rand.Rand, proof []byte) []byte {
	blocks := prooftamper.Blocks(proof)
	head := &blocks[0]
	fields, rest := prooftamper.Varints(head.Payload[sha256.Size:], 7) // num, den, features, weight, K, depth and least samples
	switch rng.IntN(5) {
	case 0:
		fields[0] += rng.Uint64N(2)
		fields[1] = max(1, fields[1]+rng.Uint64N(5)-2)
	case 1: // a little cheaper or dearer
		fields[0], fields[1] = 100*fields[0], 100*fields[1]+rng.Uint64N(21)-10
	case 2:
		fields[6] = max(1, fields[6]+rng.Uint64N(3)) - 1
	case 3:
		fields[5] = (fields[5] + 3 + rng.Uint64N(3)) % 5
	default:
		fields[5] = rng.Uint64N(2) * (fields[5] + 1)
	}
	head.Payload = append(prooftamper.Append(head.Payload[:sha256.Size], fields...), rest...)
	return prooftamper.File(proof[:12], blocks)
}

// TestObjectiveFits: a λ of so many digits that the objective does not fit is refused, though values do.
// Half of the weight is wrong in every tree, and is in no value.
func TestObjectiveFits(t *testing.T) {
	set := testgen.MinedText(t, "c,w,y\n0,1,a\n0,1,b\n1,2,b\n1,2,a\n", dataset.Options{Weight: "w"}, features)
	set.Data.Weights = []int64{1 << 40, 1 << 40, 1<<40 + 1, 1<<40 + 1} // reading would round them
	_, proof := proved(t, set, search.Options{Lambda: ratio.New(1, 10), Workers: 1})
	for digits, fits := range map[int]bool{10: true, 18: true, 22: false, 30: false, 57: false, 61: false} {
		blocks := prooftamper.Blocks(proof)
		fields, _ := prooftamper.Varints(blocks[0].Payload[sha256.Size:], 2)
		fields[1] = 1<<digits + 1 // den
		rest := blocks[0].Payload[sha256.Size+2:]
		blocks[0].Payload = append(prooftamper.Append(blocks[0].Payload[:sha256.Size], fields...), rest...)
		r, err := check(t.Context(), bytes.NewReader(prooftamper.File(proof[:12], blocks)), set, framing.Options{})
		if (err == nil) != fits {
			t.Errorf("λ = 1/(2^%d + 1): objective %d of %d, %v", digits, r.Objective, r.Scale, err)
		}
	}
}

// TestHeavyWithoutPrice: samples of more than 2^60 in all have a tree where leaves cost nothing, and its proof holds.
func TestHeavyWithoutPrice(t *testing.T) {
	text := "c,w,y\n0,900000000000000000,a\n1,100000000000000000,b\n1,200000000000000001,a\n"
	set := testgen.MinedText(t, text, dataset.Options{Weight: "w"}, features)
	want, proof := proved(t, set, search.Options{Lambda: ratio.New(0, 1), Depth: 1, Workers: 1})
	got, err := check(t.Context(), bytes.NewReader(proof), set, framing.Options{})
	if err != nil || got.Objective != want.Objective {
		t.Errorf("objective %d is proved, %v; %d was found", got.Objective, err, want.Objective)
	}
}
