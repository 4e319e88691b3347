package bench

import (
	"cmp"
	"fmt"
	"runtime"
	"strings"

	"parcorels/bitvec"
	"parcorels/rulelist/search"
)

// Suite is a list of cases under a name.
type Suite struct {
	Name  string
	About string // for people
	Cases func() []Case
}

// Suites returns all suites, in the order of their tables.
func Suites() []Suite {
	return []Suite{
		{"quick", "what the project makes itself: a few seconds", quickCases},
		{"table", "instances of the papers and others, one worker", tableCases},
		{"corels-jmlr", "tables 3, 4 and 5 of the CORELS paper (JMLR 2018), with traces", jmlrCases},
		{"systems", "table 1 of the systems paper (SysML 2018): with and without the symmetry map", systemsCases},
		{"scaling", "by workers, by samples and by antecedents", scalingCases},
		{"memory", "the same search with less and less memory", memoryCases},
		{"open", "instances that nobody had certified before: bound and gap over time", openCases},
		{"trees", "optimal decision trees: time to the optimum, limits on the depth, workers, weak and many features", treeCases},
		{"numbers", "optimal decision trees over every threshold of numbers: by depth, rows and workers", numberCases},
		{"osdt", "the experiments of the OSDT paper (NeurIPS 2019): accuracy against leaves, on other samples, too, and growth with samples and features, with CART beside", osdtCases},
		{"sets", "tables 1, 2, 5 and 6 of the rule set paper (NeurIPS 2021), with CART beside them", setCases},
		{"sbrl", "the data of the SBRL paper (ICML 2017), CART and logistic regression beside, and what its theorems are worth", sbrlCases},
		{"micro", "queue, map, trie and epochs by goroutines; needs Go and the sources", microCases},
		{"kernels", "throughput of the counting kernels by size and instruction set; needs Go and the sources", kernelCases},
	}
}

// Find returns the cases of a suite or of an instance, the latter with the
// given prices.
func Find(name string, lambdas []string, workers int) ([]Case, error) {
	for _, s := range Suites() {
		if s.Name == name {
			return labelled(s), nil
		}
	}
	if _, err := find(name); err != nil {
		return nil, err
	}
	var cases []Case
	for _, l := range lambdas {
		cases = append(cases, Case{Instance: name, Lambda: l, Workers: workers})
	}
	return cases, nil
}

func labelled(s Suite) []Case {
	cases := s.Cases()
	for i := range cases {
		cases[i].Suite = s.Name
	}
	return cases
}

// each makes a case of an instance for each of some prices, "0.02,0.01".
func each(instance, lambdas string, base Case) (cases []Case) {
	for l := range strings.SplitSeq(lambdas, ",") {
		base.Instance, base.Lambda = instance, l
		cases = append(cases, base)
	}
	return cases
}

func quickCases() (cases []Case) {
	for _, i := range []struct{ name, lambdas string }{
		{"monk1", "0.01"}, {"monk2", "0.05"}, {"monk3", "0.01"}, {"tictactoe", "0.1,0.05"}, {"planted/100000x30", "0.01"},
	} {
		cases = append(cases, each(i.name, i.lambdas, Case{Workers: 1, Limit: 60})...)
	}
	return cases
}

func tableCases() (cases []Case) {
	for _, i := range []struct{ name, lambdas string }{
		{"compas", "0.015,0.01,0.005"},
		{"votes", "0.01"},
		{"bcancer", "0.01"},
		{"haberman", "0.01"},
		{"cars", "0.02,0.01"},
		{"tdata_R", "0.01,0.001"},
		{"monk1-pairs", "0.02"},
		{"monk2-pairs", "0.02"},
		{"monk3-pairs", "0.02"},
		{"tictactoe-pairs", "0.05"},
		{"fico-pairs", "0.01"},
		{"cars-pairs", "0.02"},
		{"balance-pairs", "0.01"},
		{"nyclu", "0.04,0.01,0.0025"},
		{"stopfrisk/566839", "0.01,0.005"},
	} {
		cases = append(cases, each(i.name, i.lambdas, Case{Workers: 1})...)
	}
	return cases
}

