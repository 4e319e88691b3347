package search

import (
	"fmt"
	"runtime"
	"time"

	"parcorels/ratio"
)

// Options says how to search. The zero value of every field but Lambda means
// its default. No option but Lambda and Depth changes the tree that is found.
type Options struct {
	Lambda        ratio.Ratio    // λ ≥ 0, the price of a leaf as a share of the total weight
	Depth         int            // most splits on a path; 0: no limit
	Workers       int            // worker goroutines; 0: all that GOMAXPROCS allows
	Time          time.Duration  // stop so long after Solve was called; 0: no limit
	Nodes         int64          // stop after so many counts; 0: no limit
	Memory        int64          // bytes for the cache; 0: no limit. A full cache forgets, and the search takes longer
	Progress      func(Progress) // called from one goroutine, about every ProgressEvery and at the end; nil: never
	ProgressEvery time.Duration  // 0: one second
	Proof         *Proof         // nil: no proof is written
}

// OptionError reports an option that no search can honour.
type OptionError struct{ Field, Reason string }

func (e *OptionError) Error() string { return fmt.Sprintf("%s: %s", e.Field, e.Reason) }

const maxWorkers = 4096

// Validate reports the first option that is out of range, as an *OptionError.
func (o Options) Validate() error {
	switch {
	case !o.Lambda.Valid() || o.Lambda.Num < 0:
		return &OptionError{"Lambda", fmt.Sprintf("%v is not a number from 0 on", o.Lambda)}
	case o.Depth < 0:
		return &OptionError{"Depth", fmt.Sprintf("%d is negative", o.Depth)}
	case o.Workers < 0 || o.Workers > maxWorkers:
		return &OptionError{"Workers", fmt.Sprintf("%d is not from 1 to %d (0: all cores)", o.Workers, maxWorkers)}
	case o.Time < 0:
		return &OptionError{"Time", fmt.Sprintf("%v is negative", o.Time)}
	case o.Nodes < 0:
		return &OptionError{"Nodes", fmt.Sprintf("%d is negative", o.Nodes)}
	case o.Memory < 0:
		return &OptionError{"Memory", fmt.Sprintf("%d is negative", o.Memory)}
	}
	return nil
}

func (o Options) withDefaults() Options {
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.ProgressEvery <= 0 {
		o.ProgressEvery = time.Second
	}
	return o
}
