package family

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"parcorels/dataset"
	"parcorels/family/luck"
	"parcorels/instance"
	"parcorels/internal/blockfile"
	"parcorels/internal/option"
	"parcorels/model"
	"parcorels/optionerr"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/report"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/save"
	listsearch "parcorels/rulelist/search"
	"parcorels/rules"
)

// Software is the name that models of Fit carry unless Options name another.
const Software = "package parcorels"

// Solver searches for a rule list as package rulelist/search does.
type Solver func(context.Context, *instance.Instance, listsearch.Options) (listsearch.Result, error)

// Options say what to learn and how. A field of zero value has the default of [OptionTable]: the
// zero Options learn a rule list as the command line does. Exact numbers are texts, decimals
// or fractions such as "0.01" or "1/300".
type Options struct {
	Family model.Family // model.RuleList, Tree, RuleSet or BayesianRuleList; "": RuleList

	Lambda string // price of a rule or leaf as a share of all samples; of a rule set, of a literal in samples

	Depth    int  // of a tree: most splits on a path; 0: no limit
	MaxRules int  // of a rule list, Bayesian or not: most rules; 0: no limit
	Falling  bool // of a Bayesian rule list: no rule, nor the default, is likelier to be of class 1 than the one before

	MinRows int // least samples that a rule decides or a leaf holds, whatever they weigh; 0: any number

	Rules    int // of a rule set: most rules
	Literals int // of a rule set: most literals of a rule

	Length, Width      string // of a Bayesian rule list: expected number of rules, and of conditions of a rule
	Alpha              string // of a Bayesian rule list: pseudo-samples of a class in a rule, or "α0,α1"
	Chains, Iterations int    // of a Bayesian rule list: Markov chains, and steps of each
	Seed               uint64 // of the chains
	MaxCard            int    // most literals of an antecedent
	MaxAntecedents     int    // of more, those of most gain are kept
	Negations          bool   // literals may be negations
	MinSupport         string // least share of the weight for which a condition holds

	Ablation Ablation // of the search for a rule list, for measurements; no front end has an option for it

	First  []string // of a rule list: the rules that it begins with, as "age > 40 then yes" or "age > 40"
	Forbid []string // conditions that no rule may have

	Increasing, Decreasing []string // of a rule list: columns whose larger numbers speak for, or against, class 1

	Maximise string // "f1": of a rule list or tree, not the objective is optimised, but F1

	Workers int // goroutines; 0: all that GOMAXPROCS allows
	// Time limits the search, whose best model so far then comes with a bound; 0: no limit. Within a limit of at most a
	// minute the search for a rule list also stops where nothing moves.
	Time   time.Duration
	Nodes  int64 // prefixes expanded or sets counted; 0: no limit
	Memory int64 // bytes for what a search remembers; 0: no limit

	// Progress is called from one goroutine, about every ProgressEvery (0: a second) and at
	// the end; nil: never. With Models an event has the best model so far.
	Progress      func(Event)
	ProgressEvery time.Duration
	Models        bool

	Proof      *Proof      // where the proof of optimality goes; nil: none is written
	Checkpoint *Checkpoint // where a search for a rule list is saved, and resumed from; nil: nowhere

	// Solve takes the place of the search for a rule list, as one on several machines does; nil: nothing does.
	Solve Solver

	Software string // the name of the program, for the model; "": this package

}

// Ablation says in which order a search for a rule list expands prefixes and which techniques it leaves out. The zero
// value is how it is fastest; the model is the same with any other.
type Ablation struct {
	Policy   listsearch.Policy   // which prefixes are expanded first
	Symmetry listsearch.Symmetry // what the symmetry map recognises
	Without  problem.Prunings    // left out
}

// Proof says where the proof of a fit is written to. Package verify reads it.
type Proof struct {
	To   io.Writer      // of whole proofs; one goroutine at a time writes to it
	File blockfile.File // takes the place of To where a checkpoint keeps an unfinished proof
}

// Checkpoint says where a search is saved, and what it resumes from. Its digest is that of
// the problem, whatever it says.
type Checkpoint = save.Checkpoint

