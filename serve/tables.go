package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/wording"
	"parcorels/report"
	runs "parcorels/run"
	"parcorels/table"
)

const tablesFolder = "tables"

// tableEndings are those of files that are taken for tables.
var tableEndings = []string{".csv", ".tsv", ".txt", ".data", ".out", ".parquet", ".xlsx"}

// isTable reports whether a name is that of a table, plain or compressed.
func isTable(name string) bool {
	return !strings.HasPrefix(name, ".") && slices.Contains(tableEndings, filepath.Ext(strings.TrimSuffix(strings.ToLower(name), ".gz")))
}

// isParquet reports whether a name is that of a file of Parquet, which is read from its end: by its path, not as a stream.
func isParquet(name string) bool { return filepath.Ext(strings.ToLower(name)) == ".parquet" }

// tables are the tables of the folder, of which those read last are in memory.
type tables struct {
	s     *Server
	mutex sync.Mutex
	read  []*held // the one used last is first
}

// held is a table in memory, as it was read.
type held struct {
	key  string
	read family.Reading
	once sync.Once
	data *family.Data
	err  error

	spreading sync.Once
	spread    *report.Spread
}

// mostHeld is how many tables stay in memory: that which is looked at, and that which a
// search is about.
const mostHeld = 2

// file is a table on the disk.
type file struct {
	Name  string
	Bytes int64
	Time  time.Time
}

// list returns the tables, the newest first.
func (t *tables) list() (list []file) {
	entries, err := os.ReadDir(t.s.path(tablesFolder))
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && isTable(e.Name()) {
			list = append(list, file{e.Name(), info.Size(), info.ModTime()})
		}
	}
	slices.SortStableFunc(list, func(a, b file) int { return b.Time.Compare(a.Time) })
	return list
}

// find returns a table of that name.
func (t *tables) find(name string) (file, bool) {
	list := t.list()
	i := slices.IndexFunc(list, func(f file) bool { return f.Name == name })
	if i < 0 {
		return file{}, false
	}
	return list[i], true
}

// open opens a table that is there. The name that reading needs is that of a path where the
// labels of an .out file lie beside it: in the folder, too, not behind a link.
func (t *tables) open(name string) (f *os.File, as string, err error) {
	if _, ok := t.find(name); !ok {
		return nil, "", fmt.Errorf("there is no table %s", name)
	}
	if as = name; dataset.IsOut(name) {
		as = t.s.path(tablesFolder, name)
		labels, err := t.s.root.Open(tablesFolder + "/" + labelFile(name))
		if err != nil {
			return nil, "", fmt.Errorf("%s: the labels of an .out file are in a file beside it, which cannot be opened: send both", name)
		}
		_ = labels.Close() // it is opened again
	}
	f, err = t.s.root.Open(tablesFolder + "/" + name)
	return f, as, err
}

// table reads a table until ctx ends, or takes it from memory. It is in memory then, and nobody may change it.
func (t *tables) table(ctx context.Context, name string, read family.Reading) (*held, error) {
	h, err := runs.Await(ctx, func() (*held, error) { return t.once(ctx, name, read) })
	if errors.Is(err, context.Canceled) && ctx.Err() == nil { // another reader of the same table gave up
		return t.table(ctx, name, read)
	}
	return h, err
}

// problem reads a table and makes a problem of it. It tells begin the hash of the table before conditions are looked for.
// The limit of time may leave single conditions, which o then says.
func (t *tables) problem(ctx context.Context, name string, read family.Reading, o *family.Options, begin func(hash string) error) (
	*family.Data, *family.Problem, error) {
	h, err := t.table(ctx, name, read)
	if err == nil {
		err = begin(h.data.Hash)
	}
	if err != nil {
		return nil, nil, err
	}
	set, cut, err := family.MineWithin(ctx, h.data, *o, o.Time)
	if err != nil {
		return nil, nil, err
	}
	if cut {
		o.MaxCard = 1
	}
	p, err := family.ProblemOf(set, read, *o)
	return h.data, p, err
}

func (t *tables) once(ctx context.Context, name string, read family.Reading) (*held, error) {
	f, ok := t.find(name)
	if !ok {
		return nil, fmt.Errorf("there is no table %s", name)
	}
	if limit := t.s.o.Memory; limit > 0 && f.Bytes > limit {
		return nil, fmt.Errorf("%s has %s, and all searches together may take %s of memory: start the server with more, or leave "+
			"columns out", name, wording.Size(f.Bytes), wording.Size(limit))
	}
	options, err := json.Marshal(read)
	if err != nil {
		return nil, err
	}
	h := t.hold(&held{key: fmt.Sprint(f, string(options), read.KeepColumns, read.Chosen), read: read})
	h.once.Do(func() {
		if isParquet(name) {
			if h.data, h.err = family.Read(t.s.path(tablesFolder, name), read); h.err == nil {
				h.data.Source = name
			}
			return
		}
		f, as, err := t.open(name)
		if err == nil {
			defer f.Close()
			h.data, err = family.ReadFrom(&runs.Until{Reader: f, Ctx: ctx}, as, read)
		}
		h.err = err
	})
	if h.err != nil {
		t.mutex.Lock()
		defer t.mutex.Unlock()
		t.read = slices.DeleteFunc(t.read, func(other *held) bool { return other == h })
	}
	return h, h.err
}

