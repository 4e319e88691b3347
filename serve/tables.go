package serve

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"maps"
	"math"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"

	"parcorels/answer"
	"parcorels/ask/goodmodels"
	"parcorels/dataset"
	"parcorels/examples"
	"parcorels/family"
	"parcorels/internal/option"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/optionerr"
	"parcorels/report"
	"parcorels/report/html"
	runs "parcorels/run"
	"parcorels/table"
	_ "parcorels/table/excel" // opened by table
	_ "parcorels/table/parquet"
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
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		text = strings.ReplaceAll(text, path.Path, filepath.Base(path.Path))
	}
	if first, _, _ := strings.Cut(text, " "); strings.Contains(first, ".") {
		return text // it begins with a file
	}
	return wording.Capital(text)
}

// wrongField names the field of options that an error is about, "" for none.
func wrongField(err error) string {
	if wrong, ok := errors.AsType[*optionerr.Error](err); ok {
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

// runsShown is how many runs the first page lists; those of a table are on its page.
const runsShown = 100

// homePage is the page of tables and runs.
func (s *Server) homePage(*http.Request) (*view, error) {
	var gone []*runView
	s.removed.Range(func(_ string, r *run) bool { gone = append(gone, s.view(r)); return true })
	list := s.views(func(*runView) bool { return true })
	active := slices.ContainsFunc(list, func(v *runView) bool { return v.Running() })
	return &view{Title: "Tables and runs", name: "home", data: dict("Tables", s.Tables(), "Runs", list[:min(len(list), runsShown)],
		"Gone", gone, "Active", active, "Most", s.o.Upload)}, nil
}

// example adds a table to begin with.
func (s *Server) example(*http.Request) (*view, error) {
	table, err := examples.Table("compas-like")
	if err != nil {
		return nil, err
	}
	name, err := s.add("example.csv", bytes.NewReader(table))
	return lead("/tables/"+name, err)
}

// takeTables keeps the files of a form as they come, and leads to the last table.
func (s *Server) takeTables(r *http.Request) (*view, error) {
	form, err := r.MultipartReader()
	if err != nil {
		return nil, errors.New("no file was sent")
	}
	to := ""
	for {
		switch part, err := form.NextPart(); {
		case err == io.EOF && to == "":
			return nil, errors.New("no table was chosen")
		case err == io.EOF:
			return lead("/tables/"+url.PathEscape(to), nil)
		case err != nil:
			return nil, err
		case part.FileName() != "":
			if to, err = s.add(part.FileName(), part); err != nil {
				return nil, err
			}
		}
	}
}

// A model that somebody else learned is opened beside the table that it is said to be learned from, with its proof. It is a
// run that nobody searched: nothing that the file says of itself counts until its proof is checked.

// mostModel bounds the file of a model.
const mostModel = 64 << 20

// takeModel takes a model, and a proof if there is one, as a browser sends them.
func (s *Server) takeModel(r *http.Request) (*view, error) {
	f, err := s.table(r.PathValue("table"))
	if err != nil {
		return nil, err
	}
	file, header, err := r.FormFile("model")
	if err != nil {
		return nil, fmt.Errorf("no model was chosen: %w", err)
	}
	m, err := family.Decode(io.LimitReader(file, mostModel), header.Filename)
	if err != nil {
		return nil, err
	}
	q, result := fromModel(f.Name(), m), m.Report()
	q.Opened = true
	opened, err := s.made(q)
	if err != nil {
		return nil, err
	}
	e, kept := &ended{Result: &result}, opened.files
	if proof, _, missing := r.FormFile("proof"); missing == nil {
		e.Proved = true
		err = kept.Put(runs.ProofFile, func(w io.Writer) error { _, err := io.Copy(w, proof); return err })
	}
	if err := errors.Join(err, kept.Put("model.json", m.Encode), kept.WriteJSON("result.json", e)); err != nil {
		_ = os.RemoveAll(kept.Path)
		return nil, fmt.Errorf("the model could not be kept: %w", err)
	}
	opened.facts.finish(e)
	s.runs.Store(opened.facts.ID, opened)
	return lead(opened.facts.At(), nil)
}

// columnView is a column of a table on the page.
type columnView struct {
	Name, As string  // no text where it has no condition
	TellsAll bool    // it gives the label away
	Missing  float64 // share of the rows
	Spread   *html.Spread
}

// tableView is the page of a table.
type tableView struct {
	File    fs.FileInfo
	Asked   question
	Error   string
	Family  *family.Family
	Kinds   []*family.Family
	Runs    []*runView
	Headers []string // names of all columns
	Limit   string   // of time, in minutes, where nobody asks for another

	// How the table was read.
	Data    *family.Data
	Columns []columnView
	Further int64    // columns that are not shown
	Choose  []string // classes, where one must be told from all others
	Classes []report.Class
	Notes   []string
	Unsaid  bool // rows lack an answer
}

// Fields are those of the form. The limit of time is the server's.
func (v *tableView) Fields() (list []field) {
	for _, f := range fields() {
		f.Note = strings.Replace(f.Note, "DEFAULT", v.Limit, 1)
		list = append(list, f)
	}
	return list
}

// Missing are the texts of missing values with those that may mean it.
func (v *tableView) Missing() string {
	return option.Join(append(slices.Clone(table.DefaultMissing), v.Data.MaybeMissing...))
}

// Samples is for the template.
func (v *tableView) Samples() int64 { return int64(v.Data.N) }

// With is the address of the form with another value in a field.
func (v *tableView) With(name, value string) template.URL {
	with := question{Form: v.Asked.without(name)}
	with.Form.Set(name, value)
	return with.Query()
}

// Kept are the columns to leave out that have no box.
func (v *tableView) Kept() []string {
	return slices.DeleteFunc(slices.Clone(v.Asked.Ignored()), func(name string) bool {
		return slices.ContainsFunc(v.Columns, func(c columnView) bool { return c.Name == name && name != v.Data.Target })
	})
}

// tablePage shows a table and the form of a run, with the name "table". How its columns are read comes after it, with
// the name "columns": that may take some time.
func (s *Server) tablePage(name string) page {
	return func(r *http.Request) (*view, error) {
		f, err := s.table(r.PathValue("table"))
		if err != nil {
			return nil, err
		}
		v, read := &tableView{File: f, Asked: fromForm(f.Name(), r.URL.Query()), Kinds: family.Families()}, family.Reading{}
		if v.Family, read, _, err = s.resolved(&v.Asked); err == nil && name == "columns" {
			err = s.readColumns(r.Context(), v, read)
		}
		if err != nil {
			v.Error = s.said(err)
		}
		if v.Headers, v.Limit = s.Header(&v.Asked), "no limit"; s.o.Time > 0 {
			v.Limit = fmt.Sprint(s.o.Time.Minutes())
		}
		v.Runs = s.views(func(run *runView) bool { return run.Asked.Table == f.Name() })
		return &view{Title: f.Name(), Path: home, name: name, data: v}, nil
	}
}

// readColumns reads the table and says how.
func (s *Server) readColumns(ctx context.Context, v *tableView, read family.Reading) error {
	d, err := s.read(ctx, v.File.Name(), read)
	v.Unsaid = wrongField(err) == "DropUnlabelled"
	if wrongField(err) == "Positive" && read.Positive == "" {
		if d, err = s.read(ctx, v.File.Name(), family.Of(model.Tree).Reading(read)); err == nil {
			v.Choose = d.Classes
		}
	}
	if err != nil {
		return err
	}
	v.Data, v.Classes = d, report.Classes(d.Dataset)
	v.Notes = slices.DeleteFunc(renamed(d.Notes), func(note string) bool { // a button says it
		return strings.HasPrefix(note, "values may mean missing") || strings.HasPrefix(note, "texts may be numbers with")
	})
	spread, as := s.spread(&v.Asked, d), map[string]string{}
	for _, c := range report.Columns(d.Dataset) {
		as[c.Name] = c.As
	}
	tells, shown := report.Telling(d.Dataset), d.Columns[:min(len(d.Columns), report.SpreadColumns)]
	v.Further = int64(len(d.Columns) - len(shown))
	for _, name := range shown {
		v.Columns = append(v.Columns, columnView{name, as[name], slices.Contains(tells, name), spread.Missing(name),
			html.NewSpread(spread, name, d.LabelTexts())})
	}
	return nil
}

// spread returns how the values of a table that was read are spread over its classes.
func (s *Server) spread(q *question, d *family.Data) *report.Spread {
	read, _, _ := q.options()
	spread, samples := report.NewSpread(s.Header(q), read.Missing), d.FileRows()
	_, _ = ofRows(s.store, q.Table, q, func(rows *dataset.Rows) (any, error) { // the table was read already
		return nil, answer.EachRow(rows, func(cells []string, row int64) bool {
			class := -1
			if at, ok := slices.BinarySearch(samples, int(row)); ok {
				class = d.Class(at)
			}
			spread.Add(cells, class)
			return true
		})
	})
	return spread
}

// start puts a run in the queue.
func (s *Server) start(r *http.Request) (*view, error) {
	f, err := s.table(r.PostForm.Get("table"))
	if err != nil {
		return nil, err
	}
	q := fromForm(f.Name(), r.PostForm)
	if err := s.wish(r.Context(), &q, r.PostForm); err != nil {
		return nil, err
	}
	family, _, o, err := s.resolved(&q)
	switch {
	case err != nil:
	case q.Get("kind") != "" && !family.Asks():
		err = errors.New("all sizes and all good models are found of rule lists and of trees")
	case q.Get("recall") != "":
		err = goodmodels.Fits(&o, true, "a wish of how many are found")
	case q.Get("kind") == alternativesKind:
		err = goodmodels.Fits(&o, false, "all good models")
	}
	if err != nil {
		return nil, err
	}
	return lead(s.ask(q))
}

// A wish is another run: the options of one with some changed. It cuts numbers as the run that it is
// about, so that both have the same conditions. The page of its model says what the wish costs, beside
// the first run of all, which had none.

// ownRule adds the rule of a person's own that was put together from lists. It returns its column, "" for none, and the
// threshold that it needs, NaN for none.
func (q *question) ownRule(form url.Values) (column string, at float64, err error) {
	if condition := form.Get("own-condition"); condition != "" {
		q.Form.Add("first", condition+" then "+form.Get("own-label"))
	}
	column, sign, value := form.Get("own-column"), form.Get("own-sign"), strings.TrimSpace(form.Get("own-value"))
	at, numeric := math.NaN(), sign == "="
	if !numeric {
		value = strings.Replace(value, ",", ".", 1)
		at, numeric = dataset.ParseNumber(value)
	}
	if column != "" && (value == "" || !numeric) {
		return "", 0, fmt.Errorf("your own rule about %s has the value %q: expected a number, or a text of the column", column, value)
	}
	if column != "" {
		q.Form.Add("first", column+" "+sign+" "+value+" then "+form.Get("own-label"))
	}
	return column, at, nil
}

// wish adds to a question what was wished of a run. Numbers are cut as in that run, and at the threshold of a person's own rule. A
// column that the run left out has no cuts there: then all are chosen anew.
func (s *Server) wish(ctx context.Context, q *question, form url.Values) error {
	from := s.find(q.Get("from"))
	if from == nil || q.Get("thresholds") != "" {
		return nil
	}
	of := from.now().Asked
	column, at, err := q.ownRule(form)
	if err != nil {
		return err
	}
	if reflect.DeepEqual(q.without("from", "called"), of.without("from", "called", "thresholds")) {
		return errors.New("this is what the model is like already: wish for something else")
	}
	for _, name := range of.Ignored() {
		if !slices.Contains(q.Ignored(), name) {
			return nil
		}
	}
	_, read, _, err := s.resolved(&of)
	if err != nil {
		return err
	}
	d, err := s.read(ctx, of.Table, read)
	if err != nil {
		return err
	}
	chosen := maps.Clone(d.ChosenCuts)
	for _, name := range q.Ignored() {
		delete(chosen, name)
	}
	few := slices.ContainsFunc(d.Features, func(f dataset.Feature) bool { return f.Column == column && f.Test.Kind == dataset.Number })
	if column != "" && !math.IsNaN(at) && !few && !slices.Contains(chosen[column], at) {
		chosen[column] = append(slices.Clip(chosen[column]), at)
		slices.Sort(chosen[column])
	}
	read = family.Reading{Chosen: chosen} // the model that is learned says so, and the command beside it learns it again
	if len(chosen) > 0 {
		q.Form["thresholds"] = slices.Clone(option.Find(family.OptionTable(&read, &family.Options{}), "thresholds").Texts())
	}
	return nil
}

// removeTable deletes a table that no run is about.
func (s *Server) removeTable(r *http.Request) (*view, error) {
	f, err := s.table(r.PathValue("table"))
	if err != nil {
		return nil, err
	}
	if len(s.views(func(run *runView) bool { return run.Asked.Table == f.Name() })) > 0 {
		return nil, errors.New("runs are about this table: remove them first")
	}
	return lead("/", s.root.Remove(tablesFolder+"/"+f.Name()))
}