// Event is a look at a running search of any family.
type Event struct {
	parallel.Progress // of a rule set, Bound is infinite: nothing is known before the end
	Family            model.Family
	Source            string // what found the best model since the last event: "first", "search", "resumed"; the step of a rule set; or ""
	Step, Steps       int    // chains ended, or steps of a rule set solved exactly, of how many; 0 for other families

	LogRemain float64 // of a rule list: log10 of a bound on the prefixes left (Theorem 7 of the CORELS paper)

	// Best returns the best model so far. It is nil unless Options.Models is set and the model is
	// better than at the last event. A list or a tree is a model.Model, others are texts.
	Best func() (Shown, error)
}

// Shown is a model, or what is known of it during the search, as people read it.
type Shown interface{ Text(width int) string }

// textOnly is a model of which a search tells the text alone, made for 80 columns.
type textOnly string

// Text returns the text, whatever the width.
func (t textOnly) Text(int) string { return string(t) }

// Look returns what is kept of an event.
func (e Event) Look() report.Look {
	l := report.Look{
		Seconds: report.Seconds(e.Elapsed), Objective: e.Value, Bound: finite(e.Bound), Gap: finite(e.Gap), Length: e.Length,
		Nodes: e.Nodes, Open: e.Open, Bytes: e.Bytes, Step: e.Step, Steps: e.Steps,
	}
	if e.Family == model.RuleList && e.LogRemain > 0 {
		l.Remain = finite(e.LogRemain)
	}
	return l
}

// finite returns a number that JSON has, nil for others.
func finite(v float64) *float64 {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return nil
	}
	return &v
}

// ReadingGroup, and the names below, are headings of the table of options.
const (
	ModelGroup   = "Model"
	SetGroup     = "Rule sets"
	BayesGroup   = "Bayesian rule lists"
	WishGroup    = "Wishes"
	ReadingGroup = "Reading the table"
	MiningGroup  = "Conditions"
	SearchGroup  = "Search"
)

// defaultLength is how many rules a Bayesian rule list is expected to have.
const defaultLength = "10"

// optionRows is the table of options, but for how values are read.
//
//go:embed options.json
var optionRows []byte

// parsedRows returns the rows of the table, which are not to be changed.
var parsedRows = sync.OnceValue(func() (rows []option.Option) {
	if err := json.Unmarshal(optionRows, &rows); err != nil {
		panic(err) // a test reads the table
	}
	return rows
})

// OptionTable returns the table of options: a row for each, bound to the fields of r and o. It has
// names, ranges, defaults and help. Front ends make their parameters from it.
func OptionTable(r *Reading, o *Options) []*option.Option {
	values := optionValues(r, o)
	var table []*option.Option
	for _, row := range parsedRows() {
		row.Value = values[row.Name]
		table = append(table, &row)
	}
	return table
}

