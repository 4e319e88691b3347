// Package bench measures the search and keeps the results. Begin with [Suites] for what is measured and with [Runner]
// for how; [Execute] is one measurement.
//
// # Shape
//
// An [Instance] is a problem by name (suites.go); a [Case] is an instance with a price
// and a way to search it; a [Suite] is a grid of cases (suites.json). A [Runner] takes the
// cases in rounds. So what disturbs the machine for a while disturbs all of them. Each run
// has a process of its own (runner.go). The Runner starts its own program
// again, and a hidden command reads a [Case] from stdin and calls [Execute] (instances.go). A
// case may be several independent searches side by side. They show what the machine can
// give, apart from what workers make of it.
//
// # Records
//
// Every run is a [Record], a line of JSON with the machine, the commit and the command
// (runner.go). Tables and comparisons (tables.go) are made from records alone,
// never from a run in progress. A table is a list of columns by name. Tables of
// the documents lie between marks and follow from the files of bench/results.
// A test checks that.
//
// # What the figures mean
//
// SecondsSearch is what the search took, from an instance in memory to a certified list,
// with the first incumbent; SecondsTotal adds reading, mining and reducing; SecondsWall is
// the life of the process as its parent saw it. The workers of the search only count; other
// goroutines read clocks.
package bench

import (
	"bytes"
	"context"
	_ "embed" // the instances
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"parcorels/bitvec"
	"parcorels/dataset"
	"parcorels/examples"
	"parcorels/ratio"
	"parcorels/rules"
)

// Suite is a list of cases under a name.
type Suite struct {
	Name  string           `json:"name"`
	About string           `json:"about"` // for people
	Cases []map[string]any `json:"cases"` // as expand takes them
	// Tables are the columns of the tables, by part; * is all other parts. A column is a name of columns, or
	// "heading = column".
	Tables map[string][]string `json:"tables"`
}

// suitesFile has the suites in the order of their tables. Cases have the names of records. A list stands for a case
// with each of its elements; those that are objects are parts of a case. "each" is each kernel, "each number" one
// worker, two, four and so on.
//
//go:embed suites.json
var suitesFile []byte

// Suites returns all suites, in the order of their tables.
func Suites() (list []Suite) {
	if err := json.Unmarshal(suitesFile, &list); err != nil {
		panic(err) // it is part of the program
	}
	return list
}

// Find returns the cases of suites and of instances, the latter with the given prices, whose name, suite or part
// contains the text.
func Find(names, lambdas []string, workers int, text string) (cases []Case, err error) {
	for _, name := range names {
		some, err := casesOf(name, lambdas, workers)
		if err != nil {
			return nil, err
		}
		cases = append(cases, some...)
	}
	cases = slices.DeleteFunc(cases, func(c Case) bool { return !strings.Contains(c.Suite+" "+c.Part+" "+c.Name(), text) })
	if len(cases) == 0 {
		return nil, fmt.Errorf("no case has %q in its name", text)
	}
	return cases, nil
}

func casesOf(name string, lambdas []string, workers int) (cases []Case, err error) {
	for _, s := range Suites() {
		if s.Name == name {
			return s.cases()
		}
	}
	for _, l := range lambdas {
		cases = append(cases, Case{Instance: name, Lambda: l, Workers: workers})
	}
	_, err = find(name)
	return cases, err
}

func (s *Suite) cases() (cases []Case, err error) {
	for _, grid := range s.Cases {
		for _, fields := range expand(grid) {
			text, err := json.Marshal(fields)
			if err != nil {
				return nil, err
			}
			c := Case{Suite: s.Name}
			in := json.NewDecoder(bytes.NewReader(text))
			in.DisallowUnknownFields()
			if err := in.Decode(&c); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", s.Name, text, err)
			}
			cases = append(cases, c)
		}
	}
	return cases, nil
}

// expand returns a case for each choice of an element of every list. The last list, by name, changes fastest.
func expand(grid map[string]any) []map[string]any {
	cases := []map[string]any{{}}
	for _, name := range slices.Sorted(maps.Keys(grid)) {
		var longer []map[string]any
		for _, c := range cases {
			for _, fields := range choices(name, grid[name]) {
				joined := maps.Clone(c)
				maps.Copy(joined, fields)
				longer = append(longer, joined)
			}
		}
		cases = longer
	}
	return cases
}

