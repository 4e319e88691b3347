// Package bench measures the search and keeps the results. Begin with [Suites] for what is measured and with [Runner]
// for how; [Execute] is one measurement.
//
// # Shape
//
// An [Instance] is a problem by name (suites.go); a [Case] is an instance with a price
// and a way to search it; a [Suite] is a grid of cases (suites.json). A [Runner] takes the
// cases in rounds. So what disturbs the machine for a while disturbs all of them. Each run
// has a process of its own (runner.go). The Runner starts its own program
// again, and a hidden command reads a [Case] from stdin and calls [Execute] (fit.go). A
// case may be several independent searches side by side. They show what the machine can
// give, apart from what workers make of it.
//
// # Records
//
// Every run is a [Record], a line of JSON with the machine, the commit and the command
// (record.go). Tables and comparisons (compare.go) are made from records alone,
// never from a run in progress. A table is a list of columns by name (tables.go). Tables of
// the documents lie between marks (tables.go) and follow from the files of bench/results.
// A test checks that.
//
// # What the figures mean
//
// SecondsSearch is what the search took, from an instance in memory to a certified list,
// with the first incumbent; SecondsTotal adds reading, mining and reducing; SecondsWall is
// the life of the process as its parent saw it. The workers of the search only count; other
// goroutines read clocks.
package bench
