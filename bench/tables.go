package bench

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"parcorels/internal/wording"
)

// cell is what stands in a column of a table.
type cell = func(*summary) string

// columns are the cells by the names of their columns.
var columns = map[string]cell{
	"instance":    (*summary).name,
	"data":        func(s *summary) string { return s.Instance },
	"variant":     func(s *summary) string { return s.Variant },
	"λ":           (*summary).lambda,
	"depth":       func(s *summary) string { return orAny(s.Depth) },
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
	"rules":          func(s *summary) string { return strconv.Itoa(s.Length) },
	"leaves":         func(s *summary) string { return strconv.Itoa(s.Length) },
	"seconds":        (*summary).time,
	"range":          (*summary).span,
	"after":          func(s *summary) string { return figure(s.seconds()) + " s" },
	"to optimum":     median(func(r *Record) float64 { return r.SecondsOptimum }),
	"reading s":      median(readSeconds),
	"reducing s":     median(reduceSeconds),
	"CPU µs a node":  median(func(r *Record) float64 { return r.SecondsCPU * 1e6 / max(1, float64(r.Expanded)) }),
	"process MB":     median(func(r *Record) float64 { return float64(r.PeakBytes) / 1e6 }),

	"counts":           func(s *summary) string { return count(int64(s.median(expanded))) },
	"expanded":         atLeast(func(s *summary) string { return count(int64(s.median(expanded))) }),
	"evaluations":      atLeast(func(s *summary) string { return count(s.Evaluations) }),
	"queue insertions": atLeast(func(s *summary) string { return count(s.Inserted) }),
	"longest prefix":   atLeast(func(s *summary) string { return strconv.Itoa(s.Longest) }),
	"search MB":        atLeast(func(s *summary) string { return figure(float64(s.SearchBytes) / 1e6) }),
	"map entries":      func(s *summary) string { return count(s.MapEntries) },
	"distinct points":  func(s *summary) string { return count(int64(s.Points)) },
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
var named = []string{"instance", "data", "variant", "λ", "depth", "seconds", "runs"}

// cellOf returns the cells of a column: nothing in most of them of a case without a result.
func cellOf(column string) cell {
	return func(s *summary) string {
		if s.failed() && !slices.Contains(named, column) {
			return ""
		}
		return columns[column](s)
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

// Tables returns the records as tables of Markdown, one for each part of each suite, each under a line that says
// where its figures come from.
func Tables(records []Record) string {
	var texts []string
	for _, part := range parts(records) {
		texts = append(texts, caption(part)+render(part).String())
	}
	return strings.Join(texts, "\n")
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
	if suite == "kernels" {
		return sizesTable(list)
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

// tableOf has a row for each case, but for those whose copies only show what the machine can give.
func tableOf(list []*summary, names []string) *table {
	t := &table{}
	var cells []cell
	for _, name := range names {
		heading, column, different := strings.Cut(name, " = ")
		if !different {
			column = name
		}
		t.head = append(t.head, heading)
		cells = append(cells, cellOf(column))
	}
	for _, s := range list {
		if s.Copies > 1 {
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

// sizesTable has a row for each rate, and a column for each of its sizes. The best of all runs counts.
func sizesTable(list []*summary) *table {
	var all []Rate
	for _, s := range list {
		for _, r := range s.runs {
			all = append(all, r.Rates...)
		}
	}
	sizes := slices.Sorted(maps.Keys(bestRates(all)))
	t := newTable("words a column")
	for _, size := range sizes {
		t.head = append(t.head, count(int64(size)))
	}
	for _, line := range grouped(all, func(r Rate) string { return r.Name }) {
		row, best := []string{line[0].Name}, bestRates(line)
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

// bestRates returns the largest throughput by size.
func bestRates(rates []Rate) map[int]float64 {
	best := map[int]float64{}
	for _, r := range rates {
		best[r.Size] = max(best[r.Size], r.Value)
	}
	return best
}

// table is a table of Markdown.
type table struct {
	head []string
	rows [][]string
}

func newTable(head ...string) *table { return &table{head: head} }

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

var (
	clean  = strings.NewReplacer("|", "\\|", "\t", " ", "\n", " ", "\r", " ") // a name of the user's ends no cell
	within = regexp.MustCompile(`[^|]`)
)

// String aligns the columns, for those who read the source.
func (t *table) String() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 1, ' ', tabwriter.Debug) // which puts bars between cells
	for _, row := range append([][]string{t.head}, t.rows...) {
		for i, text := range row {
			if i == 0 {
				fmt.Fprint(w, "|")
			}
			fmt.Fprint(w, " "+clean.Replace(text)+"\t")
		}
		fmt.Fprintln(w)
	}
	_ = w.Flush() // a builder takes all
	head, rows, _ := strings.Cut(b.String(), "\n")
	return head + "\n" + within.ReplaceAllString(head, "-") + "\n" + rows
}

const textWidth = 80

// wrapped breaks a paragraph into lines of the width of the documents.
func wrapped(text string) string { return wording.Wrap(text, textWidth, 0) }

// caption says in a line which commits and days some records are from, and on which
// machine they were made. The records have the commands.
func caption(records []Record) string {
	var commits, machines []string
	for _, r := range records {
		m := r.Origin.Machine
		commits = append(commits, fmt.Sprintf("%s (%s)", r.Origin.Commit, r.Origin.Date))
		machine := fmt.Sprintf("%s, %s, %s", m.CPU, wording.Count(int64(m.Cores), "core"), m.Go)
		if m.Note != "" {
			machine += ", " + m.Note
		}
		machines = append(machines, machine)
	}
	return wrapped(fmt.Sprintf("Commit %s; %s.", strings.Join(distinct(commits), ", "), strings.Join(distinct(machines), "; "))) + "\n"
}

// distinct leaves out what is there already.
func distinct(list []string) (first []string) {
	for _, same := range grouped(list, func(x string) string { return x }) {
		first = append(first, same[0])
	}
	return first
}

// figure returns a number with three digits that count, as the tables have it:
// ".00096", "1.67", "149", "12,300".
func figure(x float64) string {
	if x == 0 {
		return "0"
	}
	if math.Abs(x) >= 999.5 {
		return wording.Thousands(int64(math.Round(x)))
	}
	text := strconv.FormatFloat(x, 'f', max(0, 2-int(math.Floor(math.Log10(math.Abs(x))))), 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return strings.Replace(shortLambda(text), "-0.", "-.", 1)
}

// count returns an exact count.
func count(n int64) string { return wording.Thousands(n) }

func decimals(x float64, n int) string { return shortLambda(strconv.FormatFloat(x, 'f', n, 64)) }

func percent(share float64) string {
	if math.IsNaN(share) {
		return ""
	}
	return fmt.Sprintf("%.0f%%", 100*share)
}
