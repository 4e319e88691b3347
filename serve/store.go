package serve

import (
	"bufio"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/optionerr"
	runs "parcorels/run"
	"parcorels/table"
)

// Options say what a server is to do. The zero value of each but Folder is the default.
type Options struct {
	Folder   string        // holds tables and runs; it is made if it is not there
	Software string        // the name of the program, for models
	Time     time.Duration // limit of a search where nobody asks for another; 0: none
	Memory   int64         // bytes for all searches together; 0: no limit
	AtOnce   int           // searches at the same time, which share the cores; 0: 1
	Upload   int64         // most bytes of a table that is sent; 0: 1 GiB

	// write takes the place of atomicfile.Write in tests of a full disk.
	write func(path string, write func(io.Writer) error) error
	every time.Duration // from one checkpoint to the next; 0: saveEvery
	turn  time.Duration // how long a search has its place to itself; 0: turn
}

// The folders within the folder.
const (
	tablesFolder   = "tables"
	runsFolder     = "runs"
	sessionsFolder = "sessions"
	removedFolder  = "removed" // of runs; what is in it goes when a server starts
)

// store is the folder of a server. Its methods read and keep tables.
type store struct {
	o    Options
	root *os.Root
}

// limits of what a client may send and hold.
const (
	mostConnections = 100 // at a time: others wait

	headerBytes = 32 << 10
	headerTime  = 10 * time.Second
	formBytes   = 1 << 20
	formTime    = 30 * time.Second // from one part of a form to the next
	idleTime    = 2 * time.Minute
	answerTime  = 5 * time.Minute // for an answer to be taken
)

// newToken returns 128 bits at random.
func newToken() string { return strings.ToLower(rand.Text()) }

// path is where a file of the folder is.
func (s *store) path(parts ...string) string {
	return filepath.Join(append([]string{s.o.Folder}, parts...)...)
}

// tableEndings are those of files that are taken for tables.
var tableEndings = []string{".csv", ".tsv", ".txt", ".data", ".parquet", ".xlsx"}

// isTable reports whether a name is that of a table, plain or compressed.
func isTable(name string) bool {
	return !strings.HasPrefix(name, ".") && slices.Contains(tableEndings, filepath.Ext(strings.TrimSuffix(strings.ToLower(name), ".gz")))
}

// Tables returns the tables, the newest first. A link is none: it may lead out of the folder.
func (s *store) Tables() (list []fs.FileInfo) {
	entries, _ := os.ReadDir(s.path(tablesFolder)) // none of a folder that cannot be read
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && isTable(e.Name()) {
			list = append(list, info)
		}
	}
	slices.SortStableFunc(list, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	return list
}

// table returns a table of that name, or errNothing.
func (s *store) table(name string) (fs.FileInfo, error) {
	for _, f := range s.Tables() {
		if f.Name() == name {
			return f, nil
		}
	}
	return nil, errNothing
}

// read reads a table until ctx ends.
func (s *store) read(ctx context.Context, name string, read family.Reading) (*family.Data, error) {
	f, err := s.table(name)
	if err != nil {
		return nil, fmt.Errorf("there is no table %s", name)
	}
	if limit := s.o.Memory; limit > 0 && f.Size() > limit {
		return nil, fmt.Errorf("%s has %s, and all searches together may take %s of memory: start the server with more, or leave "+
			"columns out", name, wording.Size(f.Size()), wording.Size(limit))
	}
	return runs.Await(ctx, func() (*family.Data, error) {
		d, err := family.ReadUntil(ctx, s.path(tablesFolder, name), read)
		if err == nil {
			d.Source = name
		}
		return d, err
	})
}

// mined looks for conditions. The limit of time may leave single ones, which o then says.
func mined(ctx context.Context, d *family.Data, read family.Reading, o *family.Options) (*family.Problem, error) {
	set, _, err := family.MineWithin(ctx, d, o, o.Time)
	if err != nil {
		return nil, err
	}
	return family.ProblemOf(set, read, *o)
}

// resolved returns the options of the search with the defaults of this server.
func (s *store) resolved(q *question) (*family.Family, family.Reading, family.Options, error) {
	read, o, err := q.options()
	f := family.Of(cmp.Or(o.Family, model.RuleList))
	o.Time = max(cmp.Or(o.Time, s.o.Time), 0)
	read = f.Reading(read)
	read.Memory = s.o.Memory / 2
	if err == nil {
		err = o.Validate(read)
	}
	o.Software = s.o.Software
	return f, read, o, err
}

