package answer

import (
	"encoding/json"
	"parcorels/ask/crossval"
	"parcorels/model"
	"parcorels/model/evaluate"
	"parcorels/parallel"
	"parcorels/report"
	"strconv"
)

// CVReport is the JSON object of cv. Folds are counted from 1.
type CVReport struct {
	Model   model.Family   `json:"model"`
	Status  string         `json:"status"` // complete or interrupted
	Data    report.Data    `json:"data"`
	Samples int            `json:"samples"`
	Folds   int            `json:"folds"`
	Seed    uint64         `json:"seed"`
	Rule    string         `json:"pick,omitempty"`
	Picked  string         `json:"picked_lambda,omitempty"`
	Chance  *report.Chance `json:"chance,omitempty"` // of the model of all samples with the λ picked
	Lambdas []lambdaEntry  `json:"lambdas"`
	Fits    []fitEntry     `json:"fits"`
	Seconds float64        `json:"seconds_total"` // from the start of the program
	Workers int            `json:"workers"`
}

// lambdaEntry sums the fits for one λ up.
type lambdaEntry struct {
	Lambda    float64             `json:"lambda"`
	Text      string              `json:"lambda_text"`
	Done      int                 `json:"folds_done"`
	Unproven  int                 `json:"folds_unproven"`
	Limited   int                 `json:"folds_limited"` // of which a limit ended the search
	Objective estimate            `json:"objective"`
	Length    estimate            `json:"length"`
	Train     foldRates[estimate] `json:"train"`
	Test      foldRates[estimate] `json:"test"`
	Measured  map[string]measure  `json:"measures"` // of the folds left out, samples one each
	Cost      *cost               `json:"cost,omitempty"`
	Limits    []FairLimit         `json:"limits,omitempty"` // of an operating point, on the folds left out
	Edge      int                 `json:"edge"`             // −1: the smallest λ tried, 1: the largest
	Error     estimate            `json:"error"`            // on the folds left out, as the pick compares it
	Seconds   estimate            `json:"search_seconds"`
	Lists     []foundEntry        `json:"lists"`

	Groups      []evaluate.GroupMeasures `json:"groups,omitempty"` // by --by, on the folds left out
	Differences []evaluate.Difference    `json:"differences,omitempty"`
}

// estimate is a mean over folds.
type estimate struct {
	Mean      evaluate.Rate `json:"mean"` // null where no fold has the value
	Deviation float64       `json:"standard_deviation"`
}

type measure struct {
	Mean  evaluate.Rate `json:"mean"`
	Error float64       `json:"standard_error"`
	Folds int           `json:"folds"` // in which it is defined
}

// cost is what decisions on the folds left out cost more, by row, than the best one of each row.
type cost struct {
	Model measure   `json:"model"`
	Each  []measure `json:"each"` // by class: to decide so for everyone
}

func newMeasure(e crossval.Estimate) measure {
	return measure{evaluate.Rate(e.Mean), e.StandardError(), e.Values}
}

// newMeasured returns the measures on the folds left out; a mean of no fold is null.
func newMeasured(m crossval.Measured) map[string]measure {
	all := map[string]measure{}
	for name, e := range map[string]crossval.Estimate{
		"accuracy": m.Accuracy, "majority": m.Majority, // that of always predicting the most frequent class
		"balanced_accuracy": m.Balanced, "precision": m.Precision, "recall": m.Recall, "f1": m.F1, "auc": m.AUC,
		"average_precision": m.AveragePrecision, "lift": m.Lift, "log_loss": m.LogLoss, "brier": m.Brier,
	} {
		all[name] = newMeasure(e)
	}
	return all
}

// foldRates are those of one fit, or estimates of them. TPR and FPR are null of more than
// two classes, and where there is none of the class.
type foldRates[T estimate | evaluate.Rate] struct {
	Accuracy T `json:"accuracy"`
	TPR      T `json:"tpr"`
	FPR      T `json:"fpr"`
}

// foundEntry is a model with the folds that found it.
type foundEntry struct {
	Folds   []int    `json:"folds"`
	Rules   []clause `json:"rules"`             // or leaves
	Default *clause  `json:"default,omitempty"` // none of a tree
}

// clause is a line of such a model.
type clause struct {
	Antecedent string `json:"antecedent,omitempty"`
	Predict    string `json:"predict"`
	Class      int    `json:"class"`
}

