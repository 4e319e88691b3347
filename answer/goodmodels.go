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
	"parcorels/family/rates"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/report"
	"slices"
	"strings"
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
	Edges       *int            `json:"edges,omitempty"`
	Models      string          `json:"models"` // how many
	BySize      []sizeJSON      `json:"by_size"`
	Without     string          `json:"without_column,omitempty"`
	Classifiers *int            `json:"classifiers,omitempty"`
	Seconds     float64         `json:"seconds_search"`
	Shown       []alternateJSON `json:"shown"`
	answersJSON

	answer *goodmodels.Answer
	part   string   // of a model: "rule" or "leaf"
	names  []string // of the models that are shown
	took   time.Duration
	text   strings.Builder // what was answered
}

// NewGoodModels counts good models, those without a column if one is named.
func NewGoodModels(a *goodmodels.Answer, kind model.Family, without string, took time.Duration) *GoodModels {
	counts := a.Count()
	x := &GoodModels{
		Model: kind, Lambda: a.Lambda.String(), Optimum: a.Optimum.Certificate().Objective.Value, Threshold: a.Objective(a.Threshold()),
		Complete: a.Complete, Models: counts.Models().String(), BySize: bySize(counts.Entries()),
		Asked: a.Objective(a.Asked), Without: without, Seconds: took.Seconds(), Shown: []alternateJSON{}, States: a.States(),
		answer: a, part: a.Best.Certificate().Part, took: took,
	}
	if x.part == "rule" {
		x.Edges = new(a.Rules())
	}
	return x
}

// sizeJSON is how many models have so many rules or leaves.
type sizeJSON struct {
	Size   int    `json:"size"`
	Models string `json:"models"`
}

