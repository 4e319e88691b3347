package serve

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"math/big"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"parcorels/ask/crossval"
	"parcorels/ask/goodmodels"
	askpath "parcorels/ask/path"
	"parcorels/family"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/model/evaluate"
	"parcorels/model/predict"
	"parcorels/ratio"
	"parcorels/report/html"
)

// A run may also find several models: all that are optimal for some λ, or all that are nearly as
// good as the best. Its findings are in its result.json.

const (
	pathKind         = "path"         // all optimal models for all λ
	alternativesKind = "alternatives" // all good rule lists
)

// chosen is what such a run found.
type chosen struct {
	Note   string     `json:"note"` // what is proved
	Models []oneOf    `json:"models"`
	Uses   []usedView `json:"uses,omitempty"` // of alternatives: what the columns are worth
	Group  string     `json:"group,omitempty"`
}

// oneOf is one of several models.
type oneOf struct {
	Size      int             `json:"size"`
	Part      string          `json:"part"`
	Right     float64         `json:"right"`
	Objective float64         `json:"objective"`
	Lambda    string          `json:"lambda"` // for which it is optimal
	Seen      *float64        `json:"cv,omitempty"`
	SeenError float64         `json:"cv_error,omitempty"`
	Spread    *float64        `json:"spread,omitempty"` // largest difference between groups in the share said to be of class 1
	Columns   []string        `json:"columns"`
	Model     json.RawMessage `json:"model"`
}

// usedView says how many of the good models use a column, and which is the best without it.
type usedView struct {
	Column  string  `json:"column"`
	Share   float64 `json:"share"`
	Without int     `json:"without"` // index in Models; -1 if all use it
}

// add adds a model unless it is there, and returns where it is.
func (c *chosen) add(m *family.Model) (at int, err error) {
	var text bytes.Buffer
	if err := m.Encode(&text); err != nil {
		return 0, err
	}
	if at = slices.IndexFunc(c.Models, func(other oneOf) bool { return bytes.Equal(other.Model, text.Bytes()) }); at >= 0 {
		return at, nil
	}
	x := m.Certificate()
	o := oneOf{Size: x.Size, Part: x.Part, Objective: x.Objective.Value, Lambda: x.Lambda, Model: text.Bytes()}
	o.Right = 1 - float64(model.ErrorWeight(m.Cases()))/float64(m.About().Data.Weight)
	for _, column := range m.About().Columns {
		o.Columns = append(o.Columns, column.Name)
	}
	c.Models = append(c.Models, o)
	return len(c.Models) - 1, nil
}

// choose finds several models.
func (r *run) choose(ctx context.Context, p *family.Problem, data *family.Data, o family.Options, start time.Time) (*chosen, error) {
	r.set(searching)
	if r.Asked.Kind == alternativesKind {
		return r.alternatives(ctx, p, o)
	}
	least, _ := ratio.Parse(r.Asked.Least) // was checked
	o.Lambda, o.Progress = "", nil
	path, err := askpath.Ask(ctx, p, askpath.Options{Options: o, Least: least})
	if err != nil {
		return nil, err
	}
	down, _ := path.Down.Float64()
	c := &chosen{Note: fmt.Sprintf("Proved: one of these is best, whatever share of the rows a rule must save, from %.3g%% upwards.",
		100*down)}
	for _, gap := range path.Open {
		low, _ := gap.Low.Float64()
		high, _ := gap.High.Float64()
		c.Note += fmt.Sprintf(" But between %.3g%% and %.3g%% another may be better: the limit of time left that open.",
			100*low, 100*high)
	}
	for _, v := range path.Vertices {
		at, err := c.add(v.Model)
		if err != nil {
			return nil, err
		}
		c.Models[at].Lambda = crossval.Inside(v.From, v.To).String()
	}
	if len(c.Models) == 0 {
		return nil, errors.New("the limit of time ended the first search: there is no model to choose")
	}
	report, err := crossval.OfPath(ctx, data, path, o, start)
	if err != nil { // the path is proved without it
		c.Note += " They could not be tried on rows not seen: " + err.Error() + "."
		return c, nil
	}
	for i, x := range report.Summaries() {
		if a := x.Measured.Accuracy; x.Done > 0 {
			c.Models[i].Seen, c.Models[i].SeenError = &a.Mean, a.StandardError()
		}
	}
	return c, nil
}

// mostShown is how many alternatives are kept, and mostClassified bounds what telling them
// apart takes.
const (
	mostShown      = 200
	mostClassified = 5_000_000
)

