// Package chance is a permutation test: how often a model of shuffled labels is as good. Begin with [Ask].
package chance

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"runtime"

	"golang.org/x/sync/errgroup"

	"parcorels/dataset"
	"parcorels/family"
	"parcorels/family/luck"
	"parcorels/model"
	"parcorels/optionerr"
	"parcorels/report"
)

// Options say how labels are shuffled.
type Options struct {
	family.Options
	Shuffles int           // how often
	Made     report.Chance // what is known of the first of them, which are not made again
	Seed     uint64
	// Groups has a number for each sample. The labels of a group stay together, and only
	// groups of as many samples exchange theirs. nil: each sample is a group.
	Groups []int
	Each   int64         // prefixes or sets of each search; 0: as Nodes, or mostNodes
	Model  *family.Model // whose objective is to be reached
}

// Usual is how many shuffles are made where nobody says: if none is as good, labels without
// meaning allow as good a model one time in a hundred at most.
const Usual = 99

// Ask deals the labels out to the rows at random, cuts the numbers and asks whether there
// is as good a model again, and so on, as o says. Model is what Fit found with the same options. A row's label takes its
// weight along, so that the classes keep theirs; a weight that counts rows is so many rows with labels of their own. The
// same seed gives the same answer for any number of workers. Where the deadline of ctx ends a search, its answer is not known.
// P is an upper bound on the probability that labels without any meaning allow as good a model (Phipson and Smyth, 2010): the
// labels as they are count as a shuffle, and so does each search that a limit ended as one as good.
//
// Numbers are cut anew if the table was read with KeepColumns or has at most 500 rows. If
// they are not, too few shuffles look as good.
func Ask(ctx context.Context, p *family.Problem, o Options) (report.Chance, error) {
	switch {
	case o.Shuffles < 1 || o.Shuffles > mostShuffles:
		return report.Chance{}, optionerr.Errorf("Chance", "%d shuffles, expected 1 to %d", o.Shuffles, mostShuffles)
	case o.Made.Shuffles > o.Shuffles:
		return report.Chance{}, optionerr.Errorf("Chance", "%d shuffles are made already, expected at most %d", o.Made.Shuffles, o.Shuffles)
	case o.Groups != nil && len(o.Groups) != p.Set.Data.N:
		return report.Chance{}, optionerr.Errorf("Groups", "%d numbers of groups for %d samples", len(o.Groups), p.Set.Data.N)
	}
	answers, data := make([]family.AsGood, o.Shuffles-o.Made.Shuffles), p.Set.Data
	if data.Counted() {
		var of []int
		if data, of = data.Expanded(); o.Groups != nil {
			o.Groups = dataset.Taken(o.Groups, of)
		}
	}
	o.Progress, o.Proof, o.Checkpoint = nil, nil, nil
	group, inside := errgroup.WithContext(ctx)
	group.SetLimit(cmp.Or(o.Workers, runtime.GOMAXPROCS(0)))
	o.Workers = 1
	if p.Kind() != model.RuleSet {
		o.Nodes = cmp.Or(o.Each, o.Nodes, mostNodes)
	}
	want := o.Model.Certificate()
	for i := range answers {
		group.Go(func() (err error) {
			if answers[i] = family.Unknown; errors.Is(inside.Err(), context.DeadlineExceeded) {
				return nil
			}
			d := luck.Shuffled(data, o.Groups, rand.New(rand.NewPCG(o.Seed, uint64(o.Made.Shuffles+i))))
			if answers[i], err = p.AsGood(inside, o.Options, d, &want); errors.Is(err, context.DeadlineExceeded) {
				answers[i], err = family.Unknown, nil
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return report.Chance{}, err
	}
	r := o.Made
	r.Shuffles = o.Shuffles
	for _, a := range answers {
		switch a {
		case family.Yes:
			r.AsGood++
		case family.Unknown:
			r.Unproved++
		}
	}
	r.P = float64(r.AsGood+r.Unproved+1) / float64(r.Shuffles+1)
	return r, nil
}

// A search of shuffled labels ends after mostNodes: noise is hard to prove anything of, but
// its bound soon passes the objective of labels that say something.
const mostShuffles = 100_000
const mostNodes = 2_000
