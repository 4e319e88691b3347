package bench

import (
	"parcorels/parallel"
	"parcorels/report"
)

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
	Status         Status `json:"status,omitempty"`
	report.Summary `json:"result,omitzero"`
	report.Stats   `json:"stats,omitzero"`

	MaxQueue int64        `json:"max_queue,omitempty"`     // most prefixes that waited, as the looks of a trace saw it
	Active   string       `json:"active_kernel,omitempty"` // the kernel that ran
	Trace    []TracePoint `json:"trace,omitempty"`
	Measures []Measure    `json:"measures,omitempty"`
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
