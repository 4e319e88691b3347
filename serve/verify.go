package serve

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"time"

	"parcorels"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/verify"
)

// checkView is how the check of a proof goes, or went.
type checkView struct {
	At       string
	Running  bool
	Progress string
	Claim    string // what is verified
	Effort   string
	Took     string
	Refused  string // what does not hold
	Possible bool   // there is a proof
}

// check is the check of a run's proof by the independent checker.
type check struct {
	view checkView
	done bool
}

// checkView returns what the page says of the check. The mutex is not held.
func (r *run) checkView() *checkView {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	v := checkView{}
	if r.check != nil {
		v = r.check.view
		v.Running = !r.check.done
	}
	v.At = "/runs/" + r.id
	v.Possible = r.end != nil && r.end.Proved
	return &v
}

// verifyRun begins the check of a proof, unless it runs already.
func (s *Server) verifyRun(ask *http.Request) (*view, error) {
	if r := s.queue.find(ask.PathValue("run")); r != nil {
		r.mutex.Lock()
		if r.end != nil && r.end.Proved && (r.check == nil || r.check.done) {
			r.check = &check{}
			s.begin(r, r.check)
		}
		r.mutex.Unlock()
	}
	return s.verifyPage(ask)
}

// begin checks the proof of a run beside the server.
func (s *Server) begin(r *run, c *check) {
	go func() {
		s.checks <- struct{}{} // one at a time
		defer func() { <-s.checks }()
		start := time.Now()
		v, err := s.verified(r, c)
		r.mutex.Lock()
		defer r.mutex.Unlock()
		c.done, c.view.Took = true, wording.Seconds(time.Since(start))
		if err != nil {
			c.view.Refused = said(err)
			return
		}
		c.view.Claim, c.view.Effort = v.Claim, v.Effort
	}()
}

// verified checks the proof of a run: the table is read anew, as the proof says.
func (s *Server) verified(r *run, c *check) (*parcorels.Verification, error) {
	f, err := r.open("proof")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	proof, err := verify.Open(bufio.NewReaderSize(f, 1<<16))
	if err != nil {
		return nil, err
	}
	settings, read, o, err := parcorels.ParseProofSettings(proof.About().Settings)
	if err != nil {
		return nil, err
	}
	m, err := r.result()
	if err != nil {
		return nil, err
	}
	o.Family = m.Family()
	read.Multiclass = m.Family() == model.Tree && read.Positive == ""
	read.Memory = s.o.Memory / 2
	h, err := s.tables.table(r.asked.Table, read)
	if err != nil {
		return nil, err
	}
	if h.data.Hash != settings.Hash {
		return nil, fmt.Errorf("%s is not the table that the proof was made for", r.asked.Table)
	}
	set, err := parcorels.Mine(context.Background(), h.data, o)
	if err != nil {
		return nil, err
	}
	v, err := parcorels.Verify(context.Background(), proof, set, read, parcorels.VerifyOptions{Software: s.o.Software, Progress: func(e parcorels.VerifyEvent) {
		r.mutex.Lock()
		defer r.mutex.Unlock()
		c.view.Progress = wording.Count(e.Records, "record") + " read, " + wording.Thousands(e.Checked) + " checked"
	}})
	if err != nil {
		return nil, err
	}
	if differ := model.Differ(v.Model, m.Model); differ != nil {
		return nil, fmt.Errorf("the proof is about another model: %w", differ)
	}
	return v, nil
}

// verifyPage shows how the check goes.
func (s *Server) verifyPage(r *http.Request) (*view, error) {
	return s.with(r, func(run *run, _ *parcorels.Model) (*view, error) {
		return &view{Title: "The check of the proof", name: "check", data: run.checkView()}, nil
	})
}
