package serve

import (
	"context"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"parcorels/answer"
	"parcorels/ask/crossval"
	"parcorels/ask/goodmodels"
	askpath "parcorels/ask/path"
	"parcorels/family"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/model/evaluate"
	"parcorels/ratio"
	"parcorels/report/html"
)

// A run may also find several models: all that are optimal for some λ, or all that are nearly as
// good as the best. Its findings are in its result.json.

const (
	pathKind         = "path"         // all optimal models for all λ
	alternativesKind = "alternatives" // all good rule lists
)

// choose finds several models.
func (r *run) choose(ctx context.Context, p *family.Problem, data *family.Data, o family.Options, start time.Time) (*answer.Several,
	error) {
	r.set(searching)
	o.Progress = nil
	if r.Asked.Kind == pathKind {
		least, _ := ratio.Parse(r.Asked.Least) // was checked
		o.Lambda = ""
		path, err := askpath.Ask(ctx, p, askpath.Options{Options: o, Least: least})
		if err != nil {
			return nil, err
		}
		report, err := crossval.OfPath(ctx, data, path, o, start, func(_ *crossval.Fit, done int) {
			r.update(func() {
				r.Told = fmt.Sprintf("%s are found. They are tried on rows not seen: %d of %d times.",
					wording.Count(int64(len(path.Vertices)), "model"), done, 10*len(path.Vertices))
			})
		})
		return answer.SeveralOfPath(path, report, err)
	}
	ask := goodmodels.Options{Options: o}
	near := "less than the price of one rule behind the best"
	if within, err := ratio.Parse(r.Asked.Within); err == nil {
		ask.Within = ratio.New(within.Num, 100*within.Den)
		near = "at most " + r.Asked.Within + "% behind the best"
	}
	a, err := goodmodels.Ask(ctx, p, ask)
	if err != nil {
		return nil, err
	}
	c, err := answer.SeveralGood(a, near)
	if err != nil || r.Asked.By == "" {
		return c, err
	}
	c.Group = r.Asked.By
	for i := range c.Models {
		if m, err := c.Model(i); err == nil && ctx.Err() == nil {
			c.Models[i].Spread = r.spread(m)
		}
	}
	return c, nil
}

// spread is the largest difference between groups in the share that is said to be of class 1.
func (r *run) spread(m *family.Model) *float64 {
	page := html.New(m.Model)
	if err := r.s.evaluate(r, page, ownRows, r.Asked.By); err != nil {
		return nil
	}
	for _, d := range page.Evaluation.Differences {
		if d.Measure == evaluate.SelectionRate {
			return new(float64(d.Size))
		}
	}
	return nil
}

// choiceView is the page of such a run.
type choiceView struct {
	line
	Found    *answer.Several
	Path     bool
	Plot     template.HTML // of a path
	All      []choiceRow
	Rows     []choiceRow // those that are wanted
	Pins     []choiceRow // those that stand side by side
	Shortest int
	Fairest  int // -1 where no groups were named
	Room     int64

	Most, Least, Without string // filters: size, per cent right, column
}

// linkRadius is that of points that can be chosen.
const linkRadius = 2.4

// choiceRow is one of the models in a list.
type choiceRow struct {
	answer.One
	Number    int
	At, Title string
	Picked    bool
	PinAt     string // address of the page where it is pinned, or is not any more
	Text      string // of one that is pinned
}

// mostPins is how many models stand side by side at most.
const mostPins = 6

// pin says what pinning a model, or taking the pin away, leads to. It reports whether it is pinned.
func (m *choiceRow) pin(wanted url.Values) bool {
	form, name := maps.Clone(wanted), strconv.Itoa(m.Number)
	others := slices.DeleteFunc(slices.Clone(form["pin"]), func(pin string) bool { return pin == name })
	is := len(others) < len(form["pin"])
	if form["pin"] = others; !is {
		form["pin"] = append(others, name)
	}
	m.PinAt = "?" + form.Encode()
	return is
}

func (s *Server) choiceView(l line, wanted url.Values) (*choiceView, error) {
	c := l.End.Choice
	v := &choiceView{line: l, Found: c, Path: l.Asked.Kind == pathKind, Fairest: -1,
		Most: wanted.Get("most"), Least: wanted.Get("least"), Without: wanted.Get("without")}
	if r := s.queue.find(l.ID); r != nil {
		v.Room = r.files.Bytes()
	}
	most, errMost := strconv.Atoi(v.Most)
	least, errLeast := strconv.ParseFloat(strings.TrimSuffix(v.Least, "%"), 64)
	for i, m := range c.Models {
		row := choiceRow{One: m, Number: i, At: v.At() + "/models/" + strconv.Itoa(i), Picked: i == c.Picked,
			Title: fmt.Sprintf("%d: %s, %s right", i+1, wording.Count(int64(m.Size), m.Part), wording.Percentage(m.Right))}
		if row.pin(wanted) && len(v.Pins) < mostPins {
			whole, err := c.Model(i)
			if err != nil {
				return nil, err
			}
			row.Text = whole.Text(sideWidth)
			v.Pins = append(v.Pins, row)
		}
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
		plot.Add(html.Point{X: float64(m.Size), Y: m.Right, R: linkRadius, At: m.At, Picked: m.Picked && m.Seen == nil}, 0)
	}
	for _, m := range v.All {
		if m.Seen != nil {
			plot.Add(html.Point{X: float64(m.Size), Y: *m.Seen, R: linkRadius, At: m.At, Second: true, Picked: m.Picked}, m.SeenError)
		}
	}
	var err error
	v.Plot, err = plot.Figure("the rows that it was learned from", "rows not seen, with a standard error")
	return v, err
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
		Asked  *question
		Lambda string
	}{html.New(m.Model), &x.Asked, x.End.Choice.Models[i].Lambda}
	return &view{Title: "One of several models", Path: above(x.Asked.Table, run.ID), name: "one", data: data}, nil
}

// choice returns one of several models.
func (x *facts) choice(i int) (*family.Model, error) {
	if x.End == nil || x.End.Choice == nil || i < 0 || i >= len(x.End.Choice.Models) {
		return nil, errNothing
	}
	return x.End.Choice.Model(i)
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
	q := run.question()
	rows, err := s.rows(q.Table, &q)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found, err := answer.Differing([2]model.Model{two[0].Model, two[1].Model}, names, rows)
	return &rowsView{Rows: found}, err
}
