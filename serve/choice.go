package serve

import (
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"parcorels/answer"
	"parcorels/family"
	"parcorels/internal/wording"
	"parcorels/report/html"
)

// choiceView is the page of a run that found several models.
type choiceView struct {
	*runView
	Found    *answer.Several
	Path     bool
	Plot     template.HTML // of a path
	All      []choiceRow
	Rows     []choiceRow // those that are wanted
	Pins     []choiceRow // those that stand side by side
	Shortest int
	Fairest  int        // -1 where no groups were named
	Wanted   url.Values // most: size, least: per cent right, without: column, pin: numbers
}

// choiceRow is one of the models in a list.
type choiceRow struct {
	answer.One
	Number    int
	At, Title string
	Picked    bool
	PinAt     string // address of the page where it is pinned, or is not any more
	Text      string // of one that is pinned
}

// linkRadius is that of points that can be chosen, and mostPins how many models stand side by side at most.
const (
	linkRadius = 2.4
	mostPins   = 6
)

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

// wanted reports whether a model passes the filters.
func (m *choiceRow) wanted(form url.Values) bool {
	most, errMost := strconv.Atoi(form.Get("most"))
	least, errLeast := strconv.ParseFloat(strings.TrimSuffix(form.Get("least"), "%"), 64)
	return (errMost != nil || m.Size <= most) && (errLeast != nil || 100*m.Right >= least) &&
		!slices.Contains(m.Columns, form.Get("without"))
}

// choices returns the page of several models.
func (v *runView) choices(wanted url.Values) (*choiceView, error) {
	found := v.End.Choice
	c := &choiceView{runView: v, Found: found, Path: v.Asked.Get("kind") == pathKind, Fairest: -1, Wanted: wanted}
	for i, m := range found.Models {
		row := choiceRow{One: m, Number: i, At: v.At() + "/models/" + strconv.Itoa(i), Picked: i == found.Picked,
			Title: fmt.Sprintf("%d: %s, %s right", i+1, wording.Count(int64(m.Size), m.Part), wording.Percentage(m.Right))}
		if row.pin(wanted) && len(c.Pins) < mostPins {
			whole, err := found.Model(i)
			if err != nil {
				return nil, err
			}
			row.Text = whole.Text(sideWidth)
			c.Pins = append(c.Pins, row)
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
	if !c.Path || len(c.All) < 2 {
		return c, nil
	}
	plot := html.NewCurve("Right, by size", wording.Plural(2, c.All[0].Part), "right")
	for _, m := range c.All {
		plot.Add(html.Point{X: float64(m.Size), Y: m.Right, R: linkRadius, At: m.At, Picked: m.Picked && m.Seen == nil}, 0)
	}
	for _, m := range c.All {
		if m.Seen != nil {
			plot.Add(html.Point{X: float64(m.Size), Y: *m.Seen, R: linkRadius, At: m.At, Second: true, Picked: m.Picked}, m.SeenError)
		}
	}
	var err error
	c.Plot, err = plot.Figure("the rows that it was learned from", "rows not seen, with a standard error")
	return c, err
}

// choice returns one of several models, by its number.
func (v *runView) choice(number string) (i int, m *family.Model, err error) {
	i, _ = strconv.Atoi(number)
	if v.End == nil || v.End.Choice == nil || i < 0 || i >= len(v.End.Choice.Models) {
		return 0, nil, errNothing
	}
	m, err = v.End.Choice.Model(i)
	return i, m, err
}

// onePage shows one of several models.
func onePage(v *runView, r *http.Request) (*view, error) {
	i, m, err := v.choice(r.PathValue("model"))
	if err != nil {
		return nil, err
	}
	data := dict("Report", html.New(m.Model), "Asked", &v.Asked, "Lambda", v.End.Choice.Models[i].Lambda)
	return &view{Title: "One of several models", name: "one", data: data}, nil
}

// differPage compares two of several models row by row.
func differPage(v *runView, r *http.Request) (*view, error) {
	var two [2]*family.Model
	var names [2]string
	for k, name := range []string{"a", "b"} {
		i, m, err := v.choice(r.URL.Query().Get(name))
		if err != nil {
			return nil, err
		}
		two[k], names[k] = m, fmt.Sprintf("model %d", i+1)
	}
	rows, err := v.differ(two, names)
	return &view{Title: "Where two models differ", name: "rows", data: rows}, err
}
