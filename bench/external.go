package bench

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/bits-and-blooms/bitset"

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
	Name  string
	Limit time.Duration // of a run; 0: none
	words []string
	files map[string]*outFiles // by instance
}

// outFiles are the files of an instance, or why there are none.
type outFiles struct {
	out, label, minor, rows string
	err                     error
}

// anyDepth stands for no limit on the depth: the most that STreeD has.
const anyDepth = 20

// NewExternal reads a template. It must have {lambda}, and {out} or {rows}.
func NewExternal(command, name string) (*External, error) {
	list := strings.Fields(command)
	if len(list) == 0 || strings.ContainsAny(list[0], "{}") {
		return nil, errors.New("the first word must be a program")
	}
	for _, want := range [][2]string{{"{out}", "{rows}"}, {"{lambda}", "{lambda}"}} {
		if !strings.Contains(command, want[0]) && !strings.Contains(command, want[1]) {
			return nil, fmt.Errorf("no %s: the solver must be told the instance and λ", want[0])
		}
	}
	name = cmp.Or(name, defaultExternal)
	if name == Own {
		return nil, fmt.Errorf("%q is this program", name)
	}
	return &External{Name: name, words: list, files: map[string]*outFiles{}}, nil
}

// run runs the solver on a case. The folder is for files, data that of the
// papers' data.
func (x *External) run(ctx context.Context, c *Case, folder, data string) (r Record, err error) {
	f := x.files[c.Instance]
	if f == nil {
		f = writeOut(ctx, c.Instance, folder, data)
		x.files[c.Instance] = f
	}
	if f.err != nil {
		return r, f.err
	}
	depth := cmp.Or(c.Depth, anyDepth)
	replace := strings.NewReplacer("{out}", f.out, "{label}", f.label, "{minor}", f.minor, "{rows}", f.rows,
		"{lambda}", c.Lambda, "{depth}", strconv.Itoa(depth), "{splits}", strconv.Itoa(1<<min(depth, anyDepth)-1))
	p := process{limit: x.Limit}
	for _, w := range x.words {
		p.args = append(p.args, replace.Replace(w))
	}
	u, err := p.run(ctx)
	if err != nil {
		return r, err
	}
	r.fill(&u)
	r.Status = Done
	if fail := u.failure(); fail != nil {
		r.Status, r.Error = Failed, fail.Error()
	}
	if u.timedOut {
		r.Status, r.Limit = timeLimit, x.Limit.Seconds()
	}
	return r, nil
}

// writeOut writes the files of an instance.
func writeOut(ctx context.Context, instance, folder, data string) *outFiles {
	in, err := find(instance)
	if err != nil {
		return &outFiles{err: err}
	}
	set, err := in.load(ctx, data)
	if err != nil {
		return &outFiles{err: err}
	}
	if set.Data.Weights != nil {
		return &outFiles{err: fmt.Errorf("%s has weights, for which .out files have no place", instance)}
	}
	dir, err := os.MkdirTemp(folder, "instance")
	if err != nil {
		return &outFiles{err: err}
	}
	f := &outFiles{out: filepath.Join(dir, "x.out"), label: filepath.Join(dir, "x.label"), minor: filepath.Join(dir, "x.minor"), rows: filepath.Join(dir, "x.rows")}
	for _, x := range set.Data.Numbers {
		if x.Missing {
			return &outFiles{err: fmt.Errorf("%s has missing numbers, for which other solvers have no place", instance)}
		}
	}
	if set.Data.Labels != nil && set.Data.Numbers == nil { // two classes
		minority := firstInMinority(set)
		f.err = errors.Join(
			writeTo(f.out, set.WriteOut), writeTo(f.label, set.WriteLabel),
			writeTo(f.minor, func(w io.Writer) error { return writeMinor(w, minority) }))
	}
	f.err = errors.Join(f.err, writeTo(f.rows, func(w io.Writer) error { return writeRows(w, set) }))
	return f
}

func writeTo(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

// writeRows writes a line for each sample: its label and the features.
func writeRows(out io.Writer, set *rules.Set) error {
	w := bufio.NewWriter(out)
	captured := set.Captured()
	for i := range uint(set.Data.N) {
		_, _ = w.WriteString(strconv.Itoa(set.Data.Class(int(i)))) // the error stays for Flush
		for _, x := range set.Data.Numbers {
			_, _ = w.WriteString(" " + strconv.FormatFloat(x.Levels[x.Ranks[i]], 'g', -1, 64))
		}
		for _, c := range captured {
			_, _ = w.WriteString(" " + digit(c.Test(i)))
		}
		_ = w.WriteByte('\n')
	}
	return w.Flush()
}

func digit(set bool) string {
	if set {
		return "1"
	}
	return "0"
}

func writeMinor(out io.Writer, minority []bool) error {
	w := bufio.NewWriter(out)
	_, _ = w.WriteString("{group_minority}") // the error stays for Flush
	for _, m := range minority {
		_, _ = w.WriteString(" " + digit(m))
	}
	_ = w.WriteByte('\n')
	return w.Flush()
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
