package bench

import (
	"cmp"
	"fmt"
	"strings"
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
