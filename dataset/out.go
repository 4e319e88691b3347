package dataset

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bits-and-blooms/bitset"

	"parcorels/dataset/labels"
	"parcorels/optionerr"
	"parcorels/table"
)

// IsOut reports whether Read and OpenRows take path for a file in the reference
// format: its name ends in .out or .out.gz, in any case.
func IsOut(path string) bool {
	base := strings.ToLower(filepath.Base(path))
	return strings.HasSuffix(strings.TrimSuffix(base, ".gz"), ".out")
}

// readLabels sets labels and classes of d from a label file. The names of its
// lines, {recidivate:No} and {recidivate:Yes}, tell target and classes; which
// of them is class 1 is told as for tables, and else by their order.
func (d *Dataset) readLabels(in io.Reader, path string, o Options, h hash.Hash) error {
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
	var values []string
	d.Target, values = classNames(rows[0].Name, rows[1].Name)
	if values[0] == values[1] {
		return fmt.Errorf("%s: both lines are called %s, their names must tell the classes", path, table.Quote(values[0]))
	}
	if positive != "" && !slices.Contains(values, positive) {
		return optionerr.Errorf("Positive", "%s: no class %s; the classes are %s", path, table.Quote(positive), table.QuoteSome(values))
	}
	d.labelFrom([2]*bitset.BitSet{zero, one}, values, positive)
	return nil
}

// labelFrom sets labels and classes from the samples and the names of two
// classes, in the order of the file.
func (d *Dataset) labelFrom(samples [2]*bitset.BitSet, values []string, positive string) {
	if positive == values[0] || positive == "" && labels.Natural(values[0], values[1]) > 0 {
		slices.Reverse(samples[:])
		slices.Reverse(values)
	}
	d.ClassOf, d.Classes = ClassesOf(samples[1]), values
	for c, set := range samples {
		if set.None() {
			d.Classes[c] = ""
			d.note("%s", labels.NoteOne(values[1-c]))
			return
		}
	}
	if positive == "" {
		d.Notes = append(d.Notes, labels.NoteTwo(d.Classes)...)
	}
}

// classNames takes the names of the two lines of labels apart: what they have
// in common up to the last : or = is the target, the rest is the class.
func classNames(zero, one string) (target string, values []string) {
	values = []string{inBraces(zero), inBraces(one)}
	i := strings.LastIndexAny(values[0], ":=")
	if i <= 0 || i != strings.LastIndexAny(values[1], ":=") || values[0][:i] != values[1][:i] {
		return "label", values
	}
	a, b := table.Clean(values[0][i+1:]), table.Clean(values[1][i+1:])
	if a == "" || b == "" || a == b {
		return "label", values
	}
	return table.Clean(values[0][:i]), []string{a, b}
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

// The reference format of the CORELS implementations: a line per feature, its
// name and then a 0 or 1 per sample, all separated by blanks or tabs. A name in
// braces may have blanks in it. The label file has two such lines, of class 0
// and of class 1.

// readOut reads an .out file and its label file.
func readOut(in io.Reader, name string, o Options) (*Dataset, error) {
	if err := o.tableOnly(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var h hash.Hash
	if !o.NoHash {
		h = sha256.New()
	}
	d, err := readFeatures(in, name, o, h)
	if err != nil {
		return nil, err
	}
	found, err := d.findLabels(o, h)
	if err != nil {
		return nil, err
	}
	if !found {
		base := labelsBeside(name)
		return nil, optionerr.Errorf("Labels", "%s: no labels: neither %s nor %s.gz is there; name the file with option Labels", name,
			base, base)
	}
	d.Hash = table.HashText(h)
	if err := d.weigh(nil, false, o.ClassWeights, o.Digits); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return d, nil
}

// readFeatures makes a data set without labels of an .out file.
func readFeatures(in io.Reader, name string, o Options, h hash.Hash) (*Dataset, error) {
	rows, err := table.ReadBits(in, name, h, o.Memory)
	if err != nil {
		return nil, err
	}
	d := &Dataset{Source: name, Format: "out", N: int(rows[0].Bits.Len())}
	d.Features = make([]Feature, len(rows))
	lines := map[string]int{}
	for i, r := range rows {
		if first := lines[r.Name]; first > 0 {
			return nil, fmt.Errorf("%s:%d: the name %s was given in line %d already", name, r.Line, table.Quote(r.Name), first)
		}
		lines[r.Name] = r.Line
		d.Features[i] = Feature{Name: r.Name, Group: -1, Test: Test{Kind: Given}, Bits: r.Bits}
	}
	return d, nil
}

// labelsBeside is the path of the label file of an .out file: X.label.
func labelsBeside(name string) string {
	if strings.HasSuffix(strings.ToLower(name), ".gz") {
		name = name[:len(name)-len(".gz")]
	}
	return name[:len(name)-len(".out")] + ".label"
}

// findLabels reads the label file that o names, or the one beside the .out
// file, compressed or not. It reports whether there is one.
func (d *Dataset) findLabels(o Options, h hash.Hash) (found bool, err error) {
	path := cmp.Or(o.Labels, labelsBeside(d.Source))
	file, err := table.OpenFile(path)
	if o.Labels == "" && errors.Is(err, fs.ErrNotExist) {
		path += ".gz"
		if file, err = table.OpenFile(path); errors.Is(err, fs.ErrNotExist) {
			return false, nil
		}
	}
	if err != nil {
		return false, err
	}
	defer file.Close()
	unchanged := table.Watch(file)
	return true, cmp.Or(d.readLabels(file, path, o, h), unchanged())
}

// outRows returns the samples of an .out file as rows of a table.
func outRows(in io.Reader, name string, o Options) (*Rows, error) {
	d, err := readFeatures(in, name, o, nil)
	if err != nil {
		return nil, err
	}
	labelled, err := d.findLabels(o, nil)
	if err != nil {
		return nil, err
	}
	var header []string
	for _, f := range d.Features {
		header = append(header, f.Name)
	}
	if labelled {
		header = append(header, d.Target)
	}
	cells, sample := make([]string, len(header)), -1
	return table.NewRows(header, func() ([]string, int, error) {
		if sample++; sample >= d.N {
			return nil, 0, io.EOF
		}
		for i, f := range d.Features {
			cells[i] = "0"
			if f.Bits.Test(uint(sample)) {
				cells[i] = "1"
			}
		}
		if labelled {
			cells[len(cells)-1] = d.Classes[d.Class(sample)]
		}
		return cells, sample + 1, nil
	}), nil
}
