package serve

import (
	"context"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"parcorels/answer"
	"parcorels/ask/chance"
	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/model/predict"
	"parcorels/report/export"
	"parcorels/report/html"
	runs "parcorels/run"
)

// runView is a run as pages show it, at one moment. Its methods say what the templates show.
type runView struct {
	*Server
	facts
	run     *run
	Family  *family.Family
	options family.Options
	m       *family.Model // nil until read, and where there is none yet
	Report  *html.Page    // of the model; nil without
	News    bool          // a page has another model, or none
}

// view returns what is known of a run, without its model.
func (s *Server) view(r *run) *runView {
	v := &runView{Server: s, facts: r.now(), run: r}
	v.Family, _, v.options, _ = s.resolved(&v.Asked) // what cannot be asked has ended, and says why
	return v
}

// views returns the runs that are wanted, the newest first.
func (s *Server) views(wanted func(v *runView) bool) (list []*runView) {
	for _, r := range s.all() {
		if v := s.view(r); wanted(v) {
			list = append(list, v)
		}
	}
	return list
}

// read reads the model, if there is one.
func (v *runView) read() (err error) {
	if v.m = v.Model; v.m == nil && v.State == done && v.End.Choice == nil {
		v.m, err = v.run.files.Model("model.json")
	}
	if v.m == nil {
		return err
	}
	p := html.New(v.m.Model)
	p.RowsAt, p.Warning = v.At()+"/rows?case=", answer.OfTraining(v.m.About())
	if first := v.began(&v.facts); first.ID != v.ID && first.End != nil && first.End.Result != nil {
		p.Compared = &first.End.Result.Summary
	}
	if v.End != nil && v.End.Result != nil {
		p.Summary.Status, p.Summary.Proved, p.Notes = v.End.Result.Status, v.End.Result.Proved, renamed(v.End.Result.Data.Notes)
	}
	if u := v.Unseen; u != nil && u.Kept != nil {
		p.KeptBack = u.Kept
	} else if u != nil {
		p.Unseen = &[2]float64{u.Accuracy, u.Error}
	}
	v.Report = p
	return nil
}

// above are the pages above one of a part of the run.
func (v *runView) above() []step {
	return append(home[:1:1], step{v.Asked.Table, "/tables/" + url.PathEscape(v.Asked.Table)}, step{"Run", v.At()})
}

// Kind is what was asked: the model, or all of several.
func (v *runView) Kind() string {
	several := map[string]string{pathKind: "All sizes of ", alternativesKind: "All good "}[v.Asked.Get("kind")]
	if several == "" {
		return wording.Capital(string(v.Family.Kind))
	}
	return several + string(v.Family.Kind) + "s"
}

// Title is that of the page.
func (v *runView) Title() string {
	if v.m == nil {
		return v.Kind() + " on " + v.Asked.Table
	}
	return v.Kind() + " for " + v.m.About().Target
}

// Wish is what was wished; "" where nothing was.
func (v *runView) Wish() string {
	text := wishText(&v.Asked, &v.began(&v.facts).Asked)
	if name := v.Asked.Get("called"); name != "" {
		text = name + " (" + text + ")"
	}
	return text
}

// Name tells the run from others on its table.
func (v *runView) Name() string {
	if wish := v.Wish(); wish != "" {
		return v.Kind() + ": " + wish
	}
	return v.Kind()
}

// Proved reports whether all is proved that was asked.
func (v *runView) Proved() bool {
	return v.End != nil && (v.End.Choice != nil || v.End.optimal() && !v.Asked.Opened)
}

// Verdict is the outcome in a line.
func (v *runView) Verdict() string {
	switch e := v.End; {
	case e == nil:
		return wording.Capital(string(v.State))
	case e.Error != "":
		return e.Error
	case e.Choice != nil:
		return wording.Count(int64(len(e.Choice.Models)), "model")
	default:
		p := &e.Result.Summary
		return fmt.Sprintf("%s right with %s", wording.Percentage(1-p.Errors/p.Weight), wording.Count(int64(p.Length), p.Model.Part()))
	}
}

// Room is how many bytes the folder has.
func (v *runView) Room() int64 { return v.run.files.Bytes() }

