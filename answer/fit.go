package answer

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"time"

	"parcorels/bayes"
	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/report"
	"parcorels/rules"
	"parcorels/ruleset"
)

// Fit is what a search has found, as people read it.
type Fit struct {
	Path    string // of the table
	Family  *family.Family
	Problem *family.Problem
	Options family.Options
	Limit   time.Duration // that nobody gave; 0: somebody did
	Model   *family.Model
	Effort  string // "0.01 s, 9,626 prefixes expanded"
	Ending  string // is printed at the end
}

// Head says what a model is learned from: how the table is read, and the size of the
// problem.
func (f *Fit) Head() string { return render("head", fitText{f}) }

// Verdict says how good the model is and what is proven about it.
func (f *Fit) Verdict() string {
	switch f.Model.Model.(type) {
	case *ruleset.Model:
		return render("set verdict", fitText{f})
	case *bayes.Model:
		return render("bayes verdict", fitText{f})
	}
	return render("verdict", fitText{f})
}

// Advice says what would end a search in some state sooner. With other options than those of a checkpoint that it resumes it would
// be another search. A client counts in seconds.
func (f *Fit) Advice(took time.Duration, state string, resumes, client bool) string {
	ways := SimplerThan(f.Family, &f.Options)
	if resumes {
		ways = nil
	}
	return render("advice", map[string]any{"Fit": f, "Took": took, "State": state, "Ways": ways, "Client": client})
}

// AskForeknown is Foreknown as a paragraph, about the first of the models of which there is something to ask: the others are like it.
func AskForeknown(models ...model.Model) string {
	for _, m := range models {
		if text := Foreknown(m); text != "" {
			return "\n" + Notes([]string{wording.Escape(text)})
		}
	}
	return ""
}

// Kind names the models among which the best is sought.
func (f *Fit) Kind() string {
	kind := string(f.Family.Kind)
	if n := f.Options.Depth; n > 0 {
		kind += fmt.Sprintf(" of depth at most %d", n)
	}
	if n := f.Options.MaxRules; n > 0 {
		kind += " of at most " + wording.Count(int64(n), "rule")
	}
	if n := len(f.Options.First); n > 0 {
		kind += " that begins with " + family.ItsFirst(n)
	}
	return kind + f.Options.RestrictionText()
}

// Price is λ, or the expected number of rules.
func (f *Fit) Price() ratio.Ratio {
	price, _ := f.Problem.Price(f.Options) // the options were found good
	return price
}

// fitText is what the templates in fit.txt say of a fit.
type fitText struct{ *Fit }

func (f fitText) Set() *rules.Set                { return f.Problem.Set }
func (f fitText) Data() *dataset.Dataset         { return f.Problem.Set.Data }
func (f fitText) Certificate() model.Certificate { return f.Model.Certificate() }
func (f fitText) Optimal() bool                  { return f.Certificate().Status == parallel.Optimal }
func (f fitText) Finished() bool                 { return f.Certificate().Status == parallel.Finished }
func (f fitText) Stopped() string                { return Stopped[f.Certificate().Status] }
func (f fitText) F1() *report.F1                 { return f.Model.F1 }
func (f fitText) F1Bound() float64               { return 100 * f.Model.F1.Bound }

// Columns are a line about the classes, and one for each column.
func (f fitText) Columns() []string {
	return append([]string{ClassLine(f.Data())}, ColumnTable(f.Data())...)
}

// Saved is how many samples are worth λ.
func (f fitText) Saved() float64 { return f.Price().Float() * float64(f.Data().Rows()) }

// LeastSaved is Saved, exactly and rounded down.
func (f fitText) LeastSaved() int64 { return f.Price().Num * int64(f.Data().Rows()) / f.Price().Den }

// Heaviest is how many of the heaviest samples are worth λ; "" if that is no integer.
func (f fitText) Heaviest() string {
	heavy, _ := f.Data().Heaviest()
	if n := heavy.Quo(big.NewRat(f.Price().Num, f.Price().Den), heavy); n.IsInt() {
		return n.Num().String()
	}
	return ""
}

// MostRight is the accuracy that no model exceeds, as rows that satisfy the same antecedents
// differ in class; 0 if it is above 99%.
func (f fitText) MostRight() float64 {
	p := f.Problem
	if p.Unavoidable < (p.Weight+99)/100 || p.Weight == 0 {
		return 0
	}
	return 1 - float64(p.Unavoidable)/float64(p.Weight)
}

// Tied reports that no model is smaller, but one that ties may come first.
func (f fitText) Tied() bool { return f.Certificate().Bound.Num >= f.Certificate().Objective.Num }

// Bound is the lower bound on the objective.
func (f fitText) Bound() string {
	b := f.Certificate().Bound
	return Decimal(b.Num, b.Den, f.Price(), true)
}

// Short names the small lists or trees that are proved to be no better, where that is all that is proved.
func (f fitText) Short() string {
	small := f.Model.Proved().Small()
	if small == "" || f.Tied() {
		return ""
	}
	small = strings.Replace(small, "list", "rule list", 1)
	if n := len(f.Options.First); n > 0 {
		small += " that begins with " + family.ItsFirst(n)
	}
	return small
}

// ShortTime is what that proof took.
func (f fitText) ShortTime() time.Duration {
	if f.Model.Proved().Depth > 0 {
		return f.Model.Search.Steps[len(f.Model.Search.Steps)-1].Elapsed
	}
	return f.Model.Search.Short.Time
}

// Longer names the models of which nothing is proved.
func (f fitText) Longer() string {
	p := f.Model.Proved()
	switch n := f.Options.MaxRules; {
	case p.Depth > 0:
		return "deeper trees"
	case n > p.Rules+1:
		return fmt.Sprintf("lists of %d to %d rules", p.Rules+1, n)
	case n > 0:
		return "lists of " + wording.Count(int64(n), "rule")
	}
	return "lists of " + wording.Count(int64(p.Rules+1), "rule") + " and more"
}

// FewerErrors is how many samples the gap stands for; 0 of samples with weights.
func (f fitText) FewerErrors() int64 {
	if f.Data().Weights != nil {
		return 0
	}
	c := f.Certificate()
	return int64(math.Ceil(c.Gap * c.Objective.Value * float64(f.Data().N)))
}

// ShareOfBest is how much of the largest value a rule set has at least.
func (f fitText) ShareOfBest() string {
	return wording.Percent(f.Certificate().Objective.Num, f.Certificate().Bound.Num)
}

// Holdout sets the figures of a model on both parts beside the base rate.
func Holdout(h *report.Holdout, m *family.Model) string {
	if h == nil {
		return ""
	}
	return render("holdout", map[string]any{"Holdout": h, "Model": m})
}

// Origin says what a model was learned from, and how good it is there.
func Origin(m model.Model) string {
	c := m.Certificate()
	return render("origin", map[string]any{"Model": m, "Certificate": c, "Price": LambdaOf(c)})
}
