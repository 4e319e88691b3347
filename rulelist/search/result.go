package search

import (
	"math"
	"time"

	"parcorels/dataset"
	"parcorels/model"
	"parcorels/parallel"
	"parcorels/rulelist"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/save"
	"parcorels/rules"
)

// Rule is "if the antecedent holds, predict Class". The antecedent is an
// index into Instance.Columns.
type Rule = rulelist.Rule

// Result is the best rule list found and what is proven about it.
type Result struct {
	Status     parallel.Status
	Rules      []Rule
	Default    int   // class that is predicted where no rule holds
	Errors     int64 // weight of the samples that the list gets wrong
	Objective  int64 // Den·Errors + Num·Total·len(Rules), exact
	LowerBound int64 // no list has a smaller objective, in the same units
	Scale      int64 // Den·Total: Objective/Scale is misclassification + λ·length
	ProofErr   error // why the proof lacks something; it can be completed from the last checkpoint that has it, if there is one
	ProofKept  bool  // the last checkpoint goes with the proof up to it
	Short      Short
	Stats      Stats
	Weights    *Weights // with Options.KeepWeights; nil if the root was not bounded

	CheckpointErr error // of the last attempt to save; nil when Optimal, since nothing is left to save
}

// Short says what is proved of lists of few rules.
type Short struct {
	Rules int           // no list of at most so many rules is smaller than the one found; 0: none is known to be
	Time  time.Duration // that it took
	Proof int           // the proof, which lacks the rest, has that for lists of at most so many rules; 0: it has not
}

// shortMost is the most rules of lists that are looked at where these are asked for, and that a proof has.
const shortMost = 3

// Gap returns (objective − lower bound) / objective, 0 when both are 0.
func (r Result) Gap() float64 { return gap(r.Objective, r.LowerBound) }

func gap(objective, bound int64) float64 {
	if objective <= bound {
		return 0
	}
	return float64(objective-bound) / float64(objective)
}

// WorkerStats is what one worker did.
type WorkerStats struct {
	Expanded int64         // prefixes
	Parked   time.Duration // without a prefix to take
}

// Stats counts what a search did.
type Stats struct {
	save.Totals
	MapEntries   int64         // remaining sets in the symmetry map
	Live         int           // antecedents with enough support at the root
	PeakBytes    int64         // most memory that nodes, queues and map had in use together
	Earlier      time.Duration // of Search, before the checkpoint that this search resumed from; the counts above are totals too
	Resumed      int64         // prefixes that were open in it
	Saves        int64         // checkpoints written
	Paused       time.Duration // of Search, that the workers stood still for them
	First        time.Duration // of which until the first prefix: the first incumbent
	Improved     time.Duration // of which until the incumbent was last improved
	Longest      int           // the longest prefix that was queued
	PerWorker    []WorkerStats
	Workers      int
	ProofBytes   int64 // written to Options.Proof
	ProofRecords int64
	Kernel       string
}

// Progress is a look at a running search.
type Progress struct {
	parallel.Progress
	Source    byte    // what found the incumbent since the last look: 'F' first incumbent, 'S' search, 'R' the checkpoint resumed, ' ' none
	LogRemain float64 // log10 of a bound on the prefixes left to examine (Theorem 7)

	Rules   []Rule // of the incumbent, if it is another than at the last look
	Default int    // the class that it predicts where no rule holds
	Exact   int64  // its objective, in the units of Result.Objective
}

// Model returns the list on the antecedents of set as a model that predicts on raw rows.
// The options are those searched with, software the program that learned it, and read how
// the data were read.
func (r *Result) Model(set *rules.Set, o *Options, software string, read dataset.Options) (*rulelist.Model, error) {
	return rulelist.New(set, r.Rules, r.Default, model.Meta{
		Software: software, Status: r.Status, Lambda: o.Lambda, Most: o.MaxRules, Objective: r.Objective, LowerBound: r.LowerBound,
		Options: read,
	})
}

// due reports whether it is time for a look.
func (r *reporter) due() bool {
	return r.s.o.Progress != nil && time.Since(r.at) >= r.s.o.ProgressEvery
}

// look reports once. Before the queues are made the root is what is left.
func (r *reporter) look(final bool) {
	s := r.s
	// The bound first: a prefix may offer the optimum and be finished between
	// the two looks, and the incumbent caps the bound only if it is the later one.
	bound, open := int64(0), true
	queued := int64(1)
	if s.queue != nil {
		bound, open = s.queue.BestBound()
		queued = s.queue.Open()
	}
	best := s.incumbent.Load()
	if bound = max(bound, s.told()); !open || bound > best.Objective {
		bound = best.Objective
	}
	st := s.stats()
	p := Progress{
		Progress: parallel.Progress{
			Elapsed: time.Since(s.start),
			Nodes:   st.Expanded,
			Open:    queued,
			Length:  len(best.List),
			Value:   float64(best.Objective) / float64(s.p.Unit*s.p.In.Total),
			Bound:   float64(bound) / float64(s.p.Unit*s.p.In.Total),
			Gap:     gap(best.Objective, bound),
			Bytes:   s.budget.Used(),
			Final:   final,
		},
		Source:    ' ',
		LogRemain: logRemaining(s.p, queued, best.Objective-bound),
	}
	if best != r.shown {
		p.Source = best.Source
		p.Rules, p.Default = s.p.Rules(best.List)
		p.Exact = best.Objective
	}
	r.shown, r.at = best, time.Now()
	s.o.Progress(p)
}

// last is the final look of a search that ends before its workers run, if there
// was any look.
func (r *reporter) last() {
	if r.shown != nil {
		r.look(true)
	}
}

// logRemaining bounds the prefixes left to examine, in the spirit of Theorem 7
// of the CORELS paper: a prefix whose bound leaves room for the objective to
// fall by slack has at most k = slack/price further rules, drawn from the
// antecedents that are alive; summed over k, times the open prefixes.
func logRemaining(p *problem.Problem, queued, slack int64) float64 {
	open := float64(queued)
	if open <= 0 {
		return 0
	}
	m := float64(len(p.Antecedents))
	logs, total := 0.0, 1.0 // log10 of m·(m−1)···; sum relative to the largest term
	for k := range min(slack/max(p.Price, 1), int64(m)) {
		step := math.Log10(m - float64(k))
		logs += step
		total = 1 + total*math.Pow(10, -step)
	}
	return logs + math.Log10(total) + math.Log10(open)
}
