package serve

import (
	"bufio"
	"cmp"
	"context"
	"crypto/rand"
	_ "embed" // of labels
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	askpath "parcorels/ask/path"
	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/option"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/optionerr"
	"parcorels/ratio"
	runs "parcorels/run"
	"parcorels/table"
)

// question is what a run is to do: run.json. It has the form that a person filled in, which is always whole: a page shows it
// again, and a run answers it.
type question struct {
	Table  string     `json:"table"`
	Hash   string     `json:"hash,omitempty"`   // of the table, once it was read
	Form   url.Values `json:"form"`             // options by name, as they are written there, and ownFields
	Opened bool       `json:"opened,omitempty"` // the model came from a file: nobody searched for it here
	Made   time.Time  `json:"made"`
}

// formTable has the options of the library, and the fields of a form that are none: what is asked, "" for one model; "no" for no
// proof; a column whose groups are compared; of a wish the run that it is about and what a person calls it; of good models, per
// cent above the best; the smallest λ of a path; the least rows of 100 of class 1 that a list finds.
func formTable(read *family.Reading, o *family.Options) []*option.Option {
	table, text := family.OptionTable(read, o), new(string) // which the form has
	for _, name := range []string{"proof", "by", "from", "called"} {
		table = append(table, &option.Option{Name: name, Value: option.Text(text, "a text")})
	}
	return append(table, &option.Option{Name: "kind", Field: "Kind", Value: option.Choice(text, pathKind, alternativesKind)},
		&option.Option{Name: "within", Field: "Within", Value: option.Number(text, "a number of per cent", option.Positive)},
		&option.Option{Name: "least", Field: "Least", Default: askpath.Usual,
			Value: option.Number(text, "a number between 0 and 1, such as 0.005", ratio.Ratio.Within)},
		&option.Option{Name: "recall", Field: "Recall", Value: option.Number(text, "how many of 100, such as 90",
			func(r ratio.Ratio) bool { return option.Positive(r) && r.Float() < 100 })})
}

// The kinds of what is asked beside one model.
const (
	pathKind         = "path"         // all optimal models for all λ
	alternativesKind = "alternatives" // all good models
)

// fromForm takes what a form asks for: of the options, those that its family has. Columns to leave out come one by one, from
// boxes or from the fields that stand for them.
func fromForm(table string, form url.Values) question {
	q := question{Table: table, Form: url.Values{}}
	kind := cmp.Or(form.Get("model"), family.Families()[0].Name)
	for _, f := range fields() {
		for _, text := range form[f.Name] {
			text = plain(f.Name, strings.TrimSpace(text))
			if f.Of(kind) && text != "" && (f.Many || q.Form[f.Name] == nil) {
				q.Form.Add(f.Name, text)
			}
		}
	}
	return q
}

// fromModel asks for what a model says that it was learned with, of the options that a form has, and for its target.
func fromModel(table string, m *family.Model) question {
	form := url.Values{"target": {m.About().Target}}
	for _, o := range m.About().Options {
		form[o.Name] = append(form[o.Name], o.Value)
	}
	if names, err := option.Split(form.Get("ignore")); err == nil {
		form["ignore"] = names
	}
	return fromForm(table, form)
}

// plain writes what people write in the way that options take it: "1%" is 0.01, "0,01" as well, and
// "2" minutes are 2m.
func plain(name, text string) string {
	switch name {
	case "lambda", "min-support":
		text = strings.Replace(text, ",", ".", 1)
		if share, ok := strings.CutSuffix(text, "%"); ok {
			if r, err := option.Exact(strings.TrimSpace(share), option.Positive); err == nil {
				r.Den *= 100
				return r.String()
			}
		}
	case "within", "least", "recall":
		return strings.TrimSpace(strings.TrimSuffix(strings.Replace(text, ",", ".", 1), "%"))
	case "time":
		if text != "" && strings.Trim(text, "0123456789") == "" {
			return text + "m"
		}
	}
	return text
}

// Get returns a field of the form, "" for none.
func (q *question) Get(name string) string { return q.Form.Get(name) }

