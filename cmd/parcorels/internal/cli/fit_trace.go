package cli

import (
	"parcorels/report"
	"parcorels/rulelist/search"
)

// mostLooks bounds the trace of a search: a longer one keeps every second look.
const mostLooks = 1000

// record keeps what the search shows of its progress, for the JSON object, and
// passes it on to next, which may be nil.
func (f *fitted) record(next func(search.Progress)) func(search.Progress) {
	every, seen := 1, 0
	return func(p search.Progress) {
		if seen++; p.Final || seen%every == 0 {
			f.trace = append(f.trace, report.Look{Seconds: report.Seconds(p.Elapsed), Objective: p.Objective, Gap: p.Gap})
		}
		if len(f.trace) > mostLooks {
			every *= 2
			for i := range len(f.trace) / 2 {
				f.trace[i] = f.trace[2*i+1]
			}
			f.trace = f.trace[:len(f.trace)/2]
		}
		if next != nil {
			next(p)
		}
	}
}