// Luck is what shuffled answers say of the model; "" where nobody asked.
func (v *runView) Luck() string {
	if v.End == nil || v.End.Chance == nil {
		return ""
	}
	return wording.Capital(answer.Chance(v.End.Chance, v.Family.Noun())) + "."
}

// Said is what is proved.
func (v *runView) Said() string {
	switch {
	case v.Asked.Opened:
		return "This model came from a file. What it says of itself counts only once its proof is checked, below."
	case v.End == nil || v.End.Result == nil:
		return ""
	}
	text := answer.PlainVerdict(v.Family, v.End.Result)
	if least := v.Asked.Get("recall"); least != "" {
		text = "Lists that find fewer than " + least + " of 100 are left out. " + text
	}
	return text
}

// A page of a run has three parts. The first is the best model so far, the second how the search goes, the third all else that
// there is to do with the model. A page asks once a second for the second part; the others come with it only when
// there is another model. So a person reads and works while the search goes on.

// runPage shows a run.
func runPage(v *runView, r *http.Request) (*view, error) {
	name, data, err := "run", any(v), v.read()
	if v.State == done && v.End.Choice != nil {
		name = "choice"
		data, err = v.choices(r.URL.Query())
	}
	return &view{Title: v.Title(), Path: v.above()[:2], name: name, data: data}, err
}

// livePage says how the search goes. The other parts come along where they are other than a page has.
func livePage(v *runView, r *http.Request) (_ *view, err error) {
	if v.State == failed || v.State == done && v.End.Choice != nil {
		return lead(v.At(), nil)
	}
	if v.News = r.URL.Query().Get("seen") != fmt.Sprint(v.Version); v.News {
		err = v.read()
	}
	return &view{Title: "How the search goes", name: "live", data: v}, err
}

// Simpler are questions that are answered sooner.
func (v *runView) Simpler() []answer.Simpler {
	if v.Proved() || v.State == failed || v.Asked.Get("kind") != "" || v.Asked.Opened {
		return nil
	}
	return answer.SimplerThan(v.Family, &v.options)
}

// AsksLuck reports whether shuffled answers can be asked.
func (v *runView) AsksLuck() bool {
	return !v.Running() && v.Family.Asks() && !v.Asked.Opened && v.Asked.Get("weight") == "" && v.Asked.Get("recall") == ""
}

// Undo is the address of the run before the wish.
func (v *runView) Undo() string {
	if from := v.find(v.Asked.Get("from")); from != nil {
		return from.facts.At()
	}
	return ""
}

// Others lists the runs with whose models this one can be compared, the newest first.
func (v *runView) Others() []*runView {
	list := v.views(func(o *runView) bool {
		return o.ID != v.ID && o.Asked.Table == v.Asked.Table && o.State == done && o.End.Result != nil
	})
	return list[:min(len(list), runsShown)]
}

// Began is where wishes that led here began: the run itself, or another one.
func (v *runView) Began() string { return v.began(&v.facts).ID }

// History lists the run and all whose wishes go back to the same one, the oldest first.
func (v *runView) History() []*runView {
	root := v.Began()
	list := v.views(func(o *runView) bool { return o.Began() == root })
	slices.Reverse(list)
	return list
}

// wishView is what can be wished of a model.
type wishView struct {
	Rules      []string // to begin with, as --first takes them
	Begun      int      // how many of them it begins with already
	Conditions []string // to forbid
	Labels     []string // what a rule of one's own may say
	Positive   string   // class 1, where a share of it that is to be found can be wished
}

// Wishes returns what can be wished of the model.
func (v *runView) Wishes() *wishView {
	frame := v.m.About()
	_, o, err := v.Asked.options()
	if !v.Family.Asks() || err != nil || v.Running() {
		return nil
	}
	w := &wishView{Begun: len(o.First), Labels: frame.Labels(), Conditions: o.Forbid}
	if v.IsList() && len(w.Labels) == 2 {
		w.Positive = w.Labels[1]
	}
	for _, c := range v.m.Cases() {
		if v.IsList() && c.Text != "" {
			w.Rules = append(w.Rules, c.Text+" then "+frame.Label(c.Class))
		}
		for _, l := range c.Literals() {
			if !l.Negated && !slices.Contains(w.Conditions, l.Name) && l.Column != "" {
				w.Conditions = append(w.Conditions, l.Name)
			}
		}
	}
	return w
}