// without returns the form but for some fields.
func (q *question) without(names ...string) url.Values {
	form := maps.Clone(q.Form)
	for _, name := range names {
		form.Del(name)
	}
	return form
}

// same reports whether two questions have one answer.
func (q *question) same(other *question) bool {
	return q.Table == other.Table && q.Opened == other.Opened && reflect.DeepEqual(q.without("called"), other.without("called"))
}

// Hidden are the fields of a form, all but some, which come from elsewhere.
func (q *question) Hidden(but ...string) url.Values {
	form := q.without(append(but, "kind", "within", "least")...)
	form.Set("table", q.Table)
	return form
}

// Query is the form as an address has it.
func (q *question) Query() template.URL { return template.URL(q.Form.Encode()) }

// Ignored returns the columns that are left out.
func (q *question) Ignored() []string { return q.Form["ignore"] }

// options returns what was asked as options of the library.
func (q *question) options() (read family.Reading, o family.Options, err error) {
	for _, row := range formTable(&read, &o) {
		for _, text := range q.Form[row.Name] {
			given := text
			switch {
			case row.Name == "ignore": // there may be a comma in the name
				given = option.Join([]string{text})
			case row.Name == "time" && text == "none":
				o.Time = -1
				continue
			}
			if err := row.Complain(strconv.Quote(text), row.Set(given)); err != nil {
				return read, o, err
			}
		}
	}
	return read, o, nil
}

// proves reports whether the proof of a search for a model of a kind is written.
func (q *question) proves(kind model.Family) bool {
	return q.Get("proof") != "no" && q.Get("kind") == "" && kind != model.RuleSet
}

// field is an option with what the page calls it, and says of it. Options without a label are not on the page: files of this
// machine, and how much of the machine a search takes.
type field struct {
	*option.Option
	Label, Note string
	Part        int // of the form: 0 is shown at once, 1 is folded; what is asked beside a model has its own place
}

//go:embed labels.txt
var labels string

// fields are what labels.txt says: a line for each option, with its name, what the page calls it, and a note, where DEFAULT stands
// for that of the table of options. Empty lines are between the parts.
var fields = sync.OnceValue(func() (all []field) {
	options := formTable(&family.Reading{}, &family.Options{})
	for part, lines := range strings.Split(labels, "\n\n") {
		for line := range strings.Lines(lines) {
			words := append(strings.Split(strings.TrimSpace(line), " | "), "", "")
			row := option.Find(options, words[0])
			all = append(all, field{row, words[1], strings.Replace(words[2], "DEFAULT", cmp.Or(row.Default, "DEFAULT"), 1), part})
		}
	}
	return all
})

// optionName is what the page calls a field of the options of the library.
func optionName(name string) string {
	for _, f := range fields() {
		if f.Field == name {
			return "“" + f.Label + "”"
		}
	}
	return "an option of the command line"
}

// renamed are notes for people.
func renamed(notes []string) (list []string) {
	for _, note := range notes {
		list = append(list, optionerr.Rename(note, optionName))
	}
	return list
}

// wishText says what was wished of a run, beside the run where wishes began.
func wishText(q, root *question) string {
	var parts []string
	for _, w := range []struct {
		of, beside          *question
		name, before, after string
	}{
		{q, root, "ignore", "no ", ""}, {root, q, "ignore", "with ", ""}, {q, root, "max-rules", "no more rules than ", ""},
		{q, root, "depth", "no more questions in a row than ", ""},
		{q, root, "first", "begins with ", ""}, {q, root, "forbid", "never ", ""}, {q, root, "recall", "finds at least ", " of 100"},
		{q, root, "min-rows", "each decides at least ", " rows"}, {q, root, "increasing", "likelier with larger ", ""},
		{q, root, "decreasing", "less likely with larger ", ""},
	} {
		for _, text := range w.of.Form[w.name] {
			if !slices.Contains(w.beside.Form[w.name], text) {
				parts = append(parts, w.before+text+w.after)
			}
		}
	}
	return strings.Join(parts, ", ")
}

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
