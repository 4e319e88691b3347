// Package bench measures the search and keeps what it measured, so that every
// figure of BENCHMARKS.md can be made again by one command. Begin with [Suites] for
// what is measured and with [Runner] for how; [Execute] is one measurement.
//
// # Shape
//
// An [Instance] is a problem by name (instances.go); a [Case] is an instance
// with a price and a way to search it; a [Suite] is a list of cases
// (suites.go). A [Runner] takes the cases in rounds, so that what disturbs the
// machine for a while disturbs all of them, and gives each run a process of its
// own (runner.go, process.go): it starts its own program again, whose hidden
// command reads a [Case] from stdin and calls [Execute] (execute.go). A case may
// be several searches side by side that have nothing to do with each other, to
// tell what the machine gives from what workers make of it. Another solver can
// run beside it on the same instance (external.go). A case with folds learns from the
// training part of each and measures on the rest (folds.go), beside methods of
// scikit-learn if it says so (scikit.go).
//
// # Records
//
// Every run is a [Record], a line of JSON with the machine, the commit and the
// command (record.go). Tables (report*.go), plots (plots*.go) and comparisons
// (compare.go) are made from records alone, never from a run in progress. The
// plots are data; bench/_plot, a module of its own, draws them. The
// tables of BENCHMARKS.md lie between marks (marked.go) and follow from the
// files of bench/results; a test holds them to it.
//
// # What the figures mean
//
// SecondsSearch is what the search took, from an instance in memory to a
// certified list, with the first incumbent; SecondsTotal adds reading, mining
// and reducing; SecondsWall is the life of the process as its parent saw it.
// Nothing is measured by the workers of the search: they count, and others
// read clocks.
package bench
