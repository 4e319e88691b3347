package dataset

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"parcorels/dataset/cell"
	"parcorels/optionerr"
	"parcorels/table"
	"parcorels/weights"
)

// Cuts are made for all columns together, before their features: by the labels,
// which package cuts does, or else at quantiles. Only a boundary point can be
// the best cut, a place between two numbers with samples of two classes beside
// it (Fayyad and Irani, Multi-Interval Discretization of Continuous-Valued
// Attributes, IJCAI 1993), so that no other is a candidate.

// Cost is a column with what a decision costs, in each row; rewards are negative.
type Cost struct{ Decision, Column string }

// AskDecision is the name of the decision of Options.AskCost.
const AskDecision = weights.AskDecision

// Digits says how many digits weights may have, as of package weights.
type Digits = weights.Digits

const (
	Fine    = weights.Fine
	Coarse  = weights.Coarse
	Counted = weights.Counted
)

// Options say how a table is read. The zero value is the default.
type Options struct {
	Comma    rune   // separator of fields; 0: detected among , ; tab and |
	NoHeader bool   // the first line is data, even if it does not look so; columns are called c1, c2, …
	Header   bool   // the first line is no data, even if it looks so
	Target   string // column of labels; "": the last one
	// Positive is the label text of class 1; "": chosen, and said in
	// Dataset.Notes where it is not obvious. For labels that are numbers it may be
	// a threshold, "> 40" or "≤ 40": class 1 is then all that it holds for.
	Positive string
	// Multiclass takes more than two labels for as many classes, unless Positive
	// names one to tell from all others. Otherwise they are an error.
	Multiclass bool     `json:",omitempty"`
	Ignore     []string // columns to leave out
	// Use are columns to use though they seem to number the rows: whole numbers that
	// count rows or are ids, and a first column without a name.
	Use []string `json:",omitempty"`
	// Categories are columns whose numbers are names, such as codes: each frequent one has
	// a feature, and they have no order.
	Categories []string `json:",omitempty"`
	// Ordered gives the categories of columns in ascending order. Such a column has the
	// features of a column of few numbers: stage = mid, stage ≤ mid and stage > mid.
	Ordered map[string][]string `json:",omitempty"`
	Labels  string              // label file of an .out file; "": X.label or X.label.gz beside X.out

	// Missing lists the texts of missing values, case does not matter; nil is
	// "?", "NA", "N/A", "NaN", "null". An empty cell is always missing.
	Missing []string
	// DropMissing leaves out rows with a missing value. Otherwise missing is a
	// category of its own, and a missing label or weight is an error.
	DropMissing bool
	// DecimalComma reads 1,5 as a number whatever separates fields, as it is read where semicolons do.
	DecimalComma bool `json:",omitempty"`
	// DropUnlabelled leaves out rows without a label, and says how many.
	DropUnlabelled bool `json:",omitempty"`

	// Information also cuts columns where that tells most of the classes though no prediction changes: for models of
	// probabilities.
	Information bool `json:",omitempty"`
	atQuantiles bool // in tests: cuts are not chosen by the labels
	// Quantiles cuts columns at quantiles where the labels choose no cut of any column.
	Quantiles bool `json:",omitempty"`
	// Bins is the number of intervals that a numeric column is cut into, or, by
	// label, that columns are on average; 0 is 5. A column with no more distinct
	// numbers has one feature per number, and thresholds between them.
	Bins int
	// Cuts gives the intervals of columns exactly: each cut begins an interval,
	// so age = 18, 21, 23 gives below 18, 18 to 20, 21 to 22, 23 and above.
	Cuts map[string][]float64
	// AllCuts leaves numbers uncut, for searches that look at every threshold: columns of
	// numbers have no features, but are in Dataset.Numbers.
	AllCuts bool `json:",omitempty"`
	// Chosen are the cuts that an earlier reading chose (Dataset.ChosenCuts), in
	// ascending order. If it is not nil, nothing is chosen: columns that are neither
	// here nor in Cuts are not cut.
	Chosen map[string][]float64 `json:"-"`
	// ChosenGroups are those that an earlier reading chose (Dataset.ChosenGroups). If it is not nil, none are chosen.
	ChosenGroups map[string][][]string `json:"-"`
	Weight       string                // column of sample weights, positive decimals; "": 1 each
	ClassWeights string                // "", "balanced", or "w0,w1", one for each class, as positive decimals

	// Costs are the columns of the costs of decisions. The first of two decisions is class 1; more of them are classes in their
	// order. They take the place of labels: a Target is left out.
	Costs []Cost `json:",omitempty"`
	// CostMatrix are decimals c00,c01,c10,c11: what it costs to predict class 0, or 1, for a row of class 0, and for one of
	// class 1; as many for each of more classes. A right prediction must be the cheapest one. They take the place of ClassWeights.
	CostMatrix string `json:",omitempty"`
	// AskCost is a decimal: what the decision AskDecision costs in each row, beside those of Costs or CostMatrix. Without these a
	// wrong prediction costs 1.
	AskCost string `json:",omitempty"`

	// Digits says how many digits weights may have. Default Fine.
	Digits Digits `json:",omitempty"`

	// LeftOut are columns that an earlier reading left out as numbers of rows or ids (Dataset.LeftOut). If it is not nil,
	// these are left out, and no others.
	LeftOut []string `json:"-"`

	// KeepColumns keeps the columns of a table in memory, for Dataset.Recut. Those of at most
	// 500 rows are kept in any case.
	KeepColumns bool `json:"-"`

	// NoHash leaves Dataset.Hash empty, for those who need none: hashing takes
	// most of the time that a large .out file does. Models and proofs need it.
	NoHash bool `json:"-"`

	// Memory is about how many bytes the cells may take in memory while a file
	// is read; more is an error. 0: no limit. It changes nothing of what is read.
	Memory int64 `json:"-"`
	// ColumnMemory is about how many bytes columns may take beside their cells, some KB each; more is an error. 0: no limit.
	ColumnMemory int64 `json:"-"`
}

