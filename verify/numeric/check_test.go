package numeric_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"parcorels/family"
	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/prooftamper"
	"parcorels/internal/testing/testgen"
	"parcorels/model"
	"parcorels/rules"
	"parcorels/tree"
	"parcorels/verify"
	"parcorels/verify/numeric"
)

// proved is a table with a tree and its proof.
type proved struct {
	set   *rules.Set
	read  family.Reading
	data  *family.Data
	o     family.Options
	model *family.Model
	proof []byte
}

// random draws a table of numbers with ties and missing cells, categories and flags, and
// proves its best tree.
func random(t *testing.T, rng *rand.Rand) *proved {
	t.Helper()
	n, numbers, classes := 8+rng.IntN(30), 1+rng.IntN(3), 2+rng.IntN(3)
	var b strings.Builder
	for h := range numbers {
		fmt.Fprintf(&b, "x%d,", h)
	}
	b.WriteString("c,f,w,y\n")
	distinct, missing := 2+rng.IntN(12), rng.IntN(3) == 0
	for i := range n {
		first := 0
		for h := range numbers {
			v := rng.IntN(distinct)
			if h == 0 {
				first = v
			}
			if missing && rng.IntN(6) == 0 {
				b.WriteString("?,")
			} else {
				fmt.Fprintf(&b, "%g,", float64(v)/4)
			}
		}
		y := rng.IntN(classes)
		if rng.IntN(3) > 0 {
			y = first % classes
		}
		if i < 2 { // two classes at least
			y = i
		}
		fmt.Fprintf(&b, "%c,%d,%d,k%d\n", 'u'+rune(rng.IntN(3)), rng.IntN(2), 1+rng.IntN(3), y)
	}
	p := &proved{read: family.Reading{AllCuts: true, Multiclass: true, Target: "y"}}
	if rng.IntN(3) == 0 {
		p.read.Weight = "w"
	}
	var err error
	if p.data, err = family.ReadFrom(strings.NewReader(b.String()), "t.csv", p.read); err != nil {
		t.Fatal(err)
	}
	p.o = family.Options{Family: model.Tree, Depth: 1 + rng.IntN(4), Workers: 1 + rng.IntN(2)}
	p.o.Lambda = []string{"0", "0.01", "1/30", "0.1"}[rng.IntN(4)]
	p.prove(t)
	return p
}

func (p *proved) prove(t *testing.T) {
	t.Helper()
	problem := must.Get(family.NewProblem(t.Context(), p.data, p.o))(t)
	var out bytes.Buffer
	p.set, p.o.Proof = problem.Set, &family.Proof{To: &out}
	p.model = must.Get(problem.Fit(t.Context(), p.o))(t)
	if !p.model.Search.Proved {
		t.Fatalf("not proved: %v", p.model.Search.ProofErr)
	}
	p.proof = out.Bytes()
}

// check checks a proof about the table.
func (p *proved) check(t *testing.T, proof []byte) (model.Model, error) {
	t.Helper()
	open, err := verify.Open(bytes.NewReader(proof))
	if err != nil {
		return nil, err
	}
	v, err := family.Verify(t.Context(), open, p.set, p.read, family.VerifyOptions{Options: verify.Options{Workers: 2}})
	if err != nil {
		return nil, err
	}
	return v.Model, nil
}

// says is what a model claims: the tree, and among which it is the best.
func says(m model.Model) string {
	c := m.Certificate()
	return fmt.Sprint(m.Text(80), c.Objective, c.Lambda, c.Status, m.(*tree.Model).MaxDepth)
}

// TestProofs: what the search proves is verified, and says the same.
func TestProofs(t *testing.T) {
	records := int64(0)
	for seed := range uint64(testgen.Few(cases.Some(600))) {
		p := random(t, rand.New(rand.NewPCG(seed, 31)))
		m, err := p.check(t, p.proof)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if says(m) != says(p.model.Model) {
			t.Fatalf("seed %d: found\n%s\nverified\n%s", seed, says(p.model.Model), says(m))
		}
		records += p.model.Stats().ProofRecords
	}
	if records < 100 {
		t.Errorf("%d records in all", records)
	}
}

// TestMutants: a proof that was changed is refused, or proves what it did.
func TestMutants(t *testing.T) {
	refused, accepted := 0, 0
	for seed := range uint64(testgen.Few(cases.Some(500))) {
		rng := rand.New(rand.NewPCG(seed, 32))
		p := random(t, rng)
		for range 20 {
			m, err := p.check(t, prooftamper.Mutate(rng, p.proof))
			switch {
			case err != nil && !errors.Is(err, verify.ErrRefused) && !errors.Is(err, verify.ErrFormat):
				t.Fatalf("seed %d: %v", seed, err)
			case err != nil:
				refused++
			default:
				accepted++
				p.same(t, seed, m)
			}
		}
	}
	if refused < 3*accepted { // bytes of the settings say nothing here
		t.Errorf("%d mutants refused, %d accepted", refused, accepted)
	}
}

// same makes sure that a verified tree is the best one for its λ and depth.
func (p *proved) same(t *testing.T, seed uint64, m model.Model) {
	t.Helper()
	if says(m) == says(p.model.Model) {
		return
	}
	again := *p
	again.o.Lambda = m.Certificate().Lambda
	again.o.Proof = nil
	again.o.Depth = m.(*tree.Model).MaxDepth
	if best, err := family.Fit(t.Context(), p.data, again.o); err != nil || says(best.Model) == says(m) {
		return // the library refuses some prices that a proof may have
	}
	t.Fatalf("seed %d: verified, and not the best:\n%s\nfound:\n%s", seed, says(m), says(p.model.Model))
}