// optionValues are how values are read and written, by the name of the option.
func optionValues(r *Reading, o *Options) map[string]option.Value {
	const columns = "column names with commas between them"
	parameter := func(to *string) option.Value {
		return option.Number(to, "a positive number, such as 3 or 0.5", option.Positive)
	}
	halfAtMost := func(r ratio.Ratio) bool { return r.Num >= 0 && 2*r.Num <= r.Den }
	const price = "a number between 0 and 1, such as 0.01 or 1/300 (for a rule set any above 0)"
	notNegative := func(r ratio.Ratio) bool { return r.Den > 0 && r.Num >= 0 }
	classWeights := option.Text(&r.ClassWeights, "balanced, or two positive decimals w0,w1")
	classWeights.Among = []string{"balanced"}
	return map[string]option.Value{
		"model":      familyValue(&o.Family),
		"depth":      option.Integer(&o.Depth, 1, 1000),
		"max-rules":  option.Integer(&o.MaxRules, 1, 10_000),
		"min-rows":   option.Integer(&o.MinRows, 1, math.MaxInt32),
		"literals":   option.Integer(&o.Literals, 1, 1024),
		"rules":      option.Integer(&o.Rules, 1, 1024),
		"length":     parameter(&o.Length),
		"width":      parameter(&o.Width),
		"alpha":      alphaValue(&o.Alpha),
		"chains":     option.Integer(&o.Chains, 1, 1<<16),
		"iterations": option.Integer(&o.Iterations, 1, math.MaxInt32),
		"seed":       option.Integer(&o.Seed, 0, math.MaxInt64),
		"first": textsValue(&o.First, "a rule such as 'age > 40 and sex = f then yes', with conditions as fit prints them; "+
			"without then, the better label"),
		"forbid":     textsValue(&o.Forbid, "a condition as fit prints it, such as 'sex = f'"),
		"increasing": option.List(&o.Increasing, columns, sortedNames),
		"decreasing": option.List(&o.Decreasing, columns, sortedNames),
		"maximise":   option.Choice(&o.Maximise, "f1"),

		"target":          option.Text(&r.Target, "a column name"),
		"positive":        option.Text(&r.Positive, "one of the labels, or a threshold such as '> 40' of labels that are numbers"),
		"ignore":          option.List(&r.Ignore, columns, option.SplitNames),
		"use":             option.List(&r.Use, columns, option.SplitNames),
		"categories":      option.List(&r.Categories, columns, option.SplitNames),
		"ordered":         orderedValue(&r.Ordered),
		"missing":         option.List(&r.Missing, "texts with commas between them", option.Split),
		"drop-missing":    option.Switch(&r.DropMissing),
		"decimal-comma":   option.Switch(&r.DecimalComma),
		"drop-unlabelled": option.Switch(&r.DropUnlabelled),
		"header":          option.Switch(&r.Header),
		"no-header":       option.Switch(&r.NoHeader),
		"sep":             separatorValue(&r.Comma),
		"bins":            option.Integer(&r.Bins, 2, 1000),
		"cuts":            cutsValue(r),
		"thresholds": columnsValue(&r.Chosen, "COLUMN=NUMBER,NUMBER,… in ascending order, numbers or dates", "thresholds", parseCuts,
			cutsText),
		"weight":        option.Text(&r.Weight, "a column name"),
		"costs":         costsValue(&r.Costs),
		"cost-matrix":   option.Text(&r.CostMatrix, "decimals such as 0,1,5,0"),
		"ask-cost":      option.Text(&r.AskCost, "a decimal such as 0.2"),
		"class-weights": classWeights,
		"labels":        option.Text(&r.Labels, "a file name"),

		"max-card":        option.Integer(&o.MaxCard, 1, 16),
		"max-antecedents": option.Integer(&o.MaxAntecedents, 1, rules.MaxAntecedents),
		"falling":         option.Switch(&o.Falling),
		"negations":       option.Switch(&o.Negations),
		"min-support":     option.Number(&o.MinSupport, "a number from 0 to 0.5", halfAtMost),
		"lambda":          option.Number(&o.Lambda, price, notNegative),
		"workers":         option.Integer(&o.Workers, 1, parallel.MaxWorkers),
		"time":            option.Duration(&o.Time),
		"nodes":           option.Integer(&o.Nodes, 1, math.MaxInt64),
		"memory":          option.Size(&o.Memory),
	}
}

// familyValue is a family by its name.
func familyValue(to *model.Family) option.Value {
	var names []string
	for _, f := range Families() {
		names = append(names, f.Name)
	}
	v := option.Of("choice", option.OneOf(names), to, func(text string) (model.Family, error) {
		if i := slices.Index(names, text); i >= 0 {
			return Families()[i].Kind, nil
		}
		return "", option.ErrExpected
	}, func(kind model.Family) string { return Of(kind).Name })
	v.Among = names
	return v
}

// alphaValue is one positive number, or two with a comma between them.
func alphaValue(to *string) option.Value {
	return option.Of("number", "a positive number such as 1 or 0.5, or two, α0,α1", to, func(text string) (string, error) {
		_, _, err := parseAlpha(text)
		return text, err
	}, strings.Clone)
}

