package dataset

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"parcorels/optionerr"
	"parcorels/table"
)

// The reference format of the CORELS implementations: a line per feature, its
// name and then a 0 or 1 per sample, all separated by blanks or tabs. A name in
// braces may have blanks in it. The label file has two such lines, of class 0
// and of class 1.

// readOut reads an .out file and its label file.
func readOut(in io.Reader, name string, o Options) (*Dataset, error) {
	if err := o.tableOnly(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var h *table.Hash
	if !o.NoHash {
		h = table.NewHash()
	}
	defer h.End()
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
		return nil, optionerr.Errorf("Labels", "%s: no labels: neither %s nor %s.gz is there; name the file with option Labels", name, base, base)
	}
	d.Hash = h.End()
	if err := weigh(d, nil, 0, o.ClassWeights); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return d, nil
}

// readFeatures makes a data set without labels of an .out file.
func readFeatures(in io.Reader, name string, o Options, h *table.Hash) (*Dataset, error) {
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
func (d *Dataset) findLabels(o Options, h *table.Hash) (found bool, err error) {
	paths := []string{o.Labels}
	if o.Labels == "" {
		base := labelsBeside(d.Source)
		paths = []string{base, base + ".gz"}
	}
	for _, path := range paths {
		var file *os.File
		file, err = table.OpenFile(path)
		if o.Labels == "" && errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return false, err
		}
		defer file.Close()
		return true, d.readLabels(file, path, o, h)
	}
	return false, nil
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
