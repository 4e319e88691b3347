package search

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/instance"
	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/save"
)

// resumeStarved is Solve without a first incumbent, in a starved search that
// resumes from a checkpoint, if there is one. It returns the checkpoints that
// were saved.
func resumeStarved(in *instance.Instance, o Options, saved []byte, nodes, chunks int) (Result, [][]byte, int64, error) {
	p, err := laidOutProblem(in, o)
	if err != nil {
		return Result{}, nil, 0, err
	}
	var kept [][]byte
	o.Checkpoint = &save.Checkpoint{Every: 1, Save: func(write func(io.Writer) error) error {
		var b bytes.Buffer
		err := write(&b)
		kept = append(kept, b.Bytes())
		return err
	}}
	if saved != nil {
		o.Checkpoint.From = bytes.NewReader(saved)
	}
	s := newSearch(p, o.withDefaults())
	r, _, err := s.resume()
	if err != nil {
		return Result{}, nil, 0, err
	}
	if !s.build() {
		return Result{}, nil, 0, fmt.Errorf("a search without a limit cannot start")
	}
	s.starve(nodes, chunks)
	if _, err := s.fill(context.Background(), r); err != nil {
		return Result{}, nil, 0, err
	}
	behind := s.backlog.Len()
	s.runAll(context.Background())
	if s.queue.Status() != parallel.Optimal {
		s.saver.last()
	}
	return s.result(s.queue.Status(), 0), kept, behind, nil
}

// TestResumeStarved goes on, again and again, with room for few prefixes or
// none, so that what is open is in the backlog and in dives. Checkpoints are
// taken all the time, and the next search resumes from any of the last one's.
func TestResumeStarved(t *testing.T) {
	t.Parallel()
	count := cases.Some(200)
	var links, checkpoints, behind int64
	for seed := range uint64(count) {
		in := testgen.Small(seed)
		all := problem.AllPrunings()
		switch seed % 4 {
		case 0, 2:
			in = testgen.Knotty(seed)
		case 1:
			in = testgen.Wide(seed)
		}
		if len(in.Columns) > 6 {
			all &^= problem.Bound // or it takes minutes: with room for no prefix the map holds none
		}
		want, err := in.Best()
		if err != nil {
			t.Fatal(err)
		}
		points := reduced(t, in)
		rng := rand.New(rand.NewPCG(seed, 40))
		var saved []byte
		for link := 1; ; link++ {
			o := Options{
				Lambda: in.Lambda, Workers: 1 + rng.IntN(3)*rng.IntN(2),
				Policy: Policy(rng.IntN(len(policyNames))), Symmetry: Symmetry(rng.IntN(len(symmetryNames))),
				Without: problem.Incumbent | problem.Prunings(rng.Uint64())&all,
				Nodes:   1 + int64(link*link/50),
			}
			if rng.IntN(4) > 0 || o.Without.Has(problem.Support) {
				o.Without |= problem.LookAhead
			}
			if rng.IntN(10) == 0 {
				o.Nodes = 0
			}
			nodes, chunks := rng.IntN(1+rng.IntN(40)), 1+rng.IntN(4)
			r, kept, left, err := resumeStarved(points, o, saved, nodes, chunks)
			if err != nil {
				t.Fatal(err)
			}
			links, checkpoints, behind = links+1, checkpoints+int64(len(kept)), behind+left
			if r.LowerBound > want.Objective || r.Objective < want.Objective {
				t.Fatalf("link %d of seed %d, %+v with %d nodes and %d chunks: bound %d, objective %d; the optimum is %d\n%v",
					link, seed, o, nodes, chunks, r.LowerBound, r.Objective, want.Objective, in)
			}
			if r.Status == parallel.Optimal {
				list := listOf(r)
				if r.Objective != want.Objective || !slices.Equal(list, want.Antecedents) {
					t.Fatalf("link %d of seed %d, %+v with %d nodes and %d chunks: %v with objective %d; the optimum is %v with %d\n%v",
						link, seed, o, nodes, chunks, list, r.Objective, want.Antecedents, want.Objective, in)
				}
				if len(kept) > 0 { // any of them will do, even of a search that ended
					saved = kept[rng.IntN(len(kept))]
				}
				if link > 3 || len(kept) == 0 {
					break
				}
				continue
			}
			saved = kept[len(kept)-1-rng.IntN(min(len(kept), 3))]
		}
	}
	t.Logf("%d searches, %d checkpoints, %d prefixes in the backlog", links, checkpoints, behind)
	if behind == 0 || checkpoints == 0 {
		t.Error("nothing was tested")
	}
}
