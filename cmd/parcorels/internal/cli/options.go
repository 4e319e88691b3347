package cli

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"parcorels/dataset"
	"parcorels/ratio"
	"parcorels/rulelist/search"
	"parcorels/rules"
)

// The tables of options. A row feeds the flag, the check of its value, the
// error that names the range, and the help.

// tableGroup is how a table is read.
func tableGroup(s *settings) group {
	return group{"Reading the table", []option{
		{name: "target", value: "COLUMN", unset: "the last column", expect: "a column name", text: "column of the labels", tables: true, set: notEmpty(&s.data.Target)},
		{name: "positive", value: "VALUE", unset: "chosen, and said unless obvious", expect: "one of the labels, or a threshold such as '> 40' of labels that are numbers", text: "label of class 1", set: notEmpty(&s.data.Positive)},
		{name: "ignore", value: "LIST", expect: "column names with commas between them", text: "columns to leave out", many: true, tables: true,
			set: func(t string) error {
				items, err := nonEmpty(t)
				s.data.Ignore = append(s.data.Ignore, items...)
				return err
			}},
		{name: "use", value: "LIST", expect: "column names with commas between them", text: "columns to use though they seem to number the rows", many: true, tables: true,
			set: func(t string) error {
				items, err := nonEmpty(t)
				s.data.Use = append(s.data.Use, items...)
				return err
			}},
		{name: "missing", value: "LIST", unset: "?,NA,N/A,NaN,null", expect: "texts with commas between them", text: "texts of missing values; an empty cell always is one", many: true, tables: true,
			set: func(t string) error {
				items, err := list(t)
				s.data.Missing = append(append([]string{}, s.data.Missing...), items...)
				return err
			}},
		{name: "drop-missing", text: "leave out rows with a missing value; otherwise missing is a value of its own", tables: true, set: on(&s.data.DropMissing)},
		{name: "no-header", text: "the first line is data; columns are named c1, c2, …", tables: true, set: on(&s.data.NoHeader)},
		{name: "sep", value: "CHARACTER", among: []string{"comma", "semicolon", "tab", "space"}, unset: "detected among , ; tab and |", expect: "one character, or tab, comma, semicolon, space", text: "separator of fields", tables: true,
			set: into(&s.data.Comma, separator)},
		{name: "numeric", value: "HOW", def: string(dataset.Thresholds), expect: "thresholds or intervals", text: "conditions on numbers: x ≤ c and x > c for each cut c, or one for each interval between two cuts", tables: true,
			set: oneOf(&s.data.Numeric, dataset.Thresholds, dataset.Intervals)},
		{name: "cuts-by", value: "WHAT", unset: "label, or quantile with --numeric intervals", expect: "label, information or quantile", text: "choose where numbers are cut: by the labels and for all columns together, also by their information, or at quantiles of each column", tables: true,
			set: oneOf(&s.data.CutsBy, dataset.ByLabel, dataset.ByInformation, dataset.ByQuantile)},
		{name: "bins", value: "N", def: "5", expect: "an integer from 2 to 1000", text: "intervals of a numeric column; by label, on average", tables: true, set: whole(&s.data.Bins, 2, 1000)},
		{name: "cuts", value: "CUTS", expect: "COLUMN=NUMBER,NUMBER,… in ascending order", text: "exact intervals of one column, each cut begins one", many: true, tables: true, set: s.setCuts},
		{name: "weight", value: "COLUMN", expect: "a column name", text: "column of sample weights, positive decimals", tables: true, set: notEmpty(&s.data.Weight)},
		{name: "class-weights", value: "W", among: []string{"balanced"}, expect: "balanced, or two positive decimals w0,w1", text: "weights of the classes 0 and 1", set: notEmpty(&s.data.ClassWeights)},
		{name: "labels", value: "FILE", unset: "X.label beside X.out", expect: "a file name", text: "label file of an .out file", set: notEmpty(&s.data.Labels)},
	}}
}

// setCuts reads the cuts of one column.
func (s *settings) setCuts(t string) error {
	column, values, err := cuts(t)
	if err != nil {
		return err
	}
	if s.data.Cuts == nil {
		s.data.Cuts = map[string][]float64{}
	}
	if s.data.Cuts[column] != nil {
		return errors.New("this column has its cuts already")
	}
	s.data.Cuts[column] = values
	return nil
}

// familyGroup is what kind of model is learned.
func familyGroup(s *settings) group {
	return group{"Model", []option{
		{name: "model", value: "FAMILY", among: familyNames(), def: familyNames()[0], expect: oneOfNames(familyNames()), text: "kind of model: a rule list, a decision tree, a rule set or a Bayesian rule list",
			set: oneOf(&s.model, familyNames()...)},
		{name: "depth", value: "N", unset: "no limit", expect: "an integer from 1 to 1000", text: "most splits on a path of a tree", set: whole(&s.depth, 1, 1000)},
	}}
}

// setLambda reads λ. Only the price of a rule set's literal may be 1 and more, which
// is for the family to say.
func (s *settings) setLambda(t string) (err error) {
	s.search.Lambda, err = exact(t, positive)
	s.wideLambda = ""
	if err == nil && !s.search.Lambda.Within() {
		s.wideLambda = t
	}
	return err
}