// alternatives finds all good rule lists, and keeps the best classifiers among them.
func (r *run) alternatives(ctx context.Context, p *family.Problem, o family.Options) (*chosen, error) {
	ask := goodmodels.Options{Options: o}
	ask.Progress = nil
	near := "less than the price of one rule behind the best"
	if within, err := ratio.Parse(r.Asked.Within); err == nil {
		ask.Within = ratio.New(within.Num, 100*within.Den)
		near = "at most " + r.Asked.Within + "% behind the best"
	}
	a, err := goodmodels.Ask(ctx, p, ask)
	if err != nil {
		return nil, err
	}
	c := &chosen{Group: r.Asked.By}
	lists := a.Count().Models().String()
	different, ok := a.Classifiers(mostClassified)
	if !ok {
		return nil, fmt.Errorf("%s models are good, too many to tell apart: ask for those that are nearer to the best, or give a "+
			"larger λ", lists)
	}
	c.Note = fmt.Sprintf("Proved: %s different models, which can be written in %s ways, are %s.",
		wording.Thousands(int64(different.Len())), lists, near)
	if different.Len() > mostShown {
		c.Note += fmt.Sprintf(" The %d best are listed.", mostShown)
	}
	if !a.Complete {
		c.Note += " A limit of time or memory left out those that are less good."
	}
	for i := range min(different.Len(), mostShown) {
		m, err := a.Model(different.At(i))
		if err != nil {
			return nil, err
		}
		at, err := c.add(m)
		if err != nil {
			return nil, err
		}
		c.Models[at].Spread = r.spread(ctx, m)
	}
	return c, c.count(a)
}

// count asks all good models, not only those listed, what the columns are worth to them.
func (c *chosen) count(a *goodmodels.Answer) error {
	for _, column := range a.Columns() {
		use, err := a.Use(column)
		if errors.Is(err, goodmodels.ErrTooMany) {
			continue
		} else if err != nil {
			return err
		}
		share, _ := new(big.Rat).SetFrac(use.With, use.Lists).Float64()
		u := usedView{Column: column, Share: share, Without: -1}
		if use.Best != nil {
			if u.Without, err = c.add(use.Best); err != nil {
				return err
			}
		}
		c.Uses = append(c.Uses, u)
	}
	slices.SortStableFunc(c.Uses, func(a, b usedView) int { return cmp.Compare(b.Share, a.Share) })
	return nil
}

// spread is the largest difference between groups in the share that is said to be of class 1,
// nil where no groups were named.
func (r *run) spread(ctx context.Context, m *family.Model) *float64 {
	if r.Asked.By == "" || ctx.Err() != nil {
		return nil
	}
	page := html.New(m.Model)
	if err := r.s.evaluate(r, page, ownRows, r.Asked.By); err != nil {
		return nil
	}
	for _, d := range page.Evaluation.Differences {
		if d.Measure == evaluate.SelectionRate {
			v := float64(d.Size)
			return &v
		}
	}
	return nil
}

// choiceView is the page of such a run.
type choiceView struct {
	line
	At       string
	Found    *chosen
	Path     bool
	Plot     template.HTML // of a path
	All      []choiceRow
	Rows     []choiceRow // those that are wanted
	Picked   int         // of a path: the smallest that does as well as the best on rows not seen; -1 where nobody knows
	Shortest int
	Fairest  int // -1 where no groups were named
	Room     int64

	Most, Least, Without string // filters: size, per cent right, column
}

// choiceRow is one of the models in a list.
type choiceRow struct {
	oneOf
	At, Title string
	Picked    bool
}

func (s *Server) choiceView(l line, wanted url.Values) (*choiceView, error) {
	c := l.End.Choice
	v := &choiceView{line: l, At: "/runs/" + l.ID, Found: c, Path: l.Asked.Kind == pathKind, Fairest: -1, Picked: c.pick(),
		Most: wanted.Get("most"), Least: wanted.Get("least"), Without: wanted.Get("without")}
	if r := s.queue.find(l.ID); r != nil {
		v.Room = r.room()
	}
	most, errMost := strconv.Atoi(v.Most)
	least, errLeast := strconv.ParseFloat(strings.TrimSuffix(v.Least, "%"), 64)
	for i, m := range c.Models {
		row := choiceRow{m, v.At + "/models/" + strconv.Itoa(i), fmt.Sprintf("%d: %s, %s right", i+1,
			wording.Count(int64(m.Size), m.Part), wording.Percentage(m.Right)), i == v.Picked}
		v.All = append(v.All, row)
		if (errMost != nil || m.Size <= most) && (errLeast != nil || 100*m.Right >= least) && !slices.Contains(m.Columns, v.Without) {
			v.Rows = append(v.Rows, row)
		}
		if m.Size < c.Models[v.Shortest].Size {
			v.Shortest = i
		}
		if m.Spread != nil && (v.Fairest < 0 || *m.Spread < *c.Models[v.Fairest].Spread) {
			v.Fairest = i
		}
	}
	if !v.Path || len(c.Models) < 2 {
		return v, nil
	}
	plot := html.NewCurve("Right, by size", wording.Plural(2, c.Models[0].Part), "right")
	for _, m := range v.All {
		plot.Link(m.At, float64(m.Size), m.Right, 0, false, m.Picked && m.Seen == nil)
	}
	for _, m := range v.All {
		if m.Seen != nil {
			plot.Link(m.At, float64(m.Size), *m.Seen, m.SeenError, true, m.Picked)
		}
	}
	var err error
	v.Plot, err = plot.Figure("the rows that it was learned from", "rows not seen, with a standard error")
	return v, err
}

