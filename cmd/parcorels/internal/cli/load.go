package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"parcorels/bitvec"
	"parcorels/dataset"
	"parcorels/family"
	"parcorels/model"
	"parcorels/rules"
	"parcorels/verify"
)

// errOtherData reports data that a proof is not about.
var errOtherData = errors.New("this is not the file that it was made for")

// reader says how a file of data is read beside the options of the user.
type reader struct {
	noHash      bool   // nobody asks for the hash of the data
	hash        string // that the data must have; "" for any
	keepColumns bool   // for cuts to be chosen anew
	limited     bool   // by the limit of time of the search
}

// read reads a file, or stdin if path is "-". A cancelled ctx ends the wait, not the work: the
// process is about to end.
func (e *env) read(ctx context.Context, l *learning, given map[string]bool, path string, r reader) (*family.Data, error) {
	if err := l.checkFormat(given, path); err != nil {
		return nil, err
	}
	l.options.Solve = e.solve
	o := l.reading
	o.Memory, o.NoHash, o.KeepColumns = e.memory.Reading(), r.noHash, r.keepColumns
	return await(ctx, func() (*family.Data, error) {
		var d *family.Data
		var err error
		if path == "-" {
			d, err = family.ReadFrom(e.stdin, "stdin", o)
		} else {
			d, err = family.Read(path, o)
		}
		if e.client != nil && err == nil { // the end of stdin must not hide why nothing was read
			e.client.watch()
		}
		if err == nil && r.hash != "" && d.Hash != r.hash {
			return nil, fmt.Errorf("%s: %w: %w", path, verify.ErrRefused, errOtherData)
		}
		if err == nil {
			d.Notes = flaggedAll(d.Notes)
		}
		return d, l.orAnotherTarget(err, given)
	})
}

// antecedents reads the data and mines antecedents as the options say. An .out file holds its
// own.
func (e *env) antecedents(ctx context.Context, l *learning, given map[string]bool, path string, r reader) (*rules.Set, error) {
	defer e.memory.Read()
	d, err := e.read(ctx, l, given, path, r)
	if err != nil {
		return nil, err
	}
	return e.antecedentsOf(ctx, l, d, path, r.limited)
}

// leastMining is how long mining may take whatever the limit of time is.
const leastMining = time.Second

// antecedentsOf mines the antecedents of data that were read. Where the limit of time ends that, single
// features are left.
func (e *env) antecedentsOf(ctx context.Context, l *learning, d *family.Data, path string, isLimited bool) (*rules.Set, error) {
	return await(ctx, func() (*rules.Set, error) {
		limit := time.Duration(0)
		if isLimited && l.options.Time > 0 {
			limit = max(l.options.Time-time.Since(e.start), leastMining)
		}
		set, ended, err := family.MineWithin(ctx, d, l.options, limit)
		if ended {
			l.options.MaxCard = 1
			d.Notes = append(d.Notes, fmt.Sprintf("--time %v ended while conjunctions were looked for: the model has single conditions "+
				"(as with --max-card 1); more time, or a larger --min-support, allows others", l.options.Time))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return set, nil
	})
}

// problem reads a table and makes distinct points of its antecedents.
func (e *env) problem(ctx context.Context, l *learning, given map[string]bool, path string, r reader) (*family.Problem, error) {
	d, err := e.read(ctx, l, given, path, r)
	if err != nil {
		return nil, err
	}
	return e.problemOf(ctx, l, d, path, r.limited)
}

// problemOf makes distinct points of the antecedents of data that were read.
func (e *env) problemOf(ctx context.Context, l *learning, d *family.Data, path string, limited bool) (*family.Problem, error) {
	set, err := e.antecedentsOf(ctx, l, d, path, limited)
	if err != nil {
		return nil, err
	}
	return await(ctx, func() (*family.Problem, error) {
		p, err := family.ProblemOf(set, l.reading, l.options)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return p, nil
	})
}

// orAnotherTarget adds to an error about the labels that others could be meant: the
// last column, which is taken unless --target is given, may be of another kind.
func (l *learning) orAnotherTarget(err error, given map[string]bool) error {
	if wrongOption(err) != "positive" || given["positive"] || given["target"] {
		return err
	}
	err = fmt.Errorf("%w, or the column of the labels with --target", err)
	if f := family.Of(l.options.Family); f != nil && !f.Multiclass {
		err = fmt.Errorf("%w, or learn a --model list of all", err)
	}
	return err
}

// checkFormat reports the first option that does not go with the format of path.
func (l *learning) checkFormat(given map[string]bool, path string) error {
	if !dataset.IsOut(path) {
		if given["labels"] {
			return fmt.Errorf("%s: --labels goes with an .out file, the labels of a table are in its --target column", path)
		}
		return nil
	}
	for _, o := range l.table {
		if o.Tables && given[o.Name] {
			return fmt.Errorf("%s: %s is an option for tables, but an .out file holds conditions, which are taken as they are", path,
				dashed(o))
		}
	}
	return nil
}

// check finds what is wrong with the options of a command that searches before any work.
func (l *learning) check(given map[string]bool, path string) error {
	if err := bitvec.KernelError(); err != nil {
		return err
	}
	l.reading = l.family().Reading(l.reading)
	if err := l.options.Validate(l.reading); err != nil {
		return err
	}
	return l.checkFormat(given, path)
}

// ofSearch returns the options with the memory that a search may have, and who searches.
func (e *env) ofSearch(o family.Options) family.Options {
	o.Memory, o.Software = e.memory.Search(o.Memory), software()
	return o
}

// left returns what is left of a limit of time since the start of the program; 0 has no limit.
func (e *env) left(limit time.Duration) time.Duration {
	if limit == 0 {
		return 0
	}
	return max(limit-time.Since(e.start), 1)
}

// load reads a model of any family, from stdin if path is "-".
func (e *env) load(ctx context.Context, path string) (model.Model, error) {
	return await(ctx, func() (model.Model, error) {
		read := func() (*family.Model, error) { return family.Load(path) }
		if path == "-" {
			read = func() (*family.Model, error) { return family.Decode(e.stdin, "stdin") }
		}
		m, err := read()
		if err != nil {
			return nil, err
		}
		return m.Model, nil
	})
}

// interruptible is a reader that fails once its context is cancelled, also
// while it waits for a terminal or a pipe. What such a read brings later is
// lost, and it keeps the buffer: the process is about to end.
type interruptible struct {
	ctx    context.Context
	from   io.Reader
	buffer []byte
}

func newInterruptible(ctx context.Context, from io.Reader) *interruptible {
	return &interruptible{ctx: ctx, from: from, buffer: make([]byte, 1<<16)}
}

// Read implements io.Reader.
func (r *interruptible) Read(b []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, errInterrupted
	}
	buffer := r.buffer[:min(len(b), len(r.buffer))]
	n, err := await(r.ctx, func() (int, error) { return r.from.Read(buffer) })
	return copy(b, buffer[:n]), err
}

// open opens a file for reading. A named pipe waits for its writer.
func open(ctx context.Context, path string) (*os.File, error) {
	return await(ctx, func() (*os.File, error) { return os.Open(path) })
}

// await returns what work returns, or errInterrupted as soon as ctx is done; work goes on then.
func await[T any](ctx context.Context, work func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		value, err := work()
		done <- outcome{value, err}
	}()
	select {
	case o := <-done:
		if o.err != nil && errors.Is(o.err, ctx.Err()) {
			o.err = errInterrupted
		}
		return o.value, o.err
	case <-ctx.Done():
		var none T
		return none, errInterrupted
	}
}