// choices returns what a field of a grid stands for.
func choices(name string, value any) (list []map[string]any) {
	switch v := value.(type) {
	case map[string]any:
		return expand(v)
	case []any:
		for _, item := range v {
			list = append(list, choices(name, item)...)
		}
		return list
	case string:
		switch {
		case v == "each" && name == "kernel":
			for _, k := range bitvec.Kernels() {
				list = append(list, map[string]any{name: k})
			}
			return list
		case v == "each number":
			for _, n := range workerCounts(runtime.GOMAXPROCS(0)) {
				if n > 1 || name != "copies" {
					list = append(list, map[string]any{name: n})
				}
			}
			return list
		}
	}
	return []map[string]any{{name: value}}
}

// workerCounts returns 1, 2, 4, … and all.
func workerCounts(cores int) (counts []int) {
	for w := 1; w < cores; w *= 2 {
		counts = append(counts, w)
	}
	return append(counts, cores)
}

// Case is an instance, a price and a way to search it. The zero value of
// every field but Instance and Lambda means the default of the search.
type Case struct {
	Suite    string  `json:"suite,omitempty"`
	Part     string  `json:"part,omitempty"`     // the table of the suite that it belongs to
	Variant  string  `json:"variant,omitempty"`  // what makes it unlike its neighbours, for people
	Instance string  `json:"instance"`           // a name of Instances, or a path
	Model    string  `json:"model,omitempty"`    // Trees; "": rule lists
	Lambda   string  `json:"lambda,omitempty"`   // λ, as a decimal or a fraction
	Depth    int     `json:"depth,omitempty"`    // of a tree, most splits on a path; 0: any
	Workers  int     `json:"workers,omitempty"`  // goroutines; 0: all cores
	Copies   int     `json:"copies,omitempty"`   // searches side by side that have nothing to do with each other; 0: one
	Policy   string  `json:"policy,omitempty"`   // names as in package search
	Symmetry string  `json:"symmetry,omitempty"` // likewise
	Without  string  `json:"without,omitempty"`  // prunings with commas between them
	Separate bool    `json:"separate,omitempty"` // every sample is a point of its own
	Kernel   string  `json:"kernel,omitempty"`   // of package bitvec; "": the best one
	Limit    float64 `json:"limit,omitempty"`    // seconds of search
	Nodes    int64   `json:"nodes,omitempty"`    // most expansions
	Memory   int64   `json:"memory,omitempty"`   // bytes
}

// Trees is the Model of a case that is about trees.
const Trees = "tree"

// Name tells the case from all others of a suite, for people.
func (c *Case) Name() string {
	name := c.Instance
	add := func(format string, value any, is bool) {
		if is {
			name += fmt.Sprintf(format, value)
		}
	}
	add(" λ=%s", shortLambda(c.Lambda), c.Lambda != "")
	add(" depth %d", c.Depth, c.Depth > 0)
	add(" %s", c.Kernel, c.Kernel != "")
	add(" %s", c.Variant, c.Variant != "")
	add(" ×%d", c.Workers, c.Workers > 1)
	add(", %d side by side", c.Copies, c.Copies > 1)
	return name
}

// shortLambda leaves the zero before the point out, as the tables do.
func shortLambda(l string) string {
	if s, ok := strings.CutPrefix(l, "0."); ok {
		return "." + s
	}
	return l
}

// DataEnv names the environment variable with the folder of the papers' data.
const DataEnv = "PARCORELS_DATA"

// ErrAbsent reports an instance whose file is not there. Runs of it are
// skipped.
var ErrAbsent = errors.New("not there")

// Instance is a problem by name: a table, made or read, and the antecedents.
type Instance struct {
	Name    string          `json:"name"`
	About   string          `json:"about"` // for people
	File    string          `json:"file"`  // below the data folder, with slashes; "": none
	Reading dataset.Options `json:"reading"`
	Mining  rules.Options   `json:"mining"`

	make func(ctx context.Context, file string) (*dataset.Dataset, error) // the table
}

