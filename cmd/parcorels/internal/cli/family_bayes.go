package cli

import (
	"context"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"parcorels/bayes"
	"parcorels/bayes/search"
	"parcorels/crossval"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/report"
	"parcorels/rules"
)

// bayesFamily is fit --model bayes.
func bayesFamily() *family {
	return &family{
		name: "bayes", kind: model.BayesianRuleList, learn: learnBayes, faster: fasterBayes,
		knows:   []string{"nodes", "memory", "length", "width", "alpha", "max-rules", "chains", "iterations", "seed", "proof"},
		verdict: bayesVerdict,
		cross:   func(s *settings) crossval.Family { return crossval.BayesianLists{Search: s.bayes} },
		grid:    func(s *settings) []ratio.Ratio { return []ratio.Ratio{s.bayes.Prior.Length} },
		prepare: func(s *settings) { s.search.Lambda = s.bayes.Prior.Length },
	}
}

// bayesGroup is the prior of a Bayesian rule list and how it is searched for.
func bayesGroup(s *settings) group {
	parameter := func(name, value, def, text string, to *ratio.Ratio) option {
		return option{name: name, value: value, def: def, expect: "a positive number, such as 3 or 0.5", text: text, set: share(to, positive)}
	}
	number := func(name, def, unset, text string, most int64, to *int) option {
		return option{name: name, value: "N", def: def, unset: unset, expect: fmt.Sprintf("an integer from 1 to %d", most), text: text, set: whole(to, 1, most)}
	}
	return group{"Bayesian rule lists (--model bayes)", []option{
		parameter("length", "λ", "10", "expected number of rules (λ of the prior)", &s.bayes.Prior.Length),
		parameter("width", "η", "1", "expected number of conditions of a rule (η of the prior)", &s.bayes.Prior.Width),
		{name: "alpha", value: "α", def: "1", expect: "a positive number such as 1 or 0.5, or two, α0,α1", text: "pseudo-samples of each class in every rule (α of the Beta prior)",
			set: func(t string) (err error) {
				zero, one, two := strings.Cut(t, ",")
				if !two {
					one = zero
				}
				if s.bayes.Prior.Alpha0, err = exact(zero, positive); err != nil {
					return err
				}
				s.bayes.Prior.Alpha1, err = exact(one, positive)
				return err
			}},
		number("max-rules", "", "no limit", "most rules", 10_000, &s.bayes.MaxRules),
		number("chains", strconv.Itoa(search.DefaultChains), "", "Markov chains that look for good lists", 1<<16, &s.bayes.Chains),
		number("iterations", strconv.Itoa(search.DefaultIterations), "", "steps of each chain", math.MaxInt32, &s.bayes.Iterations),
		{name: "seed", value: "N", def: "0", expect: "an integer from 0", text: "where the chains' random numbers begin; the same seed gives the same list with any number of workers",
			set: whole(&s.bayes.Seed, 0, math.MaxInt64)},
	}}
}

func learnBayes(ctx context.Context, f *fitted) (*finding, error) {
	points, err := f.points(ctx)
	if err != nil {
		return nil, err
	}
	s, o := f.settings, f.settings.bayes
	o.Workers, o.Nodes, o.Memory, o.Time = s.search.Workers, s.search.Nodes, f.memory.Search(s.search.Memory), f.remaining()
	better := math.Inf(-1)
	o.Progress = func(p search.Progress) {
		state := fmt.Sprintf("gap %.4f nats", p.Gap)
		if math.IsInf(p.Bound, 1) {
			state = fmt.Sprintf("%d of %s ended", p.Chains, wording.Count(int64(o.Chains), "chain"))
		}
		f.look(state, func(t *progressTable) { t.showBayes(p, time.Since(f.start)) })
		if s.progress == "full" && p.Value > better {
			better = p.Value
			f.better(listSentence(f.set, p.List))
		}
	}
	var m *bayes.Model
	var r *search.Result
	proved, fault, err := f.prove(func(to io.Writer, settings []byte) (bool, error, error) {
		if to != nil {
			o.Proof = &search.Proof{To: to, Digest: f.set.Digest(), Settings: settings}
		}
		if m, r, err = search.Fit(ctx, f.set, points, o, "parcorels "+version(), s.reading()); err != nil {
			return false, nil, f.about(err)
		}
		return r.Status == parallel.Optimal, r.ProofErr, nil
	})
	if err != nil {
		return nil, err
	}
	took := time.Duration((r.Seconds.Chains + r.Seconds.Exact) * float64(time.Second))
	return &finding{
		model: m, effort: fmt.Sprintf("%s, %s expanded", seconds(took), wording.Count(r.Expanded, "prefix")),
		stats: report.Stats{
			Antecedents: len(f.set.Antecedents), Points: r.Points, Expanded: r.Expanded,
			SecondsSearch: report.Seconds(took), Workers: r.Workers, MemoryBytes: o.Memory,
			ProofBytes: r.ProofBytes, ProofRecords: r.ProofRecords,
		},
		ending: chainsNote(m, r), proved: proved, faults: []error{fault},
	}, nil
}

