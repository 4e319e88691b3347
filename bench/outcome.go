package bench

import (
	"encoding/json"
	"fmt"

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

// The statuses of searches that figures depend on; an external solver that is
// stopped has timeLimit too.
var optimal, timeLimit = Status(parallel.Optimal.String()), Status(parallel.TimeLimit.String())

// Outcome is what a run found and what it took, as the process that ran it
// says. Of an external solver it is empty.
type Outcome struct {
	Status Status `json:"status,omitempty"`
	Found  `json:"found,omitzero"`
	Effort `json:"effort,omitzero"`

	MaxQueue int64        `json:"max_queue,omitempty"`     // most prefixes that waited, as the looks of a trace saw it
	Active   string       `json:"active_kernel,omitempty"` // the kernel that ran
	Trace    []TracePoint `json:"trace,omitempty"`
	Measures []Measure    `json:"measures,omitempty"`
}

// Found is the model in numbers, those of report.Summary that a table shows.
type Found struct {
	Objective  float64  `json:"objective"`
	LowerBound float64  `json:"lower_bound"`
	Gap        float64  `json:"gap"`
	Wrong      float64  `json:"wrong"` // share of the weight that the model gets wrong
	Samples    int64    `json:"samples"`
	UpperBound *float64 `json:"upper_bound"` // where large is good
	LambdaText string   `json:"lambda_text"` // that was chosen, where the case has none
	Length     int      `json:"length"`
}

// Effort is what the run took, those of report.Stats that a table shows. Seconds
// are seconds, bytes bytes.
type Effort struct {
	Antecedents int   `json:"antecedents"`
	Points      int   `json:"distinct_points"`
	Expanded    int64 `json:"expanded"`
	Inserted    int64 `json:"inserted"`
	Evaluations int64 `json:"evaluations"`
	MapEntries  int64 `json:"map_entries"`
	Longest     int   `json:"longest"`
	QueueWaits  int64 `json:"queue_waits"`
	MapRetries  int64 `json:"map_retries"`

	SecondsTotal   float64 `json:"seconds_total"`
	SecondsRead    float64 `json:"seconds_read"`
	SecondsReduce  float64 `json:"seconds_reduce"`
	SecondsSearch  float64 `json:"seconds_search"`
	SecondsFirst   float64 `json:"seconds_first"`
	SecondsOptimum float64 `json:"seconds_optimum"`
	SecondsParked  float64 `json:"seconds_parked"` // of all workers together

	SearchBytes int64 `json:"search_bytes"`
	Searchers   int   `json:"searchers"` // workers that searched
}

// found picks what a record keeps of a model's summary.
func found(s report.Summary) Found {
	return Found{Objective: s.Objective, LowerBound: s.LowerBound, Gap: s.Gap, Wrong: s.Errors / s.Weight, Samples: s.Samples, UpperBound: s.UpperBound, Length: s.Length}
}

// effort picks what a record keeps of what a search took: the figures of the same names, and two of the workers.
func effort(s report.Stats) (e Effort, err error) {
	text, err := json.Marshal(s)
	if err == nil {
		err = json.Unmarshal(text, &e)
	}
	e.Searchers = s.Workers
	for _, w := range s.PerWorker {
		e.SecondsParked += w.Parked
	}
	return e, err
}

// TracePoint is a look at a running search.
type TracePoint struct {
	Seconds   float64
	Objective float64
	Bound     float64
	LogRemain float64 // log10 of a bound on the prefixes left (Theorem 7)
	Queue     []int64 // prefixes that wait, by length
}

// MarshalJSON writes the fields as a list, in their order: a search has many looks.
func (p TracePoint) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{p.Seconds, p.Objective, p.Bound, p.LogRemain, p.Queue})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (p *TracePoint) UnmarshalJSON(text []byte) error {
	return fromList(text, &p.Seconds, &p.Objective, &p.Bound, &p.LogRemain, &p.Queue)
}

// Measure is a figure of the suites that measure parts: throughput of kernels,
// time of an operation on a structure.
type Measure struct {
	Name  string
	Size  int // words a column, goroutines
	Value float64
	Unit  string
}

// MarshalJSON writes the fields as a list, in their order: a run has many measures.
func (m Measure) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{m.Name, m.Size, m.Value, m.Unit})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (m *Measure) UnmarshalJSON(text []byte) error {
	return fromList(text, &m.Name, &m.Size, &m.Value, &m.Unit)
}

// fromList reads a list of JSON into as many places.
func fromList(text []byte, to ...any) error {
	var items []json.RawMessage
	if err := json.Unmarshal(text, &items); err != nil {
		return err
	}
	if len(items) != len(to) {
		return fmt.Errorf("a list of %d, expected %d", len(items), len(to))
	}
	for i, item := range items {
		if err := json.Unmarshal(item, to[i]); err != nil {
			return err
		}
	}
	return nil
}