func parseAlpha(text string) (zero, one ratio.Ratio, err error) {
	first, second, two := strings.Cut(text, ",")
	if !two {
		second = first
	}
	if zero, err = option.Exact(first, option.Positive); err == nil {
		one, err = option.Exact(second, option.Positive)
	}
	return zero, one, err
}

// separatorValue is one character, or the name of one.
func separatorValue(to *rune) option.Value {
	named := map[string]rune{"tab": '\t', `\t`: '\t', "comma": ',', "semicolon": ';', "space": ' '}
	v := option.Of("text", "one character, or tab, comma, semicolon, space", to, func(text string) (rune, error) {
		if r, ok := named[text]; ok {
			return r, nil
		}
		if all := []rune(text); len(all) == 1 && !strings.ContainsRune("\"\r\n", all[0]) {
			return all[0], nil
		}
		return 0, option.ErrExpected
	}, func(r rune) string {
		if r == '\t' {
			return "tab"
		}
		return string(r)
	})
	v.Among = []string{"comma", "semicolon", "tab", "space"}
	return v
}

// costsValue is the decisions and the columns of their costs.
func costsValue(to *[]dataset.Cost) option.Value {
	return option.Many("DECISION=COLUMN,DECISION=COLUMN, as in call=COST_CALL,leave=COST_LEAVE", func(text string) error {
		items, err := option.SplitNames(text)
		for _, item := range items {
			decision, column, ok := unquoted(item, '=')
			if column = strings.TrimSpace(column); !ok || decision == "" || column == "" {
				return option.ErrExpected
			}
			if c := (dataset.Cost{Decision: decision, Column: column}); !slices.Contains(*to, c) {
				*to = append(slices.Clip(*to), c)
			}
		}
		return err
	}, func() []string {
		var items []string
		for _, c := range *to {
			items = append(items, quotedIf(c.Decision)+"="+c.Column)
		}
		if items == nil {
			return nil
		}
		return []string{option.Join(items)}
	})
}

// columnsValue is some items for each of several columns, each column given by itself. A column
// that is given twice has them already.
func columnsValue[T any](to *map[string][]T, expect, what string, read func(text string) (column string, items []T, err error),
	write func(column string, items []T) string) option.Value {
	return option.Many(expect, func(text string) error {
		column, items, err := read(text)
		switch {
		case err != nil:
			return err
		case (*to)[column] != nil:
			return fmt.Errorf("this column has its %s already", what)
		case *to == nil:
			*to = map[string][]T{}
		}
		(*to)[column] = items
		return nil
	}, func() (all []string) {
		for column, items := range *to {
			all = append(all, write(column, items))
		}
		slices.Sort(all)
		return all
	})
}

const allCuts = "all"

// cutsValue is the cuts of columns, "age=18,21,23", or all of all columns.
func cutsValue(r *Reading) option.Value {
	some := option.Option{Value: columnsValue(&r.Cuts, "all, or COLUMN=NUMBER,NUMBER,… in ascending order, numbers or dates", "cuts",
		parseCuts, cutsText)}
	return option.Many(some.Expect, func(text string) error {
		if text != allCuts {
			return some.Set(text)
		}
		r.AllCuts = true
		return nil
	}, func() []string {
		if r.AllCuts {
			return append(some.Texts(), allCuts)
		}
		return some.Texts()
	})
}

// cutsText writes what parseCuts reads.
func cutsText(column string, values []float64) string {
	var numbers []string
	for _, v := range values {
		numbers = append(numbers, strconv.FormatFloat(v, 'f', -1, 64))
	}
	return column + "=" + strings.Join(numbers, ",")
}

func parseCuts(text string) (column string, values []float64, err error) {
	i := strings.LastIndexByte(text, '=')
	if i < 1 {
		return "", nil, option.ErrExpected
	}
	for item := range strings.SplitSeq(text[i+1:], ",") {
		item = strings.TrimSpace(item)
		v, ok := dataset.ParseNumber(item)
		if !ok {
			v, ok = dataset.Scale{Time: dataset.ISODate}.Parse(item)
		}
		if !ok || math.IsInf(v, 0) || len(values) > 0 && v <= values[len(values)-1] {
			return "", nil, option.ErrExpected
		}
		values = append(values, v)
	}
	return text[:i], values, nil
}