// listSentence returns a list of antecedents as people read it.
func listSentence(set *rules.Set, list []int) string {
	text := ""
	for i, a := range list {
		word := "else if "
		if i == 0 {
			word = "if   "
		}
		text += wrapHanging(word+wording.Printable(set.Antecedents[a].Name), 4)
	}
	return text + "else\n"
}

// fasterBayes lists what would end a search for a Bayesian rule list sooner.
func fasterBayes(s *settings, set *rules.Set) []string {
	ways := fewerConditions(set)
	if m := s.mining.MinSupport; !s.given["min-support"] && set.Data.Format != "out" {
		ways = append(ways, fmt.Sprintf("a larger --min-support (0.05 instead of %s), for fewer than %s", m, wording.Count(int64(len(set.Antecedents)), "antecedent")))
	}
	return ways
}

// chainsNote says how far the chains agree.
func chainsNote(m *bayes.Model, r *search.Result) string {
	c := m.Chains
	text := fmt.Sprintf("(%d of %s of %s found a list of this posterior", c.Agree,
		wording.Count(int64(c.Count), "chain"), wording.Count(int64(c.Iterations), "step"))
	if !math.IsNaN(r.RHat) {
		text += fmt.Sprintf("; R-hat %.2f", r.RHat)
	}
	return text + ")\n"
}

// showBayes prints a line about a search.
func (t *progressTable) showBayes(p search.Progress, took time.Duration) {
	bound, gap := "–", "–" // while chains run
	if !math.IsInf(p.Bound, 1) {
		bound, gap = fmt.Sprintf("%.4f", p.Bound), fmt.Sprintf("%.4f", p.Gap)
	}
	t.lineASecond(p.Final, cell{"rules", 5, strconv.Itoa(p.Length)}, cell{"log posterior", 14, fmt.Sprintf("%.4f", p.Value)},
		cell{"bound", 14, bound}, cell{"gap nats", 9, gap}, cell{"nodes", 8, short(p.Nodes)}, cell{"open", 8, short(p.Open)}, cell{"time", 7, seconds(took)})
}

// bayesVerdict says what the posterior of a list is and what is proved of it.
func bayesVerdict(f *fitted) string {
	m := f.model.(*bayes.Model)
	text := posteriorLine(m)
	if m.Status == parallel.Optimal {
		return text + "optimal: no list on these antecedents has a larger posterior\n(proved in " + f.effort + ")\n" + f.ending
	}
	bound := fmt.Sprintf("no list%s has a log posterior above %.4f, gap %.4f nats", onThose(f.set), m.Bound.Value, m.Bound.Value-m.Posterior.Value)
	return text + fmt.Sprintf("%s: a better list may exist\n%s(stopped after %s)\n", stopped[m.Status], wrapHanging(bound, 4), f.effort) + f.ending
}

// posteriorLine tells the posterior of a list and its prior.
func posteriorLine(m *bayes.Model) string {
	p := m.Prior
	return fmt.Sprintf("log posterior %.4f (λ = %s rules, η = %s conditions, α = %s, %s)\n", m.Posterior.Value, p.Length, p.Width, p.Alpha[0], p.Alpha[1])
}
