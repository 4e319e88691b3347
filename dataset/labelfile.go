package dataset

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/bits-and-blooms/bitset"

	"parcorels/optionerr"
	"parcorels/table"
)

// readLabels sets labels and classes of d from a label file. The names of its
// lines, {recidivate:No} and {recidivate:Yes}, tell target and classes; which
// of them is class 1 is told as for tables, and else by their order.
func (d *Dataset) readLabels(in io.Reader, path string, o Options, h *table.Hash) error {
	positive := o.Positive
	rows, err := table.ReadBits(in, path, h, o.Memory)
	if err != nil {
		return err
	}
	if len(rows) != 2 {
		return fmt.Errorf("%s: lines of labels: %d, expected two: the samples of class 0 and those of class 1", path, len(rows))
	}
	for _, r := range rows {
		if n := int(r.Bits.Len()); n != d.N {
			return fmt.Errorf("%s:%d: %d labels, expected %d as there are samples in %s", path, r.Line, n, d.N, d.Source)
		}
	}
	zero, one := rows[0].Bits, rows[1].Bits
	if zero.IntersectionCardinality(one) > 0 {
		i, _ := zero.Intersection(one).NextSet(0)
		return fmt.Errorf("%s: sample %d has both labels, the two lines must complement each other", path, i+1)
	}
	if zero.Count()+one.Count() < zero.Len() {
		i, _ := zero.Union(one).NextClear(0)
		return fmt.Errorf("%s: sample %d has neither label, the two lines must complement each other", path, i+1)
	}
	var values [2]string
	d.Target, values = classNames(rows[0].Name, rows[1].Name)
	if values[0] == values[1] {
		return fmt.Errorf("%s: both lines are called %s, their names must tell the classes", path, table.Quote(values[0]))
	}
	if positive != "" && !slices.Contains(values[:], positive) {
		return optionerr.Errorf("Positive", "%s: no class %s; the classes are %s", path, table.Quote(positive), table.QuoteSome(values[:]))
	}
	d.labelFrom([2]*bitset.BitSet{zero, one}, values, positive)
	return nil
}

// labelFrom sets labels and classes from the samples and the names of two
// classes, in the order of the file.
func (d *Dataset) labelFrom(samples [2]*bitset.BitSet, values [2]string, positive string) {
	if positive == values[0] || positive == "" && natural(values[0], values[1]) > 0 {
		slices.Reverse(samples[:])
		slices.Reverse(values[:])
	}
	d.Labels, d.Classes = samples[1], values
	for c, set := range samples {
		if set.None() {
			d.Classes[c] = ""
			d.noteOneClass(values[1-c])
			return
		}
	}
	if positive == "" {
		d.noteChoice()
	}
}

// classNames takes the names of the two lines of labels apart: what they have
// in common up to the last : or = is the target, the rest is the class.
func classNames(zero, one string) (target string, values [2]string) {
	values = [2]string{inBraces(zero), inBraces(one)}
	i := strings.LastIndexAny(values[0], ":=")
	if i <= 0 || i != strings.LastIndexAny(values[1], ":=") || values[0][:i] != values[1][:i] {
		return "label", values
	}
	a, b := table.Clean(values[0][i+1:]), table.Clean(values[1][i+1:])
	if a == "" || b == "" || a == b {
		return "label", values
	}
	return table.Clean(values[0][:i]), [2]string{a, b}
}

// inBraces returns what is in the braces around a name, if they are there.
func inBraces(name string) string {
	inner, opened := strings.CutPrefix(name, "{")
	inner, closed := strings.CutSuffix(inner, "}")
	if inner = table.Clean(inner); opened && closed && inner != "" {
		return inner
	}
	return name
}