// ofRows returns what do finds in the rows of a table, as a question has it read.
func ofRows[T any](s *store, name string, q *question, do func(*dataset.Rows) (T, error)) (found T, err error) {
	read, _, _ := q.options() // one that cannot be does not keep the table from being read
	if _, err := s.table(name); err != nil {
		return found, err
	}
	rows, err := dataset.OpenRows(s.path(tablesFolder, name), dataset.Options{Header: read.Header, NoHeader: read.NoHeader,
		Comma: read.Comma, DecimalComma: read.DecimalComma})
	if err != nil {
		return found, err
	}
	defer rows.Close()
	return do(rows)
}

// said is an error for people: options by the names that the page has for them. The folder is nobody's concern.
func (s *store) said(err error) string {
	text := strings.ReplaceAll(optionerr.Rename(err.Error(), optionName), s.path(tablesFolder)+string(filepath.Separator), "")
	var path *fs.PathError
	if errors.As(err, &path) {
		text = strings.ReplaceAll(text, path.Path, filepath.Base(path.Path))
	}
	if first, _, _ := strings.Cut(text, " "); strings.Contains(first, ".") {
		return text // it begins with a file
	}
	return wording.Capital(text)
}

// wrongField names the field of options that an error is about, "" for none.
func wrongField(err error) string {
	var wrong *optionerr.Error
	if errors.As(err, &wrong) {
		return wrong.Field
	}
	return ""
}

// errNothing reports an address at which there is nothing.
var errNothing = errors.New("there is nothing at this address")

// errTooLarge reports a table that may not be so large.
var errTooLarge = errors.New("the table is too large")

// add keeps a table under a name like the one it comes with. A compressed table or a spreadsheet is kept as the
// text, so that its size is known. It returns the name.
func (s *store) add(like string, from io.Reader) (string, error) {
	name := keptName(like)
	if !isTable(name) {
		return "", fmt.Errorf("%s is not taken for a table: its name should end in %s, or that and .gz", like,
			strings.Join(tableEndings, ", "))
	}
	unpacked, err := table.Unpacked(bufio.NewReader(from))
	if err != nil {
		return "", fmt.Errorf("%s cannot be unpacked: %w", like, err)
	}
	in := bufio.NewReader(unpacked)
	head, _ := in.Peek(8) // an error comes again
	if what := table.Foreign(head); what != "" && filepath.Ext(name) != ".parquet" {
		return "", fmt.Errorf("%s is %s", like, what)
	}
	free, err := s.reserve(name)
	if err != nil {
		return "", err
	}
	var n int64
	err = s.o.write(s.path(tablesFolder, free), func(w io.Writer) error {
		n, err = io.Copy(w, io.LimitReader(in, s.o.Upload+1))
		if err == nil && n > s.o.Upload {
			return fmt.Errorf("%w: it has more than %s", errTooLarge, wording.Size(s.o.Upload))
		}
		return err
	})
	if err == nil && n == 0 {
		err = fmt.Errorf("%s is empty", like)
	}
	if err != nil {
		_ = s.root.Remove(tablesFolder + "/" + free)
		return "", err
	}
	return free, nil
}

// safeName is a name of at most a hundred letters, digits, - . and _ that is like another.
func safeName(like string) string {
	name := []rune(strings.ToValidUTF8(like, "-"))
	for i, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '.' && r != '_' {
			name[i] = '-'
		}
	}
	return strings.TrimLeft(string(name[max(0, len(name)-100):]), ".-")
}

// keptName is the name of a table whose text is kept.
func keptName(like string) string {
	name := strings.TrimSuffix(safeName(like), ".gz")
	if stem, ok := strings.CutSuffix(strings.ToLower(name), ".xlsx"); ok {
		return name[:len(stem)] + ".csv"
	}
	return name
}

// reserve makes an empty file of that name, with a number if a table has it already, so that no other
// table takes the name.
func (s *store) reserve(name string) (string, error) {
	free, ending := name, filepath.Ext(name)
	for i := 2; ; i++ {
		f, err := s.root.OpenFile(tablesFolder+"/"+free, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil {
			return free, f.Close()
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", err
		}
		free = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ending), i, ending)
	}
}

// Add copies a file into the folder, unless the same is there under that name. It returns the name that the table has.
func (s *store) Add(path string) (string, error) {
	name := keptName(filepath.Base(path))
	there, err := dataset.HashOf(s.path(tablesFolder, name))
	if given, missing := dataset.HashOf(path); err == nil && missing == nil && given == there {
		return name, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return s.add(filepath.Base(path), f)
}

// Header returns the names of the columns, nil of a table that cannot be read.
func (s *store) Header(q *question) []string {
	names, _ := ofRows(s, q.Table, q, func(rows *dataset.Rows) ([]string, error) { return slices.Clone(rows.Header()), nil })
	return names
}
