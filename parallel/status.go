package parallel

import "parcorels/internal/status"

// Status says why a search ended. Its zero value is Unknown, which claims
// nothing.
type Status = status.Status

const (
	// Unknown is the status of a search that runs, and of one that failed.
	Unknown = status.Unknown
	// Optimal: no model is better; the whole space was closed.
	Optimal = status.Optimal
	// TimeLimit, NodeLimit: one of Limits was reached first.
	TimeLimit = status.TimeLimit
	NodeLimit = status.NodeLimit
	// MemoryLimit: not even the data structures of one worker fit.
	MemoryLimit = status.MemoryLimit
	// Interrupted: the context was cancelled.
	Interrupted = status.Interrupted
	// Stalled: for long neither the best model nor the bound had moved.
	Stalled = status.Stalled
	// Finished: the search did all that it was to do and proved less than that.
	Finished = status.Finished
)
