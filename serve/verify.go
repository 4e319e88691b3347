package serve

import (
	"context"
	"net/http"
	"time"

	"parcorels/family"
	"parcorels/internal/wording"
	runs "parcorels/run"
)

// check is how the check of a run's proof goes, or went.
type check struct {
	Running  bool
	Progress string
	Claim    string // what is verified
	Effort   string
	Took     string
	Refused  string // what does not hold
}

// verifyRun begins the check of a proof, unless it runs already.
func (s *Server) verifyRun(r *run, m *family.Model, ask *http.Request) (*view, error) {
	r.update(func() {
		if r.End != nil && r.End.Proved && !r.Check.Running {
			r.Check = check{Running: true}
			go s.check(r, m)
		}
	})
	return s.verifyPage(r, m, ask)
}

// check checks the proof of a run beside the server.
func (s *Server) check(r *run, m *family.Model) {
	s.checking.Lock() // one at a time
	defer s.checking.Unlock()
	start := time.Now()
	v, err := s.verified(r, m)
	r.update(func() {
		if r.Check = (check{Took: wording.Seconds(time.Since(start))}); err != nil {
			r.Check.Refused = s.said(err)
		} else {
			r.Check.Claim, r.Check.Effort = v.Claim, v.Effort
		}
	})
}

// verified checks the proof of a run: the table is read anew, as the proof says.
func (s *Server) verified(r *run, m *family.Model) (*family.Verification, error) {
	f, err := r.files.Open("proof")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return runs.Verify(context.Background(), f, m.Model, func(read family.Reading) (*family.Data, error) {
		read.Memory = s.o.Memory / 2
		return s.read(context.Background(), r.Asked.Table, read)
	}, family.VerifyOptions{Software: s.o.Software, Progress: func(e family.VerifyEvent) {
		progress := wording.Count(e.Records, "record") + " read, " + wording.Thousands(e.Checked) + " checked"
		r.update(func() { r.Check.Progress = progress })
	}})
}

// verifyPage shows how the check goes.
func (s *Server) verifyPage(run *run, _ *family.Model, _ *http.Request) (*view, error) {
	return &view{Title: "The check of the proof", name: "check", data: run.snapshot()}, nil
}
