package optionerr

import "time"

// Limits are the limits that the searches of all families have. A limit that a search lacks is 0.
type Limits struct {
	Workers int           // goroutines; 0: all cores
	Time    time.Duration // 0: no limit
	Nodes   int64         // 0: no limit
	Memory  int64         // bytes; 0: no limit
}

// Check returns the error of the first limit that is negative, or above mostWorkers.
func (l Limits) Check(mostWorkers int) error {
	switch {
	case l.Workers < 0 || l.Workers > mostWorkers:
		return Bad("Workers", l.Workers, "a number from 1 to %d (0: all cores)", mostWorkers)
	case l.Time < 0:
		return Errorf("Time", "option Time is %v: a limit cannot be negative", l.Time)
	case l.Nodes < 0:
		return Errorf("Nodes", "option Nodes is %d: a limit cannot be negative", l.Nodes)
	case l.Memory < 0:
		return Errorf("Memory", "option Memory is %d: a limit cannot be negative", l.Memory)
	}
	return nil
}
