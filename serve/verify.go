package serve

import (
	"context"
	"net/http"
	"time"

	"parcorels/family"
	"parcorels/internal/wording"
	runs "parcorels/run"
)

// verifyRun begins the check of a proof, unless it runs already.
func verifyRun(v *runView, _ *http.Request) (*view, error) {
	v.run.update(func(x *facts) {
		if x.End != nil && x.End.Proved && !x.Check.Running {
			x.Check = check{Running: true}
			go v.verify()
		}
		v.facts = *x
	})
	return verifyPage(v, nil)
}

// verifyPage shows how the check goes.
func verifyPage(v *runView, _ *http.Request) (*view, error) {
	return &view{Title: "The check of the proof", name: "check", data: v}, nil
}

// verify checks the proof of a run beside the server, one at a time.
func (v *runView) verify() {
	v.checking.Lock()
	defer v.checking.Unlock()
	start := time.Now()
	found, err := v.verified()
	v.run.update(func(x *facts) {
		if x.Check = (check{Took: wording.Seconds(time.Since(start))}); err != nil {
			x.Check.Refused = v.said(err)
		} else {
			x.Check.Claim, x.Check.Effort = found.Claim, found.Effort
		}
	})
}

// verified checks the proof of a run: the table is read anew, as the proof says.
func (v *runView) verified() (*family.Verification, error) {
	f, err := v.run.files.Open(runs.ProofFile)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return runs.Verify(context.Background(), f, v.m.Model, func(read family.Reading) (*family.Data, error) {
		read.Memory = v.o.Memory / 2
		return v.site.store.read(context.Background(), v.Asked.Table, read)
	}, family.VerifyOptions{Software: v.o.Software, Progress: func(e family.VerifyEvent) {
		progress := wording.Count(e.Records, "record") + " read, " + wording.Thousands(e.Checked) + " checked"
		v.run.update(func(x *facts) { x.Check.Progress = progress })
	}})
}
