package family

import (
	bayessearch "parcorels/bayes/search"
	"parcorels/instance"
	"parcorels/model"
	"parcorels/optionerr"
)

// points are made of the antecedents as the family's search takes them.
func (p *Problem) reduce(kind model.Family) (err error) {
	if kind == model.RuleList {
		if p.instance, err = instance.FromSet(p.searched()); err == nil {
			p.Points, p.Unavoidable, p.Weight = p.instance.Points, p.instance.Base, p.instance.Total
		}
		return err
	}
	if len(p.Set.Data.Numbers) > 0 {
		if kind != model.Tree {
			return optionerr.Errorf("Cuts", "the table was read with option Cuts all, for trees, and not for a %s", kind)
		}
		if p.numbers, err = newThresholds(p.Set); err == nil {
			p.Points, p.Thresholds = p.numbers.table.Points, p.numbers.count
		}
		return err
	}
	if p.points, err = instance.BarePoints(p.Set); err != nil {
		return err
	}
	if p.Points = p.points.Count; kind == model.RuleSet {
		p.points = p.points.WithColumns()
	}
	return nil
}

// Separate makes every sample a point of its own in a problem of rule lists, to measure what
// the equivalent points bound is worth.
func (p *Problem) Separate() (err error) {
	p.instance, err = instance.FromSetSeparate(p.searched())
	return err
}

// WithoutBounds leaves bounds of the search for a Bayesian rule list out, named with commas between
// them, to measure what each is worth.
func (p *Problem) WithoutBounds(names string) (err error) {
	p.bounds, err = bayessearch.ParseBounds(names)
	return err
}
