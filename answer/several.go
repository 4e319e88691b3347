package answer

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"time"

	"parcorels/ask/crossval"
	"parcorels/ask/goodmodels"
	askpath "parcorels/ask/path"
	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/model/evaluate"
	"parcorels/model/predict"
	"parcorels/ratio"
)

// Several is several models to choose from: those of a path, or good ones. It is kept as JSON.
type Several struct {
	Note   string `json:"note"` // what is proved
	Models []One  `json:"models"`
	Picked int    `json:"picked"` // of a path: the smallest that does as well as the best on rows not seen; −1: none
	Uses   []Used `json:"uses,omitempty"`
	Group  string `json:"group,omitempty"` // column whose groups are compared
}

// One is one of several models.
type One struct {
	Size      int             `json:"size"`
	Part      string          `json:"part"`
	Right     float64         `json:"right"`
	Objective float64         `json:"objective"`
	Behind    float64         `json:"behind,omitempty"` // of a good one: rows worse than the best, counting a rule as rows
	Lambda    string          `json:"lambda"`           // for which it is optimal
	Seen      *float64        `json:"cv,omitempty"`
	SeenError float64         `json:"cv_error,omitempty"`
	Spread    *float64        `json:"spread,omitempty"` // largest difference between groups in the share said to be of class 1
	Columns   []string        `json:"columns"`
	Model     json.RawMessage `json:"model"`
}

// Used says how many of the good models use a column, and which is the best without it.
type Used struct {
	Column  string  `json:"column"`
	Share   float64 `json:"share"`
	Without int     `json:"without"` // index in Models; -1 if all use it
}

// Model returns a model by its index.
func (s *Several) Model(i int) (*family.Model, error) {
	return family.Decode(bytes.NewReader(s.Models[i].Model), "model")
}

// Parts is the size in words.
func (o One) Parts() string { return wording.Count(int64(o.Size), o.Part) }

// Price is the least share of the rows for which a rule is worth its place, in words.
func (o One) Price() string {
	l, err := ratio.Parse(o.Lambda)
	if err != nil {
		return o.Lambda
	}
	return fmt.Sprintf("%.3g%% of the rows", 100*l.Float())
}

// add adds a model unless it is there, and returns where it is.
func (s *Several) add(m *family.Model) (at int, err error) {
	var text bytes.Buffer
	if err := m.Encode(&text); err != nil {
		return 0, err
	}
	if at = slices.IndexFunc(s.Models, func(other One) bool { return bytes.Equal(other.Model, text.Bytes()) }); at >= 0 {
		return at, nil
	}
	x := m.Certificate()
	o := One{Size: x.Size, Part: x.Part, Right: Right(m), Objective: x.Objective.Value, Lambda: x.Lambda, Model: text.Bytes()}
	for _, column := range m.About().Columns {
		o.Columns = append(o.Columns, column.Name)
	}
	s.Models = append(s.Models, o)
	return len(s.Models) - 1, nil
}

// OnPath finds the models that are optimal at prices from least upwards, and tries them on rows not seen. It tells how far it is. The
// time of o counts from start.
func OnPath(ctx context.Context, p *family.Problem, d *family.Data, o family.Options, least string, start time.Time,
	tell func(text string)) (*Several, error) {
	down, err := ratio.Parse(least)
	if err != nil {
		return nil, err
	}
	o.Lambda = ""
	path, err := askpath.Ask(ctx, p, askpath.Options{Options: o, Least: down, Searches: func(price ratio.Ratio) {
		tell(fmt.Sprintf("The best is sought, and proved, if a rule must save %.3g%% of the rows. A stop keeps those that are found.",
			100*price.Float()))
	}})
	if err != nil {
		return nil, err
	}
	report, unjudged := crossval.OfPath(ctx, d, path, o, start, func(_ *crossval.Fit, done int) {
		tell(fmt.Sprintf("%s are found. They are tried on rows not seen: %d of %d times.",
			wording.Count(int64(len(path.Vertices)), "model"), done, 10*len(path.Vertices)))
	})
	if len(path.Vertices) == 0 {
		return nil, errors.New("the limit of time ended the first search: there is no model to choose")
	}
	percent := func(r *big.Rat) string { v, _ := r.Float64(); return fmt.Sprintf("%.3g%%", 100*v) }
	s := &Several{Picked: -1, Note: fmt.Sprintf("Proved: one of these is best, whatever share of the rows a rule must save, from %s "+
		"upwards.", percent(path.Down))}
	for _, gap := range path.Open {
		s.Note += fmt.Sprintf(" But between %s and %s another may be better: the limit of time left that open.", percent(gap.Low),
			percent(gap.High))
	}
	at := make([]int, len(path.Vertices))
	for i, v := range path.Vertices {
		if at[i], err = s.add(v.Model); err != nil {
			return nil, err
		}
		s.Models[at[i]].Lambda = crossval.Inside(v.From, v.To).String()
	}
	if unjudged != nil { // the path is proved without it
		s.Note += " They could not be tried on rows not seen: " + unjudged.Error() + "."
		return s, nil
	}
	for i, x := range report.Summaries() {
		if a := x.Measured.Accuracy; x.Done > 0 {
			s.Models[at[i]].Seen, s.Models[at[i]].SeenError = new(float64(a.Mean)), a.Error
		}
	}
	if i, ok := report.Pick(crossval.OneStandardError); ok {
		s.Picked = at[i]
	}
	return s, nil
}

