package bench

import "strconv"

// traceTable is table 3 of the JMLR paper.
func traceTable(list []*summary) *table {
	t := newTable("λ", "seconds", "range", "to optimum", "longest prefix", "rules", "evaluations", "queue insertions", "most in queue")
	for _, s := range list {
		if s.Solver != Own {
			continue
		}
		t.add(shortLambda(s.Lambda), s.time(), s.span(searchSeconds), figure(s.median(toOptimum)), strconv.Itoa(s.Longest),
			strconv.Itoa(s.Length), count(s.Evaluations), count(s.Inserted), s.mostQueued(""))
	}
	return t
}

// mostQueued is the largest of the runs, nothing if no look came in time to see
// a queue at all.
func (s *summary) mostQueued(more string) string {
	v := s.of(func(r *Record) float64 { return float64(r.MaxQueue) })
	if v[len(v)-1] == 0 {
		return ""
	}
	return more + count(int64(v[len(v)-1]))
}

func toOptimum(r *Record) float64 { return r.SecondsOptimum }

// ablationTable is tables 4 and 5 of the JMLR paper. The first row has
// everything.
func ablationTable(list []*summary) *table {
	t := newTable("variant", "seconds", "range", "slow-down", "to optimum", "longest prefix", "evaluations", "queue insertions", "most in queue", "search MB")
	full := list[0].seconds()
	for _, s := range list {
		if s.Solver != Own {
			continue
		}
		if s.failed() {
			t.add(s.Variant, "failed")
			continue
		}
		more := ""
		if s.cut() {
			more = "> "
		}
		t.add(s.Variant, s.time(), s.span(searchSeconds), more+figure(s.seconds()/full)+"×", figure(s.median(toOptimum)), more+strconv.Itoa(s.Longest),
			more+count(s.Evaluations), more+count(s.Inserted), s.mostQueued(more), more+megabytes(s.SearchBytes))
	}
	return t
}

// sysml is what table 1 of the systems paper says of a data set: seconds and
// MB with the map and without it.
var sysml = map[string][4]string{
	"bcancer": {"3,206", "3,078", "14,039", "8,598"}, "haberman": {"8.5", "61", "33", "104"},
	"monks1": {".29", "< .1", ".4", "< .1"}, "monks3": {".10", "< .1", ".1", "< .1"},
	"votes": {"8.3", "44", "24", "79"}, "stopfrisk": {"80", "26", "15,073", "1,343"}, "compas": {".86", "2.7", "1.45", "3.0"},
}

// systemsTable is table 1 of the SysML paper, with the paper's figures.
func systemsTable(list []*summary) *table {
	t := newTable("data set", "s with map", "MB", "s without", "MB", "speed-up", "memory saved", "paper: s with map", "MB", "s without", "MB")
	for i := 0; i+1 < len(list); i++ {
		with, without := list[i], list[i+1]
		if with.Variant != "map" || without.Variant != "no map" || with.Instance != without.Instance || with.failed() || without.failed() {
			continue
		}
		more := ""
		if without.cut() {
			more = "> "
		}
		paper := sysml[with.Family()]
		t.add(with.Instance, with.time(), megabytes(with.SearchBytes), without.time(), more+megabytes(without.SearchBytes),
			more+figure(without.seconds()/with.seconds())+"×", more+figure(float64(without.SearchBytes)/float64(with.SearchBytes))+"×",
			paper[0], paper[1], paper[2], paper[3])
	}
	return t
}

// openTable is what is known of instances that are not certified.
func openTable(list []*summary) *table {
	t := newTable("instance", "λ", "rules", "best objective", "lower bound", "gap", "after", "workers", "expanded", "search MB", "status")
	for _, s := range ownOf(list) {
		t.add(s.Instance, shortLambda(s.Lambda), strconv.Itoa(s.Length), decimals(s.Objective, 10), decimals(s.LowerBound, 10), percent(s.Gap),
			figure(s.seconds())+" s", strconv.Itoa(s.Searchers), count(s.Expanded), megabytes(s.SearchBytes), string(s.Status))
	}
	return t
}
