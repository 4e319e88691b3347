package answer

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"parcorels/ask/goodmodels"
	"parcorels/ask/goodmodels/graph"
	"parcorels/family"
	"parcorels/model"
	"parcorels/report"
	"parcorels/rules/rates"
	"slices"
	"time"
)

// GoodModels is all good models, counted, with answers about them, as text and for programs. Counts are texts, as they may be of any
// size, and sizes are rules or leaves.
type GoodModels struct {
	Model       model.Family    `json:"model"`
	Lambda      string          `json:"lambda"`
	Optimum     float64         `json:"optimum"`
	Threshold   float64         `json:"threshold"`
	Complete    bool            `json:"complete"`
	Asked       float64         `json:"threshold_asked"`
	States      int             `json:"states"`
	Models      string          `json:"models"` // how many
	BySize      []sizeJSON      `json:"by_size"`
	Without     string          `json:"without_column,omitempty"`
	Classifiers *int            `json:"classifiers,omitempty"`
	Seconds     float64         `json:"seconds_search"`
	Shown       []alternateJSON `json:"shown"`
	// What was answered:
	Columns  []useJSON     `json:"columns,omitempty"`
	Choices  []choiceJSON  `json:"column_choices,omitempty"`
	Group    string        `json:"group,omitempty"`   // whose front it is
	Measure  rates.Measure `json:"measure,omitempty"` // of the front
	Front    []tradeJSON   `json:"front,omitempty"`
	RowsFile string        `json:"rows_file,omitempty"` // of the rows
	Rows     []rowJSON     `json:"rows,omitempty"`

	Part      string        `json:"-"` // of a model: "rule" or "leaf"
	Took      time.Duration `json:"-"`
	GroupName string        `json:"-"` // what people call the group
	Single    bool          `json:"-"` // one row was asked about, in full
	answer    *goodmodels.Answer
}

// NewGoodModels counts good models, those without a column if one is named.
func NewGoodModels(a *goodmodels.Answer, kind model.Family, without string, took time.Duration) *GoodModels {
	counts := a.Count()
	return &GoodModels{
		Model: kind, Lambda: a.Lambda.String(), Optimum: a.Optimum.Certificate().Objective.Value, Threshold: a.Objective(a.Threshold()),
		Complete: a.Complete, Models: counts.Models().String(), BySize: bySize(counts.Entries()),
		Asked: a.Objective(a.Asked), Without: without, Seconds: took.Seconds(), Shown: []alternateJSON{}, States: a.States(),
		answer: a, Part: a.Best.Certificate().Part, Took: took,
	}
}

// sizeJSON is how many models have so many rules or leaves.
type sizeJSON struct {
	Size   int    `json:"size"`
	Models string `json:"models"`
}

type alternateJSON struct {
	Name      string  `json:"-"`
	Objective float64 `json:"objective"`
	Size      int     `json:"size"`
	errorsJSON
	Text string    `json:"text"`
	File modelFile `json:"model_file"`
}

// errorsJSON is what a model gets wrong.
type errorsJSON struct {
	Errors int64   `json:"errors"`                  // rows
	Weight float64 `json:"errors_weight,omitempty"` // of these, which objectives count; where rows have weights, and any is wrong
}

func wrongRows(m model.Model) errorsJSON {
	e := errorsJSON{Errors: model.Errors(m.Cases())}
	if d := m.About().Data; d.Weighted {
		e.Weight = report.Weight(d, model.ErrorWeight(m.Cases()))
	}
	return e
}

// mostClassified bounds the entries of tables of classifiers: some hundred bytes each.
const mostClassified = 10_000_000

// Show chooses the models to show: random ones, or of lists the smallest of each classifier, of trees the optimum.
func (x *GoodModels) Show(show, sample int, seed uint64) error {
	a := x.answer
	if _, some := a.Least(); !some {
		return nil
	}
	var shown []graph.Model
	name, lists := "tree", x.Part == "rule"
	if lists {
		name = "classifier"
		if classifiers, few := a.Classifiers(mostClassified); few {
			x.Classifiers = new(classifiers.Len())
			for i := range min(show, classifiers.Len()) {
				shown = append(shown, classifiers.At(i))
			}
		}
	} else if sample == 0 && show > 0 {
		x.showModel("the optimum", a.Optimum)
	}
	if sample > 0 {
		if shown = nil; lists {
			name = "list"
		}
		counts := a.Count()
		rng := rand.New(rand.NewPCG(seed, 0))
		for range sample {
			shown = append(shown, counts.Sample(rng))
		}
	}
	for i, found := range shown {
		m, err := a.Model(found)
		if err != nil {
			return err
		}
		x.showModel(fmt.Sprintf("%s %d", name, i+1), m)
	}
	return nil
}

