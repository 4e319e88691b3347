package bench

import "parcorels/parallel"

// Status says how a run ended: the text of a search's status, or Done or Failed
// of what is no search of ours. "" is a run without an outcome.
type Status string

const (
	Done   Status = "done"   // a measurement, or another solver, came to its end
	Failed Status = "failed" // another solver did not
)

// searched returns the status of a run of our search.
func searched(s parallel.Status) Status { return Status(s.String()) }

// The statuses of searches that figures depend on; an external solver that is
// stopped has timeLimit too.
var optimal, timeLimit = searched(parallel.Optimal), searched(parallel.TimeLimit)

// Outcome is what a run found and what it took, as the process that ran it
// says. Of an external solver it is empty.
type Outcome struct {
	Status     Status  `json:"status,omitempty"`
	Objective  float64 `json:"objective,omitempty"`
	LowerBound float64 `json:"lower_bound,omitempty"`
	Gap        float64 `json:"gap,omitempty"`
	Length     int     `json:"length"` // rules of the list

	Samples     int `json:"samples,omitempty"`
	Antecedents int `json:"antecedents,omitempty"`
	Points      int `json:"points,omitempty"` // distinct points
	Live        int `json:"live,omitempty"`   // antecedents of use at the root

	SecondsRead    float64 `json:"seconds_read,omitempty"`    // reading or making the table, and mining
	SecondsReduce  float64 `json:"seconds_reduce,omitempty"`  // making the instance
	SecondsSearch  float64 `json:"seconds_search,omitempty"`  // first incumbent included
	SecondsFirst   float64 `json:"seconds_first,omitempty"`   // of which the first incumbent's and the symmetries'
	SecondsOptimum float64 `json:"seconds_optimum,omitempty"` // of which until the last improvement
	SecondsTotal   float64 `json:"seconds_total,omitempty"`   // read, reduce and search

	Expanded    int64 `json:"expanded,omitempty"`
	Inserted    int64 `json:"inserted,omitempty"`
	Evaluations int64 `json:"evaluations,omitempty"`
	MapEntries  int64 `json:"map_entries,omitempty"`
	MapHits     int64 `json:"map_hits,omitempty"`
	Dominated   int64 `json:"dominated,omitempty"`
	Closed      int64 `json:"closed,omitempty"`
	Longest     int   `json:"longest,omitempty"`   // longest prefix that was queued
	MaxQueue    int64 `json:"max_queue,omitempty"` // most prefixes that waited, as the looks of a trace saw it
	SearchBytes int64 `json:"search_bytes,omitempty"`
	QueueWaits  int64 `json:"queue_waits,omitempty"` // times that a worker found the lock of a queue taken
	MapRetries  int64 `json:"map_retries,omitempty"` // times that a worker lost a race for a slot of the map

	PerWorker []WorkerShare `json:"per_worker,omitempty"`
	Active    string        `json:"active_kernel,omitempty"` // the kernel that ran
	Trace     []TracePoint  `json:"trace,omitempty"`
	Measures  []Measure     `json:"measures,omitempty"`
}

// WorkerShare is what one worker did.
type WorkerShare struct {
	Expanded int64   `json:"expanded"`
	Parked   float64 `json:"seconds_parked"` // with nothing to take
}

// TracePoint is a look at a running search.
type TracePoint struct {
	Seconds   float64 `json:"t"`
	Objective float64 `json:"objective"`
	Bound     float64 `json:"bound"`
	LogRemain float64 `json:"log_remain"` // log10 of a bound on the prefixes left (Theorem 7)
	Queue     []int64 `json:"queue"`      // prefixes that wait, by length
}

// Measure is a figure of the suites that measure parts: throughput of kernels,
// time of an operation on a structure.
type Measure struct {
	Name  string  `json:"name"`
	Size  int     `json:"size,omitempty"` // words a column, goroutines
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
}
