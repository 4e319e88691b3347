package dataset

import (
	"parcorels/cuts"
	"parcorels/dataset/labels"
)

// label makes labels and classes of d from the column of labels.
func (b *builder) label(d *Dataset, c *column) error {
	classes := labels.Decisions(c.Texts)
	if b.o.Costs == nil {
		var err error
		if classes, err = b.classes(c); err != nil {
			return err
		}
	}
	d.Classes, d.OneVsRest, d.Notes = classes.Names, classes.OneVsRest, append(d.Notes, classes.Notes...)
	d.ClassOf = cuts.Taken(classes.Of, c.Codes)
	return nil
}

// classes returns the classes of the column of labels.
func (b *builder) classes(c *column) (*labels.Classes, error) {
	of := labels.Column{
		Source: b.source, Name: c.name, Texts: c.Texts, Counts: c.counts, Lines: c.Lines, Missing: c.missing, Rows: b.rows,
		Target: b.o.Target, Positive: b.o.Positive, Multiclass: b.o.Multiclass,
	}
	for _, other := range b.columns {
		if other != nil && other != c && len(other.matching(other.isPresent)) == 2 {
			of.Others = append(of.Others, other.name)
		}
	}
	return of.Classes()
}