// showModel adds a model to those that are shown.
func (x *GoodModels) showModel(name string, m *family.Model) {
	c := m.Certificate()
	x.Shown = append(x.Shown, alternateJSON{name, c.Objective.Value, c.Size, wrongRows(m), m.Text(Width), modelFile{m}})
}

// bySize adds up the numbers of models of so many rules or leaves.
func bySize(entries []graph.Entry) (list []sizeJSON) {
	sums := map[int]*big.Int{}
	for _, e := range entries {
		if sums[e.Size] == nil {
			sums[e.Size] = new(big.Int)
		}
		sums[e.Size].Add(sums[e.Size], e.Models)
	}
	list = []sizeJSON{} // in JSON a list even where it is empty
	for _, size := range slices.Sorted(maps.Keys(sums)) {
		list = append(list, sizeJSON{size, sums[size].String()})
	}
	return list
}

// Text says how many there are, shows some, and what was answered.
func (x *GoodModels) Text(quiet bool) string {
	return render("good", struct {
		*GoodModels
		Quiet bool
	}{x, quiet})
}

// Worse is how much the best model without a column is worse than that of all columns.
func (x *GoodModels) Worse() float64 {
	c := x.answer.Best.Certificate().Objective
	return x.Optimum - float64(c.Num)/float64(c.Den)
}

// Beyond is how much worse than the best each model is that is not good.
func (x *GoodModels) Beyond() float64 {
	least, _ := x.answer.Least()
	return x.answer.Objective(x.answer.Threshold() - least)
}

// Otherwise is how many of the rows some good model decides otherwise than the optimum.
func (x *GoodModels) Otherwise() (n int) {
	for _, row := range x.Rows {
		if row.Worse != nil {
			n++
		}
	}
	return n
}

type useJSON struct {
	Column  string   `json:"column"`
	Lists   string   `json:"lists_with"`
	Share   float64  `json:"share_of_models"`
	Without *float64 `json:"best_without,omitempty"`
	Least   float64  `json:"decides_least"`
	Most    float64  `json:"decides_most"`
	Text    string   `json:"text_without,omitempty"`
}

type choiceJSON struct {
	Columns   []string `json:"columns"`
	Objective float64  `json:"objective"`
	Text      string   `json:"text"`
}

type tradeJSON struct {
	Objective  float64 `json:"objective"`
	Difference float64 `json:"difference"`
	Text       string  `json:"text"`
	Size       int     `json:"-"`
}

type rowJSON struct {
	Row       int64    `json:"row"`
	Optimum   string   `json:"optimum_predicts"`
	Other     string   `json:"otherwise_predicts,omitempty"`
	Otherwise *float64 `json:"otherwise_objective,omitempty"`
	Worse     *float64 `json:"worse_by,omitempty"`
}

// AskColumns says what the columns are worth to the good models.
func (x *GoodModels) AskColumns() error {
	for _, column := range x.answer.Columns() {
		u, err := x.answer.Use(column)
		if err != nil {
			return err
		}
		with, _ := u.With.Float64()
		all, _ := u.Lists.Float64()
		use := useJSON{Column: column, Lists: u.With.String(), Share: with / all, Least: u.Least, Most: u.Most}
		if u.Best != nil {
			use.Without, use.Text = new(u.Best.Certificate().Objective.Value), u.Best.Text(Width)
		}
		x.Columns = append(x.Columns, use)
	}
	choices, err := x.answer.ColumnChoices()
	for _, c := range choices {
		x.Choices = append(x.Choices, choiceJSON{c.Columns, c.Best.Certificate().Objective.Value, c.Best.Text(Width)})
	}
	return err
}

// AskGroup says which good models treat a group and the others ever more alike. Name is what people call it.
func (x *GoodModels) AskGroup(inside []bool, group, name string, measure rates.Measure) error {
	front, err := x.answer.Front(inside, measure)
	x.Group, x.GroupName, x.Measure = group, name, measure
	for _, t := range front {
		c := t.Best.Certificate()
		x.Front = append(x.Front, tradeJSON{c.Objective.Value, t.Difference, t.Best.Text(Width), c.Size})
	}
	return err
}

// AskRows says of rows of a table, of which the first has a number, which good model decides otherwise: of a single row
// in full.
func (x *GoodModels) AskRows(ctx context.Context, path string, header []string, rows [][]string, first int64, single bool) error {
	f, err := x.answer.Further(ctx, header, rows)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	x.RowsFile, x.Single = path, single
	optimum, _ := x.answer.Least()
	for i := range rows {
		one := rowJSON{Row: first + int64(i), Optimum: f.Label(f.Optimum(i))}
		if class, o, ok := f.Otherwise(i); ok {
			value, worse := x.answer.Objective(o), x.answer.Objective(o-optimum)
			one.Other, one.Otherwise, one.Worse = f.Label(class), &value, &worse
		}
		x.Rows = append(x.Rows, one)
	}
	return nil
}