// treeCases: where other solvers are slow; where they are at home, with a limit on
// the depth; and where no solver gets far.
func treeCases() (cases []Case) {
	base := Case{Model: Trees, Workers: 1}
	add := func(instance, lambdas string, c Case) { cases = append(cases, each(instance, lambdas, c)...) }
	add("car-evaluation", "0.01,0.005,0.001", base)
	add("tic-tac-toe", "0.01,0.005,0.001", base)
	add("fico", "0.01,0.005,0.0025,0.001", base)
	add("compas-binary", "0.01,0.001", base)
	add("balance-scale", "0.001", base)
	base.Part = "depth"
	for _, base.Depth = range []int{3, 4, 5} {
		for _, name := range []string{"car-evaluation", "tic-tac-toe", "fico"} {
			add(name, "0.001", base)
		}
	}
	for _, w := range workerCounts(runtime.GOMAXPROCS(0)) {
		add("fico", "0.001", Case{Model: Trees, Part: "workers", Workers: w})
		if w > 1 {
			add("fico", "0.001", Case{Model: Trees, Part: "workers", Workers: 1, Copies: w})
		}
	}
	base = Case{Model: Trees, Part: "classes", Workers: 1, Limit: 30}
	for _, name := range []string{"car-table", "car-classes", "nursery", "nursery-classes"} {
		add(name, "0.01,0.005", base)
	}
	add("balance-classes", "0.01,0.005", base)
	base = Case{Model: Trees, Part: "weak", Workers: 1, Limit: 20, Traced: true}
	add("weak/2600x60", "0.02,0.01", base)
	base.Traced = false
	for base.Depth = 2; base.Depth <= 5; base.Depth++ {
		add("weak/2600x60", "0.02,0.01", base)
	}
	base = Case{Model: Trees, Part: "wide", Workers: 1, Limit: 10}
	for _, flags := range []string{"1000", "5000", "10000"} {
		for _, base.Depth = range []int{2, 3, 0} {
			add("planted/2000x"+flags, "0.02", base)
		}
	}
	return cases
}

// setCases: the data sets of the paper that are at hand, and what is learned from nine
// tenths of them, with given parameters and with those that the nine tenths choose. All deciles
// of the large ones ask for two cores and a minute; cut by the labels they are small.
func setCases() (cases []Case) {
	for _, i := range []struct {
		name, lambdas, beta2 string
		large, folds         bool
	}{
		{"tic-tac-toe-table", "1", "0.1", false, true}, {"tic-tac-toe-table", "8", "0.01", false, false}, {"compas-binary", "1", "0.1", false, true},
		{"fico", "4", "0.1", false, true}, {"pima", "4", "0.1", false, true}, {"mushroom", "1", "0.1", false, true},
		{"heloc-labels", "64", "0.1", false, true}, {"heloc", "64", "0.1", true, false}, {"adult-labels", "64", "0.1", true, true}, {"adult", "64", "0.1", true, false},
	} {
		base := Case{Model: Sets, Part: "whole", Workers: 1, Limit: 20, Beta2: i.beta2}
		if i.large {
			base.Workers, base.Limit = 0, 120
		}
		cases = append(cases, each(i.name, i.lambdas, base)...)
		if i.folds {
			base.Part, base.Workers, base.Limit, base.Folds, base.Beside = "folds", 1, 5, 10, learned
			cases = append(cases, each(i.name, i.lambdas, base)...)
		}
	}
	for _, name := range []string{"tic-tac-toe-table", "compas-binary", "fico", "pima", "mushroom"} {
		cases = append(cases, Case{Model: Sets, Part: "tuned", Instance: name, Workers: 1, Limit: 5, Folds: 10, Beside: learned})
	}
	return cases
}

// memoryCases: from all that the search likes, 13 MB, down to a sixth.
func memoryCases() (cases []Case) {
	for _, mebibytes := range []int64{0, 16, 8, 4, 2} {
		base := Case{Workers: 1, Memory: mebibytes << 20}
		if mebibytes > 0 {
			base.Variant = fmt.Sprintf("%d MiB", mebibytes)
		}
		cases = append(cases, each("cars", "0.02", base)...)
	}
	return cases
}

func openCases() (cases []Case) {
	base := Case{Limit: 300, Traced: true}
	cases = append(cases, each("monks2", "0.02,0.01", base)...)
	return append(cases, each("tictactoe-pairs", "0.02", base)...)
}

