package family

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	bayessearch "parcorels/bayes/search"
	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/internal/blockfile"
	"parcorels/internal/option"
	"parcorels/internal/wording"
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

// Solver searches for a rule list as package rulelist/search does.
type Solver func(context.Context, *instance.Instance, listsearch.Options) (listsearch.Result, error)

// Options say what to learn and how. A field of zero value has the default of [OptionTable]: the
// zero Options learn a rule list as the command line does. Exact numbers are texts, decimals
// or fractions such as "0.01" or "1/300".
type Options struct {
	Family model.Family // model.RuleList, Tree, RuleSet or BayesianRuleList; "": RuleList

	Lambda string // price of a rule or leaf as a share of all samples; of a rule set, of a literal in samples

	Depth    int // of a tree: most splits on a path; 0: no limit
	MaxRules int // of a rule list, Bayesian or not: most rules; 0: no limit

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
	Informative        bool   // of conjunctions, only those that say more than their parts; see rules.Options
	MinSupport         string // least share of the weight for which a condition holds

	Ablation Ablation // of the search for a rule list, for measurements; no front end has an option for it

	First  []string // of a rule list: the rules that it begins with, as "age > 40 then yes" or "age > 40"
	Forbid []string // conditions that no rule may have

	Increasing, Decreasing []string // of a rule list: columns whose larger numbers speak for, or against, class 1

	Maximise string // "f1": of a rule list or tree, not the objective is optimised, but F1

	Workers int           // goroutines; 0: all that GOMAXPROCS allows
	Time    time.Duration // of the search, whose best model so far then comes with a bound; 0: no limit
	Nodes   int64         // prefixes expanded or sets counted; 0: no limit
	Memory  int64         // bytes for what a search remembers; 0: no limit

	// Pause holds the search while it is closed, and lets it go on; nil: nothing does. Limits
	// of time go on counting. The chains of a Bayesian rule list are not held.
	Pause *Pause

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

// Pause holds searches and lets them go on: Close and Open. One may serve several fits.
type Pause = parallel.Gate

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

	LogRemain      float64 // of a rule list: log10 of a bound on the prefixes left (Theorem 7 of the CORELS paper)
	QueuedByLength []int64 // of a rule list: the prefixes that wait, by length

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

// readableRules is how many rules a set has at most where nobody asks for more, and
// readableLiterals how many literals each of them: people read so many. The paper of setsearch
// takes twice as many rules, of any length.
const (
	readableRules    = 8
	readableLiterals = 3
)

// defaultLength is how many rules a Bayesian rule list is expected to have.
const defaultLength = "10"

// OptionTable returns the table of options: a row for each, bound to the fields of r and o. It has
// names, ranges, defaults and help. Front ends make their parameters from it.
func OptionTable(r *Reading, o *Options) []*option.Option {
	return slices.Concat(modelRows(o), readingRows(r), searchRows(o))
}

// modelRows are the options of the table in front of those of reading.
func modelRows(o *Options) []*option.Option {
	lists, trees, sets, bayesian := []string{"list"}, []string{"tree"}, []string{"set"}, []string{"bayes"}
	parameter := func(to *string) option.Value {
		return option.Number(to, "a positive number, such as 3 or 0.5", option.Positive)
	}
	return []*option.Option{
		{Name: "model", Field: "Family", Group: ModelGroup, Holder: "FAMILY", Default: "list",
			Help: "kind of model: a rule list, a decision tree, a rule set or a Bayesian rule list", Decides: true,
			Value: familyValue(&o.Family)},
		{Name: "depth", Field: "Depth", Group: ModelGroup, Holder: "N", Families: trees, Unset: "no limit",
			Help: "most splits on a path from the root to a leaf", Decides: true, Value: option.Integer(&o.Depth, 1, 1000)},
		{Name: "max-rules", Field: "MaxRules", Group: ModelGroup, Holder: "N", Families: []string{"list", "bayes"}, Unset: "no limit",
			Help: "most rules of a list; with a limit, option lambda may be 0", Decides: true,
			Value: option.Integer(&o.MaxRules, 1, 10_000)},

		{Name: "min-rows", Field: "MinRows", Group: ModelGroup, Holder: "N", Families: []string{"list", "tree"}, Unset: "any number",
			Help: "least rows that each rule decides or leaf holds, whatever they weigh", Decides: true,
			Value: option.Integer(&o.MinRows, 1, math.MaxInt32)},

		{Name: "literals", Field: "Literals", Group: SetGroup, Holder: "N", Families: sets, Default: strconv.Itoa(readableLiterals),
			Help: "most literals of a rule; a < x ≤ b counts as two", Decides: true, Value: option.Integer(&o.Literals, 1, 1024)},
		{Name: "rules", Field: "Rules", Group: SetGroup, Holder: "K", Families: sets, Default: strconv.Itoa(readableRules),
			Help: "most rules", Decides: true, Value: option.Integer(&o.Rules, 1, 1024)},

		{Name: "length", Field: "Length", Group: BayesGroup, Holder: "λ", Families: bayesian, Default: defaultLength,
			Help: "expected number of rules (λ of the prior)", Decides: true, Value: parameter(&o.Length)},
		{Name: "width", Field: "Width", Group: BayesGroup, Holder: "η", Families: bayesian, Default: "1",
			Help: "expected number of conditions of a rule (η of the prior)", Decides: true, Value: parameter(&o.Width)},
		{Name: "alpha", Field: "Alpha", Group: BayesGroup, Holder: "α", Families: bayesian, Default: "1",
			Help: "pseudo-samples of each class in every rule (α of the Beta prior)", Decides: true, Value: alphaValue(&o.Alpha)},
		{Name: "chains", Field: "Chains", Group: BayesGroup, Holder: "N", Families: bayesian,
			Default: strconv.Itoa(bayessearch.DefaultChains), Help: "Markov chains that look for good lists", Decides: true,
			Value: option.Integer(&o.Chains, 1, 1<<16)},
		{Name: "iterations", Field: "Iterations", Group: BayesGroup, Holder: "N", Families: bayesian,
			Default: strconv.Itoa(bayessearch.DefaultIterations), Help: "steps of each chain", Decides: true,
			Value: option.Integer(&o.Iterations, 1, math.MaxInt32)},
		{Name: "seed", Field: "Seed", Group: BayesGroup, Holder: "N", Families: bayesian, Default: "0",
			Help: "seed of the chains' random numbers", Decides: true, Value: option.Integer(&o.Seed, 0, math.MaxInt64)},

		{Name: "first", Field: "First", Group: WishGroup, Holder: "RULE", Families: lists, Decides: true,
			Help: "begin the list with this rule; repeat the option for the next rule",
			Value: textsValue(&o.First, "a rule such as 'age > 40 and sex = f then yes', with conditions as fit prints them; "+
				"without then, the better label")},
		{Name: "forbid", Field: "Forbid", Group: WishGroup, Holder: "CONDITION", Decides: true,
			Help: "use no rule with this condition; repeat the option for more", Value: textsValue(&o.Forbid,
				"a condition as fit prints it, such as 'sex = f'")},
		{Name: "increasing", Field: "Increasing", Group: WishGroup, Holder: "LIST", Families: lists, Decides: true,
			Help:  "columns whose larger numbers speak for class 1: its rules ask only for large ones, the others only for small ones",
			Value: namesValue(&o.Increasing)},
		{Name: "decreasing", Field: "Decreasing", Group: WishGroup, Holder: "LIST", Families: lists, Decides: true,
			Help: "columns whose larger numbers speak against class 1", Value: namesValue(&o.Decreasing)},
		{Name: "maximise", Field: "Maximise", Group: WishGroup, Holder: "WHAT", Families: []string{"list", "tree"}, Decides: true,
			Help:  "f1: find the model of largest F1 of class 1, where a rule or leaf counts as lambda times all samples in errors",
			Value: option.Choice(&o.Maximise, "f1")},
	}
}

// searchRows are those behind them.
func searchRows(o *Options) []*option.Option {
	single := map[string]string{"tree": "1", "set": "1"}
	anySupport := map[string]string{"tree": "0", "set": "0"}
	return []*option.Option{
		{Name: "max-card", Field: "MaxCard", Group: MiningGroup, Holder: "N", Default: "2", Defaults: single, Tables: true, Decides: true,
			Help: "most features in a condition; a < x ≤ b counts as two", Value: option.Integer(&o.MaxCard, 1, 16)},
		{Name: "max-antecedents", Field: "MaxAntecedents", Group: MiningGroup, Holder: "N", Default: strconv.Itoa(rules.MaxAntecedents),
			Tables: true, Decides: true, Help: "most conditions; if there are more, keep those that save most errors as a single rule",
			Value: option.Integer(&o.MaxAntecedents, 1, rules.MaxAntecedents)},
		{Name: "negations", Field: "Negations", Group: MiningGroup, Tables: true, Decides: true,
			Help: "also use the negations of features", Value: option.Switch(&o.Negations)},
		{Name: "informative", Field: "Informative", Group: MiningGroup, Tables: true, Decides: true,
			Help:  "use a conjunction only if it says more than its parts do, beyond chance; searches are shorter",
			Value: option.Switch(&o.Informative)},
		{Name: "min-support", Field: "MinSupport", Group: MiningGroup, Holder: "SHARE", Default: "0.01", Defaults: anySupport,
			Tables: true, Decides: true, Help: "least share of the weight for which a condition holds; the largest share is 1 minus it",
			Value: option.Number(&o.MinSupport, "a number from 0 to 0.5", func(r ratio.Ratio) bool {
				return r.Num >= 0 &&
					2*r.Num <= r.Den
			})},

		{Name: "lambda", Field: "Lambda", Group: SearchGroup, Holder: "λ", Families: []string{"list", "tree", "set"},
			Unset: "below 300 samples 3 of them, above 1,000 10 of them and at least 0.0025, else 0.01; for a set 1 sample in 400, at " +
				"least 2", Decides: true,
			Help: "price of a rule or leaf, as a share of all samples; in a rule set, price of a literal, in samples",
			Value: option.Number(&o.Lambda, "a number between 0 and 1, such as 0.01 or 1/300 (for a rule set any above 0)",
				func(r ratio.Ratio) bool { return r.Den > 0 && r.Num >= 0 })},
		{Name: "workers", Field: "Workers", Group: SearchGroup, Holder: "N", Unset: "all cores", Help: "worker goroutines",
			Value: option.Integer(&o.Workers, 1, parallel.MaxWorkers)},
		{Name: "time", Field: "Time", Group: SearchGroup, Holder: "DURATION", Unset: "no limit",
			Help: "end the search this long after the start of the program; up to a minute, a search for a rule list also ends where " +
				"neither list nor bound moves", Value: option.Duration(&o.Time)},
		{Name: "nodes", Field: "Nodes", Group: SearchGroup, Holder: "N", Families: []string{"list", "tree", "bayes"}, Unset: "no limit",
			Help: "stop after expanding N prefixes, or counting N sets", Value: option.Integer(&o.Nodes, 1, math.MaxInt64)},
		{Name: "memory", Field: "Memory", Group: SearchGroup, Holder: "SIZE", Families: []string{"list", "tree", "bayes"},
			Unset: "80% of what is free", Help: "memory for nodes, queues and map; when it is full, the search continues, slower",
			Value: option.Size(&o.Memory)},
	}
}

// readingRows are the options of reading a table.
func readingRows(r *Reading) []*option.Option {
	rows := []*option.Option{
		{Name: "target", Holder: "COLUMN", Unset: "the last column", Help: "column of the labels", Tables: true,
			Value: option.Text(&r.Target, "a column name")},
		{Name: "positive", Holder: "VALUE", Unset: "chosen, and printed unless obvious", Help: "label of class 1",
			Value: option.Text(&r.Positive, "one of the labels, or a threshold such as '> 40' of labels that are numbers")},
		{Name: "ignore", Holder: "LIST", Help: "columns to leave out", Tables: true, Value: option.List(&r.Ignore,
			"column names with commas between them", option.SplitNames)},
		{Name: "use", Holder: "LIST", Help: "columns to use even if they seem to number the rows", Tables: true,
			Value: option.List(&r.Use, "column names with commas between them", option.SplitNames)},
		{Name: "categories", Holder: "LIST", Help: "columns whose numbers are codes, without order and cuts", Tables: true,
			Value: option.List(&r.Categories, "column names with commas between them", option.SplitNames)},
		{Name: "ordered", Holder: "LEVELS", Help: "categories of one column in ascending order; the column then has thresholds",
			Tables: true, Value: orderedValue(&r.Ordered)},
		{Name: "date-parts", Holder: "PARTS", Help: "make columns from parts of the dates of one column, such as the weekday",
			Tables: true, Value: partsValue(&r.DateParts)},
		{Name: "missing", Holder: "LIST", Unset: "?,NA,N/A,NaN,null", Help: "texts of missing values; an empty cell is always missing",
			Tables: true, Value: option.List(&r.Missing, "texts with commas between them", option.Split)},
		{Name: "drop-missing", Help: "leave out rows with a missing value; otherwise \"missing\" is a value of its own", Tables: true,
			Value: option.Switch(&r.DropMissing)},
		{Name: "drop-unlabelled", Help: "leave out rows without a label; otherwise a missing label is an error", Tables: true,
			Value: option.Switch(&r.DropUnlabelled)},
		{Name: "header", Help: "the first line is the header, even if its cells are values of their columns", Tables: true,
			Value: option.Switch(&r.Header)},
		{Name: "no-header", Help: "the first line is data; columns are named c1, c2, …", Tables: true, Value: option.Switch(&r.NoHeader)},
		{Name: "sep", Field: "Comma", Holder: "CHARACTER", Unset: "detected among , ; tab and |", Help: "separator of fields",
			Tables: true, Value: separatorValue(&r.Comma)},
		{Name: "bins", Holder: "N", Default: "5", Help: "intervals of a numeric column; with cuts by label, the average", Tables: true,
			Value: option.Integer(&r.Bins, 2, 1000)},
		{Name: "cuts", Holder: "CUTS", Help: "exact cuts of one column, each begins an interval; or, for a tree, every threshold of all " +
			"columns", Tables: true, Value: cutsValue(r)},
		{Name: "thresholds", Field: "Chosen", Holder: "CUTS", Help: "conditions x ≤ NUMBER of one column; with this option all other " +
			"columns of numbers are used only where they have few values", Tables: true,
			Value: columnsValue(&r.Chosen, "COLUMN=NUMBER,NUMBER,… in ascending order, numbers or dates", "thresholds", parseCuts,
				cutsText)},
		{Name: "weight", Holder: "COLUMN", Help: "column of sample weights, positive decimals", Tables: true,
			Value: option.Text(&r.Weight, "a column name")},
		{Name: "costs", Holder: "LIST", Tables: true, Help: "columns with the cost of two decisions, of which the first is class 1; they " +
			"take the place of the target, and rewards are negative", Value: costsValue(&r.Costs)},
		{Name: "cost-matrix", Holder: "C", Tables: true, Help: "four costs c00,c01,c10,c11: of predicting class 0, or 1, for a " +
			"row of class 0, and for one of class 1", Value: option.Text(&r.CostMatrix, "four decimals such as 0,1,5,0")},
		{Name: "class-weights", Holder: "W", Help: "weights of the classes 0 and 1", Value: option.Text(&r.ClassWeights,
			"balanced, or two positive decimals w0,w1")},
		{Name: "labels", Holder: "FILE", Unset: "X.label beside X.out", Help: "label file of an .out file",
			Value: option.Text(&r.Labels, "a file name")},
	}
	for _, row := range rows {
		row.Group, row.Decides = ReadingGroup, true
		if row.Field == "" {
			row.Field = camel(row.Name)
		}
		if row.Name == "class-weights" {
			row.Among = []string{"balanced"}
		}
	}
	return rows
}

// camel writes max-card as MaxCard.
func camel(name string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(name, "-") {
		b.WriteString(wording.Capital(word))
	}
	return b.String()
}

// familyValue is a family by its name.
func familyValue(to *model.Family) option.Value {
	var names []string
	for _, f := range Families() {
		names = append(names, f.Name)
	}
	v := option.Custom("choice", option.OneOf(names), func(text string) error {
		for _, f := range Families() {
			if f.Name == text {
				*to = f.Kind
				return nil
			}
		}
		return option.ErrExpected
	}, func() []string {
		if f := Of(*to); *to != "" && f != nil {
			return []string{f.Name}
		}
		return nil
	})
	v.Among = names
	return v
}

// alphaValue is one positive number, or two with a comma between them.
func alphaValue(to *string) option.Value {
	return option.Custom("number", "a positive number such as 1 or 0.5, or two, α0,α1", func(text string) error {
		_, _, err := parseAlpha(text)
		if err == nil {
			*to = text
		}
		return err
	}, texts(to))
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

func texts(to *string) func() []string {
	return func() []string {
		if *to == "" {
			return nil
		}
		return []string{*to}
	}
}

// separatorValue is one character, or the name of one.
func separatorValue(to *rune) option.Value {
	named := map[string]rune{"tab": '\t', `\t`: '\t', "comma": ',', "semicolon": ';', "space": ' '}
	v := option.Custom("text", "one character, or tab, comma, semicolon, space", func(text string) error {
		r, ok := named[text]
		if all := []rune(text); !ok && len(all) == 1 && !strings.ContainsRune("\"\r\n", all[0]) {
			r, ok = all[0], true
		}
		if !ok {
			return option.ErrExpected
		}
		*to = r
		return nil
	}, func() []string {
		switch *to {
		case 0:
			return nil
		case '\t':
			return []string{"tab"}
		}
		return []string{string(*to)}
	})
	v.Among = []string{"comma", "semicolon", "tab", "space"}
	return v
}

// costsValue is the decisions and the columns of their costs.
func costsValue(to *[]dataset.Cost) option.Value {
	v := option.Custom("list", "DECISION=COLUMN,DECISION=COLUMN, as in call=COST_CALL,leave=COST_LEAVE", func(text string) error {
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
	v.Many = true
	return v
}

// columnsValue is some items for each of several columns, each column given by itself. A column
// that is given twice has them already.
func columnsValue[T any](to *map[string][]T, expect, what string, read func(text string) (column string, items []T, err error),
	write func(column string, items []T) string) option.Value {
	v := option.Custom("list", expect, func(text string) error {
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
	v.Many = true
	return v
}

const allCuts = "all"

// cutsValue is the cuts of columns, "age=18,21,23", or all of all columns.
func cutsValue(r *Reading) option.Value {
	some := option.Option{Value: columnsValue(&r.Cuts, "all, or COLUMN=NUMBER,NUMBER,… in ascending order, numbers or dates", "cuts",
		parseCuts, cutsText)}
	v := option.Custom(some.Type, some.Expect, func(text string) error {
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
	v.Many = true
	return v
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

// partsValue is the parts of dates by column: "arrested=weekday,month".
func partsValue(to *map[string][]dataset.DatePart) option.Value {
	return columnsValue(to, "COLUMN=weekday, COLUMN=month or COLUMN=weekday,month", "parts",
		func(text string) (string, []dataset.DatePart, error) {
			i := strings.LastIndexByte(text, '=')
			if i < 1 {
				return "", nil, option.ErrExpected
			}
			var parts []dataset.DatePart
			for part := range strings.SplitSeq(text[i+1:], ",") {
				p := dataset.DatePart(strings.TrimSpace(part))
				if p != dataset.Weekday && p != dataset.Month || slices.Contains(parts, p) {
					return "", nil, option.ErrExpected
				}
				parts = append(parts, p)
			}
			return strings.TrimSpace(text[:i]), parts, nil
		}, func(column string, parts []dataset.DatePart) string {
			var names []string
			for _, p := range parts {
				names = append(names, string(p))
			}
			return column + "=" + strings.Join(names, ",")
		})
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
	for _, row := range slices.Concat(modelRows(&s.Options), searchRows(&s.Options)) { // the reader checks the others
		if !row.Decides && row.Group == SearchGroup && row.Families == nil {
			continue // checked above
		}
		if isLimit(row.Field) {
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
	s.Family = cmp.Or(s.Family, model.RuleList)
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

func isLimit(field string) bool {
	return slices.Contains([]string{"Workers", "Time", "Nodes", "Memory"}, field)
}

// checkPrice reads the price, of which only that of a literal may be 1 and more.
func (f *Family) checkPrice(s *resolved) (err error) {
	text := s.Lambda
	switch {
	case f.defaultPrice == nil:
		text = s.Length
	case text == "":
		text = f.defaultPrice(&dataset.Dataset{N: 500}).String() // of a table that nobody has seen yet
	}
	s.price, err = ratio.Parse(text)
	switch {
	case err != nil:
		return err
	case s.price.Num == 0 && f.free(s) != "":
		return optionerr.Errorf("Lambda", "option Lambda is 0: %s", f.free(s))
	case s.price.Num != 0 && f.Shares && !s.price.Within():
		return optionerr.Bad("Lambda", s.price, "a number between 0 and 1")
	}
	return nil
}

// mining returns the options of mining.
func (s *resolved) mining() rules.Options {
	support, _ := ratio.Parse(s.MinSupport) // was checked
	return rules.Options{MaxCard: s.MaxCard, Budget: s.MaxAntecedents, Negations: s.Negations, Informative: s.Informative,
		MinSupport: support, Forbid: s.Forbid}
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

// Mining returns the options of mining alone.
func (o Options) Mining() (rules.Options, error) {
	s, err := o.resolve(Reading{})
	if err != nil {
		return rules.Options{}, err
	}
	return s.mining(), nil
}