// IsList reports whether rules to begin with, and a limit of rules, can be wished.
func (v *runView) IsList() bool { return v.Family.Kind == model.RuleList }

// Person is the form for one person.
func (v *runView) Person() *answer.Person { return answer.PersonOf(v.m.Model, nil) }

// Doing says what a run that has not ended does.
func (v *runView) Doing() string {
	before := func(o *runView) bool {
		return v.State == queued && (o.State.active() || o.ID < v.ID && o.State == queued)
	}
	if n := len(v.views(before)); n > 0 {
		return fmt.Sprintf("Waits for %s before this one", wording.Count(int64(n), "run"))
	}
	return wording.Capital(string(v.State))
}

// Limit is how long it may take in seconds; 0: as long as it likes.
func (v *runView) Limit() float64 { return v.options.Time.Seconds() }

// Words say how far the search is.
func (v *runView) Words() []string {
	if v.Look == nil {
		return []string{v.Told}
	}
	rows := 0.0
	if v.Model != nil {
		rows = float64(v.Model.About().Data.Weight)
	}
	return answer.ProgressWords(v.Family, *v.Look, rows, v.options.Time)
}

// choiceView is the page of a run that found several models.
type choiceView struct {
	*runView
	Found    *answer.Several
	Path     bool
	Plot     template.HTML // of a path
	All      []choiceRow
	Rows     []choiceRow  // those that are wanted
	Pins     []choiceRow  // those that stand side by side
	Differ   *answer.Rows // where they do, if there are two
	Shortest int
	Fairest  int        // -1 where no groups were named
	Wanted   url.Values // most: size, least: per cent right, without: column, pin: indices
}

// choiceRow is one of the models in a list.
type choiceRow struct {
	answer.One
	Number    int
	At, Title string
	Picked    bool
	Text      string // of one that is pinned
}

// linkRadius is that of points that can be chosen, and mostPins how many models stand side by side at most.
const linkRadius, mostPins = 2.4, 6

// wanted reports whether a model passes the filters.
func (m *choiceRow) wanted(form url.Values) bool {
	most, errMost := strconv.Atoi(form.Get("most"))
	least, errLeast := strconv.ParseFloat(plain("least", form.Get("least")), 64)
	return (errMost != nil || m.Size <= most) && (errLeast != nil || 100*m.Right >= least) &&
		!slices.Contains(m.Columns, form.Get("without"))
}

// choices returns the page of several models.
func (v *runView) choices(wanted url.Values) (c *choiceView, err error) {
	found := v.End.Choice
	c = &choiceView{runView: v, Found: found, Path: v.Asked.Get("kind") == pathKind, Fairest: -1, Wanted: wanted}
	var pinned []*family.Model
	for i, m := range found.Models {
		row := choiceRow{One: m, Number: i, At: v.At() + "/models/" + strconv.Itoa(i), Picked: i == found.Picked,
			Title: fmt.Sprintf("%d: %s, %s right", i+1, wording.Count(int64(m.Size), m.Part), wording.Percentage(m.Right))}
		if slices.Contains(wanted["pin"], strconv.Itoa(i)) && len(c.Pins) < mostPins {
			whole, err := found.Model(i)
			if err != nil {
				return nil, err
			}
			row.Text = whole.Text(sideWidth)
			c.Pins, pinned = append(c.Pins, row), append(pinned, whole)
		}
		c.All = append(c.All, row)
		if row.wanted(wanted) {
			c.Rows = append(c.Rows, row)
		}
		if m.Size < found.Models[c.Shortest].Size {
			c.Shortest = i
		}
		if m.Spread != nil && (c.Fairest < 0 || *m.Spread < *found.Models[c.Fairest].Spread) {
			c.Fairest = i
		}
	}
	if len(pinned) == 2 {
		names := [2]string{fmt.Sprint("model ", c.Pins[0].Number+1), fmt.Sprint("model ", c.Pins[1].Number+1)}
		c.Differ, err = v.differ([2]*family.Model(pinned), names)
	}
	if err != nil || !c.Path || len(c.All) < 2 {
		return c, err
	}
	var points []html.Point
	for _, m := range c.All {
		point := html.Point{X: float64(m.Size), Y: m.Right, Low: m.Right, High: m.Right, R: linkRadius, At: m.At,
			Picked: m.Picked && m.Seen == nil}
		points = append(points, point)
		if m.Seen != nil {
			point.Y, point.Low, point.High, point.Second, point.Picked = *m.Seen, *m.Seen-m.SeenError, *m.Seen+m.SeenError, true, m.Picked
			points = append(points, point)
		}
	}
	c.Plot, err = html.Curve("Right, by size", wording.Plural(2, c.All[0].Part), "right", points,
		[2]string{"the rows that it was learned from", "rows not seen, with a standard error"})
	return c, err
}

