package cli

import (
	"slices"

	verifylist "parcorels/verify/rulelist"
)

// explanationObject is an explanation for programs: rows and sets count from 1.
type explanationObject struct {
	Holds   bool               `json:"holds"`      // whether the steps show that no list has a smaller objective
	Error   int64              `json:"error_cost"` // what a row of weight one costs that is wrong
	Rule    int64              `json:"rule_cost"`
	Base    int64              `json:"base_cost"` // of what every list gets wrong
	Least   int64              `json:"bound"`     // what every list costs at least
	Claimed int64              `json:"list_cost"`
	Smaller int64              `json:"smaller"` // the most that a smaller list could cost
	LeftOut []ruleObject       `json:"left_out"`
	Points  []pointObject      `json:"points"`
	Steps   []explanationSteps `json:"steps"`
}

// ruleObject is a rule, perhaps with a load.
type ruleObject struct {
	Antecedent string `json:"antecedent"`
	Class      int    `json:"class"`
	Load       int64  `json:"load,omitempty"`
}

// pointObject is a point.
type pointObject struct {
	Row    int      `json:"row"`
	Class  int      `json:"class"`
	Weight [2]int64 `json:"weight"` // of class 0 and 1
	Cost   int64    `json:"cost"`
}

// explanationSteps is a step.
type explanationSteps struct {
	Sets     []setObject  `json:"sets"`
	Sum      int64        `json:"sum"`
	Above    int64        `json:"above"`
	Value    int64        `json:"value"`
	Rules    []ruleObject `json:"rules"`
	Points   []int64      `json:"point_loads"` // in the order of the points
	Excluded []ruleObject `json:"excluded,omitempty"`
}

// setObject is a set with its weight.
type setObject struct {
	Rows   []int `json:"rows"`
	Weight int64 `json:"weight"`
}

func (v *verified) explanation() *explanationObject {
	x := v.list.Explanation
	if x == nil {
		return nil
	}
	o := &explanationObject{Holds: x.Holds(), Error: x.Error, Rule: x.Rule, Base: x.Base * x.Error, Least: x.Least, Claimed: x.Claimed, Smaller: x.Smaller, LeftOut: v.ruleObjects(x.LeftOut)}
	for _, p := range x.Points {
		o.Points = append(o.Points, pointObject{p.Sample + 1, p.Class, p.Weight, p.Cost() * x.Error})
	}
	for _, s := range x.Steps {
		e := explanationSteps{Sum: s.Sum, Above: s.Above, Value: s.Value, Points: s.Points, Excluded: v.ruleObjects(s.Excluded)}
		for _, set := range s.Sets {
			rows := make([]int, len(set.Points))
			for k, i := range set.Points {
				rows[k] = x.Points[i].Sample + 1
			}
			slices.Sort(rows)
			e.Sets = append(e.Sets, setObject{rows, set.Weight})
		}
		for _, r := range s.Rules {
			e.Rules = append(e.Rules, ruleObject{v.set.Antecedents[r.Antecedent].Name, r.Class, r.Load})
		}
		o.Steps = append(o.Steps, e)
	}
	return o
}

func (v *verified) ruleObjects(rules []verifylist.RuleOf) (objects []ruleObject) {
	for _, r := range rules {
		objects = append(objects, ruleObject{Antecedent: v.set.Antecedents[r.Antecedent].Name, Class: r.Class})
	}
	return objects
}