// orderedValue is the categories of columns in their order: "stage=low<mid<high". In quotes, names and texts may have
// these signs: age="<18"<"18-30".
func orderedValue(to *map[string][]string) option.Value {
	return columnsValue(to, "COLUMN=TEXT<TEXT<… from the lowest to the highest", "levels", func(text string) (string, []string, error) {
		column, rest, ok := unquoted(text, '=')
		var list []string
		for more := ok; more; {
			var level string
			level, rest, more = unquoted(rest, '<')
			list = append(list, level)
		}
		if column == "" || len(list) < 2 || slices.Contains(list, "") {
			return "", nil, option.ErrExpected
		}
		return column, list, nil
	}, func(column string, levels []string) string {
		quoted := make([]string, len(levels))
		for i, level := range levels {
			quoted[i] = quotedIf(level)
		}
		return quotedIf(column) + "=" + strings.Join(quoted, "<")
	})
}

// unquoted returns what stands before a sign, without space around it or the quotes that it is in, and what stands
// behind the sign; more is false where there is none.
func unquoted(text string, sign byte) (before, behind string, more bool) {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, `"`) {
		before, behind, more = strings.Cut(text, string(sign))
		return strings.TrimSpace(before), behind, more
	}
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] != '"':
		case i+1 < len(text) && text[i+1] == '"':
			i++
		default:
			behind, more = strings.CutPrefix(strings.TrimSpace(text[i+1:]), string(sign))
			if !more && behind != "" {
				return "", "", false
			}
			return strings.TrimSpace(strings.ReplaceAll(text[1:i], `""`, `"`)), behind, more
		}
	}
	return "", "", false
}

