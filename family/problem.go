package family

import (
	"parcorels/instance"
	"parcorels/optionerr"
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
