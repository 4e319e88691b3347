package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"parcorels/answer"
	"parcorels/bitvec"
	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/option"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/optionerr"
	"parcorels/rules"
	"parcorels/run"
	"parcorels/table"
	"parcorels/verify"
)

// errOtherData reports data that a proof is not about.
var errOtherData = errors.New("this is not the file that it was made for")

// Reader says how a file of data is read beside the options of the user.
type Reader struct {
	NoHash      bool   // nobody asks for the hash of the data
	Hash        string // that the data must have; "" for any
	KeepColumns bool   // for cuts to be chosen anew
	Quiet       bool   // nobody is told that reading takes long
}

// tellReading is how long a table may be read before people are told that it goes on.
const tellReading = 10 * time.Second

// Read reads a file, or stdin if path is "-". A cancelled ctx ends the wait, not the work: the
// process is about to end.
func (e *Env) Read(ctx context.Context, l *Learning, given map[string]bool, path string, r Reader) (*family.Data, error) {
	if err := l.checkFormat(given, path); err != nil {
		return nil, err
	}
	l.Options.Solve = e.Solve
	o := l.Reading
	o.Memory, o.NoHash, o.KeepColumns = e.Memory.Reading(), r.NoHash, r.KeepColumns
	o.ColumnMemory = e.Memory.Columns(l.Options.Memory)
	if !r.Quiet && e.Client == nil {
		defer time.AfterFunc(tellReading, func() { e.Note("%s is still being read", path) }).Stop()
	}
	return Await(ctx, func() (*family.Data, error) {
		read := func() (*family.Data, error) { return family.Read(path, o) }
		if path == "-" {
			read = func() (*family.Data, error) { return family.ReadFrom(e.Stdin, "stdin", o) }
		}
		d, err := read()
		if e.Client != nil && err == nil { // the end of stdin must not hide why nothing was read
			e.Client.watch()
		}
		if err == nil && r.Hash != "" && d.Hash != r.Hash {
			return nil, fmt.Errorf("%s: %w: %w", path, verify.ErrRefused, errOtherData)
		}
		if err == nil {
			d.Notes = e.FlaggedAll(d.Notes)
		}
		return d, l.orAnotherTarget(err, given)
	})
}

// Antecedents reads the data and mines antecedents as the options say. An .out file holds its
// own.
func (e *Env) Antecedents(ctx context.Context, l *Learning, given map[string]bool, path string, r Reader) (*rules.Set, error) {
	defer e.Memory.Read()
	d, err := e.Read(ctx, l, given, path, r)
	if err != nil {
		return nil, err
	}
	return mined(ctx, l, d, 0)
}

// leastMining is how long mining may take whatever the limit of time is.
const leastMining = time.Second

// mined mines the antecedents of data that were read, within a limit of time; 0: no limit. Where that ends it, single
// features are left.
func mined(ctx context.Context, l *Learning, d *family.Data, limit time.Duration) (*rules.Set, error) {
	return Await(ctx, func() (*rules.Set, error) {
		set, ended, err := family.MineWithin(ctx, d, &l.Options, limit)
		if ended {
			d.Notes = append(d.Notes, fmt.Sprintf("--time %v ended while conjunctions were looked for: the model has single conditions "+
				"(as with --max-card 1); more time, or a larger --min-support, allows others", l.Options.Time))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.Source, err)
		}
		return set, nil
	})
}

// ProblemOf makes distinct points of the antecedents of data that were read.
func (e *Env) ProblemOf(ctx context.Context, l *Learning, d *family.Data) (*family.Problem, error) {
	limit := time.Duration(0)
	if l.Options.Time > 0 {
		limit = max(l.Options.Time-time.Since(e.Start), leastMining)
	}
	set, err := mined(ctx, l, d, limit)
	if err != nil {
		return nil, err
	}
	return Await(ctx, func() (*family.Problem, error) {
		p, err := family.ProblemOf(set, l.Reading, l.Options)
		if err != nil {
			err = fmt.Errorf("%s: %w", d.Source, err)
		}
		return p, err
	})
}

// orAnotherTarget adds to an error about the labels that others could be meant: the
// last column, which is taken unless --target is given, may be of another kind.
func (l *Learning) orAnotherTarget(err error, given map[string]bool) error {
	wrong, is := errors.AsType[*optionerr.Error](err)
	if !is || !strings.EqualFold(wrong.Field, "positive") || given["positive"] || given["target"] {
		return err
	}
	err = fmt.Errorf("%w, or the column of the labels with --target", err)
	if f := family.Of(l.Options.Family); f != nil && !f.Multiclass {
		err = fmt.Errorf("%w, or learn a --model list of all", err)
	}
	return err
}

