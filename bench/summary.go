package bench

import (
	"math"
	"slices"
)

// summary is the runs of one case by one solver that count.
type summary struct {
	*Record // the first of them: the case, and what all have in common
	runs    []*Record
}

// summarize collects the runs of each case, in the order of their first
// records. The warm-up counts where there is nothing else.
func summarize(records []Record) (list []*summary) {
	index := map[key]*summary{}
	for i := range records {
		r := &records[i]
		s := index[r.key()]
		switch {
		case s == nil:
			s = &summary{Record: r}
			index[r.key()] = s
			list = append(list, s)
		case s.runs[0].Round == 0:
			s.Record, s.runs = r, nil
		}
		s.runs = append(s.runs, r)
	}
	return list
}

// of returns a figure of every run.
func (s *summary) of(f func(*Record) float64) (values []float64) {
	for _, r := range s.runs {
		values = append(values, f(r))
	}
	slices.Sort(values)
	return values
}

// median returns the median of a figure of the runs.
func (s *summary) median(f func(*Record) float64) float64 {
	v := s.of(f)
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

// span is the least and the largest, "one run" if there is no more.
func (s *summary) span(f func(*Record) float64) string {
	v := s.of(f)
	if len(v) == 1 {
		return "one run"
	}
	return figure(v[0]) + "–" + figure(v[len(v)-1])
}

// failed reports that no run gave a result.
func (s *summary) failed() bool {
	return !slices.ContainsFunc(s.runs, func(r *Record) bool { return r.Error == "" })
}

// ownOf returns the summaries of our own runs that gave a result.
func ownOf(list []*summary) (own []*summary) {
	for _, s := range list {
		if s.Solver == Own && !s.failed() {
			own = append(own, s)
		}
	}
	return own
}

// cut reports that a limit ended the runs.
func (s *summary) cut() bool { return s.Status != optimal && s.Status != Done }

// The figures that tables and comparisons are about.

func searchSeconds(r *Record) float64 { return r.SecondsSearch }
func readSeconds(r *Record) float64   { return r.SecondsRead }
func reduceSeconds(r *Record) float64 { return r.SecondsReduce }
func wallSeconds(r *Record) float64   { return r.SecondsWall }
func peakBytes(r *Record) float64     { return float64(r.PeakBytes) }
func expanded(r *Record) float64      { return float64(r.Expanded) }

// processorTime is microseconds of all processors for each node expanded, reading
// included.
func processorTime(r *Record) float64 { return r.SecondsCPU * 1e6 / max(1, float64(r.Expanded)) }

// utilisation is the share of the search after the first incumbent that the
// workers were not parked in.
func utilisation(r *Record) float64 {
	span := (r.SecondsSearch - r.SecondsFirst) * float64(r.Searchers)
	if span <= 0 {
		return math.NaN()
	}
	return max(0, 1-r.SecondsParked/span)
}

// seconds is the time of the summary's solver that is set beside others: of
// the search where that is known, of the process otherwise.
func (s *summary) seconds() float64 {
	if s.SecondsSearch > 0 {
		return s.median(searchSeconds)
	}
	return s.median(wallSeconds)
}

// time is seconds as a cell of a table, with what kept the solver from its end.
func (s *summary) time() string {
	switch {
	case s.Status == timeLimit:
		return "> " + figure(s.Limit)
	case s.failed():
		return "failed"
	case s.cut():
		return "> " + figure(s.seconds())
	}
	return figure(s.seconds())
}