// scalingCases: the same problem for more and more workers, and as many searches
// by one worker side by side, without the separation bound, with which most of them
// are too short for that; and for one worker, more and more samples or
// antecedents.
func scalingCases() (cases []Case) {
	strong := []struct{ name, lambda string }{
		{"tictactoe", "0.05"}, {"compas", "0.005"}, {"nyclu", "0.01"}, {"nyclu", "0.0025"},
		{"cars", "0.02"}, {"cars", "0.01"}, {"tdata_R", "0.01"}, {"monk2-pairs", "0.02"}, {"balance-pairs", "0.01"},
	}
	for _, i := range strong {
		for _, w := range workerCounts(runtime.GOMAXPROCS(0)) {
			c := Case{Part: "workers", Workers: w, Without: search.Separation.String()}
			cases = append(cases, each(i.name, i.lambda, c)...)
			if w > 1 {
				c.Workers, c.Copies = 1, w
				cases = append(cases, each(i.name, i.lambda, c)...)
			}
		}
	}
	for rows := 10_000; rows <= 10_000_000; rows *= 10 {
		cases = append(cases, each(fmt.Sprintf("stopfrisk/%d", rows), "0.01", Case{Part: "samples", Workers: 1})...)
	}
	for flags := 10; flags <= 160; flags *= 2 {
		cases = append(cases, each(fmt.Sprintf("planted/10000x%d", flags), "0.03", Case{Part: "antecedents", Workers: 1})...)
	}
	return cases
}

// workerCounts returns 1, 2, 4, … and all.
func workerCounts(cores int) (counts []int) {
	for w := 1; w < cores; w *= 2 {
		counts = append(counts, w)
	}
	return append(counts, cores)
}

func kernelCases() (cases []Case) {
	for _, k := range bitvec.Kernels() {
		cases = append(cases, Case{Instance: countMeasure, Kernel: k, Variant: k})
	}
	return cases
}

// Case is an instance, a price and a way to search it. The zero value of
// every field but Instance and Lambda means the default of the search.
type Case struct {
	Suite    string  `json:"suite,omitempty"`
	Part     string  `json:"part,omitempty"`     // the table of the suite that it belongs to
	Variant  string  `json:"variant,omitempty"`  // what makes it unlike its neighbours, for people
	Instance string  `json:"instance"`           // a name of Instances, or a path
	Model    string  `json:"model,omitempty"`    // Trees, Sets, Bayesian; "": rule lists
	Lambda   string  `json:"lambda,omitempty"`   // λ, as a decimal or a fraction
	Depth    int     `json:"depth,omitempty"`    // of a tree, most splits on a path; 0: any
	Beta2    string  `json:"beta2,omitempty"`    // of a rule set, the price of overlap; "": the default
	Keep     int     `json:"keep,omitempty"`     // of a Bayesian list, antecedents of most information gain that are kept; 0: all
	MaxRules int     `json:"maxRules,omitempty"` // of a Bayesian list, most rules; 0: any
	Folds    int     `json:"folds,omitempty"`    // of a cross-validation; 0: none
	Beside   string  `json:"beside,omitempty"`   // other methods to be measured on the same points or folds; "": none
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
	Traced   bool    `json:"traced,omitempty"`   // record how the search went on
}

// Name tells the case from all others of a suite, for people.
func (c *Case) Name() string {
	name := c.Instance
	if c.Lambda != "" {
		name += " λ=" + shortLambda(c.Lambda)
	}
	if c.Depth > 0 {
		name += fmt.Sprintf(" depth %d", c.Depth)
	}
	if c.Variant != "" {
		name += " " + c.Variant
	}
	if c.Workers > 1 {
		name += fmt.Sprintf(" ×%d", c.Workers)
	}
	if c.Copies > 1 {
		name += fmt.Sprintf(", %d side by side", c.Copies)
	}
	return name
}

// shortLambda leaves the zero before the point out, as the tables do.
func shortLambda(l string) string {
	if s, ok := strings.CutPrefix(l, "0."); ok {
		return "." + s
	}
	return l
}

// key tells cases apart whose figures must not be mixed.
type key struct {
	suite, part, variant, instance, model, lambda string
	workers, copies, depth                        int
	kernel, solver                                string
}

func (r *Record) key() key {
	return key{r.Suite, r.Part, r.Variant, r.Instance, r.Case.Model, r.Lambda, r.Workers, r.Copies, r.Depth, cmp.Or(r.Case.Kernel, "-"), r.Solver}
}
