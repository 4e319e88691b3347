package bench

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/aclements/go-moremath/stats"

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
	"reading s":      median(func(r *Record) float64 { return r.SecondsRead }),
	"reducing s":     median(func(r *Record) float64 { return r.SecondsReduce }),
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

var clean = strings.NewReplacer("|", "\\|", "\t", " ", "\n", " ", "\r", " ") // a name of the user's ends no cell
var within = regexp.MustCompile(`[^|]`)

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

// summary is the runs of one case that count.
type summary struct {
	*Record // the first of them: the case, and what all have in common
	runs    []*Record
	all     []*summary // of the same table
}

// key tells cases apart whose figures must not be mixed.
func (r *Record) key() Case {
	k := r.Case
	k.Limit = 0
	return k
}

// summarize collects the runs of each case, in the order of their first
// records. The warm-up counts where there is nothing else.
func summarize(records []Record) (list []*summary) {
	var runs []*Record
	for i := range records {
		runs = append(runs, &records[i])
	}
	for _, same := range grouped(runs, (*Record).key) {
		if counted := slices.DeleteFunc(slices.Clone(same), func(r *Record) bool { return r.Round == 0 }); len(counted) > 0 {
			same = counted
		}
		list = append(list, &summary{Record: same[0], runs: same})
	}
	for _, s := range list {
		s.all = list
	}
	return list
}

// The figures that tables and comparisons are about.

func searchSeconds(r *Record) float64 { return r.SecondsSearch }
func wallSeconds(r *Record) float64   { return r.SecondsWall }
func peakBytes(r *Record) float64     { return float64(r.PeakBytes) }
func expanded(r *Record) float64      { return float64(r.Expanded) }

// utilisation is the share of the search after the first incumbent that the
// workers were not parked in.
func utilisation(r *Record) float64 {
	span := (r.SecondsSearch - r.SecondsFirst) * float64(r.Searchers)
	if span <= 0 {
		return math.NaN()
	}
	return max(0, 1-r.SecondsParked/span)
}

// of returns a figure of every run, in ascending order.
func (s *summary) of(f func(*Record) float64) (values []float64) {
	for _, r := range s.runs {
		values = append(values, f(r))
	}
	slices.Sort(values)
	return values
}

