package cli

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"time"

	"parcorels/answer"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/dataset"
	"parcorels/family"
	"parcorels/family/rates"
	"parcorels/internal/option"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/parallel"
	runs "parcorels/run"
	"parcorels/verify"
	verifylist "parcorels/verify/rulelist"
)

func verifyCommand() *command {
	return &command{
		name: "verify", min: 2, max: 3,
		begin: func(c *call) (func(context.Context, *process.Env, []string) error, []process.Group) {
			s := &verifySettings{}
			return s.verify, []process.Group{s.group()}
		},
	}
}

// verifySettings is what the options of verify say.
type verifySettings struct {
	process.Output
	labels  string
	workers int
	time    time.Duration // 0: no limit
	explain bool
}

func (s *verifySettings) group() process.Group {
	return process.Group{Title: "Options", Options: []*option.Option{
		{Name: "labels", Unset: "X.label beside X.out", Value: option.Text(&s.labels, "a file name")},
		{Name: "workers", Unset: "all cores", Value: option.Integer(&s.workers, 1,
			parallel.MaxWorkers)},
		{Name: "time", Unset: "no limit", Value: option.Duration(&s.time)},
		progressOption(&s.Progress),
		jsonOption(&s.JSON),
		{Name: "explain", Value: option.Switch(&s.explain)},
		quietOption(&s.Quiet),
	}}
}

func (s *verifySettings) verify(ctx context.Context, e *process.Env, args []string) error {
	if err := runs.CheckOutputs([]string{s.JSON}, []string{args[0], args[1], s.labels}); err != nil {
		return err
	}
	v := &verified{answer.Verified{Proof: args[0], Path: args[1]}}
	err := v.check(ctx, e, s)
	if err != nil && !errors.Is(err, verify.ErrRefused) {
		return err
	}
	if err == nil && len(args) == 3 {
		m, loadErr := e.Load(ctx, args[2])
		if loadErr != nil {
			return loadErr
		}
		if differ := model.Differ(v.Model, m); differ != nil {
			err = fmt.Errorf("%s: %w: it is about another model than %s: %w", v.Proof, verify.ErrRefused, args[2], differ)
		}
		v.File = args[2]
	}
	v.Refusal, v.Time = err, time.Since(e.Start)
	if err := v.write(e, s); err != nil {
		return err
	}
	return v.Refusal
}

// errUnchecked reports a check that a limit ended: nothing is known.
var errUnchecked = errors.New("neither verified nor refused")

// check reads the header of the proof, then the data as it says, and then the
// proof. Its error wraps verify.ErrRefused where it is the proof's fault.
func (v *verified) check(ctx context.Context, e *process.Env, s *verifySettings) error {
	f, err := process.Open(ctx, v.Proof)
	if err != nil {
		return err
	}
	defer f.Close()
	sum := sha256.New()
	all := &counted{Reader: io.TeeReader(process.NewInterruptible(ctx, f), sum)}
	in := bufio.NewReader(all)
	defer func() { v.Bytes, v.Digest = all.n, runs.Digest(sum) }()
	proof, err := verify.Open(in)
	if err != nil {
		return fmt.Errorf("%s: %w", v.Proof, err)
	}
	if _, ofList := proof.(*verifylist.Proof); s.explain && !ofList {
		return fmt.Errorf("%s: --explain is for proofs about rule lists, this one is about another model", v.Proof)
	}
	if err := v.readData(ctx, e, s, proof); err != nil {
		return err
	}
	o := s.checking(e)
	o.Group = func(name string) (rates.Group, error) {
		inside, text, err := e.Membership(ctx, v.Reading, v.Path, name, v.Set)
		return rates.Group{Name: text, Inside: inside}, err
	}
	if s.explain {
		o.Explain = v.Weights(ctx, proof.About().Lambda)
	}
	limited, cancel := s.limited(ctx, e)
	defer cancel()
	r, err := family.Verify(limited, proof, v.Set, v.Reading, o)
	if err != nil {
		return v.fault(ctx, s, err)
	}
	v.Claim, v.Effort, v.Stats.VerifyCounts = r.Claim, r.Effort, r.Counts
	v.Model, v.Lambda, v.List = r.Model, r.Price, r.List
	return nil
}

// checking is how a proof is checked.
func (s *verifySettings) checking(e *process.Env) family.VerifyOptions {
	o := family.VerifyOptions{Workers: s.workers, Software: e.Software}
	if t := e.ProgressTable(&s.Output); t != nil {
		o.Progress = t.VerifyEvent
	}
	return o
}

// limited returns ctx with the limit of time.
func (s *verifySettings) limited(ctx context.Context, e *process.Env) (context.Context, context.CancelFunc) {
	if s.time == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, max(s.time-time.Since(e.Start), 1))
}

// fault says why a check ended without a verdict, or with which.
func (v *verified) fault(ctx context.Context, s *verifySettings, err error) error {
	switch {
	case ctx.Err() != nil:
		return process.ErrInterrupted
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%s: %w: --time %v ended before the proof was checked", v.Proof, errUnchecked, s.time)
	}
	return fmt.Errorf("%s: %w", v.Proof, err)
}

// readData reads the data as the header of a proof says.
func (v *verified) readData(ctx context.Context, e *process.Env, s *verifySettings, proof verify.Proof) error {
	from, reading, options, err := family.ReadProof(proof)
	if err != nil {
		return fmt.Errorf("%s: %s", v.Proof, e.Flagged(err.Error()))
	}
	if (from.Format == "out") != dataset.IsOut(v.Path) {
		return fmt.Errorf("%s: the proof is about data in the format %q", v.Path, from.Format)
	}
	l := &process.Learning{Reading: reading, Options: options}
	l.Reading.Labels = s.labels
	v.Reading = l.Reading
	if s.explain && len(options.First) > 0 {
		return fmt.Errorf("%s: --explain has no page for lists that begin with given rules", v.Proof)
	}
	v.Set, err = e.Antecedents(ctx, l, map[string]bool{"labels": s.labels != ""}, v.Path, process.Reader{Hash: from.Hash})
	if err == nil && s.explain && v.Set.Data.ClassCount() > 2 {
		return fmt.Errorf("%s: --explain has no page for more than two classes", v.Proof)
	}
	return err
}

// counted counts what is read.
type counted struct {
	io.Reader
	n int64
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.n += int64(n)
	return n, err
}

// verified is the outcome of verify.
type verified struct{ answer.Verified }

// write prints the verdict, on stdout where it is VERIFIED. The error says what
// was refused.
func (v *verified) write(e *process.Env, s *verifySettings) error {
	if s.JSON != "" {
		if err := e.WriteJSON(s.JSON, v.object()); err != nil {
			return err
		}
	}
	if v.Refusal != nil {
		return nil
	}
	if s.JSON == "-" {
		return nil
	}
	if e.Client != nil {
		return e.Client.Result(v.object(), v.Model, v.Set.Data.Columns)
	}
	return e.Print(v.Text(s.Quiet) + v.Certificate())
}

// object makes the JSON object of verify.
func (v *verified) object() answer.VerifiedJSON {
	if v.Refusal == nil {
		return v.Object("")
	}
	return v.Object(wording.OneLine(v.Refusal))
}
