package serve

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"time"

	"parcorels/family"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/report"
	"parcorels/report/html"
)

// figure is a number of a running search with its name.
type figure struct{ Name, Value, Note string }

// runView is the page of a run that has not ended.
type runView struct {
	line
	At      string // its address
	Figures []figure
	Chart   *html.Trace
	Before  int64 // runs that are to be searched before
	Family  *family.Family
	Limit   string
	Seconds float64
}

// runPage shows a run as it goes, and its model once it has one.
func (s *Server) runPage(run *run, _ *http.Request) (*view, error) {
	l := s.line(run)
	above := above(l.Asked.Table, run.id)[:2]
	if l.State == done && l.End.Choice != nil {
		v, err := s.choiceView(l)
		return &view{Title: wording.Capital(l.Kind), Path: above, name: "choice", data: v}, err
	}
	if l.State == done {
		v, err := s.modelView(run, l)
		if err != nil {
			return nil, err
		}
		v.Title = wording.Capital(l.Kind) + " for " + v.Report.Frame.Target
		return &view{Title: v.Title, Path: above, name: "model-page", data: v}, nil
	}
	return &view{Title: wording.Capital(l.Kind) + " on " + l.Asked.Table, Path: above, name: "run", data: s.runView(run, l)}, nil
}

func (s *Server) runView(run *run, l line) *runView {
	v := &runView{line: l, At: "/runs/" + run.id, Family: family.Families()[0], Limit: "none"}
	var limit time.Duration
	if f, _, o, err := s.resolved(&l.Asked); err == nil {
		v.Family, limit = f, o.Time
	}
	if limit > 0 {
		v.Limit = brieflyTimed(limit)
	}
	if l.State == queued {
		v.Before = int64(s.queue.waiting(run))
	}
	what := wording.Capital(html.Objective(v.Family.Kind))
	v.Chart = html.NewTrace(what, l.Trace)
	if n := len(l.Trace); n > 0 {
		v.Figures, v.Seconds = figures(v.Family, l.Trace[n-1], what), l.Trace[n-1].Seconds
	}
	return v
}

// figures says how far a search is.
func figures(f *family.Family, l report.Look, what string) (list []figure) {
	list = append(list, figure{what, wording.Brief(l.Objective), "of the best " + f.Noun() + " so far"})
	if l.Bound != nil {
		list = append(list, figure{"Bound", wording.Brief(*l.Bound), "no " + f.Noun() + " is better"})
	}
	switch {
	case l.Gap == nil:
	case f.Kind == model.BayesianRuleList:
		list = append(list, figure{"Gap", fmt.Sprintf("%.3f", *l.Gap), "nats; proved at 0"})
	default:
		list = append(list, figure{"Gap", wording.Percentage(*l.Gap), "proved at 0"})
	}
	if l.Steps > 0 {
		list = append(list, figure{"Steps", fmt.Sprintf("%d of %d", l.Step, l.Steps), "done"})
	}
	if l.Remain != nil {
		list = append(list, figure{"Left at most", "10" + raised(*l.Remain), "prefixes, by a bound"})
	} else if l.Open > 0 {
		list = append(list, figure{"Waiting", wording.Short(l.Open), wording.Plural(l.Open, f.Unit)})
	}
	list = append(list, figure{"Looked at", wording.Short(l.Nodes), wording.Plural(l.Nodes, f.Unit)})
	if l.Bytes > 0 {
		list = append(list, figure{"Memory", wording.Size(l.Bytes), "of the search"})
	}
	return list
}

// raised writes a whole number as an exponent.
func raised(v float64) string {
	return strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9",
		"⁹").Replace(fmt.Sprintf("%.0f", v))
}

// frameEvery is how long a stream waits from one frame to the next: at most four a second.
const frameEvery = 250 * time.Millisecond

// events streams what is new of a run until it ends. A client that is slow misses frames and
// holds nothing: each frame has all that is to be seen, and is made once for all clients.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	run := s.queue.find(r.PathValue("run"))
	if run == nil {
		http.NotFound(w, r)
		return
	}
	select {
	case s.streams <- struct{}{}:
		defer func() { <-s.streams }()
	default:
		w.Header().Set("Retry-After", "30")
		s.refuse(w, http.StatusServiceUnavailable, "Too many pages follow searches. This one will try again.")
		return
	}
	c := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	for {
		frame, changed, over := run.show()
		if over {
			frame = []byte("event: end\ndata: end\n\n")
		}
		deadline(w, s.o.patience)
		if _, err := w.Write(frame); err != nil {
			return
		}
		if err := c.Flush(); err != nil || over {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-time.After(frameEvery):
		}
		select {
		case <-r.Context().Done():
			return
		case <-changed:
		case <-time.After(15 * time.Second): // finds out who went away
		}
	}
}

// lines make each line of a text one of an event. A carriage return would end a line as well.
var lines = strings.NewReplacer("\r", " ", "\n", "\ndata: ")

// show returns the newest frame of a run, what is closed when there is another, and whether
// the run has ended.
func (r *run) show() (frame []byte, changed <-chan struct{}, over bool) {
	r.mutex.Lock()
	changed, version := r.changed, r.version
	over = r.state == done || r.state == failed
	if r.framed == version && r.frame != nil || over {
		defer r.mutex.Unlock()
		return r.frame, changed, over
	}
	r.mutex.Unlock()
	var b bytes.Buffer
	if err := templates().ExecuteTemplate(&b, "live", r.s.runView(r, r.s.line(r))); err != nil {
		b.Reset()
	}
	frame = []byte("event: look\ndata: " + lines.Replace(strings.TrimSpace(b.String())) + "\n\n")
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.frame, r.framed = frame, version
	return frame, changed, false
}

func (s *Server) stopRun(r *run, _ *http.Request) (string, error) {
	s.queue.cancel(r)
	return "/runs/" + r.id, nil
}

func (s *Server) resumeRun(r *run, _ *http.Request) (string, error) {
	return "/runs/" + r.id, s.queue.resume(r)
}

func (s *Server) removeRun(r *run, _ *http.Request) (string, error) {
	return "/", s.queue.remove(r)
}