// checkFormat reports the first option that does not go with the format of path.
func (l *Learning) checkFormat(given map[string]bool, path string) error {
	for _, o := range l.Table {
		if o.Tables && given[o.Name] && dataset.IsOut(path) {
			return fmt.Errorf("%s: %s is an option for tables, but an .out file holds conditions, which are taken as they are", path,
				"--"+o.Name)
		}
	}
	return nil
}

// Check finds what is wrong with the options of a command that searches before any work.
func (l *Learning) Check(given map[string]bool, path string) error {
	if err := bitvec.KernelError(); err != nil {
		return err
	}
	l.Reading = l.Family().Reading(l.Reading)
	if err := l.Options.Validate(l.Reading); err != nil {
		return err
	}
	return l.checkFormat(given, path)
}

// OfSearch returns the options with the memory that a search may have, and who searches.
func (e *Env) OfSearch(o family.Options) family.Options {
	o.Memory, o.Software = e.Memory.Search(o.Memory), e.Software
	return o
}

// Left returns what is left of a limit of time since the start of the program; 0 has no limit.
func (e *Env) Left(limit time.Duration) time.Duration {
	if limit == 0 {
		return 0
	}
	return max(limit-time.Since(e.Start), 1)
}

// Load reads a model of any family, from stdin if path is "-".
func (e *Env) Load(ctx context.Context, path string) (model.Model, error) {
	return Await(ctx, func() (model.Model, error) {
		read := func() (*family.Model, error) { return family.Load(path) }
		if path == "-" {
			read = func() (*family.Model, error) { return family.Decode(e.Stdin, "stdin") }
		}
		m, err := read()
		if err != nil {
			return nil, err
		}
		return m.Model, nil
	})
}

// interruptible is a reader that fails once its context is cancelled, also
// while it waits for a terminal or a pipe. Later bytes of such a read are
// lost, and it keeps the buffer: the process is about to end.
type interruptible struct {
	ctx    context.Context
	from   io.Reader
	buffer []byte
}

func NewInterruptible(ctx context.Context, from io.Reader) *interruptible {
	return &interruptible{ctx: ctx, from: from, buffer: make([]byte, 1<<16)}
}

// Read implements io.Reader.
func (r *interruptible) Read(b []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, ErrInterrupted
	}
	buffer := r.buffer[:min(len(b), len(r.buffer))]
	n, err := Await(r.ctx, func() (int, error) { return r.from.Read(buffer) })
	return copy(b, buffer[:n]), err
}

// Open opens a file for reading. A named pipe waits for its writer.
func Open(ctx context.Context, path string) (*os.File, error) {
	return Await(ctx, func() (*os.File, error) { return os.Open(path) })
}

// Await returns what work returns, or errInterrupted as soon as ctx is done; work goes on then.
func Await[T any](ctx context.Context, work func() (T, error)) (T, error) {
	v, err := run.Await(ctx, work)
	if err != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, ErrInterrupted)) { // work may notice it first
		err = ErrInterrupted
	}
	return v, err
}

// Learning is what commands that learn from a table are told of it: the table of options of
// the library, bound to what it fills.
type Learning struct {
	Reading family.Reading
	Options family.Options
	Table   []*option.Option
}

// Ablation is zero but in tests, where it makes searches last.
var Ablation family.Ablation

// NewLearning returns a table of options whose time has a default, and "none" for no limit.
func NewLearning() *Learning {
	l := &Learning{}
	l.Options.Ablation = Ablation
	l.Table = family.OptionTable(&l.Reading, &l.Options)
	l.Options.Time = DefaultTime
	row := option.Find(l.Table, "time")
	row.Unset = "60s"
	row.Value = OrNone(row.Value, func() { l.Options.Time = 0 })
	return l
}

// DefaultTime is the limit of a search that nobody limits.
const DefaultTime = time.Minute

// OrNone is a value that may be "none" as well.
func OrNone(v option.Value, none func()) option.Value {
	given := &option.Option{Value: v}
	return option.Custom(v.Type, v.Expect+", or none", func(text string) error {
		if text == "none" {
			none()
			return nil
		}
		return given.Set(text)
	}, given.Texts)
}

// Family is the one that is learned.
func (l *Learning) Family() *family.Family {
	if f := family.Of(l.Options.Family); f != nil {
		return f
	}
	return family.Families()[0]
}

