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
	At       string
	Possible bool // there is a proof
	Running  bool
	Progress string
	Claim    string // what is verified
	Effort   string
	Took     string
	Refused  string // what does not hold
}

// checkView returns what the page says of the check.
func (r *run) checkView() (v check) {
	r.update(func() { v = r.check; v.At, v.Possible = "/runs/"+r.ID, r.End != nil && r.End.Proved })
	return v
}

// verifyRun begins the check of a proof, unless it runs already.
func (s *Server) verifyRun(r *run, m *family.Model, ask *http.Request) (*view, error) {
	r.update(func() {
		if r.End != nil && r.End.Proved && !r.check.Running {
			r.check = check{Running: true}
			go s.check(r, m)
		}
	})
	return s.verifyPage(r, m, ask)
}

// check checks the proof of a run beside the server.
func (s *Server) check(r *run, m *family.Model) {
	s.checks <- struct{}{} // one at a time
	defer func() { <-s.checks }()
	start := time.Now()
	v, err := s.verified(r, m)
	done := check{Took: wording.Seconds(time.Since(start))}
	if err != nil {
		done.Refused = s.said(err)
	} else {
		done.Claim, done.Effort = v.Claim, v.Effort
	}
	r.update(func() { r.check = done })
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
		r.update(func() { r.check.Progress = progress })
	}})
}

// verifyPage shows how the check goes.
func (s *Server) verifyPage(run *run, _ *family.Model, _ *http.Request) (*view, error) {
	return &view{Title: "The check of the proof", name: "check", data: run.checkView()}, nil
}