const defaultBins = 5

// Validate reports the first option that cannot be.
func (o Options) Validate() error {
	switch {
	case o.Comma == '"' || o.Comma == '\r' || o.Comma == '\n' || o.Comma == utf8.RuneError || o.Comma != 0 && !utf8.ValidRune(o.Comma):
		return optionerr.Errorf("Comma", "%q cannot separate fields", o.Comma)
	case o.Bins < 0 || o.Bins == 1:
		return optionerr.Errorf("Bins", "%d intervals per numeric column, expected at least 2", o.Bins)
	case o.AllCuts && (len(o.Cuts) > 0 || o.Bins != 0):
		return optionerr.Errorf("Cuts", "option Cuts is all: nothing is left to choose by option Bins or cuts of one column")
	case o.Header && o.NoHeader:
		return optionerr.Errorf("Header", "option Header and option NoHeader contradict each other")
	case o.Memory < 0:
		return optionerr.Errorf("Memory", "option Memory is %d: a limit cannot be negative", o.Memory)
	case o.Weight != "" && o.Weight == o.Target:
		return optionerr.Errorf("Weight", "column %s cannot be both target and weight", table.Quote(o.Weight))
	}
	if _, err := o.outcomes(0); err != nil {
		return err
	}
	if err := o.checkCosts(); err != nil {
		return err
	}
	for column, cuts := range o.Cuts {
		if len(cuts) == 0 {
			return optionerr.Errorf("Cuts", "no cuts for column %s", table.Quote(column))
		}
		if err := finite("Cuts", column, cuts); err != nil {
			return err
		}
	}
	for column, levels := range o.Ordered {
		if err := cell.CheckLevels(column, levels); err != nil {
			return optionerr.Errorf("Ordered", "%v", err)
		}
	}
	for column, cuts := range o.Chosen {
		if !slices.IsSorted(cuts) || len(slices.Compact(slices.Clone(cuts))) < len(cuts) {
			return optionerr.Errorf("Chosen", "the cuts of column %s do not ascend", table.Quote(column))
		}
		if err := finite("Chosen", column, cuts); err != nil {
			return err
		}
	}
	if o.Multiclass {
		return nil // class weights are checked once the classes are known
	}
	_, err := weights.ParseClasses(o.ClassWeights, 2)
	return err
}