// onePage shows one of several models.
func onePage(v *runView, r *http.Request) (*view, error) {
	i, err := strconv.Atoi(r.PathValue("model"))
	if err != nil || v.End == nil || v.End.Choice == nil || i < 0 || i >= len(v.End.Choice.Models) {
		return nil, errNothing
	}
	m, err := v.End.Choice.Model(i)
	if err != nil {
		return nil, err
	}
	data := dict("Report", html.New(m.Model), "Asked", &v.Asked, "Lambda", v.End.Choice.Models[i].Lambda)
	return &view{Title: "One of several models", name: "one", data: data}, nil
}

// stopRun ends a search with what it found, or takes a run that waits out of the queue.
func stopRun(v *runView, _ *http.Request) (*view, error) {
	r, waits := v.run, false
	r.update(func(x *facts) {
		if x.Stopped, waits = x.Stopped || x.Running(), x.State == queued; r.stop != nil {
			r.stop()
		}
	})
	if waits {
		_ = r.conclude(&ended{Error: "stopped before it began"}, nil) // what is not written waits again at the next start
	}
	return lead(v.At(), nil)
}

// resumeRun puts a run that ended without a proof back into the queue.
func resumeRun(v *runView, _ *http.Request) (_ *view, err error) {
	v.run.update(func(x *facts) {
		if x.Asked.Opened || x.State != done && x.State != failed || (x.End.optimal() || x.End.Choice != nil) && !x.End.Resumes {
			err = fmt.Errorf("this run cannot go on: it %s", x.State)
		} else if err = os.Remove(v.run.files.At("result.json")); err == nil {
			x.State, x.End, x.Model, x.Stopped, x.Judged, x.Warnings = queued, nil, nil, false, false, nil
		}
	})
	return lead(v.At(), err)
}

// removeRun takes a run away, once it has stopped, until it is brought back or the next server starts.
func removeRun(v *runView, r *http.Request) (_ *view, err error) {
	for v.run.now().State.active() && r.Context().Err() == nil {
		_, _ = stopRun(v, r)
		time.Sleep(lookForRuns)
	}
	v.run.update(func(x *facts) {
		if x.State.active() {
			err = fmt.Errorf("this run %s still: try again", x.State)
		} else if err = os.Rename(v.run.files.Path, v.path(removedFolder, x.ID)); err == nil {
			x.State = removed
			v.runs.Delete(x.ID)
			v.removed.Store(x.ID, v.run)
		}
	})
	return lead("/", err)
}

// bringBack undoes that a run was removed.
func (s *Server) bringBack(r *http.Request) (*view, error) {
	id := r.PathValue("run")
	if _, is := s.removed.LoadAndDelete(id); !is {
		return nil, errNothing
	}
	if err := os.Rename(s.path(removedFolder, id), s.path(runsFolder, id)); err != nil {
		return nil, err
	}
	back, err := s.load(id)
	if err == nil {
		s.runs.Store(id, back)
	}
	return lead("/runs/"+id, err)
}

// Names of the rows that a model is judged on, beside those of tables.
const unseenRows = "unseen"
const ownRows = "own"

// evaluationPage shows how good a model is: on rows that it was not learned from if there are some, on
// its own table, or on another one; by groups if a column is named. Name is that of the template: the
// drawing of a tree has the same rows.
func evaluationPage(name string) func(*runView, *http.Request) (*view, error) {
	return func(v *runView, r *http.Request) (*view, error) {
		err := v.evaluate(v.Report, r.URL.Query().Get("on"), r.URL.Query().Get("by"))
		return &view{Title: "How good it is", name: name, data: v.Report}, err
	}
}

