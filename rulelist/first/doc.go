// Package first finds a good rule list before the search for the best one, and estimates how
// long that search is going to be. Begin with [New] and [Finder.Begin].
//
// # Reading the source
//
//	meter.go            counts work
//	finder.go           [Finder]: beams and local search in turns, within a budget of counted work
//	beam.go             the best few prefixes of each length, by two rankings
//	local.go            neighbours of a list: a rule more, less, replaced, exchanged; perturbed by rules that are cheaper for a while
//	insert.go           all insertions into a list by one pass
//	improve.go          rounds of improvement while the search runs
//	chain.go            an annealing chain
//	ruin.go             rules are taken out, and others put in
//	effort.go           Knuth's estimate of the search
package first