// quotedIf quotes a text that unquoted would read otherwise.
func quotedIf(text string) string {
	if strings.ContainsAny(text, `"=<`) {
		return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	return text
}

// resolved are options with their defaults filled in.
type resolved struct {
	Options
	Start
	family *Family
	price  ratio.Ratio // λ, or the expected number of rules
	proof  *blockfile.Proof
}

// resolve checks the options of a fit on data that were read with r, and fills in the
// defaults.
func (o Options) resolve(r Reading) (*resolved, error) {
	s, err := o.withFamily()
	if err != nil {
		return nil, err
	}
	if err := (optionerr.Limits{Workers: o.Workers, Time: o.Time, Nodes: o.Nodes,
		Memory: o.Memory}).Check(parallel.MaxWorkers); err != nil {
		return nil, err
	}
	limits := []string{"Workers", "Time", "Nodes", "Memory"}
	for _, row := range OptionTable(&Reading{}, &s.Options) {
		if row.Group == ReadingGroup || slices.Contains(limits, row.Field) { // the reader checks those, and the limits are checked above
			continue
		}
		if err := row.Check(s.family.Name); err != nil {
			return nil, err
		}
		if def := row.DefaultOf(s.family.Name); def != "" && row.Of(s.family.Name) && row.Texts() == nil {
			if err := row.Set(def); err != nil {
				panic(fmt.Sprintf("the default of option %s: %v", row.Field, err))
			}
		}
	}
	s.Negations = s.Negations || s.family.negations
	switch {
	case o.Proof != nil && s.family.unproved != "":
		return nil, optionerr.Errorf("Proof", "%s", s.family.unproved)
	case r.AllCuts && !s.family.everyCut:
		return nil, optionerr.Errorf("Cuts", "option Cuts is all, which a tree can have and a %s cannot", s.Family)
	case r.AllCuts && o.Proof != nil && o.Depth == 0:
		return nil, optionerr.Errorf("Proof", "option Proof with option Cuts all needs option Depth")
	case r.AllCuts && s.MaxCard > 1:
		return nil, optionerr.Errorf("MaxCard", "option MaxCard is %d, but with option Cuts all a split asks one question", s.MaxCard)
	case o.Checkpoint != nil && !s.family.saves:
		return nil, optionerr.Errorf("Checkpoint", "option Checkpoint is not an option of the family %s", s.family.Name)
	}
	return s, s.family.checkPrice(s)
}

// withFamily finds the family.
func (o Options) withFamily() (*resolved, error) {
	s := &resolved{Options: o}
	s.Family, s.Software = cmp.Or(s.Family, model.RuleList), cmp.Or(s.Software, Software)
	if s.family = Of(s.Family); s.family == nil {
		var kinds []string
		for _, f := range Families() {
			kinds = append(kinds, strconv.Quote(string(f.Kind)))
		}
		return nil, optionerr.Bad("Family", strconv.Quote(string(s.Family)), "%s", option.OneOf(kinds))
	}
	return s, nil
}

// Validate reports the first option that cannot be, as a *optionerr.Error, of a fit on data
// that are read with r.
func (o Options) Validate(r Reading) error {
	_, err := o.resolve(r)
	return err
}

// Price returns λ, or of a Bayesian rule list the expected number of rules.
func (o Options) Price() (ratio.Ratio, error) {
	s, err := o.withFamily()
	if err == nil {
		s.Length = cmp.Or(s.Length, defaultLength)
		err = s.family.checkPrice(s)
	}
	if err != nil {
		return ratio.Ratio{}, err
	}
	return s.price, nil
}

// checkPrice reads the price, of which only that of a literal may be 1 and more.
func (f *Family) checkPrice(s *resolved) (err error) {
	text := s.Lambda
	switch {
	case f.defaultPrice == nil:
		text = s.Length
	case text == "":
		price, _ := f.defaultPrice(&dataset.Dataset{N: 500}) // of a table that nobody has seen yet
		text = price.String()
	}
	s.price, err = ratio.Parse(text)
	switch {
	case err != nil:
		return err
	case s.price.Num == 0 && f.dear != "" && (f.limit == nil || f.limit(&s.Options) == 0):
		return optionerr.Errorf("Lambda", "option Lambda is 0: %s", f.dear)
	case s.price.Num != 0 && f.Shares && !s.price.Within():
		return optionerr.Bad("Lambda", s.price, "a number between 0 and 1")
	}
	return nil
}

// WithPrice returns the options with another λ, or expected number of rules.
func (o Options) WithPrice(price ratio.Ratio) Options {
	if f := Of(o.Family); f != nil && f.defaultPrice == nil {
		o.Length = price.String()
	} else {
		o.Lambda = price.String()
	}
	return o
}

// DefaultLambda is the price of a rule or leaf for these samples, where nobody names one: 3
// rows where there are fewer than 300, 10 where there are more than 1,000, but a quarter of
// 1% at least, and 1% between. docs/held-out.md has what that is worth on rows that
// were not learned from: fewer rules and a smaller log loss on few rows, more of both classes
// found on many. On 240 tables of fewer than 300 rows lists with 3 samples are right for
// 1.3 ± .4 points more than with 1%, with a fifth to a third of its rules where labels are
// noise; 2 samples are as accurate, with up to twice as many false rules, 5 less accurate. The
// models of about half the tables of more than 1,000 rows are still proved within a minute.
// With weights of classes it is at least what 3 to 7 rows of the heaviest class weigh. Where by luck one or two conditions save as
// much as any do (luck.Most), it is what they save by luck.
func DefaultLambda(d *dataset.Dataset) (_ ratio.Ratio, byLuck bool) {
	rows, least := d.Rows(), ratio.New(1, 100)
	switch {
	case rows < 300:
		least = ratio.New(3, int64(max(rows, 6)))
	case rows > 1000:
		least = ratio.New(10, int64(min(rows, 4000)))
	}
	heavy, _ := d.Heaviest()
	saved := ratio.Product(heavy, ratio.Int(3*int64(rows))) // 3 rows where all weigh the same
	if most := ratio.Int(heaviestRows); saved.Cmp(most) > 0 {
		saved = most
	}
	price := short(ratio.Product(heavy, saved), least, ratio.New(1, 2))
	if d.ClassesWeigh() {
		if share, more := luck.Most(d); !more {
			if price.Less(share) {
				price = share
			}
			return price, true
		}
	}
	return price, false
}

// Where a class is rare and weighs as much as the other, a rule that saves a few of its rows saves much of the weight, and
// fits chance. On 20 tables with 1 to 10% of the rarer class, balanced, lists with a λ of 7 of its rows have a balanced
// accuracy on rows left out that is .3 ± 1.1 points more than without (median .6; 12 more, 8 less), with a ninth of the
// rules. 3 rows give .9 ± .7 points (median 1.0) and, of shuffled labels, 6.6 rules where 7 rows give 1.7; 5 rows
// .7 ± .9 and 3.0 rules; 10 rows −1.8 ± 1.5 and 1.0. With what luck saves, 123 of 125 tables of shuffled labels have no
// rule, where 7 rows alone leave 15 without. On 25 tables rows left out then have .1 ± .1 points more.
const heaviestRows = 7    // that a rule must save, where they weigh more than twice the average
const heaviestLiteral = 2 // that a literal of a rule set must

// DefaultLiteral is the price of a literal of a rule set, in samples, where nobody names one: one
// in 400, at least 2, of the heaviest class. On seven tables of 400 to 10,000 rows it gave one to five rules of up to
// three literals, where a price of 1 gave eight rules of up to eight.
func DefaultLiteral(d *dataset.Dataset) (_ ratio.Ratio, byLuck bool) {
	_, heavy := d.Heaviest()
	least := ratio.New(int64(max(2, (d.Rows()+399)/400)), 1)
	return short(ratio.Product(heavy, ratio.Int(heaviestLiteral)), least, ratio.New(1<<30, 1)), false
}

// short is x between two bounds, to three digits where it has more than a fraction of six.
func short(x *big.Rat, least, most ratio.Ratio) ratio.Ratio {
	r := most
	switch f, _ := x.Float64(); {
	case x.Num().BitLen() < 20 && x.Denom().BitLen() < 20:
		r = ratio.New(x.Num().Int64(), x.Denom().Int64())
	case f < most.Float():
		r, _ = ratio.Parse(strconv.FormatFloat(f, 'g', 3, 64)) // a number below the least has too many digits, and is 0 here
	}
	switch {
	case !r.Valid() || r.Less(least):
		return least
	case most.Less(r):
		return most
	}
	return r
}

// withDefaults fills in the defaults that depend on the samples or on the family.
func (p *Problem) withDefaults(o Options) Options {
	if f := Of(p.kind); f != nil && f.defaultPrice != nil && o.Lambda == "" {
		price, _ := p.usual()
		o.Lambda = price.String()
	}
	return o
}

// resolve fills in the defaults of the problem.
func (p *Problem) resolve(o Options) (*resolved, error) { return p.withDefaults(o).resolve(p.reading) }

// ByLuck reports that nobody names λ, and that by luck one or two conditions save as much as any do (luck.Most).
func (p *Problem) ByLuck(o Options) bool {
	if o.Lambda != "" || p.usual == nil {
		return false
	}
	_, byLuck := p.usual()
	return byLuck
}

// Price returns λ of a fit with these options, or of a Bayesian rule list the expected
// number of rules.
func (p *Problem) Price(o Options) (ratio.Ratio, error) { return p.withDefaults(o).Price() }

// Reading returns how a table is read for the family where r does not say: with all of
// its classes where the family tells them apart, and of a Bayesian rule list, whose
// probabilities matter, with cuts of numbers by information as well; with weights of few digits where its search asks for them;
// of a tree, whose splits on two numbers may tell classes apart that no cut of one does, with cuts at quantiles at least.
func (f *Family) Reading(r Reading) Reading {
	r.Multiclass = f.Multiclass && r.Positive == ""
	r.Quantiles = f.quantiles && !r.AllCuts
	r.Digits = f.digitsOf(&r)
	r.Information = f.byInformation
	return r
}

// digitsOf says how many digits the weights of such a table may have.
func (f *Family) digitsOf(r *Reading) dataset.Digits {
	if r.Weight+r.ClassWeights+r.CostMatrix == "" {
		return dataset.Fine
	}
	return f.digits
}
