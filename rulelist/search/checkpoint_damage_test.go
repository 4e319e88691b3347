package search

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"parcorels/instance"
	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/oracle"
	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/record"
	"parcorels/rulelist/save"
)

// damageProblem is an instance of 12 antecedents on which a search without
// most prunings has something to save.
func damageProblem(t testing.TB) *instance.Instance {
	rng := rand.New(rand.NewPCG(3, 60))
	var p oracle.Problem
	for range 12 {
		p.Columns = append(p.Columns, testgen.Random(rng, 60, 1./3))
	}
	p.Labels = testgen.Random(rng, 60, 1./3)
	return testgen.Reduced(t, testgen.Instance{Problem: p}.Set())
}

func damageOptions() Options {
	return Options{Lambda: ratio.Ratio{Num: 1, Den: 50}, Workers: 1,
		Without: problem.Incumbent | problem.LookAhead | problem.Similar | problem.Redundant}
}

// resume continues from a checkpoint for a few prefixes.
func resumeFrom(in *instance.Instance, o Options, file []byte) (Result, error) {
	o.Checkpoint = &save.Checkpoint{From: bytes.NewReader(file)}
	o.Nodes = 20
	return Solve(context.Background(), in, o)
}

// TestDamagedCheckpoint changes every byte, cuts the file off at every length,
// and adds to it: it is refused, each time with a reason on one line.
func TestDamagedCheckpoint(t *testing.T) {
	testgen.NotRaced(t)
	t.Parallel()
	in, o := damageProblem(t), damageOptions()
	o.Nodes = 5
	_, file := stopped(t, in, o, nil)
	if _, err := resumeFrom(in, o, file); err != nil {
		t.Fatalf("the whole file is refused: %v", err)
	}
	reasons := map[string]int{}
	refused := func(what string, at int, damaged []byte) {
		t.Helper()
		_, err := resumeFrom(in, o, damaged)
		if !errors.Is(err, save.ErrCheckpoint) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s %d: %v", what, at, err)
			return
		}
		reasons[err.Error()]++
	}
	for i := range file {
		for _, flip := range flips(i, 1, 0x80, 0xff) {
			damaged := slices.Clone(file)
			damaged[i] ^= flip
			refused("byte", i, damaged)
		}
		if cases.All() || i%16 == 0 {
			refused("cut off at", i, file[:i])
		}
	}
	refused("something behind", len(file), append(slices.Clone(file), 0))
	if len(reasons) < 4 {
		t.Errorf("only these reasons: %v", reasons)
	}
}

// flips returns what is changed in byte i of a file: by default one of the
// changes in turn, and that in every byte of the first 120, where most kinds
// of fields are, and in every 24th byte behind them.
func flips(i int, all ...byte) []byte {
	switch {
	case cases.All():
		return all
	case i < 120 || i%24 == 0:
		at := i / 3 % len(all)
		return all[at : at+1]
	}
	return nil
}

// TestForeignCheckpoint: the line says what differs.
func TestForeignCheckpoint(t *testing.T) {
	in, o := damageProblem(t), damageOptions()
	o.Nodes = 5
	_, file := stopped(t, in, o, nil)
	for _, c := range []struct {
		want   string
		change func(in *instance.Instance, o *Options, c *save.Checkpoint) *instance.Instance
	}{
		{"λ = 0.02", func(in *instance.Instance, o *Options, _ *save.Checkpoint) *instance.Instance {
			o.Lambda = ratio.Ratio{Num: 1, Den: 51}
			return in
		}},
		{"other data", func(in *instance.Instance, _ *Options, c *save.Checkpoint) *instance.Instance {
			c.Digest = func() [32]byte { return [32]byte{31: 1} }
			return in
		}},
		{"12 antecedents, not 11", func(in *instance.Instance, _ *Options, _ *save.Checkpoint) *instance.Instance {
			return smaller(t, 11, 60)
		}},
		{"total weight 60, not 59", func(in *instance.Instance, _ *Options, _ *save.Checkpoint) *instance.Instance {
			return smaller(t, 12, 59)
		}},
	} {
		o := o
		o.Checkpoint = &save.Checkpoint{From: bytes.NewReader(file)}
		in := c.change(in, &o, o.Checkpoint)
		if _, err := Solve(context.Background(), in, o); !errors.Is(err, save.ErrCheckpoint) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("want %q, got %v", c.want, err)
		}
	}
	for text, want := range map[string]string{
		"": "not a checkpoint", "PARCPROF\x01\x00\x00\x00": "not a checkpoint", "rule list": "not a checkpoint",
		"PARCCKPT\x07\x00\x00\x00": "version 7", "PARCCKPT\x02\x00\x00\x00": "version 6, which this program reads: it has version 2",
		"PARCCKPT\x00\x00\x00\x00": "version 0",
	} {
		if _, err := resumeFrom(in, o, []byte(text)); !errors.Is(err, save.ErrCheckpoint) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: want %q, got %v", text, want, err)
		}
	}
}

