package search

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/internal/blockfile"
	"parcorels/internal/cases"
	"parcorels/internal/testgen"
	"parcorels/parallel"
	"parcorels/rulelist/problem"
	"parcorels/trie"
)

// saying is a prefix of a checkpoint.
type saying struct {
	kind   byte
	prefix []problem.Antecedent
	more   int64 // of the bound of an open one, beyond that of its cost
}

// said returns what a checkpoint says, and its first block.
func said(p *problem.Problem, o Options, file []byte) (first []byte, all []saying, err error) {
	o.Checkpoint = &Checkpoint{From: bytes.NewReader(file)}
	r, _, err := openCheckpoint(o.Checkpoint, p, o)
	if err != nil {
		return nil, nil, err
	}
	first = slices.Clone(r.payload)
	return first, all, r.each(context.Background(), func(kind byte, prefix []problem.Antecedent, more int64) {
		all = append(all, saying{kind, slices.Clone(prefix), more})
	})
}

// say writes a checkpoint.
func say(first []byte, all []saying) []byte {
	var file bytes.Buffer
	w := &checkpointWriter{Writer: blockfile.NewWriter(&file)}
	w.Begin(checkpointMagic, checkpointVersion)
	w.Block(blockState, first)
	for _, x := range all {
		w.prefix(x.kind, x.prefix, x.more)
	}
	w.finish()
	return file.Bytes()
}

// nodesLeft puts the search of o into straits, and returns a function that
// counts the nodes that are in use at its end and were not when it was built.
func nodesLeft(o *Options, x Straits) func() int {
	var s *search
	before := 0
	count := func() (n int) {
		s.arena.Each(func(trie.ID, *trie.Node) { n++ })
		return n
	}
	*o = x.In(*o)
	alter := o.hooks.built
	o.hooks.built = func(built *search) {
		alter(built)
		s = built
		before = count()
	}
	return func() int { return count() - before }
}

// TestResumeAnyOrder: it makes no difference in what order a checkpoint has its
// prefixes, how often, and whether it has the closed ones. Where there is a
// symmetry map and memory for all, none is searched twice; where there is no
// map, no node is held at the end.
func TestResumeAnyOrder(t *testing.T) {
	t.Parallel()
	count := cases.Some(80)
	sayings, again := 0, 0
	for seed := range uint64(count) {
		in := testgen.Knotty(seed)
		want, err := in.Best()
		if err != nil {
			t.Fatal(err)
		}
		points := reduced(t, in)
		rng := rand.New(rand.NewPCG(seed, 71))
		draw := func() Options {
			o := Options{
				Lambda: in.Lambda, Workers: 1 + rng.IntN(3)*rng.IntN(2),
				Policy: Policy(rng.IntN(len(policyNames))), Symmetry: Symmetry(rng.IntN(len(symmetryNames))),
				Without: problem.Incumbent | problem.LookAhead | problem.Prunings(rng.Uint64())&problem.AllPrunings(),
			}
			if len(in.Columns) > 6 {
				o.Without &^= problem.Bound // or it takes long
			}
			return o
		}
		o := draw()
		o.Nodes = 1 + rng.Int64N(20)
		var saved bytes.Buffer
		o.Checkpoint = &Checkpoint{Save: func(write func(io.Writer) error) error { return write(&saved) }}
		r, err := Solve(context.Background(), points, o)
		if err != nil {
			t.Fatal(err)
		}
		if r.Status == parallel.Optimal {
			continue
		}
		p, err := laidOutProblem(points, o)
		if err != nil {
			t.Fatal(err)
		}
		first, all, err := said(p, o, saved.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(say(first, all), saved.Bytes()) {
			t.Fatal("a file that is written again differs")
		}
		open := int64(0)
		for _, x := range all {
			if x.kind == blockOpen {
				open++
			}
		}
		other := slices.Concat(all, all)
		if rng.IntN(2) == 0 {
			other = slices.DeleteFunc(other, func(x saying) bool { return x.kind == blockClosed && rng.IntN(2) == 0 })
		}
		rng.Shuffle(len(other), func(i, j int) { other[i], other[j] = other[j], other[i] })
		o = draw()
		o.Checkpoint = &Checkpoint{From: bytes.NewReader(say(first, other))}
		x := Straits{Starved: rng.IntN(2) == 0, Nodes: rng.IntN(40), Chunks: 1 + rng.IntN(4)}
		left := nodesLeft(&o, x)
		r, err = Solve(context.Background(), points, o)
		if err != nil {
			t.Fatal(err)
		}
		if n := left(); n > 0 && o.Symmetry == NoSymmetry {
			t.Errorf("seed %d, %+v, %+v: %d nodes are held at the end", seed, o, x, n)
		}
		list := listOf(r)
		if r.Status != parallel.Optimal || r.Objective != want.Objective || !slices.Equal(list, want.Antecedents) {
			t.Fatalf("seed %d, %+v, %+v: %v, %v with objective %d; the optimum is %v with %d\n%v",
				seed, o, x, r.Status, list, r.Objective, want.Antecedents, want.Objective, in)
		}
		sayings++
		if r.Stats.Resumed > open {
			again++
			if !x.Starved && o.Symmetry != NoSymmetry {
				t.Errorf("seed %d, %+v: %d open prefixes became %d", seed, o, open, r.Stats.Resumed)
			}
		}
	}
	t.Logf("%d checkpoints, %d of them with prefixes that were searched twice", sayings, again)
	if sayings*3 < count || again == 0 {
		t.Error("hardly anything was tested")
	}
}