// median returns the median of a figure of the runs.
func (s *summary) median(f func(*Record) float64) float64 {
	v := s.of(f)
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

// failed reports that no run gave a result.
func (s *summary) failed() bool {
	return !slices.ContainsFunc(s.runs, func(r *Record) bool { return r.Error == "" })
}

// cut reports that a limit ended the runs.
func (s *summary) cut() bool { return s.Status != optimal && s.Status != Done }

// seconds is the time that is set beside others: of the search where that is known, of the process otherwise.
func (s *summary) seconds() float64 {
	if s.SecondsSearch > 0 {
		return s.median(searchSeconds)
	}
	return s.median(wallSeconds)
}

// results returns the summaries of runs that gave a result.
func results(list []*summary) []*summary {
	return slices.DeleteFunc(slices.Clone(list), func(s *summary) bool { return s.failed() })
}

// first returns the first result of the same instance and λ: the one with all, or with the fewest workers.
func (s *summary) first() *summary {
	for _, o := range results(s.all) {
		if o.Instance == s.Instance && o.Lambda == s.Lambda {
			return o
		}
	}
	return s
}

func (s *summary) speedUp() float64 { return s.first().seconds() / s.seconds() }

// The following are cells of tables.

func (s *summary) name() string {
	name := s.Instance
	if s.Variant != "" {
		name += ", " + s.Variant
	}
	if s.Workers > 1 {
		name += fmt.Sprintf(", %d workers", s.Workers)
	}
	return name
}

func (s *summary) lambda() string { return shortLambda(s.Lambda) }

// objective is the value, with the bound where it is not proved.
func (s *summary) objective() string {
	text := decimals(s.Objective, 10)
	if s.cut() {
		text += fmt.Sprintf(" (bound %s)", decimals(s.LowerBound, 7))
	}
	return text
}

// time is seconds, with what kept the run from its end.
func (s *summary) time() string {
	switch {
	case s.Status == timeLimit:
		return "> " + figure(s.Limit)
	case s.failed():
		return "failed"
	case s.cut():
		return "> " + figure(s.seconds())
	}
	return figure(s.seconds())
}

// span is the least and the largest time, "one run" if there is no more.
func (s *summary) span() string {
	v := s.of(searchSeconds)
	if len(v) == 1 {
		return "one run"
	}
	return figure(v[0]) + "–" + figure(v[len(v)-1])
}

// ceiling is what as many searches of one worker side by side do in the time of
// one, empty if that was not measured.
func (s *summary) ceiling() string {
	for _, o := range results(s.all) {
		if o.Instance == s.Instance && o.Lambda == s.Lambda && o.Copies > 1 && o.Copies == s.Workers && s.first().Workers == 1 {
			return fmt.Sprintf("%.2f", float64(s.Workers)*s.first().seconds()/o.seconds())
		}
	}
	return ""
}

func orAny(n int) string {
	if n == 0 {
		return "any"
	}
	return strconv.Itoa(n)
}

// Comparison of two files of records, case by case.
//
// Runs are compared by the Mann–Whitney U test, which assumes nothing of how
// times are distributed (package stats of go-moremath, which benchstat uses). A change counts as one when p <
// significance; with fewer than fewRuns
// runs on either side no change could reach that, and the verdict says so.

const significance = 0.05
const fewRuns = 4

// ErrDisagree reports two certified optima of one problem that differ: one of
// the runs is wrong.
var ErrDisagree = errors.New("certified objectives disagree")

// Compare returns, as tables of Markdown, what changed from the records a to
// the records b. The error is ErrDisagree, beside the tables, or one that says
// that nothing can be compared.
func Compare(a, b []Record) (string, error) {
	before := map[Case]*summary{}
	for _, s := range summarize(a) {
		before[s.key()] = s
	}
	seconds := newTable("case", "before s", "now s", "change", "p", "runs", "verdict")
	memory := newTable("case", "before MB", "now MB", "change", "p", "runs", "verdict")
	nodes := newTable("case", "expanded before", "now", "change")
	var only []string
	for _, s := range summarize(b) {
		name, old := s.Case.Name(), before[s.key()]
		if old == nil {
			only = append(only, name)
			continue
		}
		if old.failed() || s.failed() {
			seconds.add(name, old.time(), s.time(), "", "", "", "failed")
			continue
		}
		time := wallSeconds
		if s.SecondsSearch > 0 && old.SecondsSearch > 0 {
			time = searchSeconds
		}
		seconds.add(append([]string{name}, change(old.of(time), s.of(time), 1, "faster", "slower")...)...)
		memory.add(append([]string{name}, change(old.of(peakBytes), s.of(peakBytes), 1e6, "less", "more")...)...)
		if x, y := old.median(expanded), s.median(expanded); x != y {
			nodes.add(name, figure(x), figure(y), signed(x, y))
		}
	}
	if len(seconds.rows) == 0 {
		return "", errors.New("the two files have no case in common")
	}
	text := seconds.String() + "\n" + memory.String()
	if len(nodes.rows) > 0 {
		text += "\n" + nodes.String()
	}
	if len(only) > 0 {
		text += "\n" + wrapped("Only in the second file: "+strings.Join(only, "; "))
	}
	text += "\n" + wrapped(fmt.Sprintf(
		"Medians; p by the Mann–Whitney U test, a change is called one if p < %v. Of %d rows one in %.0f does so by chance.",
		significance, len(seconds.rows), 1/significance))
	return text, Check(append(append([]Record{}, a...), b...))
}

// change returns the cells that compare two samples, in a unit.
func change(before, now []float64, unit float64, less, more string) []string {
	cx, cy := stats.Sample{Xs: before}.Quantile(0.5), stats.Sample{Xs: now}.Quantile(0.5)
	p := 1.0 // if all runs took the same, which the test reports as an error
	if test, err := stats.MannWhitneyUTest(before, now, stats.LocationDiffers); err == nil {
		p = test.P
	}
	verdict := "the same within noise"
	switch {
	case min(len(before), len(now)) < fewRuns:
		verdict = "too few runs to tell"
	case p < significance && cy < cx:
		verdict = less
	case p < significance && cy > cx:
		verdict = more
	}
	return []string{figure(cx / unit), figure(cy / unit), signed(cx, cy), fmt.Sprintf("%.3f", p),
		fmt.Sprintf("%d, %d", len(before), len(now)), verdict}
}

// signed is the change from x to y as a share of x.
func signed(x, y float64) string {
	if x == 0 {
		return ""
	}
	return fmt.Sprintf("%+.1f%%", 100*(y-x)/x)
}

// rounding is more than what records of earlier commits, of ten decimals, lost.
const rounding = 1e-10

// Check reports ErrDisagree if two runs certified different objectives for one
// problem. Problems are the same if name, λ, size and limits on the model agree.
func Check(records []Record) error {
	type problem struct {
		instance, model, lambda     string
		samples, antecedents, depth int
	}
	known := map[problem]Record{}
	for _, r := range records {
		if r.Status != optimal {
			continue
		}
		p := problem{r.Instance, r.Case.Model, r.Lambda, int(r.Samples), r.Antecedents, r.Depth}
		old, seen := known[p]
		if seen && (math.Abs(old.Objective-r.Objective) > rounding || old.Length != r.Length) {
			return fmt.Errorf("%w: %s has %.10f with %d rules and %.10f with %d rules",
				ErrDisagree, r.Case.Name(), old.Objective, old.Length, r.Objective, r.Length)
		}
		known[p] = r
	}
	return nil
}