// smaller is an instance of some other size.
func smaller(t *testing.T, antecedents, samples int) *instance.Instance {
	p := oracle.Problem{Labels: make([]bool, samples)}
	p.Labels[0] = true
	for i := range antecedents {
		c := make([]bool, samples)
		c[i], c[i+1] = true, true
		p.Columns = append(p.Columns, c)
	}
	return testgen.Reduced(t, testgen.Instance{Problem: p}.Set())
}

// sealed computes the checksums of a file anew, as far as it consists of
// blocks, so that what is behind them is reached.
func sealed(file []byte) []byte {
	file = slices.Clone(file)
	rest := file[min(len(file), 12):]
	for len(rest) >= blockHead {
		n := uint64(binary.LittleEndian.Uint32(rest[1:]))
		if uint64(len(rest)) < blockHead+n+4 {
			break
		}
		if payload := rest[blockHead : blockHead+n]; rest[0] == 'Z' && n >= sha256.Size {
			at := len(file) - len(rest) + blockHead + int(n) - sha256.Size
			sum := sha256.Sum256(file[:at])
			copy(payload[n-sha256.Size:], sum[:])
		}
		binary.LittleEndian.PutUint32(rest[blockHead+n:], crc32.Checksum(rest[:blockHead+n], crc32.MakeTable(crc32.Castagnoli)))
		rest = rest[blockHead+n+4:]
	}
	return file
}

// harmless resumes from a file that may be anything. It may be refused, and a
// forged one may even hide the best list, but nothing else.
func harmless(t *testing.T, in *instance.Instance, o Options, file []byte) {
	r, err := resumeFrom(in, o, file)
	if err != nil {
		if !errors.Is(err, save.ErrCheckpoint) {
			t.Fatalf("refused by %v", err)
		}
		return
	}
	var list []problem.Antecedent
	for _, rule := range r.Rules {
		list = append(list, problem.Antecedent(rule.Antecedent))
	}
	p := laidOut(t, in, o)
	if s := p.Evaluate(list); s.Objective != r.Objective || r.LowerBound > r.Objective {
		t.Fatalf("%v has objective %d, not %d; the bound is %d", list, s.Objective, r.Objective, r.LowerBound)
	}
}

// TestForgedCheckpoint changes every byte of a file and seals it again.
func TestForgedCheckpoint(t *testing.T) {
	testgen.NotRaced(t)
	t.Parallel()
	in, o := damageProblem(t), damageOptions()
	o.Nodes = 5
	_, file := stopped(t, in, o, nil)
	if !bytes.Equal(sealed(file), file) {
		t.Fatal("a file that is sealed again differs")
	}
	for i := range file {
		for _, flip := range flips(i, 1, 2, 0x80, 0xff) {
			forged := slices.Clone(file)
			forged[i] ^= flip
			harmless(t, in, o, sealed(forged))
		}
	}
}

// marked is the checkpoint of a search with a proof.
func marked(t testing.TB, in *instance.Instance, o Options) []byte {
	t.Helper()
	o.Proof = &Proof{File: &tape{}}
	_, file := stopped(t, in, o, nil)
	return file
}

// TestForgedMark changes the hash of the proof in a checkpoint, and seals it
// again. The proof is refused then.
func TestForgedMark(t *testing.T) {
	in, o := damageProblem(t), damageOptions()
	o.Nodes = 5
	proof := &tape{}
	o.Proof = &Proof{File: proof}
	_, file := stopped(t, in, o, nil)
	end := 12 + blockHead + int(binary.LittleEndian.Uint32(file[13:]))
	for i := end - sha256.Size; i < end; i++ {
		forged := slices.Clone(file)
		forged[i] ^= 1
		proof.place = 0
		o.Checkpoint = &save.Checkpoint{From: bytes.NewReader(sealed(forged))}
		if _, err := Solve(context.Background(), in, o); !errors.Is(err, record.ErrProof) {
			t.Errorf("byte %d: %v", i, err)
		}
	}
}

// FuzzCheckpoint reads files as they are, and with their checksums put right.
// No size in a file makes the reader take memory for more than is there.
func FuzzCheckpoint(f *testing.F) {
	in, o := damageProblem(f), damageOptions()
	for _, n := range []int64{1, 3, 10} {
		o.Nodes = n
		_, file := stopped(f, in, o, nil)
		f.Add(file, byte(0))
		f.Add(marked(f, in, o), byte(7))
	}
	f.Fuzz(func(t *testing.T, file []byte, how byte) {
		o := o
		o.Symmetry = Symmetry(how % 3)
		o.Workers = 1 + int(how/4%2)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		harmless(t, in, o, file)
		harmless(t, in, o, sealed(file))
		runtime.ReadMemStats(&after)
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 64<<20+uint64(len(file))*1024 {
			t.Fatalf("%d bytes were allocated for a file of %d", taken, len(file))
		}
	})
}

// blockHead is the number of bytes before a payload.
const blockHead = 1 + 4