// pick is the smallest model within a standard error of the best on rows not seen, -1 where one was not judged.
func (c *chosen) pick() int {
	best, picked := -1, -1
	for i, m := range c.Models {
		if m.Seen == nil {
			return -1
		}
		if best < 0 || *m.Seen > *c.Models[best].Seen {
			best = i
		}
	}
	for i, m := range c.Models {
		if *m.Seen >= *c.Models[best].Seen-c.Models[best].SeenError && (picked < 0 || m.Size < c.Models[picked].Size) {
			picked = i
		}
	}
	return picked
}

// onePage shows one of several models.
func (s *Server) onePage(run *run, r *http.Request) (*view, error) {
	i, _ := strconv.Atoi(r.PathValue("model"))
	x := run.snapshot()
	m, err := x.choice(i)
	if err != nil {
		return nil, err
	}
	data := struct {
		Report *html.Page
		Asked  question
		Lambda string
		Hidden []model.Option
	}{html.New(m.Model), x.Asked, x.End.Choice.Models[i].Lambda, x.Asked.without("lambda")}
	return &view{Title: "One of several models", Path: above(x.Asked.Table, run.ID), name: "one", data: data}, nil
}

// choice returns one of several models.
func (x *facts) choice(i int) (*family.Model, error) {
	if x.End == nil || x.End.Choice == nil || i < 0 || i >= len(x.End.Choice.Models) {
		return nil, errNothing
	}
	return family.Decode(bytes.NewReader(x.End.Choice.Models[i].Model), "model")
}

// differPage compares two of several models row by row.
func (s *Server) differPage(run *run, r *http.Request) (*view, error) {
	x := run.snapshot()
	var two [2]*family.Model
	var names [2]string
	for k, name := range []string{"a", "b"} {
		i, _ := strconv.Atoi(r.URL.Query().Get(name))
		m, err := x.choice(i)
		if err != nil {
			return nil, err
		}
		two[k], names[k] = m, fmt.Sprintf("model %d", i+1)
	}
	v, err := s.differ(run, two, names)
	return &view{Title: "Where two models differ", Path: above(run.Asked.Table, run.ID), name: "rows", data: v}, err
}

// differ returns the rows that two models predict differently.
func (s *Server) differ(run *run, two [2]*family.Model, names [2]string) (*rowsView, error) {
	header := s.header(&run.Asked)
	v := &rowsView{Header: names[:], First: 2}
	var predictors [2]*predict.Predictor
	for k, m := range two {
		var err error
		if predictors[k], err = predict.Bind(m.Model, header, predict.Options{}); err != nil {
			return nil, err
		}
	}
	var order []int
	for i, name := range header[:min(len(header), cellsShown)] {
		v.Header, order = append(v.Header, name), append(order, i)
	}
	all := int64(0)
	err := s.each(&run.Asked, func(cells []string, n int64) bool {
		all = n
		x, errX := predictors[0].Predict(cells)
		y, errY := predictors[1].Predict(cells)
		if errX == nil && errY == nil && x.Class != y.Class {
			v.add(n, false, []string{x.Label, y.Label}, cells, order)
		}
		return true
	})
	v.Title = fmt.Sprintf("The answer differs on %s of %s: %s and %s", wording.Count(v.Total, "row"), wording.Thousands(all),
		names[0], names[1])
	return v, err
}

// Size64 and LambdaShort are for reading.
func (o oneOf) Size64() int64 { return int64(o.Size) }

func (o oneOf) LambdaShort() string {
	l, err := ratio.Parse(o.Lambda)
	if err != nil {
		return o.Lambda
	}
	return fmt.Sprintf("%.3g%% of the rows", 100*l.Float())
}