// miningGroup is which antecedents are made.
func miningGroup(s *settings) group {
	return group{"Antecedents", []option{
		{name: "max-card", value: "N", def: "2", expect: "an integer from 1 to 16", text: "most features in a conjunction; a < x ≤ b are two; of a tree 1 unless given, of a rule set always", tables: true, set: whole(&s.mining.MaxCard, 1, 16)},
		{name: "max-antecedents", value: "N", def: strconv.Itoa(rules.MaxAntecedents), expect: fmt.Sprintf("an integer from 1 to %d", rules.MaxAntecedents), text: "most antecedents; of more, those are kept that spare most errors as the only rule", tables: true,
			set: whole(&s.mining.Budget, 1, rules.MaxAntecedents)},
		{name: "negations", text: "also use the negations of features", tables: true, set: on(&s.mining.Negations)},
		{name: "informative", text: "of conjunctions use only those in which a class is more frequent, or less, than in the rest of each of their parts, by more than chance, and which decide otherwise than that rest: shorter searches", tables: true,
			set: on(&s.mining.Informative)},
		{name: "min-support", value: "SHARE", def: "0.01", expect: "a number from 0 to 0.5", text: "least share of the weight that an antecedent captures; 1 minus it is the most; of a tree 0 unless given", tables: true,
			set: share(&s.mining.MinSupport, func(r ratio.Ratio) bool { return r.Num >= 0 && 2*r.Num <= r.Den })},
	}}
}

// searchGroup is the problem and how it is solved.
func searchGroup(s *settings) group {
	return group{"Search", []option{
		{name: "lambda", value: "λ", def: "0.01", expect: "a number between 0 and 1, such as 0.01 or 1/300 (with --model set any above 0)", text: "price of a rule, or of a leaf, as a share of all samples; of a rule set that of a literal, in samples (1 unless given)",
			set: s.setLambda},
		{name: "workers", value: "N", unset: "all cores", expect: "an integer from 1 to 4096", text: "worker goroutines", set: whole(&s.search.Workers, 1, 4096)},
		{name: "time", value: "DURATION", unset: "no limit", expect: "a duration such as 90s, 10m or 1h30m", text: "end the search so long after the start of the program; reading is always finished", set: duration(&s.search.Time)},
		{name: "nodes", value: "N", unset: "no limit", expect: "a positive integer", text: "stop after expanding this many prefixes, or counting this many sets", set: whole(&s.search.Nodes, 1, math.MaxInt64)},
		{name: "memory", value: "SIZE", unset: "80% of what is free", expect: "a size from 1MiB, such as 8GiB or 500MB", text: "memory for nodes, queues and map; when it is full the search goes on, slower",
			set: into(&s.search.Memory, parseSize)},
		{name: "policy", value: "NAME", among: []string{"lower-bound", "objective", "curiosity", "bfs", "dfs"}, def: search.LowerBound.String(), expect: "lower-bound, objective, curiosity, bfs or dfs", text: "which prefixes are expanded first",
			set: into(&s.search.Policy, search.ParsePolicy)},
		{name: "symmetry", value: "NAME", among: []string{"captured", "permutation", "none"}, def: search.Captured.String(), expect: "captured, permutation or none", text: "what the symmetry map recognises",
			set: into(&s.search.Symmetry, search.ParseSymmetry)},
		{name: "without", value: "LIST", among: strings.Split(search.AllPrunings().String(), ","), expect: "any of " + strings.ReplaceAll(search.AllPrunings().String(), ",", ", "), text: "prunings to leave out; the answer stays the same", many: true,
			set: func(t string) error {
				p, err := search.ParsePrunings(t)
				s.search.Without |= p
				if err != nil {
					return errExpected
				}
				return nil
			}},
	}}
}

// keepingGroup is how a long search outlives its process.
func keepingGroup(s *settings) group {
	return group{"Keeping a long search", []option{
		{name: "checkpoint", value: "FILE", expect: "a file name", text: "save the search to this file, every now and then and when it is stopped; it is removed once the list is proved and written", set: lastingName(&s.checkpoint)},
		{name: "every", value: "DURATION", def: "5m", expect: "a duration such as 30s, 5m or 1h", text: "from one checkpoint to the next", set: duration(&s.every)},
		{name: "resume", value: "FILE", expect: "a file name", text: "resume from a checkpoint, with other workers, memory or limits if wished, and save to it unless --checkpoint names another file", set: lastingName(&s.resume)},
	}}
}

// fitOutputGroup is where the result of fit goes.
func fitOutputGroup(s *settings) group {
	return group{"Output", []option{
		{name: "output", short: "o", value: "FILE", expect: "a file name", text: "write the model, for predict and show; - for stdout and nothing else there", set: notEmpty(&s.output)},
		{name: "proof", value: "FILE", expect: "a file name", text: "write a proof that no rule list, tree or Bayesian rule list is better, for verify; with --checkpoint what is done of it is kept as well, beside the checkpoint, and --resume continues both",
			set: fileName(&s.proof)},
		{name: "json", value: "FILE", expect: "a file name", text: "write the result as a JSON object; - for stdout and nothing else there", set: notEmpty(&s.json)},
		{name: "progress", value: "WHEN", among: []string{"auto", "always", "full", "never"}, def: "auto", expect: "auto (on a terminal), always, full (with each better model; a tree is read off at the end) or never", text: "a line a second about the search, on stderr",
			set: oneOf(&s.progress, "auto", "always", "full", "never")},
		{name: "quiet", text: "print the model and how good it is, no more", set: on(&s.quiet)},
	}}
}