// singles are all features alone.
var singles = rules.Options{MaxCard: 1, MinSupport: ratio.New(0, 1)}

// instancesFile has the tables of package examples and those of the papers and
// of public repositories. The files of the latter are other people's and are not part of this project. Nyclu has the
// negations of flags alone,
// as in its paper.
//
//go:embed instances.json
var instancesFile []byte

// Instances returns all named instances.
func Instances() (list []Instance) {
	if err := json.Unmarshal(instancesFile, &list); err != nil {
		panic(err) // it is part of the program
	}
	return list
}

// find returns the instance of a name: one of Instances, one of a family of
// made ones (planted/…), or a file of the user's.
func find(name string) (Instance, error) {
	for _, in := range Instances() {
		if in.Name != name {
			continue
		}
		in.make = func(_ context.Context, file string) (*dataset.Dataset, error) {
			if file != "" {
				return dataset.Read(file, in.Reading)
			}
			table, err := examples.Table(name)
			if err != nil {
				return nil, err
			}
			return dataset.ReadFrom(bytes.NewReader(table), name, in.Reading)
		}
		return in, nil
	}
	for _, f := range families {
		text, ok := strings.CutPrefix(name, f.name+"/")
		if !ok {
			continue
		}
		n, err := f.numbers(text)
		return Instance{Name: name, About: f.about, Mining: rules.Options{MaxCard: 1},
			make: func(ctx context.Context, _ string) (*dataset.Dataset, error) { return f.table(ctx, name, n) }}, err
	}
	if info, err := os.Stat(name); err == nil && !info.IsDir() {
		return Instance{Name: name, About: "a file", make: func(context.Context, string) (*dataset.Dataset, error) {
			return dataset.Read(name, dataset.Options{})
		}}, nil
	}
	return Instance{}, fmt.Errorf("%q is no suite, no instance and no file (see parcorels-bench list)", name)
}

// path returns the file of the instance, "" if it needs none. The folder is the
// data folder; without one, or without the file, the error is ErrAbsent.
func (in *Instance) path(folder string) (string, error) {
	if in.File == "" {
		return "", nil
	}
	if folder == "" {
		return "", fmt.Errorf("%s is %w: say by option Data or %s where the folder is that has %s", in.Name, ErrAbsent, DataEnv, in.File)
	}
	path := filepath.Join(folder, filepath.FromSlash(in.File))
	_, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%s is %w: no file %s", in.Name, ErrAbsent, path)
	}
	return path, err
}

// load makes the antecedents of the instance.
func (in *Instance) load(ctx context.Context, folder string) (*rules.Set, error) {
	path, err := in.path(folder)
	if err != nil {
		return nil, err
	}
	d, err := in.make(ctx, path)
	switch {
	case err != nil:
		return nil, err
	case d.Format == "out":
		return rules.Given(d)
	}
	return rules.Mine(ctx, d, in.Mining)
}

// family is made instances of any size; the numbers that follow its name say which:
// "planted/10000x30".
type kind struct {
	name, usage string // "planted", "ROWSxFLAGS"
	least, most []int  // of each number
	about       string
	table       func(ctx context.Context, name string, n []int) (*dataset.Dataset, error)
}

// Families returns how instances of any size are named.
func Families() (list []Instance) {
	for _, f := range families {
		list = append(list, Instance{Name: f.name + "/" + f.usage, About: f.about})
	}
	return list
}

// numbers reads the numbers behind the name of the family.
func (f *kind) numbers(text string) (n []int, err error) {
	parts := strings.Split(text, "x")
	for i, part := range parts {
		v, err := strconv.Atoi(part)
		if err != nil || len(parts) != len(f.least) || v < f.least[i] || v > f.most[i] {
			return nil, fmt.Errorf("%s/%s: expected %s/%s with numbers from %v to %v", f.name, text, f.name, f.usage, f.least, f.most)
		}
		n = append(n, v)
	}
	return n, nil
}