// mostKept is how many good models are kept, and mostToldApart bounds what telling them apart takes.
const (
	mostKept      = 200
	mostToldApart = 5_000_000
)

// Good finds the models within so many per cent of the best; "" is less than the price of one rule. It tells how far it is.
func Good(ctx context.Context, p *family.Problem, o family.Options, within string, tell func(text string)) (*Several, error) {
	rows := float64(p.Set.Data.TotalWeight())
	o.ProgressEvery, o.Progress = time.Second, func(e family.Event) {
		tell("The best is proved first. Before that nothing is known of those near it. " +
			strings.Join(ProgressWords(family.Of(p.Kind()), e.Look(), rows, 0), " "))
	}
	ask, near := goodmodels.Options{Options: o, Growing: func(g goodmodels.Growing) {
		tell(fmt.Sprintf("The best is proved. Those near it are gathered: %s are looked at, %s wait.",
			wording.Count(int64(g.States), "part"), wording.Thousands(int64(g.Open))))
	}}, "less than the price of one rule behind the best"
	if percent, err := ratio.Parse(within); err == nil {
		ask.Within = ratio.New(percent.Num, 100*percent.Den)
		near = "at most " + within + "% behind the best"
	}
	a, err := goodmodels.Ask(ctx, p, ask)
	if err != nil {
		return nil, err
	}
	written := wording.Grouped(a.Count().Models().String())
	different, ok := a.Classifiers(mostToldApart)
	if !ok {
		return nil, fmt.Errorf("%s models are good, too many to tell apart: ask for those that are nearer to the best, or for "+
			"rules that save more", written)
	}
	least, _ := a.Least()
	best := float64(least) / float64(a.Scale)
	behind := func(objective float64) float64 {
		return max(0, math.Ceil(10*(objective-best)*float64(a.Points.Total)-1e-6)/10) // not -0
	}
	s := &Several{Picked: -1, Note: fmt.Sprintf("Proved: %s different models, which can be written in %s ways, are %s: each by at most "+
		"%g rows, counting a rule as rows.",
		wording.Thousands(int64(different.Len())), written, near, behind(float64(a.Asked)/float64(a.Scale)))}
	if different.Len() > mostKept {
		s.Note += fmt.Sprintf(" The %d best are listed.", mostKept)
	}
	if !a.Complete {
		s.Note += " A limit of time or memory left out those that are less good."
	}
	for i := range min(different.Len(), mostKept) {
		m, err := a.Model(different.At(i))
		if err != nil {
			return nil, err
		}
		if _, err := s.add(m); err != nil {
			return nil, err
		}
	}
	for _, column := range a.Columns() {
		use, err := a.Use(column)
		if errors.Is(err, goodmodels.ErrTooMany) {
			continue
		} else if err != nil {
			return nil, err
		}
		share, _ := new(big.Rat).SetFrac(use.With, use.Lists).Float64()
		u := Used{Column: column, Share: share, Without: -1}
		if use.Best != nil {
			if u.Without, err = s.add(use.Best); err != nil {
				return nil, err
			}
		}
		s.Uses = append(s.Uses, u)
	}
	for i := range s.Models {
		s.Models[i].Behind = behind(s.Models[i].Objective)
	}
	slices.SortStableFunc(s.Uses, func(a, b Used) int { return cmp.Compare(b.Share, a.Share) })
	return s, nil
}

// Spread is the largest difference between groups of rows in the share that a model says to be of class 1; nil where there is none.
func Spread(m model.Model, rows *dataset.Rows, o predict.Options) (*float64, error) {
	bound, err := predict.Bind(m, rows.Header(), o)
	if err != nil {
		return nil, err
	}
	judged, err := bound.Stream("", rows, nil)
	if err != nil {
		return nil, err
	}
	var groups []evaluate.GroupMeasures
	for _, g := range judged.Groups {
		groups = append(groups, g.Measures())
	}
	for _, d := range evaluate.Differences(groups) {
		if d.Measure == evaluate.SelectionRate {
			return new(float64(d.Size)), nil
		}
	}
	return nil, nil
}