// fitEntry is one fit.
type fitEntry struct {
	Lambda      string                   `json:"lambda_text"`
	Fold        int                      `json:"fold"`
	Status      parallel.Status          `json:"status"`
	Objective   json.Number              `json:"objective"`
	LowerBound  json.Number              `json:"lower_bound,omitempty"`
	UpperBound  json.Number              `json:"upper_bound,omitempty"` // where a large objective is good
	Length      int                      `json:"length"`
	Antecedents int                      `json:"antecedents"`
	Points      int                      `json:"distinct_points"`
	Train       foldRates[evaluate.Rate] `json:"train"`
	Test        foldRates[evaluate.Rate] `json:"test"`
	Seconds     float64                  `json:"seconds_search"`
	Expanded    int64                    `json:"expanded"` // prefixes; sets counted of a tree, rules looked at of a rule set
}

// Object makes the JSON object of the report.
func (v *CrossValidation) Object() CVReport {
	d, o := v.Data, v.Report.Options
	r := CVReport{
		Model: v.Family.Kind, Status: "complete", Samples: d.N, Folds: o.Folds, Seed: o.Seed, Rule: string(v.Rule),
		Data: report.Data{File: v.Path, Hash: d.Hash, Target: d.Target, Classes: d.LabelTexts(), Dropped: int64(d.Dropped),
			Notes: append([]string{}, d.Notes...)},
		Chance: v.Chance, Seconds: report.Seconds(v.Total), Workers: o.Workers,
	}
	if !v.Report.Complete() {
		r.Status = "interrupted"
	}
	if v.Picked >= 0 {
		r.Picked = v.Summaries[v.Picked].Lambda.String()
	}
	for l, s := range v.Summaries {
		entry := v.lambdaEntry(s)
		entry.Edge = v.Report.AtEdge(l)
		entry.Groups = v.measuresBy(l)
		entry.Differences = evaluate.Differences(entry.Groups)
		if x := v.within(l); x != nil {
			entry.Limits = x.KeptBack
		}
		r.Lambdas = append(r.Lambdas, entry)
		for _, f := range v.Report.Fits[l] {
			if f != nil {
				r.Fits = append(r.Fits, newFitEntry(f))
			}
		}
	}
	return r
}

func (v *CrossValidation) lambdaEntry(s crossval.Summary) lambdaEntry {
	e := lambdaEntry{
		Lambda: s.Lambda.Float(), Text: s.Lambda.String(), Done: s.Done, Unproven: s.Unproven, Limited: s.Limited,
		Objective: newEstimate(s.Objective), Length: newEstimate(s.Length),
		Train: newRates(s.Train), Test: newRates(s.Test), Measured: newMeasured(s.Measured), Error: newEstimate(s.Error),
		Seconds: newEstimate(s.Seconds),
		Lists:   []foundEntry{},
	}
	if c := s.Cost; c != nil {
		e.Cost = &cost{Model: newMeasure(c.Model)}
		for _, each := range c.Each {
			e.Cost.Each = append(e.Cost.Each, newMeasure(each))
		}
	}
	for _, f := range s.Found {
		list := foundEntry{Rules: []clause{}}
		for _, fold := range f.Folds {
			list.Folds = append(list.Folds, fold+1)
		}
		for _, l := range f.Lines {
			line := clause{l.Text, v.Data.ClassName(l.Class), l.Class}
			if l.Text == "" {
				list.Default = &line
				continue
			}
			list.Rules = append(list.Rules, line)
		}
		e.Lists = append(e.Lists, list)
	}
	return e
}

func newEstimate(e crossval.Estimate) estimate { return estimate{evaluate.Rate(e.Mean), e.Deviation} }

func newRates(r crossval.Rates) foldRates[estimate] {
	return foldRates[estimate]{newEstimate(r.Accuracy), newEstimate(r.TPR), newEstimate(r.FPR)}
}

func newFitEntry(f *crossval.Fit) fitEntry {
	c := f.Model.Certificate()
	ofFit := func(c crossval.Confusion) foldRates[evaluate.Rate] {
		return foldRates[evaluate.Rate]{evaluate.Rate(c.Accuracy()), evaluate.Rate(c.TPR()), evaluate.Rate(c.FPR())}
	}
	e := fitEntry{
		Lambda: f.Lambda.String(), Fold: f.Fold + 1, Status: c.Status,
		Length: c.Size, Antecedents: f.Antecedents, Points: f.Points,
		Train: ofFit(f.Train), Test: ofFit(f.Test),
		Seconds: report.Seconds(f.Search), Expanded: f.Work,
	}
	number := func(v float64) json.Number { return json.Number(strconv.FormatFloat(v, 'g', -1, 64)) }
	if c.Maximize {
		e.Objective, e.UpperBound = number(c.Objective.Value), number(-report.Below(-c.Bound.Num, c.Bound.Den))
		return e
	}
	e.Objective = json.Number(Decimal(c.Objective.Num, c.Objective.Den, f.Lambda, false))
	e.LowerBound = json.Number(Decimal(c.Bound.Num, c.Bound.Den, f.Lambda, c.Bound.Num != c.Objective.Num))
	return e
}