// Group returns the options of the library under a heading, but for those left out.
func (l *Learning) Group(title string, without ...string) Group {
	g := Group{Title: title}
	for _, o := range l.Table {
		if o.Group == title && !slices.Contains(without, o.Name) {
			g.Options = append(g.Options, o)
		}
	}
	return g
}

// Group is options under a heading of the help.
type Group struct {
	Title   string
	Options []*option.Option
}

// OpenRows opens a table whose reading a cancelled ctx ends.
func (e *Env) OpenRows(ctx context.Context, o dataset.Options, path string) (*dataset.Rows, error) {
	if path == "-" {
		return dataset.NewRows(NewInterruptible(ctx, e.Stdin), "stdin", o)
	}
	f, err := Await(ctx, func() (*os.File, error) { return table.OpenFile(path) })
	if err != nil {
		return nil, err
	}
	var in io.Reader = f
	if !table.IsParquet(f) {
		in = NewInterruptible(ctx, f)
	}
	rows, err := dataset.NewRows(in, path, o)
	if err != nil {
		_ = f.Close() // it was only read from
	}
	return rows, err
}

// GroupsOf returns a number for each row of a table, and the text of each number: the number is the same for rows
// of the same text in a column, which may be one that --ignore leaves out.
func (e *Env) GroupsOf(ctx context.Context, reading dataset.Options, path, column string, d *dataset.Dataset) (groups []int,
	names []string, err error) {
	switch {
	case path == "-":
		return nil, nil, fmt.Errorf("--groups and --fair read the table twice, which stdin does not allow: give a file")
	case d.Dropped > 0:
		return nil, nil, fmt.Errorf("%s: --groups and --fair do not go with --drop-missing: rows would be counted wrongly", path)
	}
	rows, err := e.OpenRows(ctx, reading, path)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	at := slices.Index(rows.Header(), column)
	if at < 0 {
		return nil, nil, fmt.Errorf("%s: no column %q, by which to group the rows", path, column)
	}
	number := map[string]int{}
	if err := answer.EachRow(rows, func(cells []string, _ int64) bool {
		id, known := number[cells[at]]
		if !known {
			id = len(number)
			name := strings.Clone(cells[at])
			names, number[name] = append(names, name), id
		}
		groups = append(groups, id)
		return true
	}); err != nil {
		return nil, nil, err
	}
	if len(groups) != d.N {
		return nil, nil, fmt.Errorf("%s: %d rows on second reading, %d on the first: it changes while it is read", path, len(groups), d.N)
	}
	return groups, names, nil
}

// Membership says which samples belong to a group: those with a value in a column, of two
// values the later one in the order of texts, or those that satisfy an antecedent of an .out file.
func (e *Env) Membership(ctx context.Context, reading dataset.Options, path, what string,
	set *rules.Set) (inside []bool, name string, err error) {
	d := set.Data
	inside = make([]bool, d.N)
	if dataset.IsOut(path) {
		for i := range d.Features {
			if f := &d.Features[i]; f.Name == what || f.Name == "{"+what+"}" {
				for k := range inside {
					inside[k] = f.Bits.Test(uint(k))
				}
				return inside, f.Name, nil
			}
		}
		return nil, "", fmt.Errorf("%s: no antecedent %q", path, what)
	}
	column, value, hasValue := strings.Cut(what, "=")
	groups, names, err := e.GroupsOf(ctx, reading, path, column, d)
	if err != nil {
		return nil, "", err
	}
	if !hasValue {
		if len(names) != 2 {
			return nil, "", fmt.Errorf("%s: column %q has %s: say which one is compared with all others, as %s=%s", path,
				column, wording.Count(int64(len(names)), "value"), column, names[0])
		}
		value = max(names[0], names[1])
	}
	at := slices.Index(names, value)
	if at < 0 {
		return nil, "", fmt.Errorf("%s: no row has %q in column %q", path, value, column)
	}
	for i, g := range groups {
		inside[i] = g == at
	}
	return inside, column + " = " + value, nil
}

// Table reads the rows of a table, or of an .out file.
func (e *Env) Table(ctx context.Context, reading dataset.Options, path string) (header []string, rows [][]string, err error) {
	open, err := e.OpenRows(ctx, reading, path)
	if err != nil {
		return nil, nil, err
	}
	defer open.Close()
	header = slices.Clone(open.Header())
	err = answer.EachRow(open, func(cells []string, _ int64) bool {
		row := make([]string, len(cells))
		for i, c := range cells {
			row[i] = strings.Clone(c)
		}
		rows = append(rows, row)
		return true
	})
	return header, rows, err
}
