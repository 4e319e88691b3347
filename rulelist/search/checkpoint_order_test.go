package search

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/save"
	"parcorels/trie"
)

// saying is a prefix of a checkpoint.
type saying struct {
	kind   byte
	prefix []problem.Antecedent
	more   int64 // of the bound of an open one, beyond that of its cost
}

// said returns what a checkpoint says, and its first block.
func said(p *problem.Problem, o Options, file []byte) (first save.State, all []saying, err error) {
	r, first, err := save.Open(bytes.NewReader(file), save.Head{Lambda: o.Lambda, MaxRules: o.MaxRules}, p)
	if err != nil {
		return first, nil, err
	}
	return first, all, r.Each(context.Background(), func(kind byte, prefix []problem.Antecedent, more int64) {
		all = append(all, saying{kind, slices.Clone(prefix), more})
	})
}

// say writes a checkpoint.
func say(p *problem.Problem, o Options, first save.State, all []saying) []byte {
	var file bytes.Buffer
	w := save.NewWriter(&file, p, save.Head{Lambda: o.Lambda, MaxRules: o.MaxRules}, first)
	for _, x := range all {
		w.Prefix(x.kind, x.prefix, x.more)
	}
	_ = w.Finish()
	return file.Bytes()
}

// nodesLeft puts the search of o into straits, and returns a function that
// counts the nodes that are in use at its end and were not when it was built.
func nodesLeft(o *Options, x Straits) func() int {
	var s *search
	before := 0
	count := func() (n int) {
		s.arena.From(0, func(trie.ID, *trie.Node) bool { n++; return true })
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
		want := must.Get(in.Best())(t)
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
		o.Checkpoint = &save.Checkpoint{Save: func(write func(io.Writer) error) error { return write(&saved) }}
		r := must.Get(Solve(context.Background(), points, o))(t)
		if r.Status == parallel.Optimal {
			continue
		}
		p := laidOut(t, points, o)
		first, all, err := said(p, o, saved.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(say(p, o, first, all), saved.Bytes()) {
			t.Fatal("a file that is written again differs")
		}
		open := int64(0)
		for _, x := range all {
			if x.kind == save.KindOpen {
				open++
			}
		}
		other := slices.Concat(all, all)
		if rng.IntN(2) == 0 {
			other = slices.DeleteFunc(other, func(x saying) bool { return x.kind == save.KindClosed && rng.IntN(2) == 0 })
		}
		rng.Shuffle(len(other), func(i, j int) { other[i], other[j] = other[j], other[i] })
		o = draw()
		o.Checkpoint = &save.Checkpoint{From: bytes.NewReader(say(p, o, first, other))}
		x := Straits{Starved: rng.IntN(2) == 0, Nodes: rng.IntN(40), Chunks: 1 + rng.IntN(4)}
		left := nodesLeft(&o, x)
		r = must.Get(Solve(context.Background(), points, o))(t)
		if n := left(); n > 0 && o.Symmetry == NoSymmetry {
			t.Errorf("seed %d, %+v, %+v: %d nodes are held at the end", seed, o, x, n)
		}
		list := antecedents(r)
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

// TestCheckpointWithoutRepeats saves an incumbent in which an antecedent comes
// twice, which may be where nothing forbids it. No checkpoint with such a list
// can be resumed from.
func TestCheckpointWithoutRepeats(t *testing.T) {
	in, o := damageProblem(t), damageOptions()
	o.Checkpoint = &save.Checkpoint{}
	p := laidOut(t, in, o)
	s := newSearch(p, o)
	s.incumbent.Offer(&problem.Solution{Objective: p.EmptyObjective() - 1, List: []problem.Antecedent{2, 0, 2, 1, 0}})
	if !s.build() {
		t.Fatal("the structures do not fit into no limit")
	}
	s.begin()
	var file bytes.Buffer
	must.Do(t, s.saver.write(&file))
	_, st, err := save.Open(&file, s.head(), p)
	if want := []problem.Antecedent{2, 0, 1}; err != nil || !slices.Equal(st.List, want) {
		t.Errorf("the list saved is %v, error %v; want %v", st.List, err, want)
	}
}
