package bench

import "slices"

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
