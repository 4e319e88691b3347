package report

import (
	"time"

	"parcorels/instance"
	"parcorels/rulelist/search"
	"parcorels/rules"
	tree "parcorels/tree/search"
)

// Stats is what a fit took. Seconds are seconds, bytes bytes; counts of a search
// that resumed from a checkpoint are totals of all its parts.
type Stats struct {
	Antecedents int   `json:"antecedents"`       // that were searched
	Kept        int64 `json:"antecedents_kept"`  // by the budget: as many
	Mined       int64 `json:"antecedents_mined"` // of how many; see rules.Set
	Points      int   `json:"distinct_points"`
	Live        int   `json:"live_antecedents"` // of use at the root

	Expanded    int64 `json:"expanded"`    // nodes whose children were examined
	Inserted    int64 `json:"inserted"`    // nodes put into a queue
	Evaluations int64 `json:"evaluations"` // antecedents counted against a remaining set
	MapEntries  int64 `json:"map_entries"` // remaining sets in the symmetry map
	MapHits     int64 `json:"map_hits"`    // nodes dropped by it
	Dominated   int64 `json:"dominated"`   // nodes dropped because another is smaller
	Closed      int64 `json:"closed"`      // children closed by look-ahead
	Longest     int   `json:"longest"`     // longest prefix that was queued

	SecondsTotal   float64 `json:"seconds_total"`   // from the start of the program
	SecondsRead    float64 `json:"seconds_read"`    // of which until the antecedents were there
	SecondsSearch  float64 `json:"seconds_search"`  // of which the search, first incumbent included
	SecondsFirst   float64 `json:"seconds_first"`   // of which until the first prefix: the first incumbent
	SecondsOptimum float64 `json:"seconds_optimum"` // of which until the last improvement
	SecondsEarlier float64 `json:"seconds_earlier"` // of which before the checkpoint that was resumed
	SecondsPaused  float64 `json:"seconds_paused"`  // of which writing checkpoints
	Checkpoints    int64   `json:"checkpoints"`     // written

	PeakBytes    int64 `json:"peak_bytes"`    // of the process, of the search where the system does not tell
	SearchBytes  int64 `json:"search_bytes"`  // peak of nodes, queues and map
	MemoryBytes  int64 `json:"memory_bytes"`  // the bound on them
	ProofBytes   int64 `json:"proof_bytes"`   // of the proof that was written, 0 for none
	ProofRecords int64 `json:"proof_records"` // in it

	Workers   int      `json:"workers"`
	Kernel    string   `json:"kernel"`
	PerWorker []Worker `json:"per_worker,omitempty"`
}

// CountAntecedents tells how many antecedents were kept of how many.
func (s *Stats) CountAntecedents(set *rules.Set) {
	s.Kept, s.Mined = int64(len(set.Antecedents)), set.Mined
}

// Worker is what one worker did.
type Worker struct {
	Expanded int64   `json:"expanded"`
	Parked   float64 `json:"seconds_parked"` // with nothing to take
}

// SearchStats returns what a search for a rule list on an instance took.
func SearchStats(in *instance.Instance, s *search.Stats) Stats {
	out := Stats{
		Antecedents: in.Antecedents, Points: in.Points, Live: s.Live,
		Expanded: s.Expanded, Inserted: s.Inserted, Evaluations: s.Evaluations,
		MapEntries: s.MapEntries, MapHits: s.MapHits, Dominated: s.Dominated, Closed: s.Closed,
		Longest: s.Longest, SecondsSearch: Seconds(s.Search), SecondsFirst: Seconds(s.First), SecondsOptimum: Seconds(s.Improved),
		SecondsEarlier: Seconds(s.Earlier), SecondsPaused: Seconds(s.Paused), Checkpoints: s.Saves,
		SearchBytes: s.PeakBytes, PeakBytes: s.PeakBytes, ProofBytes: s.ProofBytes, ProofRecords: s.ProofRecords,
		Workers: s.Workers, Kernel: s.Kernel,
	}
	for _, w := range s.PerWorker {
		out.PerWorker = append(out.PerWorker, Worker{w.Expanded, Seconds(w.Parked)})
	}
	return out
}

// Seconds returns a duration in seconds, to the microsecond.
func Seconds(d time.Duration) float64 { return d.Round(time.Microsecond).Seconds() }

// TreeStats returns what a search for a tree took: Expanded are the sets counted, and
// MapEntries those that were kept.
func TreeStats(p *instance.Points, r *tree.Result) Stats {
	s := Stats{
		Antecedents: p.Antecedents, Points: p.Count, Live: r.Stats.Features,
		Expanded: r.Stats.Counted, MapEntries: r.Stats.Sets, SecondsSearch: Seconds(r.Stats.Search),
		SearchBytes: r.Stats.PeakBytes, PeakBytes: r.Stats.PeakBytes,
		ProofBytes: r.Stats.ProofBytes, ProofRecords: r.Stats.ProofRecords,
		Workers: r.Stats.Workers, Kernel: r.Stats.Kernel,
	}
	for _, n := range r.Stats.PerWorker {
		s.PerWorker = append(s.PerWorker, Worker{Expanded: n})
	}
	return s
}