// evaluate adds to a page how good the model is on some rows: on unseenRows, ownRows or a table. Rows of a table that is not
// the one any more that the model was learned from are those of another table.
func (v *runView) evaluate(page *html.Page, on, by string) error {
	name, weight := v.Asked.Table, v.Asked.Get("weight")
	hash, _ := dataset.HashOf(v.path(tablesFolder, name)) // none where the table is gone, which reading it says
	own := hash == page.Frame.Data.Hash
	var numbers []int64
	if on == "" || on == unseenRows {
		m, err := v.run.files.Model(unseenModel)
		if err == nil && own {
			err = v.run.files.ReadJSON(unseenNumbers, &numbers)
		}
		if err == nil && own {
			page.Instead(m.Model)
		} else if on == unseenRows {
			return errNothing
		}
	} else if on != ownRows {
		name, own = on, on == name && own
	}
	_, err := ofRows(v.store, name, &v.Asked, func(rows *dataset.Rows) (*predict.Summary, error) {
		if numbers != nil {
			name, rows, own = "rows kept back", rows.Only(numbers), false
		}
		return page.Judge(name, rows, predict.Options{By: by, Weight: weight}, own)
	})
	return err
}

// writeReport writes the report of a run.
func (v *runView) writeReport(w io.Writer) error {
	page := v.Report
	page.RowsAt, page.Made, page.Wish, page.Chance = "", v.Asked.Made.Format("2006-01-02"), v.Wish(), v.Luck()
	if err := v.evaluate(page, "", v.Asked.Get("by")); err != nil {
		return err
	}
	return page.Write(w)
}

// alone is what the page says of a model in a language.
const alone = "predicts without this program"

// downloads are the files to take away, with what the page says of them.
var downloads = []struct {
	Name, Text, What string
	write            func(*runView, io.Writer) error
}{
	{"report.html", "Report", "one page without script, to send or print", (*runView).writeReport},
	{"model.json", "Model", "to open it here, or to judge other rows", func(v *runView, w io.Writer) error { return v.m.Encode(w) }},
	{"model.proof", "Proof", "to check it on any machine", stored(runs.ProofFile)},
	{"model.sql", "SQL", alone, in("sql")},
	{"model.py", "Python", alone, in("python")},
	{"model.c", "C", alone, in("c")},
	{"model.js", "JavaScript", alone, in("javascript")},
	{"result.json", "Figures", "all that the search tells", stored("result.json")},
}

// in writes the model in a language.
func in(language string) func(*runView, io.Writer) error {
	return func(v *runView, w io.Writer) error { return export.Write(w, v.m.Model, language) }
}

// stored writes a file of the folder.
func stored(name string) func(*runView, io.Writer) error {
	return func(v *runView, w io.Writer) error {
		text, err := v.run.files.Open(name)
		if err == nil {
			defer text.Close()
			_, err = io.Copy(w, text)
		}
		return err
	}
}

// filePage gives a file of a run that has ended.
func filePage(v *runView, r *http.Request) (*view, error) {
	for _, d := range downloads {
		if v.End != nil && d.Name == r.PathValue("file") {
			return &view{Title: safeName(v.Asked.Table) + "-" + d.Name, write: func(w io.Writer) error { return d.write(v, w) }}, nil
		}
	}
	return nil, errNothing
}

// verifyRun checks the proof of a run, one at a time and as long as somebody waits for it. The table is read anew, as
// the proof says.
func verifyRun(v *runView, r *http.Request) (*view, error) {
	v.checking.Lock()
	defer v.checking.Unlock()
	start := time.Now()
	var found *family.Verification
	f, err := v.run.files.Open(runs.ProofFile)
	if err == nil {
		defer f.Close()
		found, err = runs.Verify(r.Context(), f, v.m.Model, func(read family.Reading) (*family.Data, error) {
			read.Memory = v.o.Memory / 2
			return v.store.read(r.Context(), v.Asked.Table, read)
		}, family.VerifyOptions{Software: v.o.Software})
	}
	if v.Verified = err == nil; v.Verified {
		v.Check = fmt.Sprintf("%s. Checked %s in %s", found.Claim, found.Effort, wording.Seconds(time.Since(start)))
	} else {
		v.Check = v.said(err)
	}
	if r.Context().Err() == nil {
		v.run.update(func(x *facts) { x.Check, x.Verified = v.Check, v.Verified })
	}
	return &view{Title: "The check of the proof", name: "check", data: v}, nil
}

// What a model says of rows: those that a rule decides, those where two models differ, one row or person.

