package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"parcorels/dataset"
	"parcorels/internal/generate"
	"parcorels/rules"
)

// made returns the instances that the project makes itself; they need no
// files. The tables are those of "parcorels data".
func made() []Instance {
	return []Instance{
		generated("monk1", "MONK's first problem, all 432 robots"),
		generated("monk2", "MONK's second problem, all 432 robots"),
		generated("monk3", "MONK's third problem, all 432 robots"),
		generated("tictactoe", "the 958 boards at which tic-tac-toe ends"),
	}
}

func generated(name, about string) Instance {
	return Instance{Name: name, About: about + ", singles and pairs", make: func() (*dataset.Dataset, error) {
		var b bytes.Buffer
		if err := generate.Write(&b, name); err != nil {
			return nil, err
		}
		return dataset.ReadFrom(&b, name, dataset.Options{})
	}}
}

// family is made instances of any size; the numbers that follow its name say which:
// "planted/10000x30".
type family struct {
	name, usage string   // "planted", "ROWSxFLAGS"
	ranges      [][2]int // of each number
	about       string
	// table makes one; nil for those of a table of that name, resized.
	table func(name string, n []int) (*dataset.Dataset, error)
}

// The most rows and flags of a table that is made.
const (
	mostRows  = 100_000_000
	mostFlags = 10_000
)

var families = []family{
	{"stopfrisk", "ROWS", [][2]int{{1, generate.MaxStops}}, "stops as \"parcorels data stopfrisk --balance\" makes them, 28 antecedents as in the papers' NYPD problem", stopFrisk},
	{"weak", "ROWSxFLAGS", [][2]int{{2, mostRows}, {1, mostFlags}}, "random flags that each say little about the class",
		func(name string, n []int) (*dataset.Dataset, error) { return weak(name, n[0], n[1]), nil }},
	{"planted", "ROWSxFLAGS", [][2]int{{2, mostRows}, {4, mostFlags}}, "random flags, and a class that a list of three rules tells in nine of ten samples",
		func(name string, n []int) (*dataset.Dataset, error) { return planted(name, n[0], n[1]), nil }},
	{"compas-binary", "ROWSxFEATURES", [][2]int{{2, mostRows}, {1, mostFlags}}, "COMPAS with 0/1 features, drawn or again and again, those of the optimal tree first", nil},
	{"fico", "ROWSxFEATURES", [][2]int{{2, mostRows}, {1, mostFlags}}, "FICO's lines of credit, likewise", nil},
	{"noisy", "ROWSxANTECEDENTSxPERCENT", [][2]int{{2, 1_000_000}, {80, 2 * mostFlags}, {0, 49}}, "numbers cut at quantiles, and a class that a list of four rules tells but for so many wrong labels",
		func(name string, n []int) (*dataset.Dataset, error) { return noisy(name, n[0], n[1], n[2]), nil }},
	{"numbers", "ROWSxCOLUMNS", [][2]int{{2, mostRows}, {4, 1000}}, "numbers of which each may be split anywhere, and a class that a list of four rules tells but for one label in seven",
		func(name string, n []int) (*dataset.Dataset, error) { return numbers(name, n[0], n[1]) }},
}

// Families returns how instances of any size are named.
func Families() (list []Instance) {
	for _, f := range families {
		list = append(list, Instance{Name: f.name + "/" + f.usage, About: f.about})
	}
	return list
}

// parse returns the instance whose name has the text behind that of the family.
func (f *family) parse(name, text string) (Instance, error) {
	var n []int
	for part := range strings.SplitSeq(text, "x") {
		v, err := strconv.Atoi(part)
		if i := len(n); err != nil || i == len(f.ranges) || v < f.ranges[i][0] || v > f.ranges[i][1] {
			return Instance{}, f.refuse(name)
		}
		n = append(n, v)
	}
	switch {
	case len(n) < len(f.ranges):
		return Instance{}, f.refuse(name)
	case f.table == nil:
		return resizedInstance(f.name, name, n[0], n[1]), nil
	}
	return Instance{Name: name, About: f.about, mining: rules.Options{MaxCard: 1}, make: func() (*dataset.Dataset, error) { return f.table(name, n) }}, nil
}

// refuse says how instances of the family are named.
func (f *family) refuse(name string) error {
	var ranges []string
	for _, r := range f.ranges {
		ranges = append(ranges, fmt.Sprintf("%d to %d", r[0], r[1]))
	}
	return fmt.Errorf("%q: expected %s/%s with numbers from %s", name, f.name, f.usage, strings.Join(ranges, ", "))
}

const stopFriskSeed = 1

// stopFrisk reads a table while it is made, so that it is never kept as text.
func stopFrisk(name string, n []int) (*dataset.Dataset, error) {
	table := generate.StopFrisk{Rows: int64(n[0]), Seed: stopFriskSeed, Balance: true}
	read, write := io.Pipe()
	go func() { _ = write.CloseWithError(table.Write(context.Background(), write)) }()
	defer read.Close()
	return dataset.ReadFrom(read, name, dataset.Options{})
}