// withClaim returns a proof with the tree of another one, and its own numbers of blocks and records.
func withClaim(proof, other []byte) []byte {
	blocks := prooftamper.Blocks(proof)
	last := &blocks[len(blocks)-1]
	own, tree := varints(last.Payload), varints(prooftamper.Blocks(other)[len(prooftamper.Blocks(other))-1].Payload)
	last.Payload = prooftamper.Append(nil, append(tree[:len(tree)-2:len(tree)-2], own[len(own)-2:]...)...)
	return prooftamper.File(proof[:12], blocks)
}

func varints(b []byte) (list []uint64) {
	list, _ = prooftamper.Varints(b, -1)
	return list
}

// TestForeignClaims: the tree of another λ or depth is refused with these records, unless it is the
// same. So is the tree, with the records for another one.
func TestForeignClaims(t *testing.T) {
	refused := 0
	for seed := range uint64(testgen.Few(cases.Some(600))) {
		rng := rand.New(rand.NewPCG(seed, 33))
		p := random(t, rng)
		p.o.Depth = 1 + rng.IntN(4)
		p.prove(t)
		q := *p
		q.o.Lambda = []string{"0.003", "0.02", "0.2", q.o.Lambda}[rng.IntN(4)]
		q.o.Depth = max(1, p.o.Depth-rng.IntN(3))
		q.prove(t)
		// The same proof of a smaller depth, and the records of the other one.
		deeper := withClaim(p.proof, q.proof)
		head := prooftamper.Blocks(q.proof)
		head[0] = prooftamper.Blocks(p.proof)[0]
		for _, forged := range [][]byte{deeper, withClaim(prooftamper.File(p.proof[:12], head), p.proof),
			prooftamper.File(p.proof[:12], head)} {
			if m, err := p.check(t, forged); err != nil {
				refused++
			} else {
				p.same(t, seed, m)
			}
		}
		// Places left out: each proof without one place or record more.
		for _, forged := range [][]byte{without(rng, p.proof), without(rng, deeper)} {
			if m, err := p.check(t, forged); err == nil {
				p.same(t, seed, m)
			}
		}
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
}

// TestLeafIsSmaller: a split that saves less than its leaf costs is refused where no other split is
// smaller.
func TestLeafIsSmaller(t *testing.T) {
	tried := 0
	for seed := uint64(0); tried < 10; seed++ {
		p := random(t, rand.New(rand.NewPCG(seed, 34)))
		p.o.Depth = 1
		p.o.Lambda = "0.4"
		p.prove(t)
		q := *p
		q.o.Lambda = "0"
		q.prove(t)
		if says(p.model.Model) == says(q.model.Model) || p.model.Certificate().Size > 1 || q.model.Certificate().Size == 1 {
			continue
		}
		tried++
		if _, err := p.check(t, withClaim(p.proof, q.proof)); err == nil {
			t.Errorf("seed %d: a split is verified where a leaf is smaller", seed)
		}
	}
}

// TestObjectiveFits: a λ of so many digits that the objective does not fit is refused, though values do.
// Nearly all is wrong in every tree, and is in no value.
func TestObjectiveFits(t *testing.T) {
	p := &proved{read: family.Reading{AllCuts: true, Target: "y", Weight: "w"}, o: family.Options{Family: model.Tree, Depth: 1,
		Lambda: "0.1"}}
	var err error
	if p.data, err = family.ReadFrom(strings.NewReader("x,w,y\n1,.5,a\n1,2,b\n2,1,b\n2,1,a\n"), "t.csv",
		p.read); err != nil {
		t.Fatal(err)
	}
	p.data.Weights = []int64{1 << 40, 1<<40 + 1, 1 << 40, 1 << 40} // reading would round them
	p.prove(t)
	blocks := prooftamper.Blocks(p.proof)
	n := varints(blocks[0].Payload[32:])
	for digits, fits := range map[int]bool{10: true, 18: true, 19: false, 21: false, 40: false, 61: false} {
		header := prooftamper.Append(blocks[0].Payload[:32], append([]uint64{1, 1<<digits + 1, n[2], n[3], 2}, n[5:]...)...)
		forged := append([]prooftamper.Block{{Kind: 'H', Payload: header}}, blocks[1:]...)
		open := must.Get(numeric.Open(bytes.NewReader(prooftamper.File(p.proof[:12], forged))))(t)
		if r, err := open.Check(t.Context(), p.set, 1); (err == nil) != fits {
			t.Errorf("λ = 1/(2^%d + 1): objective %d, %v", digits, r.Objective, err)
		}
	}
}

// without returns a proof whose records are all of no place, or some are.
func without(rng *rand.Rand, proof []byte) []byte {
	blocks := prooftamper.Blocks(proof)
	if len(blocks) != 3 {
		return proof
	}
	n := varints(blocks[2].Payload)
	records := n[len(n)-1]
	blocks[1].Payload = make([]byte, records)
	if rng.IntN(2) == 0 {
		blocks[1].Payload = append([]byte{1, byte(rng.IntN(3))}, blocks[1].Payload[1:]...)
	}
	return prooftamper.File(proof[:12], blocks)
}
