package bench

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/bits-and-blooms/bitset"

	"parcorels/dataset"
	"parcorels/rules"
)

// Another solver on the same instance, in the same run.
//
// Its command line is a template. {out} and {label} stand for files with the
// antecedents and the labels in the format of the reference implementation of
// CORELS, {rows} for one with a line for each sample, its label and its features
// with spaces between them, as solvers for trees read it, numbers as they are where each
// threshold may be a split, {minor} for one with the
// samples that are in the minority of their equivalence class, {lambda} for λ, {depth} for
// the limit on a tree's depth and {splits} for the most splits of a tree of that depth. The
// words are split at spaces before anything is put in their places, and no shell sees them: a name
// cannot become two arguments or a command.

// External is a solver that is not this one.
type External struct {
	Name   string
	limit  time.Duration // of a run; 0: none
	words  []string
	data   string                            // folder of the papers' data
	folder string                            // for files
	files  map[string]func() (string, error) // folders of files, by instance
}

// anyDepth stands for no limit on the depth: the most that STreeD has.
const anyDepth = 20

// NewExternal reads a template. It must have {lambda}, and {out} or {rows}.
func NewExternal(command, name string, limit time.Duration) (*External, error) {
	x := &External{Name: cmp.Or(name, defaultExternal), limit: limit, words: strings.Fields(command), files: map[string]func() (string, error){}}
	switch {
	case len(x.words) == 0 || strings.ContainsAny(x.words[0], "{}"):
		return nil, errors.New("the first word must be a program")
	case !strings.Contains(command, "{out}") && !strings.Contains(command, "{rows}"):
		return nil, errors.New("no {out} and no {rows}: the solver must be told the instance")
	case !strings.Contains(command, "{lambda}"):
		return nil, errors.New("no {lambda}: the solver must be told λ")
	case x.Name == Own:
		return nil, fmt.Errorf("%q is this program", x.Name)
	}
	return x, nil
}

// run runs the solver on a case.
func (x *External) run(ctx context.Context, c Case) (rec Record, err error) {
	if x.files[c.Instance] == nil {
		x.files[c.Instance] = sync.OnceValues(func() (string, error) { return x.writeFiles(ctx, c.Instance) })
	}
	folder, err := x.files[c.Instance]()
	if err != nil {
		return rec, err
	}
	depth := cmp.Or(c.Depth, anyDepth)
	words := []string{"{lambda}", c.Lambda, "{depth}", strconv.Itoa(depth), "{splits}", strconv.Itoa(1<<min(depth, anyDepth) - 1)}
	for _, name := range []string{"out", "label", "minor", "rows"} {
		words = append(words, "{"+name+"}", filepath.Join(folder, name))
	}
	replace := strings.NewReplacer(words...)
	p := process{limit: x.limit}
	for _, w := range x.words {
		p.args = append(p.args, replace.Replace(w))
	}
	rec.Case = c
	_, err = p.run(ctx, &rec)
	if rec.Status == timeLimit {
		rec.Limit = x.limit.Seconds()
	}
	return rec, err
}

// writeFiles writes the files of an instance into a folder.
func (x *External) writeFiles(ctx context.Context, instance string) (folder string, err error) {
	in, err := find(instance)
	if err != nil {
		return "", err
	}
	set, err := in.load(ctx, x.data)
	if err != nil {
		return "", err
	}
	if set.Data.Weights != nil || slices.ContainsFunc(set.Data.Numbers, func(n dataset.Numbers) bool { return n.Missing }) {
		return "", fmt.Errorf("%s has weights or missing numbers, for which other solvers have no place", instance)
	}
	folder, err = os.MkdirTemp(x.folder, "instance")
	write := func(name string, text func(io.Writer) error) {
		var b bytes.Buffer
		if err == nil {
			err = text(&b)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name), b.Bytes(), 0o600)
		}
	}
	write("rows", func(w io.Writer) error { return writeRows(w, set) })
	if set.Data.Labels != nil && set.Data.Numbers == nil { // two classes
		minority := firstInMinority(set)
		write("out", set.WriteOut)
		write("label", set.WriteLabel)
		write("minor", func(w io.Writer) error { return writeMinor(w, minority) })
	}
	return folder, err
}

// writeRows writes a line for each sample: its label and the features.
func writeRows(w io.Writer, set *rules.Set) error {
	var line []byte
	captured := set.Captured()
	for i := range uint(set.Data.N) {
		line = strconv.AppendInt(line[:0], int64(set.Data.Class(int(i))), 10)
		for _, x := range set.Data.Numbers {
			line = strconv.AppendFloat(append(line, ' '), x.Levels[x.Ranks[i]], 'g', -1, 64)
		}
		for _, c := range captured {
			line = append(line, ' ', digit(c.Test(i)))
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}

func digit(set bool) byte {
	if set {
		return '1'
	}
	return '0'
}

func writeMinor(w io.Writer, minority []bool) error {
	line := []byte("{group_minority}")
	for _, m := range minority {
		line = append(line, ' ', digit(m))
	}
	_, err := w.Write(append(line, '\n'))
	return err
}

// The reference implementation reads the equivalent points bound from a file:
// the samples whose label is the rarer one among those that satisfy the same
// antecedents. It takes no notice of the file if its first sample is not one,
// so the samples are written from the first that is; their order means nothing.

// firstInMinority returns the samples that are in the minority of their class. It turns
// the samples of the set round so that the first one is, if any is.
func firstInMinority(set *rules.Set) []bool {
	minority := inMinority(set)
	first := 0
	for first < len(minority) && !minority[first] {
		first++
	}
	if first == 0 || first == len(minority) {
		return minority
	}
	for i := range set.Antecedents {
		set.Antecedents[i].Parts = []*bitset.BitSet{turned(set.Antecedents[i].Captured(), first)}
	}
	set.Data.Labels = turned(set.Data.Labels, first)
	return append(minority[first:], minority[:first]...)
}

// turned returns a set in which sample first has become sample 0.
func turned(s *bitset.BitSet, first int) *bitset.BitSet {
	n := int(s.Len())
	t := bitset.New(uint(n))
	for i, ok := s.NextSet(0); ok; i, ok = s.NextSet(i + 1) {
		t.Set(uint((int(i) - first + n) % n))
	}
	return t
}

// inMinority returns the samples whose label is the rarer one of their class
// of equivalent samples; on a tie those of label 1.
func inMinority(set *rules.Set) []bool {
	points := set.PointOf()
	weights := make([][2]int, set.Data.N)
	for i, p := range points {
		weights[p][set.Data.Class(i)]++
	}
	minority := make([]bool, set.Data.N)
	for i, p := range points {
		c := set.Data.Class(i)
		own, other := weights[p][c], weights[p][1-c]
		minority[i] = own < other || own == other && c == 1
	}
	return minority
}