// hold keeps a table in memory, and returns the one that is there if it is the same.
func (t *tables) hold(h *held) *held {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if i := slices.IndexFunc(t.read, func(other *held) bool { return other.key == h.key }); i >= 0 {
		h = t.read[i]
		t.read = slices.Delete(t.read, i, i+1)
	}
	t.read = append([]*held{h}, t.read[:min(len(t.read), mostHeld-1)]...)
	return h
}

// labelFile is the name of the file of labels beside an .out file.
func labelFile(name string) string {
	return name[:len(strings.TrimSuffix(strings.ToLower(name), ".gz"))-len(".out")] + ".label"
}

// rows opens a table for a pass over its rows.
func (t *tables) rows(name string, read family.Reading) (*dataset.Rows, error) {
	if _, ok := t.find(name); ok && isParquet(name) {
		return dataset.OpenRows(t.s.path(tablesFolder, name), dataset.Options{})
	}
	f, as, err := t.open(name)
	if err != nil {
		return nil, err
	}
	r, err := dataset.NewRows(f, as, dataset.Options{Header: read.Header, NoHeader: read.NoHeader, Comma: read.Comma, Labels: read.Labels})
	if err != nil {
		_ = f.Close() // it was only read from
	}
	return r, err
}

// errTooLarge reports a table that may not be so large.
var errTooLarge = errors.New("the table is too large")

// add keeps a table under a name like the one it comes with. A compressed table or a spreadsheet is kept as the
// text, so that its size is known. It returns the name.
func (t *tables) add(like string, from io.Reader) (string, error) {
	in, err := table.Unpacked(bufio.NewReader(from))
	if err != nil {
		return "", fmt.Errorf("%s cannot be unpacked: %w", like, err)
	}
	name := keptName(like)
	if !isTable(name) && filepath.Ext(name) != ".label" {
		return "", fmt.Errorf("%s is not taken for a table: its name should end in %s, or that and .gz", like,
			strings.Join(tableEndings, ", "))
	}
	free, err := t.reserve(name)
	if err != nil {
		return "", err
	}
	var n int64
	err = t.s.o.write(t.s.path(tablesFolder, free), func(w io.Writer) error {
		n, err = io.Copy(w, io.LimitReader(in, t.s.o.Upload+1))
		if err == nil && n > t.s.o.Upload {
			return fmt.Errorf("%w: it has more than %s", errTooLarge, wording.Size(t.s.o.Upload))
		}
		return err
	})
	if err == nil && n == 0 {
		err = fmt.Errorf("%s is empty", like)
	}
	if err != nil {
		_ = t.s.root.Remove(tablesFolder + "/" + free)
		return "", err
	}
	return free, nil
}

// strange are letters that no name of a file has.
var strange = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^\pL\pN._-]`) })

// safeName is a name of at most a hundred letters, digits, - . and _ that is like another.
func safeName(like string) string {
	name := []rune(strange().ReplaceAllString(strings.ToValidUTF8(like, "-"), "-"))
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
func (t *tables) reserve(name string) (string, error) {
	stem, ending := strings.TrimSuffix(name, filepath.Ext(name)), filepath.Ext(name)
	if stem == "" {
		stem = "table"
	}
	for i := 1; i < 10_000; i++ {
		free := stem + ending
		if i > 1 {
			free = fmt.Sprintf("%s-%d%s", stem, i, ending)
		}
		f, err := t.s.root.OpenFile(tablesFolder+"/"+free, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil {
			return free, f.Close()
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", err
		}
	}
	return "", fmt.Errorf("there are too many tables called %s", name)
}

// Add copies a file into the folder, unless the same is there under that name. The labels of an
// .out file come along. It returns the name that the table has.
func (s *Server) Add(path string) (string, error) {
	if dataset.IsOut(path) {
		want := labelFile(safeName(filepath.Base(path)))
		if got, err := s.Add(filepath.Join(filepath.Dir(path), labelFile(filepath.Base(path)))); err != nil {
			return "", err
		} else if got != want {
			return "", fmt.Errorf("%s: the folder has another %s: rename this table", path, want)
		}
	}
	name := keptName(filepath.Base(path))
	if there, err := dataset.HashOf(s.path(tablesFolder, name)); err == nil {
		if given, err := dataset.HashOf(path); err == nil && given == there {
			return name, nil
		}
		if dataset.IsOut(name) {
			return "", fmt.Errorf("%s: the folder has another %s: rename this table", path, name)
		}
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return s.tables.add(name, f)
}
