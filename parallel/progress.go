package parallel

import "time"

// Progress is what the searches of all families tell while they run.
type Progress struct {
	Elapsed time.Duration // since Solve was called
	Nodes   int64         // examined so far: prefixes, sets of points, or rules
	Open    int64         // nodes that wait or are being examined; 0 where there are none
	Length  int           // of the best model: rules, or leaves
	Value   float64       // of the best model: objective, value or log posterior
	Bound   float64       // no model has a better value
	Gap     float64       // between value and bound: relative, of log posteriors in nats
	Bytes   int64         // of nodes, queues and map
	Final   bool          // the search has ended
}
