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
	"parcorels/internal/option"
	"parcorels/model"
	"parcorels/parallel"
	"parcorels/rules/rates"
	runs "parcorels/run"
	"parcorels/table"
	"parcorels/verify"
	verifylist "parcorels/verify/rulelist"
)

func beginVerify(c *call) (work, []process.Group) {
	s := &verifySettings{}
	return s.verify, []process.Group{outputGroup("Options", "labels workers time progress json explain quiet", &s.Output,
		&option.Option{Name: "labels", Unset: "X.label beside X.out", Value: option.Text(&s.labels, "a file name")},
		&option.Option{Name: "workers", Unset: "all cores", Value: option.Integer(&s.workers, 1, parallel.MaxWorkers)},
		&option.Option{Name: "time", Unset: "no limit", Value: option.Duration(&s.limit)},
		&option.Option{Name: "explain", Value: option.Switch(&s.explain)})}
}

// verifySettings is what the options of verify say, with what came out.
type verifySettings struct {
	process.Output
	answer.Verified
	labels  string
	workers int
	limit   time.Duration // 0: none
	explain bool
}

func (s *verifySettings) verify(ctx context.Context, e *process.Env, args []string) error {
	if err := runs.CheckOutputs([]string{s.JSON}, []string{args[0], args[1], s.labels}); err != nil {
		return err
	}
	s.Proof, s.Path = args[0], args[1]
	err := s.check(ctx, e)
	if err != nil && !errors.Is(err, verify.ErrRefused) {
		return err
	}
	if err == nil && len(args) == 3 {
		m, loadErr := e.Load(ctx, args[2])
		if loadErr != nil {
			return loadErr
		}
		if differ := model.Differ(s.Model, m); differ != nil {
			err = fmt.Errorf("%s: %w: it is about another model than %s: %w", s.Proof, verify.ErrRefused, args[2], differ)
		}
		s.File = args[2]
	}
	s.Refusal, s.Time = err, time.Since(e.Start)
	if err := s.write(e); err != nil {
		return err
	}
	return s.Refusal
}

// errUnchecked reports a check that a limit ended: nothing is known.
var errUnchecked = errors.New("neither verified nor refused")

// check reads the header of the proof, then the data as it says, and then the
// proof. Its error wraps verify.ErrRefused where it is the proof's fault.
func (s *verifySettings) check(ctx context.Context, e *process.Env) error {
	f, err := process.Open(ctx, s.Proof)
	if err != nil {
		return err
	}
	defer f.Close()
	sum := sha256.New()
	all := &counted{Reader: io.TeeReader(process.NewInterruptible(ctx, f), sum)}
	in := bufio.NewReader(all)
	defer func() { s.Bytes, s.Digest = all.n, table.HashText(sum) }()
	proof, err := verify.Open(in)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Proof, err)
	}
	if err := s.readData(ctx, e, proof); err != nil {
		return err
	}
	o := family.VerifyOptions{Options: verify.Options{Workers: s.workers}, Software: e.Software}
	if t := e.ProgressTable(&s.Output); t != nil {
		o.Progress = t.VerifyEvent
	}
	o.Group = func(name string) (rates.Group, error) {
		inside, text, err := e.Membership(ctx, s.Reading, s.Path, name, s.Set)
		return rates.Group{Name: text, Inside: inside}, err
	}
	if s.explain {
		o.Explain = s.Weights(ctx, proof.About().Lambda)
	}
	limited, cancel := ctx, func() {}
	if s.limit > 0 {
		limited, cancel = context.WithTimeout(ctx, e.Left(s.limit))
	}
	defer cancel()
	r, err := family.Verify(limited, proof, s.Set, s.Reading, o)
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return process.ErrInterrupted
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%s: %w: --time %v ended before the proof was checked", s.Proof, errUnchecked, s.limit)
	default:
		return fmt.Errorf("%s: %w", s.Proof, err)
	}
	s.Verification = *r
	return nil
}

// readData reads the data as the header of a proof says.
func (s *verifySettings) readData(ctx context.Context, e *process.Env, proof verify.Proof) error {
	if _, ofList := proof.(*verifylist.Proof); s.explain && !ofList {
		return fmt.Errorf("%s: --explain is for proofs about rule lists, this one is about another model", s.Proof)
	}
	from, reading, options, err := family.ReadProof(proof)
	if err != nil {
		return fmt.Errorf("%s: %s", s.Proof, e.Flagged(err.Error()))
	}
	if (from.Format == "out") != dataset.IsOut(s.Path) {
		return fmt.Errorf("%s: the proof is about data in the format %q", s.Path, from.Format)
	}
	l := &process.Learning{Reading: reading, Options: options}
	l.Reading.Labels = s.labels
	s.Reading = l.Reading
	if s.explain && len(options.First) > 0 {
		return fmt.Errorf("%s: --explain has no page for lists that begin with given rules", s.Proof)
	}
	s.Set, err = e.Antecedents(ctx, l, map[string]bool{"labels": s.labels != ""}, s.Path, process.Reader{Hash: from.Hash})
	if err == nil && s.explain && s.Set.Data.ClassCount() > 2 {
		return fmt.Errorf("%s: --explain has no page for more than two classes", s.Proof)
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

// write prints the verdict, on stdout where it is VERIFIED.
func (s *verifySettings) write(e *process.Env) error {
	if s.JSON != "" {
		if err := e.WriteJSON(s.JSON, s.Object()); err != nil {
			return err
		}
	}
	if s.Refusal != nil || s.JSON == "-" {
		return nil
	}
	if e.Client != nil {
		return e.Client.Result(s.Object(), s.Model, s.Set.Data.Columns)
	}
	return e.Print(s.Text(s.Quiet) + s.Certificate())
}
