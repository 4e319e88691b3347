package parcorels_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"parcorels"
	"parcorels/internal/cases"
	"parcorels/model"
	"parcorels/ratio"
	"parcorels/rules"
	"parcorels/verify"
)

// TestPathProof has the proofs of random paths checked, and then proofs that lack a model, have
// one twice or a damaged one: these are refused.
func TestPathProof(t *testing.T) {
	t.Parallel()
	refused, verified := 0, 0
	for seed := range uint64(cases.Some(300)) {
		rng := rand.New(rand.NewPCG(seed, 62))
		data := wishTable(t, rng)
		o := parcorels.Options{Workers: 1, MaxCard: 1, MinSupport: "0"}
		if seed%2 == 1 {
			o.Family = model.Tree
		}
		p, err := parcorels.NewProblem(context.Background(), data, o)
		if err != nil {
			t.Fatal(err)
		}
		path, err := p.Path(context.Background(), o, ratio.New(1, 50))
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if err := p.ProvePath(context.Background(), o, path, &file); err != nil {
			t.Fatal(err)
		}
		check := func(file []byte) (*parcorels.PathVerification, error) {
			return parcorels.VerifyPath(context.Background(), bufio.NewReader(bytes.NewReader(file)), parcorels.VerifyOptions{}, func(proof verify.Proof) (*rules.Set, parcorels.Reading, error) {
				_, _, told, err := parcorels.ParseProofSettings(proof.About().Settings)
				if err != nil {
					return nil, parcorels.Reading{}, err
				}
				told.Family = o.Family
				set, err := parcorels.Mine(context.Background(), data, told)
				return set, parcorels.Reading{}, err
			})
		}
		v, err := check(file.Bytes())
		if err != nil || len(v.Models) != len(path.Vertices) {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for i, m := range v.Models {
			if m.Model.Text(80) != path.Vertices[i].Model.Text(80) {
				t.Fatalf("seed %d: verified\n%s\nfound\n%s", seed, m.Model.Text(80), path.Vertices[i].Model.Text(80))
			}
		}
		verified++
		for name, bad := range damaged(rng, file.Bytes()) {
			if _, err := check(bad); err == nil {
				t.Fatalf("seed %d: a path with %s is verified", seed, name)
			} else if !errors.Is(err, verify.ErrRefused) && !errors.Is(err, verify.ErrFormat) {
				t.Fatalf("seed %d: %s: %v", seed, name, err)
			}
			refused++
		}
	}
	t.Logf("%d verified, %d refused", verified, refused)
}

// damaged returns files of a path that prove nothing. A path of one model may lack none.
func damaged(rng *rand.Rand, file []byte) map[string][]byte {
	head, parts := file[:12], [][]byte{}
	for at := 12; at < len(file); {
		n := 8 + int(binary.LittleEndian.Uint64(file[at:]))
		parts = append(parts, file[at:at+n])
		at += n
	}
	join := func(parts ...[]byte) []byte { return append(bytes.Clone(head), bytes.Join(parts, nil)...) }
	bad := map[string][]byte{
		"no proof":          head,
		"a proof cut short": file[:len(file)-1-rng.IntN(len(parts[len(parts)-1])-1)],
		"a model twice":     join(append(parts[:1:1], parts...)...),
		"a byte more":       append(bytes.Clone(file), 0),
		"another version":   append([]byte("PARCPATH\x02\x00\x00\x00"), file[12:]...),
	}
	if len(parts) > 1 {
		bad["no first model"] = join(parts[1:]...)
	}
	if len(parts) > 2 {
		bad["no second model"] = join(append(parts[:1:1], parts[2:]...)...)
	}
	flipped := bytes.Clone(file)
	flipped[12+8+rng.IntN(len(file)-20)] ^= 1 << rng.IntN(8)
	if !strings.HasPrefix(fmt.Sprint(flipped), fmt.Sprint(file)) {
		bad["a bit flipped"] = flipped
	}
	return bad
}
