package cli

import (
	"fmt"
	"math/big"
	"strings"

	"parcorels/dataset"
	"parcorels/internal/wording"
	"parcorels/parallel"
)

// text is what fit prints for people once the search has ended.
func (f *fitted) text() string {
	var b strings.Builder
	if f.keeper.from != "" && f.aloud {
		b.WriteString(f.keeper.resumed(f.result.Stats) + "\n\n")
	}
	b.WriteString(f.model.Text(helpWidth))
	b.WriteString("\n" + f.verdict() + hint(f.model, f.set, f.read, f.limit))
	return b.String()
}

// head says what the list is learned from: how the table is read, and the size
// of the problem.
func (f *fitted) head() string {
	return headText(f.path, f.set, f.instance.Antecedents, f.instance.Points, f.options.Lambda.String())
}

// verdict says how good the list is and what is proven about it.
func (f *fitted) verdict() string {
	r := f.result
	text := fmt.Sprintf("objective %s = %s + %s\n", decimal(r.Objective, r.Scale, f.options.Lambda, false), errorTerm(f.set.Data, f.result.Errors, f.instance.Total), f.lengthTerm())
	effort := fmt.Sprintf("%s, %s expanded", seconds(r.Stats.Search), wording.Count(r.Stats.Expanded, "prefix"))
	if r.Status == parallel.Optimal {
		return text + optimal(f.set, "rule list") + "(proved in " + effort + ")\n" + f.proofLine() + f.unproved()
	}
	left := "a better rule list may exist"
	if r.LowerBound >= r.Objective {
		left = "no rule list has a smaller objective, but one that ties may come first in the order"
	}
	return text + fmt.Sprintf("%s: %s\nlower bound %s on every rule list, gap %s\n(stopped after %s)\n",
		stopped[r.Status], left, decimal(r.LowerBound, r.Scale, f.options.Lambda, true), percentage(r.Gap()), effort) + f.keeper.advice(r, f.proofTo)
}

// unproved says how to complete the proof of an optimal list that could not be
// written.
func (f *fitted) unproved() string {
	if f.result.ProofErr == nil || !f.result.ProofKept || f.keeper.part == nil {
		return ""
	}
	return f.keeper.advice(f.result, f.proofTo)
}

// stopped says why a list is not known to be optimal.
var stopped = map[parallel.Status]string{
	parallel.TimeLimit:   "time limit reached",
	parallel.NodeLimit:   "node limit reached",
	parallel.MemoryLimit: "memory limit too small to search at all",
	parallel.Interrupted: "interrupted",
}

// proofLine tells where the proof is.
func (f *fitted) proofLine() string {
	if f.proof == "" {
		return ""
	}
	r := f.result.Stats
	return fmt.Sprintf("(proof in %s: %s, %s)\n", onTerminal(f.proof), wording.Count(r.ProofBytes, "byte"), wording.Count(r.ProofRecords, "record"))
}

// errorTerm is the share of errors, in the user's weights.
func errorTerm(d *dataset.Dataset, errors, total int64) string {
	if d.Weights == nil {
		return fmt.Sprintf("%s of %s", wording.Count(errors, "error"), wording.Thousands(total))
	}
	return fmt.Sprintf("errors weighing %s of %s", userWeight(d, errors, 4), userWeight(d, total, 4))
}

func (f *fitted) lengthTerm() string {
	return fmt.Sprintf("%s × %s", wording.Count(int64(len(f.result.Rules)), "rule"), f.options.Lambda)
}

// userWeight returns an integer weight in the user's unit, rounded.
func userWeight(d *dataset.Dataset, w int64, decimals int) string {
	unit := d.WeightUnit
	x := new(big.Rat).SetFrac64(unit.Den, unit.Num)
	x.Mul(x, new(big.Rat).SetInt64(w))
	return trimZeros(x.FloatString(decimals))
}

// trimZeros removes the zeros that end a decimal fraction.
func trimZeros(s string) string {
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}
