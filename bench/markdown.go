package bench

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"text/tabwriter"

	"parcorels/internal/wording"
)

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