type alternateJSON struct {
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
	name, lists := "tree", x.part == "rule"
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
	x.names = append(x.names, name)
	x.Shown = append(x.Shown, alternateJSON{c.Objective.Value, c.Size, wrongRows(m), m.Text(Width), modelFile{m}})
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

// Text says how many there are, and shows some.
func (x *GoodModels) Text(quiet bool) string {
	shown := ""
	for i, m := range x.Shown {
		if !quiet {
			shown += fmt.Sprintf("\n%s, objective %.7f:\n\n%s\n", x.names[i], m.Objective, strings.TrimRight(m.Text, "\n"))
		}
	}
	return render("good", x) + shown + x.text.String()
}

// Worse is how much the best model without a column is worse than that of all columns.
func (x *GoodModels) Worse() float64 {
	c := x.answer.Best.Certificate().Objective
	return x.Optimum - float64(c.Num)/float64(c.Den)
}

// Took is how long they were sought.
func (x *GoodModels) Took() time.Duration { return x.took }

// Table has the numbers of models of each size.
func (x *GoodModels) Table() string {
	rows := [][]string{{wording.Plural(2, x.part), map[bool]string{true: "rule lists", false: "trees"}[x.part == "rule"]}}
	for _, n := range x.BySize {
		rows = append(rows, []string{fmt.Sprint(n.Size), wording.Grouped(n.Models)})
	}
	return wording.Table(append(rows, []string{"all", wording.Grouped(x.Models)}))
}

// answersJSON is what was answered, for programs.
type answersJSON struct {
	Columns  []useJSON     `json:"columns,omitempty"`
	Choices  []choiceJSON  `json:"column_choices,omitempty"`
	Group    string        `json:"group,omitempty"`   // whose front it is
	Measure  rates.Measure `json:"measure,omitempty"` // of the front
	Front    []tradeJSON   `json:"front,omitempty"`
	RowsFile string        `json:"rows_file,omitempty"` // of the rows
	Rows     []rowJSON     `json:"rows,omitempty"`
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
	b := &x.text
	rows := [][]string{{"column", "in models", "best without it", "decides"}}
	for _, column := range x.answer.Columns() {
		u, err := x.answer.Use(column)
		if err != nil {
			return err
		}
		with, _ := u.With.Float64()
		all, _ := u.Lists.Float64()
		use := useJSON{Column: column, Lists: u.With.String(), Share: with / all, Least: u.Least, Most: u.Most}
		best := "none is good"
		if u.Best != nil {
			o := u.Best.Certificate().Objective.Value
			use.Without, use.Text = &o, u.Best.Text(Width)
			best = fmt.Sprintf("%.7f", o)
		}
		x.Columns, rows = append(x.Columns, use), append(rows, []string{wording.Escape(column), wording.Percentage(use.Share), best,
			wording.Percentage(u.Least) + " to " + wording.Percentage(u.Most)})
	}
	decided := "that rules with the column decide"
	if x.part == "leaf" {
		decided = "whose path asks about the column"
	}
	fmt.Fprintf(b, "\n%s\"decides\": share of the samples %s\n", wording.Table(rows), decided)
	choices, err := x.answer.ColumnChoices()
	if err != nil {
		return err
	}
	b.WriteString("\nsets of columns that are enough, and no part of them is:\n")
	for _, c := range choices {
		o := c.Best.Certificate().Objective.Value
		x.Choices = append(x.Choices, choiceJSON{c.Columns, o, c.Best.Text(Width)})
		name := strings.Join(c.Columns, ", ")
		if name == "" {
			name = "none"
		}
		b.WriteString(Hanging(fmt.Sprintf("- %s: %.7f", wording.Escape(name), o), 2))
	}
	return nil
}

// otherwise says which good model decides row i of some otherwise.
func (x *GoodModels) otherwise(f *goodmodels.Further, i int, number int64) rowJSON {
	optimum, _ := x.answer.Least()
	one := rowJSON{Row: number, Optimum: f.Label(f.Optimum(i))}
	if class, o, ok := f.Otherwise(i); ok {
		value, worse := x.answer.Objective(o), x.answer.Objective(o-optimum)
		one.Other, one.Otherwise, one.Worse = f.Label(class), &value, &worse
	}
	return one
}

func (x *GoodModels) otherwiseText(one rowJSON) string {
	text := fmt.Sprintf("the optimum predicts %s\n", wording.Escape(one.Optimum))
	if one.Worse == nil {
		optimum, _ := x.answer.Least()
		return text + Hanging(fmt.Sprintf("every good model does, too: any that predicts otherwise is worse by more than %.7f",
			x.answer.Objective(x.answer.Threshold()-optimum)), 4)
	}
	return text + fmt.Sprintf("the best model that predicts %s has objective %.7f, worse by %.7f\n", wording.Escape(one.Other),
		*one.Otherwise, *one.Worse)
}

// AskGroup says which good models treat a group and the others ever more alike. Name is what people call it.
func (x *GoodModels) AskGroup(inside []bool, group, name string, measure rates.Measure) error {
	b := &x.text
	front, err := x.answer.Front(inside, measure)
	if err != nil {
		return err
	}
	x.Group, x.Measure = group, measure
	var rows [][]string
	for _, t := range front {
		c := t.Best.Certificate()
		if rows == nil {
			rows = [][]string{{"objective", wording.Plural(2, c.Part), "difference"}}
		}
		x.Front = append(x.Front, tradeJSON{c.Objective.Value, t.Difference, t.Best.Text(Width)})
		rows = append(rows, []string{fmt.Sprintf("%.7f", c.Objective.Value), fmt.Sprint(c.Size), fmt.Sprintf("%+.4f", t.Difference)})
	}
	fmt.Fprintf(b, "\nsmaller differences of the %s, %s less others:\n\n%s", measure, wording.Escape(name), wording.Table(rows))
	if k := len(x.Front) - 1; k > 0 {
		fmt.Fprintf(b, "\nthe good model of the smallest difference:\n\n%s\n", strings.TrimRight(x.Front[k].Text, "\n"))
	}
	return nil
}

// AskRows says of rows of a table, of which the first has a number, which good model decides otherwise: of a single row
// in full.
func (x *GoodModels) AskRows(ctx context.Context, path string, header []string, rows [][]string, first int64, single bool) error {
	f, err := x.answer.Further(ctx, header, rows)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	otherwise := 0
	x.RowsFile = path
	for i := range rows {
		one := x.otherwise(f, i, first+int64(i))
		x.Rows = append(x.Rows, one)
		if one.Worse != nil {
			otherwise++
		}
		if single {
			fmt.Fprintf(&x.text, "\n%s, row %d: %s", wording.Escape(path), one.Row, x.otherwiseText(one))
		}
	}
	if !single {
		x.text.WriteString("\n" + Hanging(fmt.Sprintf("%s: %s of %s are decided otherwise by some good model than by the optimum; "+
			"--json has how much worse it is for each",
			wording.Escape(path), wording.Thousands(int64(otherwise)), wording.Count(int64(len(rows)), "row")), 4))
	}
	return nil
}
