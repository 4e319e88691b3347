package bench

import (
	"slices"
	"strconv"
)

// The papers' tables. What an ablation leaves out of this search is what the
// paper's left out of its own, as far as both have it:
//
//   - no priority queue: breadth first instead of best first;
//   - no support bounds: pruning 2 (Theorems 10 and 11);
//   - no look-ahead bound: here the exact look at grandchildren, which is more
//     than the paper's Lemma 2; that lemma is part of the bound itself;
//   - no symmetry-aware map: none, neither for permutations nor for equal sets
//     (similar-support dominance still finds some of these);
//   - no equivalent points bound: every sample is a point of its own, so that
//     the unavoidable errors are in no bound.
//
// A row for each further pruning and for the map of the paper, which knows
// permutations only, follows.

var ablations = []Case{
	{Variant: "all"},
	{Variant: "no priority queue", Policy: "bfs"},
	{Variant: "no support bounds", Without: "support"},
	{Variant: "no look-ahead", Without: "lookahead"},
	{Variant: "no symmetry map", Symmetry: "none"},
	{Variant: "no equivalent points", Separate: true},
	{Variant: "map of permutations only", Symmetry: "permutation"},
	{Variant: "no excessive support", Without: "excess"},
	{Variant: "no commuting neighbours", Without: "commuting"},
	{Variant: "no similar support", Without: "dominance"},
	{Variant: "no first incumbent", Without: "incumbent"},
	{Variant: "no redundant rule", Without: "redundant"},
	{Variant: "no orbits", Without: "orbits"},
	{Variant: "no separation", Without: "separation"},
}

// paperLimit bounds each run of an ablation: some would take days.
const paperLimit = 60

func jmlrCases() []Case {
	cases := each("nyclu", "0.04,0.01,0.0025", Case{Part: "table 3", Workers: 1, Traced: true})
	for _, t := range []struct{ part, instance, lambda string }{{"table 4", "compas", "0.005"}, {"table 5", "nyclu", "0.01"}} {
		for _, c := range slices.Clone(ablations) {
			c.Part, c.Workers, c.Traced, c.Limit = t.part, 1, true, paperLimit
			cases = append(cases, each(t.instance, t.lambda, c)...)
		}
	}
	return cases
}

// systemsInstances are the data sets of the systems paper's table 1, all with
// λ = .01. Its NYPD data was not published; a made table stands for it.
var systemsInstances = []string{"bcancer", "haberman", "monks1", "monks3", "votes", "stopfrisk/566839", "compas"}

func systemsCases() (cases []Case) {
	for _, name := range systemsInstances {
		cases = append(cases,
			Case{Instance: name, Lambda: "0.01", Variant: "map", Workers: 1, Limit: paperLimit},
			Case{Instance: name, Lambda: "0.01", Variant: "no map", Symmetry: "none", Workers: 1, Limit: paperLimit})
	}
	return cases
}

// traceTable is table 3 of the JMLR paper.
func traceTable(list []*summary) *table {
	t := newTable("λ", "seconds", "range", "to optimum", "longest prefix", "rules", "evaluations", "queue insertions", "most in queue")
	for _, s := range list {
		if s.Solver != Own {
			continue
		}
		t.add(shortLambda(s.Lambda), s.time(), s.span(searchSeconds), figure(s.median(toOptimum)), strconv.Itoa(s.Longest),
			strconv.Itoa(s.Length), count(s.Evaluations), count(s.Inserted), s.mostQueued(""))
	}
	return t
}

// mostQueued is the largest of the runs, nothing if no look came in time to see
// a queue at all.
func (s *summary) mostQueued(more string) string {
	v := s.of(func(r *Record) float64 { return float64(r.MaxQueue) })
	if v[len(v)-1] == 0 {
		return ""
	}
	return more + count(int64(v[len(v)-1]))
}

func toOptimum(r *Record) float64 { return r.SecondsOptimum }

// ablationTable is tables 4 and 5 of the JMLR paper. The first row has
// everything.
func ablationTable(list []*summary) *table {
	t := newTable("variant", "seconds", "range", "slow-down", "to optimum", "longest prefix", "evaluations", "queue insertions", "most in queue", "search MB")
	full := list[0].seconds()
	for _, s := range list {
		if s.Solver != Own {
			continue
		}
		if s.failed() {
			t.add(s.Variant, "failed")
			continue
		}
		more := ""
		if s.cut() {
			more = "> "
		}
		t.add(s.Variant, s.time(), s.span(searchSeconds), more+figure(s.seconds()/full)+"×", figure(s.median(toOptimum)), more+strconv.Itoa(s.Longest),
			more+count(s.Evaluations), more+count(s.Inserted), s.mostQueued(more), more+megabytes(s.SearchBytes))
	}
	return t
}

// sysml is what table 1 of the systems paper says of a data set: seconds and
// MB with the map and without it.
var sysml = map[string][4]string{
	"bcancer": {"3,206", "3,078", "14,039", "8,598"}, "haberman": {"8.5", "61", "33", "104"},
	"monks1": {".29", "< .1", ".4", "< .1"}, "monks3": {".10", "< .1", ".1", "< .1"},
	"votes": {"8.3", "44", "24", "79"}, "stopfrisk": {"80", "26", "15,073", "1,343"}, "compas": {".86", "2.7", "1.45", "3.0"},
}

// systemsTable is table 1 of the SysML paper, with the paper's figures.
func systemsTable(list []*summary) *table {
	t := newTable("data set", "s with map", "MB", "s without", "MB", "speed-up", "memory saved", "paper: s with map", "MB", "s without", "MB")
	for i := 0; i+1 < len(list); i++ {
		with, without := list[i], list[i+1]
		if with.Variant != "map" || without.Variant != "no map" || with.Instance != without.Instance || with.failed() || without.failed() {
			continue
		}
		more := ""
		if without.cut() {
			more = "> "
		}
		paper := sysml[with.Family()]
		t.add(with.Instance, with.time(), megabytes(with.SearchBytes), without.time(), more+megabytes(without.SearchBytes),
			more+figure(without.seconds()/with.seconds())+"×", more+figure(float64(without.SearchBytes)/float64(with.SearchBytes))+"×",
			paper[0], paper[1], paper[2], paper[3])
	}
	return t
}

// openTable is what is known of instances that are not certified.
func openTable(list []*summary) *table {
	t := newTable("instance", "λ", "rules", "best objective", "lower bound", "gap", "after", "workers", "expanded", "search MB", "status")
	for _, s := range ownOf(list) {
		t.add(s.Instance, shortLambda(s.Lambda), strconv.Itoa(s.Length), decimals(s.Objective, 10), decimals(s.LowerBound, 10), percent(s.Gap),
			figure(s.seconds())+" s", strconv.Itoa(s.Searchers), count(s.Expanded), megabytes(s.SearchBytes), string(s.Status))
	}
	return t
}
