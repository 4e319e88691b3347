package bench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parcorels/dataset"
	"parcorels/rules"
)

// DataEnv names the environment variable with the folder of the papers' data.
const DataEnv = "PARCORELS_DATA"

// ErrAbsent reports an instance whose file is not there. Runs of it are
// skipped.
var ErrAbsent = errors.New("not there")

// Instance is a problem by name: a table, made or read, and the antecedents.
type Instance struct {
	Name    string
	About   string // for people
	File    string // below the data folder, with slashes; "": made by this project
	reading dataset.Options
	mining  rules.Options
	make    func() (*dataset.Dataset, error)        // if File is ""
	keep    func(*rules.Set, rules.Antecedent) bool // nil: every antecedent

	// resize makes another table of what was read; nil: that is taken as it is.
	resize func(context.Context, *dataset.Dataset) (*dataset.Dataset, error)
}

// Instances returns all named instances: those that the project makes itself,
// then those of the papers and of public repositories.
func Instances() []Instance { return append(made(), published()...) }

// find returns the instance of a name: one of Instances, one of a family of
// made ones (planted/…), or a file of the user's.
func find(name string) (Instance, error) {
	all := Instances()
	if i := slices.IndexFunc(all, func(in Instance) bool { return in.Name == name }); i >= 0 {
		return all[i], nil
	}
	for _, f := range families {
		if text, ok := strings.CutPrefix(name, f.name+"/"); ok {
			return f.parse(name, text)
		}
	}
	if info, err := os.Stat(name); err == nil && !info.IsDir() {
		return Instance{Name: name, About: "a file"}, nil
	}
	return Instance{}, fmt.Errorf("%q is no suite, no instance and no file (see parcorels-bench list)", name)
}

// path returns the file of the instance, "" if it is made. The folder is the
// data folder; without one, or without the file, the error is ErrAbsent.
func (in Instance) path(folder string) (string, error) {
	switch {
	case in.make != nil:
		return "", nil
	case in.File == "":
		return in.Name, nil
	case folder == "":
		return "", fmt.Errorf("%s is %w: say by option Data or %s where the folder is that has %s", in.Name, ErrAbsent, DataEnv, in.File)
	}
	path := filepath.Join(folder, filepath.FromSlash(in.File))
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s is %w: no file %s", in.Name, ErrAbsent, path)
	} else if err != nil {
		return "", err
	}
	return path, nil
}

// load makes the antecedents of the instance.
func (in Instance) load(ctx context.Context, folder string) (*rules.Set, error) {
	path, err := in.path(folder)
	if err != nil {
		return nil, err
	}
	var d *dataset.Dataset
	if in.make != nil {
		d, err = in.make()
	} else {
		d, err = dataset.Read(path, in.reading)
	}
	if err == nil && in.resize != nil {
		d, err = in.resize(ctx, d)
	}
	if err != nil {
		return nil, err
	}
	set, err := in.mine(ctx, d)
	if err != nil || in.keep == nil {
		return set, err
	}
	set.Antecedents = slices.DeleteFunc(set.Antecedents, func(a rules.Antecedent) bool { return !in.keep(set, a) })
	return set, nil
}

func (in Instance) mine(ctx context.Context, d *dataset.Dataset) (*rules.Set, error) {
	if d.Format == "out" {
		return rules.Given(d)
	}
	return rules.Mine(ctx, d, in.mining)
}