// decisions returns the columns of costs by class; that of AskDecision has none.
func (o *Options) decisions() []Cost {
	list := slices.Clone(o.Costs)
	if o.AskCost != "" {
		list = append(list, Cost{Decision: AskDecision})
	}
	if len(list) == 2 {
		slices.Reverse(list)
	}
	return list
}

// checkCosts reports what of the columns of costs cannot be.
func (o *Options) checkCosts() error {
	names := map[string]bool{}
	for _, c := range o.decisions() {
		names[c.Decision], names["="+c.Column] = true, true
	}
	switch {
	case o.Costs == nil:
		return nil
	case len(o.Costs) < 2:
		return optionerr.Errorf("Costs", "option Costs has %d decisions, expected two or more, as in call=COLUMN,leave=COLUMN",
			len(o.Costs))
	case len(names) < 2*len(o.decisions()):
		return optionerr.Errorf("Costs", "option Costs has a decision or a column twice")
	case o.Weight != "" || o.ClassWeights != "" || o.Positive != "":
		return optionerr.Errorf("Costs", "option Costs gives rows labels and weights: options Weight, ClassWeights and Positive do not "+
			"go with it")
	}
	return nil
}

// outcomes reads the costs of predictions for so many labels (0: not known yet); nil where there are none, or columns have them.
func (o *Options) outcomes(labels int) ([][]weights.Decimal, error) {
	field := "CostMatrix"
	if o.CostMatrix == "" {
		field = "AskCost"
	}
	switch {
	case o.CostMatrix == "" && (o.AskCost == "" || o.Costs != nil):
		return nil, nil
	case o.Costs != nil || o.ClassWeights != "":
		return nil, optionerr.Errorf(field, "option %s: option Costs and option ClassWeights do not go with it", field)
	case (o.AskCost != "" || labels > 2) && o.Weight != "":
		return nil, optionerr.Errorf(field, "option %s says what rows weigh: option Weight does not go with it", field)
	}
	return weights.ParseOutcomes(o.CostMatrix, o.AskCost, labels)
}

// finite reports a cut of a column that no number is.
func finite(name, column string, cuts []float64) error {
	for _, c := range cuts {
		if math.IsNaN(c) || math.IsInf(c, 0) {
			return optionerr.Errorf(name, "%v cannot be a cut of column %s", c, table.Quote(column))
		}
	}
	return nil
}

func (o Options) bins() int {
	if o.Bins == 0 {
		return defaultBins
	}
	return o.Bins
}

// ofTables are the options that an .out file has no use for.
var ofTables = []string{"Comma", "NoHeader", "Target", "Ignore", "Use", "Categories", "Ordered", "Missing", "DropMissing", "DropUnlabelled",
	"DecimalComma", "Bins", "Cuts", "AllCuts", "Weight", "Costs", "CostMatrix", "AskCost"}

// tableOnly reports one of them that is given.
func (o Options) tableOnly() error {
	for _, name := range ofTables {
		if !reflect.ValueOf(o).FieldByName(name).IsZero() {
			return optionerr.Errorf(strings.TrimPrefix(name, "All"), "option %s is an option for tables, but an .out file holds "+
				"conditions, which are taken as they are", name)
		}
	}
	return nil
}

// ofTable returns the options for the table alone.
func (o Options) ofTable() table.Options {
	return table.Options{Comma: o.Comma, NoHeader: o.NoHeader, Header: o.Header, DecimalComma: o.DecimalComma, Missing: o.Missing,
		NoHash: o.NoHash, Memory: o.Memory}
}

// MissingWords returns the texts of missing values that a table is read with,
// given Options.Missing: these, or the default ones where it is nil. Case does
// not matter in them, and an empty cell is always missing.
func MissingWords(given []string) []string {
	if given == nil {
		given = table.DefaultMissing
	}
	return slices.Clone(given)
}
