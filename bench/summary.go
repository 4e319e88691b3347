package bench

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// summary is the runs of one case that count.
type summary struct {
	*Record // the first of them: the case, and what all have in common
	runs    []*Record
	all     []*summary // of the same table
}

// key tells cases apart whose figures must not be mixed.
func (r *Record) key() Case {
	k := r.Case
	k.Limit = 0
	return k
}

// summarize collects the runs of each case, in the order of their first
// records. The warm-up counts where there is nothing else.
func summarize(records []Record) (list []*summary) {
	var runs []*Record
	for i := range records {
		runs = append(runs, &records[i])
	}
	for _, same := range grouped(runs, (*Record).key) {
		if counted := slices.DeleteFunc(slices.Clone(same), func(r *Record) bool { return r.Round == 0 }); len(counted) > 0 {
			same = counted
		}
		list = append(list, &summary{Record: same[0], runs: same})
	}
	for _, s := range list {
		s.all = list
	}
	return list
}

// The figures that tables and comparisons are about.

func searchSeconds(r *Record) float64 { return r.SecondsSearch }
func readSeconds(r *Record) float64   { return r.SecondsRead }
func reduceSeconds(r *Record) float64 { return r.SecondsReduce }
func wallSeconds(r *Record) float64   { return r.SecondsWall }
func peakBytes(r *Record) float64     { return float64(r.PeakBytes) }
func expanded(r *Record) float64      { return float64(r.Expanded) }

// utilisation is the share of the search after the first incumbent that the
// workers were not parked in.
func utilisation(r *Record) float64 {
	span := (r.SecondsSearch - r.SecondsFirst) * float64(r.Searchers)
	if span <= 0 {
		return math.NaN()
	}
	return max(0, 1-r.SecondsParked/span)
}

// of returns a figure of every run, in ascending order.
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

// failed reports that no run gave a result.
func (s *summary) failed() bool {
	return !slices.ContainsFunc(s.runs, func(r *Record) bool { return r.Error == "" })
}

// cut reports that a limit ended the runs.
func (s *summary) cut() bool { return s.Status != optimal && s.Status != Done }

// seconds is the time that is set beside others: of the search where that is known, of the process otherwise.
func (s *summary) seconds() float64 {
	if s.SecondsSearch > 0 {
		return s.median(searchSeconds)
	}
	return s.median(wallSeconds)
}

// results returns the summaries of runs that gave a result.
func results(list []*summary) []*summary {
	return slices.DeleteFunc(slices.Clone(list), func(s *summary) bool { return s.failed() })
}

// first returns the first result of the same instance and λ: the one with all, or with the fewest workers.
func (s *summary) first() *summary {
	for _, o := range results(s.all) {
		if o.Instance == s.Instance && o.Lambda == s.Lambda {
			return o
		}
	}
	return s
}

func (s *summary) speedUp() float64 { return s.first().seconds() / s.seconds() }

// The following are cells of tables.

func (s *summary) name() string {
	name := s.Instance
	if s.Variant != "" {
		name += ", " + s.Variant
	}
	if s.Workers > 1 {
		name += fmt.Sprintf(", %d workers", s.Workers)
	}
	return name
}

func (s *summary) lambda() string { return shortLambda(s.Lambda) }

// objective is the value, with the bound where it is not proved.
func (s *summary) objective() string {
	text := decimals(s.Objective, 10)
	if s.cut() {
		text += fmt.Sprintf(" (bound %s)", decimals(s.LowerBound, 7))
	}
	return text
}

// time is seconds, with what kept the run from its end.
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

// span is the least and the largest time, "one run" if there is no more.
func (s *summary) span() string {
	v := s.of(searchSeconds)
	if len(v) == 1 {
		return "one run"
	}
	return figure(v[0]) + "–" + figure(v[len(v)-1])
}

// ceiling is what as many searches of one worker side by side do in the time of
// one, empty if that was not measured.
func (s *summary) ceiling() string {
	for _, o := range results(s.all) {
		if o.Instance == s.Instance && o.Lambda == s.Lambda && o.Copies > 1 && o.Copies == s.Workers && s.first().Workers == 1 {
			return fmt.Sprintf("%.2f", float64(s.Workers)*s.first().seconds()/o.seconds())
		}
	}
	return ""
}

func orAny(n int) string {
	if n == 0 {
		return "any"
	}
	return strconv.Itoa(n)
}
