package serve

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"parcorels/family"
	"parcorels/internal/wording"
	runs "parcorels/run"
)

// verifyRun checks the proof of a run, one at a time and as long as somebody waits for it.
func verifyRun(v *runView, r *http.Request) (*view, error) {
	v.checking.Lock()
	defer v.checking.Unlock()
	start := time.Now()
	found, err := v.verified(r.Context())
	if err != nil {
		v.Check = check{Text: v.said(err)}
	} else {
		v.Check = check{true, fmt.Sprintf("%s. Checked %s in %s", found.Claim, found.Effort, wording.Seconds(time.Since(start)))}
	}
	if r.Context().Err() == nil {
		v.run.update(func(x *facts) { x.Check = v.Check })
	}
	return &view{Title: "The check of the proof", name: "check", data: v}, nil
}

// verified checks the proof of a run: the table is read anew, as the proof says.
func (v *runView) verified(ctx context.Context) (*family.Verification, error) {
	f, err := v.run.files.Open(runs.ProofFile)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return runs.Verify(ctx, f, v.m.Model, func(read family.Reading) (*family.Data, error) {
		read.Memory = v.o.Memory / 2
		return v.site.store.read(ctx, v.Asked.Table, read)
	}, family.VerifyOptions{Software: v.o.Software})
}
