package bench

import (
	"bytes"
	"context"
	_ "embed" // the instances
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"parcorels/dataset"
	"parcorels/examples"
	"parcorels/ratio"
	"parcorels/rules"
)

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
