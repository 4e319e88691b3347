package bench

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"parcorels/ratio"
	"parcorels/rulelist/search"
)

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

// options returns the options of the search, or an error that names what the
// case has wrong.
func (c *Case) options() (o search.Options, err error) {
	if o.Lambda, err = c.price(); err != nil {
		return o, err
	}
	if c.Policy != "" {
		if o.Policy, err = search.ParsePolicy(c.Policy); err != nil {
			return o, err
		}
	}
	if c.Symmetry != "" {
		if o.Symmetry, err = search.ParseSymmetry(c.Symmetry); err != nil {
			return o, err
		}
	}
	if o.Without, err = search.ParsePrunings(c.Without); err != nil {
		return o, err
	}
	o.Workers, o.Nodes, o.Memory = c.Workers, c.Nodes, c.Memory
	o.Time = time.Duration(c.Limit * float64(time.Second))
	return o, o.Validate()
}

// price returns λ.
func (c *Case) price() (ratio.Ratio, error) {
	l, err := ratio.Parse(c.Lambda)
	if err != nil || !l.Within() {
		return l, fmt.Errorf("λ %q: expected a number between 0 and 1, such as 0.01 or 1/300", c.Lambda)
	}
	return l, nil
}

// check reports what the case has wrong.
func (c *Case) check() (err error) {
	switch c.Model {
	case "":
		_, err = c.options()
	case Trees:
		_, err = c.treeOptions()
	case Sets:
		_, err = c.setOptions()
	case Bayesian:
		_, err = c.bayesOptions()
	default:
		err = fmt.Errorf("model %q: expected %q, %q, %q or nothing", c.Model, Trees, Sets, Bayesian)
	}
	return err
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
