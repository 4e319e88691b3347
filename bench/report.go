package bench

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Tables returns the records as tables of Markdown, one for each part of each
// suite, each under a line that says where its figures come from.
func Tables(records []Record) string {
	text, err := tablesOf(records, "")
	if err != nil {
		panic(err) // only columns can be wrong
	}
	return text
}

// tablesOf is Tables with some columns alone, named with commas between them; "" is all.
func tablesOf(records []Record, columns string) (string, error) {
	var b strings.Builder
	for _, part := range parts(records) {
		if b.Len() > 0 {
			b.WriteString("\n")
		}
		t := render(part)
		if columns != "" {
			if err := t.keep(columns); err != nil {
				return "", err
			}
		}
		b.WriteString(caption(part) + t.String())
	}
	return b.String(), nil
}

// parts splits records by suite and part, in the order of their first records.
func parts(records []Record) (list [][]Record) {
	index := map[[2]string]int{}
	for _, r := range records {
		k := [2]string{r.Suite, r.Part}
		i, known := index[k]
		if !known {
			i = len(list)
			index[k] = i
			list = append(list, nil)
		}
		list[i] = append(list[i], r)
	}
	return list
}

// render makes the table that suits a part.
func render(records []Record) *table {
	list := summarize(records)
	first := &records[0]
	switch first.Suite + "/" + first.Part {
	case "corels-jmlr/table 3":
		return traceTable(list)
	case "corels-jmlr/table 4", "corels-jmlr/table 5":
		return ablationTable(list)
	case "systems/":
		return systemsTable(list)
	case "scaling/workers":
		return workersTable(list)
	case "scaling/samples", "scaling/antecedents":
		return sizesTable(list)
	case "trees/", "trees/depth", "trees/classes", "trees/weak", "trees/wide", "numbers/", "numbers/rows":
		return treeTable(list)
	case "osdt/path":
		return pathTable(list)
	case "osdt/folds":
		return treeFoldsTable(list)
	case "osdt/samples", "osdt/features":
		return treeSizesTable(list)
	case "sets/whole":
		return setTable(list)
	case "sets/folds", "sets/tuned":
		return setFoldsTable(list)
	case "sbrl/folds":
		return listFoldsTable(list)
	case "sbrl/theorems":
		return theoremTable(list)
	case "sbrl/reach":
		return reachTable(list)
	case "trees/workers", "numbers/workers":
		return workersTable(list)
	case "open/":
		return openTable(list)
	case "kernels/":
		return kernelTable(list)
	}
	if strings.HasPrefix(first.Suite, "micro") {
		return microTable(list)
	}
	return plainTable(list)
}

// plainTable has a row for each case, and beside it every other solver that
// ran the instance.
func plainTable(list []*summary) *table {
	t := newTable("instance", "λ", "objective", "rules", "seconds", "range", "runs", "expanded", "evaluations", "search MB", "process MB")
	others := t.addSolvers(list, "ratio", processRatio)
	for _, s := range list {
		if s.Solver == Own {
			t.add(append(s.plainRow(), others(s)...)...)
		}
	}
	return t
}

// addSolvers adds columns for each solver beside ours, and returns what stands in them
// beside a case of ours: its seconds, its memory, and what ratio makes of both.
func (t *table) addSolvers(list []*summary, heading string, ratio func(ours, other *summary) string) func(*summary) []string {
	var others []string
	for _, s := range list {
		if s.Solver != Own && !slices.Contains(others, s.Solver) {
			others = append(others, s.Solver)
			t.head = append(t.head, s.Solver+" s", s.Solver+" MB", heading)
		}
	}
	return func(s *summary) (cells []string) {
		for _, name := range others {
			o := counterpart(list, s, name)
			if o == nil {
				cells = append(cells, "", "", "")
				continue
			}
			text := ""
			if !o.failed() || o.Status == timeLimit {
				text = ratio(s, o) + "×"
				if o.cut() {
					text = "> " + text
				}
			}
			cells = append(cells, o.time(), figure(o.median(peakBytes)/1e6), text)
		}
		return cells
	}
}

// processRatio compares whole processes.
func processRatio(s, o *summary) string { return figure(o.seconds() / s.median(wallSeconds)) }

// searchRatio compares the process of the other with our search: what reading takes is
// little beside what such a solver takes.
func searchRatio(s, o *summary) string { return count(int64(o.seconds() / s.seconds())) }

func (s *summary) plainRow() []string {
	name := s.Instance
	if s.Variant != "" {
		name += ", " + s.Variant
	}
	if s.Workers > 1 {
		name += fmt.Sprintf(", %d workers", s.Workers)
	}
	if s.failed() {
		return []string{name, shortLambda(s.Lambda), "", "", "failed", "", strconv.Itoa(len(s.runs)), "", "", "", ""}
	}
	return []string{
		name, shortLambda(s.Lambda), s.objective(), strconv.Itoa(s.Length), s.time(), s.span(searchSeconds), strconv.Itoa(len(s.runs)),
		count(int64(s.median(expanded))), count(s.Evaluations), megabytes(s.SearchBytes), figure(s.median(peakBytes) / 1e6),
	}
}

// objective is the value, with the bound where it is not proved.
func (s *summary) objective() string {
	text := decimals(s.Objective, 10)
	if s.cut() {
		text += fmt.Sprintf(" (bound %s)", decimals(s.LowerBound, 7))
	}
	return text
}

// counterpart returns the summary of another solver on the same instance and λ.
func counterpart(list []*summary, s *summary, solver string) *summary {
	for _, o := range list {
		if o.Solver == solver && o.Instance == s.Instance && o.Lambda == s.Lambda && o.Case.Model == s.Case.Model && o.Depth == s.Depth {
			return o
		}
	}
	return nil
}

// Trees is the Model of a case whose answer is the optimal decision tree.
const Trees = "tree"

// The tables of trees.

// treeTable has a row for each case, and beside it every other solver.
func treeTable(list []*summary) *table {
	t := newTable("data", "λ", "depth", "objective", "leaves", "seconds", "range", "runs", "counts", "sets", "process MB")
	others := t.addSolvers(list, "ratio of searches", searchRatio)
	for _, s := range list {
		if s.Solver != Own {
			continue
		}
		if s.failed() {
			t.add(s.Instance, shortLambda(s.Lambda), s.depth(), "", "", "failed")
			continue
		}
		t.add(append([]string{
			s.Instance, shortLambda(s.Lambda), s.depth(), s.objective(), strconv.Itoa(s.Length), s.time(), s.span(searchSeconds),
			strconv.Itoa(len(s.runs)), count(int64(s.median(expanded))), count(s.MapEntries), figure(s.median(peakBytes) / 1e6),
		}, others(s)...)...)
	}
	return t
}

func (s *summary) depth() string {
	if s.Depth == 0 {
		return "any"
	}
	return strconv.Itoa(s.Depth)
}

func share(x float64) string {
	return strconv.FormatFloat(math.Round(1e4*x)/100+0, 'f', 2, 64) + "%" // + 0: no −0
}

// measure returns a measure of the first run by its name.
func (s *summary) measure(name string) (m Measure) {
	for _, m := range s.Measures {
		if m.Name == name {
			return m
		}
	}
	return m
}
