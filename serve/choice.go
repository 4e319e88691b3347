package serve

import (
	"fmt"
	"html/template"
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
	Differ   *rowsView   // where they do, if there are two
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
const (
	linkRadius = 2.4
	mostPins   = 6
)

// wanted reports whether a model passes the filters.
func (m *choiceRow) wanted(form url.Values) bool {
	most, errMost := strconv.Atoi(form.Get("most"))
	least, errLeast := strconv.ParseFloat(strings.TrimSuffix(form.Get("least"), "%"), 64)
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
	plot := html.NewCurve("Right, by size", wording.Plural(2, c.All[0].Part), "right")
	for _, m := range c.All {
		point := html.Point{X: float64(m.Size), Y: m.Right, R: linkRadius, At: m.At, Picked: m.Picked && m.Seen == nil}
		plot.Add(point, 0)
		if m.Seen != nil {
			point.Y, point.Second, point.Picked = *m.Seen, true, m.Picked
			plot.Add(point, m.SeenError)
		}
	}
	c.Plot, err = plot.Figure("the rows that it was learned from", "rows not seen, with a standard error")
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
