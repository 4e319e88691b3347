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
	Model   model.Family  `json:"model"`
	Status  string        `json:"status"` // complete or interrupted
	Data    report.Data   `json:"data"`
	Samples int           `json:"samples"`
	Folds   int           `json:"folds"`
	Seed    uint64        `json:"seed"`
	Rule    string        `json:"pick,omitempty"`
	Picked  string        `json:"picked_lambda,omitempty"`
	Lambdas []lambdaEntry `json:"lambdas"`
	Fits    []fitEntry    `json:"fits"`
	Seconds float64       `json:"seconds_total"` // from the start of the program
	Workers int           `json:"workers"`
}

// lambdaEntry sums the fits for one λ up.
type lambdaEntry struct {
	Lambda    float64           `json:"lambda"`
	Text      string            `json:"lambda_text"`
	Done      int               `json:"folds_done"`
	Unproven  int               `json:"folds_unproven"`
	Limited   int               `json:"folds_limited"` // of which a limit ended the search
	Objective crossval.Estimate `json:"objective"`
	Length    crossval.Estimate `json:"length"`
	Train     crossval.Rates    `json:"train"`
	Test      crossval.Rates    `json:"test"`
	Measured  crossval.Measured `json:"measures"` // of the folds left out, samples one each
	Cost      *crossval.Cost    `json:"cost,omitempty"`
	Limits    []FairLimit       `json:"limits,omitempty"` // of an operating point, on the folds left out
	Edge      int               `json:"edge"`             // −1: the smallest λ tried, 1: the largest
	Error     crossval.Estimate `json:"error"`            // on the folds left out, as the pick compares it
	Seconds   crossval.Estimate `json:"search_seconds"`
	Lists     []foundEntry      `json:"lists"`

	Groups      []evaluate.GroupMeasures `json:"groups,omitempty"` // by --by, on the folds left out
	Differences []evaluate.Difference    `json:"differences,omitempty"`
}

// foldRates are those of one fit. TPR and FPR are null of more than two classes, and where there is none of the class.
type foldRates struct {
	Accuracy evaluate.Rate `json:"accuracy"`
	TPR      evaluate.Rate `json:"tpr"`
	FPR      evaluate.Rate `json:"fpr"`
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
	Lambda      string          `json:"lambda_text"`
	Fold        int             `json:"fold"`
	Status      parallel.Status `json:"status"`
	Objective   json.Number     `json:"objective"`
	LowerBound  json.Number     `json:"lower_bound,omitempty"`
	UpperBound  json.Number     `json:"upper_bound,omitempty"` // where a large objective is good
	Length      int             `json:"length"`
	Antecedents int             `json:"antecedents"`
	Train       foldRates       `json:"train"`
	Test        foldRates       `json:"test"`
	Seconds     float64         `json:"seconds_search"`
	Expanded    int64           `json:"expanded"` // prefixes; sets counted of a tree, rules looked at of a rule set
}

// Object makes the JSON object of the report.
func (v *CrossValidation) Object() CVReport {
	d, o := v.Data, v.Report.Options
	r := CVReport{
		Model: v.Family.Kind, Status: "complete", Samples: d.N, Folds: o.Folds, Seed: o.Seed, Rule: string(v.Rule),
		Data: report.Data{File: v.Path, Hash: d.Hash, Target: d.Target, Classes: d.LabelTexts(), Dropped: int64(d.Dropped),
			Notes: append([]string{}, d.Notes...)},
		Seconds: report.Seconds(v.Total), Workers: o.Workers,
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
		Objective: s.Objective, Length: s.Length, Train: s.Train, Test: s.Test, Measured: s.Measured, Cost: s.Cost, Error: s.Error,
		Seconds: s.Seconds, Lists: []foundEntry{},
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

func newFitEntry(f *crossval.Fit) fitEntry {
	c := f.Model.Certificate()
	ofFit := func(c crossval.Confusion) foldRates {
		return foldRates{evaluate.Rate(c.Accuracy()), evaluate.Rate(c.TPR()), evaluate.Rate(c.FPR())}
	}
	e := fitEntry{
		Lambda: f.Lambda.String(), Fold: f.Fold + 1, Status: c.Status,
		Length: c.Size, Antecedents: f.Antecedents,
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