// rowsPage shows the rows that a rule decides.
func rowsPage(v *runView, r *http.Request) (*view, error) {
	at, err := strconv.Atoi(r.URL.Query().Get("case"))
	from, _ := strconv.ParseInt(r.URL.Query().Get("from"), 10, 64)
	if err != nil || at < 0 || at >= len(v.m.Cases()) {
		return nil, errNothing
	}
	found, err := ofRows(v.store, v.Asked.Table, &v.Asked, func(rows *dataset.Rows) (*answer.Rows, error) {
		return answer.Decided(v.m.Model, rows, at, from)
	})
	data := dict("Rows", found, "At", v.At(), "Of", at)
	return &view{Title: "Rows of " + v.Report.Certificate().Part + " " + fmt.Sprint(at+1), name: "rows", data: data}, err
}

// differ returns the rows that two models predict differently.
func (v *runView) differ(two [2]*family.Model, names [2]string) (*answer.Rows, error) {
	return ofRows(v.store, v.Asked.Table, &v.Asked, func(rows *dataset.Rows) (*answer.Rows, error) {
		return answer.Differing([2]model.Model{two[0].Model, two[1].Model}, names, rows)
	})
}

// sideWidth is how many columns of text a model has beside another.
const sideWidth = 52

// Text is the model as text.
func (v *runView) Text() string { return v.m.Text(sideWidth) }

// comparePage shows a model beside that of another run, and the rows whose answer differs.
func comparePage(v *runView, r *http.Request) (*view, error) {
	with := v.find(r.URL.Query().Get("with"))
	if with == nil {
		return nil, errNothing
	}
	other := v.Server.view(with)
	if other.Asked.Table != v.Asked.Table || other.read() != nil || other.m == nil {
		return nil, errNothing
	}
	names := [2]string{"the other", "this one"}
	if other.ID == v.Began() {
		names = [2]string{"before your wish", "with your wish"}
	}
	rows, err := v.differ([2]*family.Model{other.m, v.m}, names)
	data := dict("Sides", []*runView{other, v}, "Names", names[:], "Rows", rows)
	return &view{Title: "Two models side by side", name: "compare", data: data}, err
}

// personPage says what the model says of one person: of the fields of a form, or of a row.
func personPage(v *runView, r *http.Request) (_ *view, err error) {
	form := r.URL.Query()
	values, row := map[string]string{}, form.Get("row")
	if row != "" {
		values, err = ofRows(v.store, v.Asked.Table, &v.Asked, func(rows *dataset.Rows) (map[string]string, error) {
			return answer.ValuesOf(v.m.Model, rows, row)
		})
	} else {
		for i, c := range v.m.About().Columns {
			values[c.Name] = strings.TrimSpace(form.Get("c" + strconv.Itoa(i)))
		}
	}
	p, wrong := answer.PersonOf(v.m.Model, values), ""
	if err == nil {
		err = p.Ask(v.m.Model)
	}
	if err != nil {
		wrong = v.said(err)
	}
	return &view{Title: "One person", name: "person-page", data: dict("Person", p, "At", v.At(), "Row", row, "Error", wrong)}, nil
}

// chanceRun asks how often a model of shuffled answers is as good, for a limited time, and keeps what it finds.
func chanceRun(v *runView, ask *http.Request) (*view, error) {
	_, read, o, err := v.resolved(&v.Asked)
	if err != nil {
		return nil, err
	}
	read.KeepColumns, o.Time = true, longestJudging // numbers are cut anew for other answers
	limited, cancel := context.WithTimeout(ask.Context(), o.Time)
	defer cancel()
	d, err := v.store.read(limited, v.Asked.Table, read)
	if err != nil {
		return nil, err
	}
	p, err := mined(limited, d, read, &o)
	if err != nil {
		return nil, err
	}
	o.Time = 0
	found, err := chance.Ask(limited, p, chance.Options{Options: o, Shuffles: chance.Usual, Seed: 1, Model: v.m})
	if err != nil {
		return nil, err
	}
	v.run.update(func(x *facts) {
		if x.End != nil {
			e := *x.End
			e.Chance = &found
			x.End, v.End = &e, &e
			err = v.run.files.WriteJSON("result.json", x.End)
		}
	})
	return &view{Title: "Could it be luck?", name: "luck", data: v.Luck()}, err
}
