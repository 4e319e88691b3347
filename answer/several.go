package answer

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"parcorels/ask/crossval"
	"parcorels/ask/goodmodels"
	"parcorels/ask/goodmodels/graph"
	askpath "parcorels/ask/path"
	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/model/evaluate"
	"parcorels/model/predict"
	"parcorels/ratio"
	"parcorels/report"
	"parcorels/rules/rates"
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
const mostKept = 200
const mostToldApart = 5_000_000

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

// Path is a path with what cross-validation says of it.
type Path struct {
	*askpath.Answer
	Problem   *family.Problem
	Options   family.Options
	Least     ratio.Ratio // the smallest λ
	Usual     bool        // which nobody gave
	Took      time.Duration
	Summaries []crossval.Summary // by vertex; nil without cross-validation
	Picked    int                // index of a vertex; -1 if none is
	Stopped   bool               // by Ctrl-C
	Quiet     bool               // no models
	Weights   []ratio.Ratio      // of each vertex of a front: what a miss weighs beside a false alarm; nil of one path
}

// Text is the table, what is proved, and the models.
func (r *Path) Text() string {
	models, text := []model.Model{}, render("path", r)
	for i, v := range r.Answer.Vertices {
		if i == r.Picked || r.Picked < 0 && !r.Quiet {
			models = append(models, v.Model)
		}
	}
	return text + AskForeknown(models...)
}

// Short reports whether the path ends above the smallest λ.
func (r *Path) Short() bool { return r.Answer.Down.Cmp(r.Least.Rat()) > 0 }

// Smaller is where a path goes on that found a single model.
func (r *Path) Smaller() ratio.Ratio { return ratio.New(r.Least.Num, 5*r.Least.Den) }

// Below is the λ that fit takes of the table by itself, if that is below a smallest λ that nobody gave; nil otherwise.
func (r *Path) Below() *ratio.Ratio {
	usual, err := r.Problem.Price(r.Options)
	if err != nil || !r.Usual || usual.Float() >= r.Least.Float() {
		return nil
	}
	return &usual
}

// Unfinished is the λ below which searches of a front ended without a proof; nil where none did.
func (r *Path) Unfinished() *big.Rat {
	whole := r.Answer.Down
	for _, o := range r.Answer.Open {
		if o.High.Cmp(whole) > 0 {
			whole = o.High
		}
	}
	if whole.Cmp(r.Least.Rat()) <= 0 {
		return nil
	}
	return whole
}

// Unprovable are the sizes of models whose λ has too many digits for a proof.
func (r *Path) Unprovable() string {
	var sizes []string
	for _, v := range r.Answer.Vertices {
		if _, err := ratio.Parse(v.From.RatString()); err != nil {
			sizes = append(sizes, fmt.Sprint(v.Size))
		}
	}
	return strings.Join(sizes, ", ")
}

// PathJSON is the path for programs. Fractions are texts.
type PathJSON struct {
	Model    model.Family `json:"model"`
	Down     string       `json:"certified_down_to"`
	Open     [][2]string  `json:"open"`
	Searches int          `json:"searches"`
	Seconds  float64      `json:"seconds_search"`
	Picked   *int         `json:"picked,omitempty"`
	Vertices []PathVertex `json:"vertices"`
}

type PathVertex struct {
	Size int `json:"size"`
	errorsJSON
	Asked    int64     `json:"asked,omitempty"`        // rows that are left to a person, none of them an error
	Cost     string    `json:"cost,omitempty"`         // of all decisions, a decimal, where these have costs
	Right    float64   `json:"right"`                  // share of the training weight
	Missed   *int64    `json:"missed,omitempty"`       // of class 1, where there are two
	Alarms   *int64    `json:"false_alarms,omitempty"` // of class 0
	Weight   string    `json:"miss_weight,omitempty"`  // what a miss weighs beside a false alarm, on a front
	From     string    `json:"from"`
	To       string    `json:"to"`
	Accuracy *float64  `json:"cv_accuracy,omitempty"`
	Error    *float64  `json:"cv_standard_error,omitempty"`
	Text     string    `json:"text"`
	File     modelFile `json:"model_file"`
}

// modelFile is a model that is written into a larger object as its file.
type modelFile struct{ model.Model }

// MarshalJSON returns what fit writes with -o.
func (f modelFile) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	err := f.Encode(&b)
	return b.Bytes(), err
}

// Object returns the path for programs.
func (r *Path) Object() PathJSON {
	o := PathJSON{Model: r.Problem.Kind(), Down: r.Answer.Down.RatString(), Searches: r.Answer.Solves, Seconds: r.Took.Seconds(),
		Open: [][2]string{}, Vertices: []PathVertex{}}
	for _, i := range r.Answer.Open {
		o.Open = append(o.Open, [2]string{i.Low.RatString(), i.High.RatString()})
	}
	if r.Picked >= 0 {
		o.Picked = &r.Picked
	}
	for i, v := range r.Answer.Vertices {
		x := PathVertex{Size: v.Size, errorsJSON: wrongRows(v.Model), Right: Right(v.Model), From: v.From.RatString(), To: "1",
			Text: v.Model.Text(Width), File: modelFile{v.Model}, Cost: model.Cost(v.Model)}
		x.Asked, x.Errors = model.Asked(v.Model)
		if r.Problem.Set.Data.ClassCount() == 2 {
			_, wrong := model.Totals(v.Model.Cases())
			x.Missed, x.Alarms = &wrong.Samples[1], &wrong.Samples[0]
		}
		if v.To != nil {
			x.To = v.To.RatString()
		}
		if r.Weights != nil {
			x.Weight = r.Weights[i].String()
		}
		if r.Summaries != nil {
			mean, deviation := float64(r.Summaries[i].Measured.Accuracy.Mean), r.Summaries[i].Measured.Accuracy.Error
			x.Accuracy, x.Error = &mean, &deviation
		}
		o.Vertices = append(o.Vertices, x)
	}
	return o
}
