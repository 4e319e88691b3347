package serve

import (
	"context"
	"net"
	"os"
	"strings"
	"time"

	"parcorels/family"
	"parcorels/model"
	"parcorels/parallel"
	"parcorels/report"
)

// shown is a model of which no more is known than its text.
type shown string

func (s shown) Text(int) string { return string(s) }

// serveEvents serves a run that tells of a search and searches nothing.
func serveEvents(s *Server, l net.Listener) {
	r := &run{id: "made", s: s, state: searching, asked: question{Table: "made.csv"}}
	s.queue.runs.Store(r.id, r)
	_ = os.MkdirAll(r.path(""), 0o700)
	for i := range mostLooks - 1 { // as after ten minutes
		r.add(look{Look: report.Look{Seconds: float64(i), Objective: .3, Bound: new(float64), Length: 5}})
	}
	r.earlier = mostLooks
	go func() {
		for i := 0; ; i++ {
			e := family.Event{Progress: parallel.Progress{Elapsed: time.Duration(i) * lookEvery, Nodes: int64(i), Open: 1000, Length: 5,
				Value: .3, Bound: .2 + float64(i)/1e5, Gap: .3, Bytes: 1 << 30}, Family: model.RuleList}
			if i%100 == 0 {
				e.Best = func() (family.Shown, error) {
					return shown(strings.Repeat("else if age > 40 and priors > 3 then yes\n", 20)), nil
				}
			}
			r.onEvent(e)
			time.Sleep(lookEvery)
		}
	}()
	panic(s.Serve(context.Background(), l))
}
