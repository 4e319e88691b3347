package bench

import (
	"bytes"
	_ "embed" // the papers' figures
	"encoding/csv"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// cell is what stands in a column of a table.
type cell = func(*summary) string

// columns are the cells by the names of their columns.
var columns = map[string]cell{
	"instance":    (*summary).name,
	"data":        func(s *summary) string { return s.Instance },
	"family":      func(s *summary) string { return s.Family() },
	"variant":     func(s *summary) string { return s.Variant },
	"λ":           (*summary).lambda,
	"β2":          func(s *summary) string { return shortLambda(s.Beta2) },
	"depth":       func(s *summary) string { return orAny(s.Depth) },
	"most rules":  func(s *summary) string { return orAny(s.MaxRules) },
	"workers":     func(s *summary) string { return strconv.Itoa(s.Workers) },
	"searchers":   func(s *summary) string { return strconv.Itoa(s.Searchers) },
	"status":      func(s *summary) string { return string(s.Status) },
	"runs":        func(s *summary) string { return strconv.Itoa(len(s.runs)) },
	"samples":     func(s *summary) string { return count(s.Samples) },
	"antecedents": func(s *summary) string { return count(int64(s.Antecedents)) },

	"objective":      (*summary).objective,
	"best objective": func(s *summary) string { return decimals(s.Objective, 10) },
	"lower bound":    func(s *summary) string { return decimals(s.LowerBound, 10) },
	"gap":            func(s *summary) string { return percent(s.Gap) },
	"log posterior":  func(s *summary) string { return decimals(s.Objective, 4) },
	"gap in nats":    func(s *summary) string { return figure(s.Gap) },
	"value":          func(s *summary) string { return decimals(s.Objective, 2) },
	"bound":          func(s *summary) string { return decimals(s.bound(), 2) },
	"value/bound":    func(s *summary) string { return decimals(s.Objective/s.bound(), 2) },
	"accuracy":       func(s *summary) string { return share(1 - s.Wrong) },
	"rules":          func(s *summary) string { return strconv.Itoa(s.Length) },
	"leaves":         func(s *summary) string { return strconv.Itoa(s.Length) },
	"steps": func(s *summary) string {
		return fmt.Sprintf("%.0f of %.0f", s.Measures[provedSteps], s.Measures[setSteps])
	},
	"steps proved": func(s *summary) string { return share(s.Measures[provedSteps] / s.Measures[setSteps]) },
	"CART objective": func(s *summary) string {
		return fmt.Sprintf("%s (%.0f)", decimals(s.Measures[greedyBest], 7), s.Measures[greedyBest+" leaves"])
	},

	"seconds":                    (*summary).time,
	"range":                      (*summary).span,
	"after":                      func(s *summary) string { return figure(s.seconds()) + " s" },
	"seconds a fold":             func(s *summary) string { return figure(s.seconds()) },
	"to optimum":                 median(func(r *Record) float64 { return r.SecondsOptimum }),
	"reading s":                  median(readSeconds),
	"reducing s":                 median(reduceSeconds),
	"of which behind the chains": atLeast(median(func(r *Record) float64 { return r.SecondsSearch - r.SecondsFirst })),
	"CPU µs a node":              median(func(r *Record) float64 { return r.SecondsCPU * 1e6 / max(1, float64(r.Expanded)) }),
	"process MB":                 median(func(r *Record) float64 { return float64(r.PeakBytes) / 1e6 }),

	"counts":           func(s *summary) string { return count(int64(s.median(expanded))) },
	"expanded":         atLeast(func(s *summary) string { return count(int64(s.median(expanded))) }),
	"evaluations":      atLeast(func(s *summary) string { return count(s.Evaluations) }),
	"queue insertions": atLeast(func(s *summary) string { return count(s.Inserted) }),
	"longest prefix":   atLeast(func(s *summary) string { return strconv.Itoa(s.Longest) }),
	"search MB":        atLeast(func(s *summary) string { return figure(float64(s.SearchBytes) / 1e6) }),
	"map entries":      func(s *summary) string { return count(s.MapEntries) },
	"queue waits":      func(s *summary) string { return count(s.QueueWaits) },
	"map retries":      func(s *summary) string { return count(s.MapRetries) },
	"distinct points":  func(s *summary) string { return count(int64(s.Points)) },
	"most in queue":    atLeast((*summary).mostQueued),
	"busy":             func(s *summary) string { return percent(s.median(utilisation)) },

	// Beside the first row of the same instance and λ.
	"slow-down":  atLeast(func(s *summary) string { return figure(s.seconds()/s.first().seconds()) + "×" }),
	"memory":     atLeast(func(s *summary) string { return figure(float64(s.SearchBytes)/float64(s.first().SearchBytes)) + "×" }),
	"speed-up":   func(s *summary) string { return fmt.Sprintf("%.2f", s.speedUp()) },
	"efficiency": func(s *summary) string { return percent(s.speedUp() * float64(s.first().Workers) / float64(s.Workers)) },
	"nodes": func(s *summary) string {
		return fmt.Sprintf("%.2f", s.median(expanded)/max(1, s.first().median(expanded)))
	},
	"ceiling": (*summary).ceiling,
}

// named are the columns that a case without a result has, too.
var named = []string{"instance", "data", "family", "variant", "λ", "depth", "seconds", "runs"}

// beside is before a column of the row of the same instance without the symmetry map, which has no line of its own.
const beside = "no map "

// cellOf returns the cells of a column: one of columns, or a measure as a share (%), with its deviation over the
// folds (±), with so many decimals (0, 1, 3) or with three digits (figure), or a figure of the papers.
func cellOf(column string) cell {
	if known := columns[column]; known != nil {
		return func(s *summary) string {
			if s.failed() && !slices.Contains(named, column) {
				return ""
			}
			return known(s)
		}
	}
	if column, ok := strings.CutPrefix(column, beside); ok {
		other := cellOf(column)
		return func(s *summary) string {
			i := slices.IndexFunc(s.all, func(o *summary) bool { return o.Instance == s.Instance && o.Variant+" " == beside })
			if i < 0 {
				return ""
			}
			return other(s.all[i])
		}
	}
	format, name, _ := strings.Cut(column, " ")
	return func(s *summary) string {
		switch format {
		case "paper":
			return papers()[strings.TrimSuffix(s.Family(), "-labels")][name]
		case "%":
			return share(s.Measures[name])
		case "±":
			return s.spread(name)
		case "figure":
			return figure(s.Measures[name])
		}
		digits, _ := strconv.Atoi(format)
		return decimals(s.Measures[name], digits)
	}
}

func median(f func(*Record) float64) cell {
	return func(s *summary) string { return figure(s.median(f)) }
}

// atLeast says of a count that a limit has kept it from becoming larger.
func atLeast(c cell) cell {
	return func(s *summary) string {
		text := c(s)
		if s.cut() && text != "" {
			text = "> " + text
		}
		return text
	}
}

// papersFile has figures as the papers print them, by data set.
//
//go:embed papers.csv
var papersFile []byte

var papers = sync.OnceValue(func() map[string]map[string]string {
	rows, err := csv.NewReader(bytes.NewReader(papersFile)).ReadAll()
	if err != nil {
		panic(err) // it is part of the program
	}
	figures := map[string]map[string]string{}
	for _, row := range rows[1:] {
		figures[row[0]] = map[string]string{}
		for i, name := range rows[0] {
			figures[row[0]][name] = row[i]
		}
	}
	return figures
})

// Tables returns the records as tables of Markdown, one for each part of each suite, each under a line that says
// where its figures come from.
func Tables(records []Record) string {
	text, err := tablesOf(records, "")
	if err != nil {
		panic(err) // only columns can be wrong
	}
	return text
}

// tablesOf is Tables with some columns alone, named with commas between them; "" is all.
func tablesOf(records []Record, only string) (string, error) {
	var texts []string
	for _, part := range parts(records) {
		t, err := render(part).only(only)
		if err != nil {
			return "", err
		}
		texts = append(texts, caption(part)+t.String())
	}
	return strings.Join(texts, "\n"), nil
}

// parts splits records by suite and part, in the order of their first records.
func parts(records []Record) (list [][]Record) {
	return grouped(records, func(r Record) [2]string { return [2]string{r.Suite, r.Part} })
}

// grouped splits a list by a key, in the order of the first of each.
func grouped[K comparable, T any](list []T, key func(T) K) (groups [][]T) {
	at := map[K]int{}
	for _, x := range list {
		k := key(x)
		i, known := at[k]
		if !known {
			i, groups = len(groups), append(groups, nil)
			at[k] = i
		}
		groups[i] = append(groups[i], x)
	}
	return groups
}

// render makes the table of a part of a suite.
func render(records []Record) *table {
	list := summarize(records)
	suite, part := records[0].Suite, records[0].Part
	switch suite {
	case "kernels":
		return sizesTable(list, "words a column")
	case "micro":
		return sizesTable(list, "structure", "unit")
	}
	return tableOf(list, columnsOf(suite, part))
}

// columnsOf returns the columns of a part of a suite. Those of all other records are as in suite table.
func columnsOf(suite, part string) []string {
	tables := map[string]map[string][]string{}
	for _, s := range Suites() {
		tables[s.Name] = s.Tables
	}
	for _, names := range [][]string{tables[suite][part], tables[suite]["*"]} {
		if names != nil {
			return names
		}
	}
	return tables["table"]["*"]
}

// tableOf has a row for each case of ours, but for those whose copies only show what the machine can give.
func tableOf(list []*summary, names []string) *table {
	t := &table{}
	var cells []cell
	paired := false
	for _, name := range names {
		heading, column, different := strings.Cut(name, " = ")
		if !different {
			column = name
		}
		if ratio, ok := strings.CutPrefix(column, "others: "); ok {
			for _, solver := range otherSolvers(list) {
				t.head = append(t.head, solver+" s", solver+" MB", ratio)
				cells = append(cells, of(solver, (*summary).time), of(solver, columns["process MB"]), ratioTo(solver, ratio))
			}
			continue
		}
		paired = paired || strings.HasPrefix(column, beside)
		t.head = append(t.head, heading)
		cells = append(cells, cellOf(column))
	}
	for _, s := range list {
		if s.Solver != Own || s.Copies > 1 || paired && s.Variant+" " == beside {
			continue
		}
		var row []string
		for _, c := range cells {
			row = append(row, c(s))
		}
		t.rows = append(t.rows, row)
	}
	return t
}

func otherSolvers(list []*summary) (names []string) {
	for _, s := range list {
		if s.Solver != Own && !slices.Contains(names, s.Solver) {
			names = append(names, s.Solver)
		}
	}
	return names
}

// of is a cell of another solver beside our case.
func of(solver string, c cell) cell {
	return func(s *summary) string {
		if o := s.solved(solver); o != nil {
			return c(o)
		}
		return ""
	}
}

// ratioTo compares the process of another solver with ours or, for "ratio of searches", with our search: what
// reading takes is little beside what such a solver takes.
func ratioTo(solver, ratio string) cell {
	return func(s *summary) string {
		o := s.solved(solver)
		if o == nil || o.failed() && o.Status != timeLimit {
			return ""
		}
		text := figure(o.seconds() / s.median(wallSeconds))
		if ratio != "ratio" {
			text = count(int64(o.seconds() / s.seconds()))
		}
		if o.cut() {
			text = "> " + text
		}
		return text + "×"
	}
}

// sizesTable has a row for each rate, and a column for each of its sizes. The best of all runs counts.
func sizesTable(list []*summary, head ...string) *table {
	all := ratesOf(list)
	sizes := sizesOf(all)
	t := newTable(head...)
	for _, size := range sizes {
		t.head = append(t.head, count(int64(size)))
	}
	for _, line := range grouped(all, func(r Rate) [2]string { return [2]string{r.Name, r.Unit} }) {
		row := []string{line[0].Name, line[0].Unit}[:len(head)]
		best := bestRates(line)
		for _, size := range sizes {
			cell := ""
			if v, known := best[size]; known {
				cell = figure(v)
			}
			row = append(row, cell)
		}
		t.add(row...)
	}
	return t
}

func ratesOf(list []*summary) (rates []Rate) {
	for _, s := range list {
		for _, r := range s.runs {
			rates = append(rates, r.Rates...)
		}
	}
	return rates
}

// sizesOf returns the sizes of rates in ascending order.
func sizesOf(rates []Rate) []int { return slices.Sorted(maps.Keys(bestRates(rates))) }

// bestRates returns, by size, the largest throughput, or the least time or memory: what disturbs a run makes it worse.
func bestRates(rates []Rate) map[int]float64 {
	best := map[int]float64{}
	for _, r := range rates {
		v, known := best[r.Size]
		if !known || (r.Unit == throughput) == (r.Value > v) {
			best[r.Size] = r.Value
		}
	}
	return best
}
