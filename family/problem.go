package family

import (
	"cmp"
	"math"
	"parcorels/instance"
	"parcorels/optionerr"
	"parcorels/rules"
	"time"
)

// reducePoints makes distinct points of the samples.
func reducePoints(p *Problem) (err error) {
	if len(p.Set.Data.Numbers) > 0 {
		return optionerr.Errorf("Cuts", "the table was read with option Cuts all, for trees, and not for a %s", p.kind)
	}
	if p.points, err = instance.PointsWithoutColumns(p.Set); err == nil {
		p.Points = p.points.Count
	}
	return err
}

// Separate makes every sample a point of its own in a problem of rule lists, to measure what
// the equivalent points bound is worth.
func (p *Problem) Separate() (err error) {
	p.instance, err = instance.FromSetSeparate(p.searched())
	return err
}

// searched returns the antecedents on the samples that the search is about.
func (p *Problem) searched() *rules.Set {
	if p.first != nil {
		return p.first.rest
	}
	return p.Set
}

// resolve fills in the defaults of the problem.
func (p *Problem) resolve(o Options) (*resolved, error) { return p.withDefaults(o).resolve(p.reading) }

// throttled passes on the final event, those with a better model, and one every now and then, of searches that have more than
// anybody reads.
func (s *resolved) throttled() func(Event) {
	last, every := time.Now(), cmp.Or(max(s.ProgressEvery, 0), time.Second)
	return func(e Event) {
		if now := time.Now(); e.Final || e.Best != nil || now.Sub(last) >= every {
			last = now
			s.Progress(e)
		}
	}
}

// unknown stands for a bound of which nothing is known.
var unknown = math.Inf(1)
