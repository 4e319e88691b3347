package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"parcorels/answer"
	"parcorels/ask/goodmodels"
	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/option"
	"parcorels/internal/wording"
)

// questions are what is asked of all good models.
type questions struct {
	columns  bool   // --columns
	without  string // --without-column
	disagree bool   // --disagreement
	group    string // --group
	measure  family.Measure
	test     string // --test
	row      int64  // --row
	rows     string // --rows
}

func (q *questions) options() group {
	return group{"Questions about all good models", []*option.Option{
		{Name: "columns", Help: "for each column: the models that use it, the best without it, and the share of samples that it decides; also the smallest sets of columns that are enough", Value: option.Switch(&q.columns)},
		{Name: "without-column", Holder: "COLUMN", Help: "look only at the models without this column", Value: option.Text(&q.without, "a column name")},
		{Name: "disagreement", Help: "the share of samples that some good model decides otherwise, and the largest share that one model does", Value: option.Switch(&q.disagree)},
		{Name: "group", Holder: "COLUMN", Help: "the best models for ever smaller differences between two groups: a column of two values, COLUMN=VALUE for one against all others, or an antecedent of an .out file", Value: option.Text(&q.group, "a column, or column=value")},
		{Name: "measure", Holder: "RATE", Default: string(family.SelectionRate), Help: "the rate by which groups are compared: predictions of class 1 among all, among those of class 1 (tpr), or among those of class 0 (fpr)", Value: option.Choice(&q.measure, family.Measures...)},
		{Name: "test", Holder: "FILE", Help: "rows of another table: the fewest and the most of them that a good model gets wrong", Value: option.Text(&q.test, "a file name")},
		{Name: "row", Holder: "N", Unset: "none", Help: "the best model that decides otherwise about row N, counted from 1", Value: option.Integer(&q.row, 1, math.MaxInt64)},
		{Name: "rows", Holder: "FILE", Unset: "the table itself", Help: "the table with that row; without --row, all of its rows", Value: option.Text(&q.rows, "a file name")},
	}}
}

// answersJSON is what was answered, for programs.
type answersJSON struct {
	Columns      []useJSON         `json:"columns,omitempty"`
	Choices      []choiceJSON      `json:"column_choices,omitempty"`
	Disagreement *disagreementJSON `json:"disagreement,omitempty"`
	Group        string            `json:"group,omitempty"`   // whose front it is
	Measure      family.Measure    `json:"measure,omitempty"` // of the front
	Front        []tradeJSON       `json:"front,omitempty"`
	Test         *testJSON         `json:"test,omitempty"`
	RowsFile     string            `json:"rows_file,omitempty"` // of the rows
	Rows         []rowJSON         `json:"rows,omitempty"`
}

type useJSON struct {
	Column  string   `json:"column"`
	Lists   string   `json:"lists_with"`
	Share   float64  `json:"share_of_models"`
	Without *float64 `json:"best_without,omitempty"`
	Least   float64  `json:"decides_least"`
	Most    float64  `json:"decides_most"`
	Text    string   `json:"text_without,omitempty"`
}

type choiceJSON struct {
	Columns   []string `json:"columns"`
	Objective float64  `json:"objective"`
	Text      string   `json:"text"`
}

type disagreementJSON struct {
	Ambiguity   float64 `json:"ambiguity"`
	Discrepancy float64 `json:"discrepancy"`
	Text        string  `json:"text_farthest"`
}

type tradeJSON struct {
	Objective  float64 `json:"objective"`
	Difference float64 `json:"difference"`
	Text       string  `json:"text"`
}

type testJSON struct {
	File  string `json:"file"`
	Rows  int    `json:"rows"`
	Least int64  `json:"errors_least"`
	Most  int64  `json:"errors_most"`
	Best  string `json:"text_least"`
	Worst string `json:"text_most"`
}

type rowJSON struct {
	Row       int64    `json:"row"`
	Optimum   string   `json:"optimum_predicts"`
	Other     string   `json:"otherwise_predicts,omitempty"`
	Otherwise *float64 `json:"otherwise_objective,omitempty"`
	Worse     *float64 `json:"worse_by,omitempty"`
}

// check finds what is wrong with the questions before any work.
func (q *questions) check(given map[string]bool) error {
	if given["measure"] && q.group == "" {
		return errors.New("--measure compares groups: give --group, too")
	}
	return nil
}

// asking are questions about the good models of a problem.
type asking struct {
	*questions
	reading dataset.Options
	problem *family.Problem
	part    string // of a model: "rule" or "leaf"
	a       *goodmodels.Answer
}

// answer answers the questions, as text and for programs.
func (r *asking) answer(ctx context.Context, e *env, path string) (text string, answers answersJSON, err error) {
	var b strings.Builder
	for _, part := range []func(context.Context, *env, string, *strings.Builder, *answersJSON) error{r.aboutColumns, r.aboutDisagreement, r.aboutGroups, r.aboutTest, r.aboutRow} {
		if err := part(ctx, e, path, &b, &answers); err != nil {
			return "", answers, err
		}
	}
	return b.String(), answers, nil
}

// fullText is a model, whole.
func fullText(m *family.Model) string { return m.Text(answer.Width) }

func (r *asking) aboutColumns(_ context.Context, _ *env, _ string, b *strings.Builder, out *answersJSON) error {
	if !r.columns {
		return nil
	}
	rows := [][]string{{"column", "in models", "best without it", "decides"}}
	for _, column := range r.a.Columns() {
		u, err := r.a.Use(column)
		if err != nil {
			return err
		}
		with, _ := u.With.Float64()
		all, _ := u.Lists.Float64()
		x := useJSON{Column: column, Lists: u.With.String(), Share: with / all, Least: u.Least, Most: u.Most}
		best := "none is good"
		if u.Best != nil {
			o := u.Best.Certificate().Objective.Value
			x.Without, x.Text = &o, fullText(u.Best)
			best = fmt.Sprintf("%.7f", o)
		}
		out.Columns, rows = append(out.Columns, x), append(rows, []string{wording.Escape(column), wording.Percentage(x.Share), best, wording.Percentage(u.Least) + " to " + wording.Percentage(u.Most)})
	}
	decided := "that rules with the column decide"
	if r.part == "leaf" {
		decided = "whose path asks about the column"
	}
	fmt.Fprintf(b, "\n%s\"decides\": share of the samples %s\n", answer.Columns(rows), decided)
	choices, err := r.a.ColumnChoices()
	if err != nil {
		return err
	}
	b.WriteString("\nsets of columns that are enough, and no part of them is:\n")
	for _, c := range choices {
		o := c.Best.Certificate().Objective.Value
		out.Choices = append(out.Choices, choiceJSON{c.Columns, o, fullText(c.Best)})
		name := strings.Join(c.Columns, ", ")
		if name == "" {
			name = "none"
		}
		b.WriteString(answer.Hanging(fmt.Sprintf("- %s: %.7f", wording.Escape(name), o), 2))
	}
	return nil
}

func (r *asking) aboutDisagreement(_ context.Context, _ *env, _ string, b *strings.Builder, out *answersJSON) error {
	if !r.disagree {
		return nil
	}
	d, err := r.a.Disagreement()
	if err != nil {
		return err
	}
	out.Disagreement = &disagreementJSON{d.Ambiguity, d.Discrepancy, fullText(d.Farthest)}
	b.WriteString("\n" + answer.Hanging(fmt.Sprintf("%s of the samples are decided otherwise by some good model than by the optimum (ambiguity), %s by one, at most (discrepancy)",
		wording.Percentage(d.Ambiguity), wording.Percentage(d.Discrepancy)), 4))
	return nil
}

func (r *asking) aboutGroups(ctx context.Context, e *env, path string, b *strings.Builder, out *answersJSON) error {
	if r.group == "" {
		return nil
	}
	inside, name, err := e.membership(ctx, r.reading, path, r.group, r.problem)
	if err != nil {
		return err
	}
	front, err := r.a.Front(inside, r.measure)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	out.Group, out.Measure = r.group, r.measure
	var rows [][]string
	for _, t := range front {
		c := t.Best.Certificate()
		if rows == nil {
			rows = [][]string{{"objective", wording.Plural(2, c.Part), "difference"}}
		}
		out.Front = append(out.Front, tradeJSON{c.Objective.Value, t.Difference, fullText(t.Best)})
		rows = append(rows, []string{fmt.Sprintf("%.7f", c.Objective.Value), fmt.Sprint(c.Size), fmt.Sprintf("%+.4f", t.Difference)})
	}
	fmt.Fprintf(b, "\nsmaller differences of the %s, %s less others:\n\n%s", r.measure, wording.Escape(name), answer.Columns(rows))
	if k := len(out.Front) - 1; k > 0 {
		fmt.Fprintf(b, "\nthe good model of the smallest difference:\n\n%s\n", strings.TrimRight(out.Front[k].Text, "\n"))
	}
	return nil
}

// membership says which samples belong to a group: those with a value in a column, of two
// values the later one in the order of texts, or those that satisfy an antecedent of an .out file.
func (e *env) membership(ctx context.Context, reading dataset.Options, path, what string, p *family.Problem) (inside []bool, name string, err error) {
	d := p.Set.Data
	inside = make([]bool, d.N)
	if dataset.IsOut(path) {
		for i := range d.Features {
			if f := &d.Features[i]; f.Name == what || f.Name == "{"+what+"}" {
				for k := range inside {
					inside[k] = f.Bits.Test(uint(k))
				}
				return inside, f.Name, nil
			}
		}
		return nil, "", fmt.Errorf("%s: no antecedent %q", path, what)
	}
	column, value, hasValue := strings.Cut(what, "=")
	groups, names, err := e.groupsOf(ctx, reading, path, column, d)
	if err != nil {
		return nil, "", err
	}
	if !hasValue {
		if len(names) != 2 {
			return nil, "", fmt.Errorf("%s: column %q has %s: say which one is compared with all others, as %s=%s", path, column, wording.Count(int64(len(names)), "value"), column, names[0])
		}
		value = max(names[0], names[1])
	}
	at := slices.Index(names, value)
	if at < 0 {
		return nil, "", fmt.Errorf("%s: no row has %q in column %q", path, value, column)
	}
	for i, g := range groups {
		inside[i] = g == at
	}
	return inside, column + " = " + value, nil
}

// table reads the rows of a table, or of an .out file.
func (e *env) table(ctx context.Context, reading dataset.Options, path string) (header []string, rows [][]string, err error) {
	if dataset.IsOut(path) {
		d, err := family.Read(path, family.Reading{})
		if err != nil {
			return nil, nil, err
		}
		for _, f := range d.Features {
			header = append(header, f.Name)
		}
		header = append(header, d.Target)
		for i := range d.N {
			cells := make([]string, len(header))
			for k, f := range d.Features {
				cells[k] = map[bool]string{true: "1", false: "0"}[f.Bits.Test(uint(i))]
			}
			cells[len(d.Features)] = d.ClassName(d.Class(i))
			rows = append(rows, cells)
		}
		return header, rows, nil
	}
	open, err := e.openRows(ctx, reading, path)
	if err != nil {
		return nil, nil, err
	}
	defer open.Close()
	header = slices.Clone(open.Header())
	for {
		cells, err := open.Next()
		if err == io.EOF {
			return header, rows, nil
		}
		if err != nil {
			return nil, nil, err
		}
		row := make([]string, len(cells))
		for i, c := range cells {
			row[i] = strings.Clone(c)
		}
		rows = append(rows, row)
	}
}

func (r *asking) aboutTest(ctx context.Context, e *env, _ string, b *strings.Builder, out *answersJSON) error {
	if r.test == "" {
		return nil
	}
	path := r.test
	header, rows, err := e.table(ctx, r.reading, path)
	if err != nil {
		return err
	}
	classes, err := testClasses(path, header, rows, r.problem.Set.Data.Target, r.a.Classes)
	if err != nil {
		return err
	}
	f, err := r.a.Further(ctx, header, rows)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	least, most, best, worst, err := f.Errors(classes)
	if err != nil {
		return err
	}
	x := &testJSON{File: path, Rows: labelled(classes), Least: least, Most: most, Best: fullText(best), Worst: fullText(worst)}
	out.Test = x
	fmt.Fprintf(b, "\n%s: all good models get %s to %s of %s wrong\n", wording.Escape(path), wording.Thousands(least), wording.Thousands(most), wording.Count(int64(x.Rows), "row"))
	return nil
}

// testClasses returns the classes of the rows of a table, −1 for a row without one.
func testClasses(path string, header []string, rows [][]string, target string, of func(labels []string) ([]int, error)) ([]int, error) {
	at := slices.Index(header, target)
	if at < 0 {
		return nil, fmt.Errorf("%s: no column %q with the labels", path, target)
	}
	labels := make([]string, len(rows))
	for i, cells := range rows {
		labels[i] = cells[at]
	}
	classes, err := of(labels)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return classes, nil
}

// labelled returns how many rows have a class.
func labelled(classes []int) (n int) {
	for _, c := range classes {
		if c >= 0 {
			n++
		}
	}
	return n
}

func (r *asking) aboutRow(ctx context.Context, e *env, table string, b *strings.Builder, out *answersJSON) error {
	if r.row == 0 && r.rows == "" {
		return nil
	}
	path := cmp.Or(r.rows, table)
	header, rows, err := e.table(ctx, r.reading, path)
	if err != nil {
		return err
	}
	first := int64(1)
	if r.row > 0 {
		if r.row > int64(len(rows)) {
			return fmt.Errorf("%s: no row %d, the table has %s", path, r.row, wording.Count(int64(len(rows)), "row"))
		}
		first, rows = r.row, rows[r.row-1:r.row]
	}
	f, err := r.a.Further(ctx, header, rows)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	otherwise := 0
	out.RowsFile = path
	for i := range rows {
		x := r.otherwise(f, i, first+int64(i))
		out.Rows = append(out.Rows, x)
		if x.Worse != nil {
			otherwise++
		}
		if r.row > 0 {
			fmt.Fprintf(b, "\n%s, row %d: %s", wording.Escape(path), x.Row, r.otherwiseText(x))
		}
	}
	if r.row == 0 {
		b.WriteString("\n" + answer.Hanging(fmt.Sprintf("%s: %s of %s are decided otherwise by some good model than by the optimum; --json has how much worse it is for each",
			wording.Escape(path), wording.Thousands(int64(otherwise)), wording.Count(int64(len(rows)), "row")), 4))
	}
	return nil
}

// otherwise says which good model decides row i of some otherwise.
func (r *asking) otherwise(f *goodmodels.Further, i int, number int64) rowJSON {
	optimum, _ := r.a.Least()
	x := rowJSON{Row: number, Optimum: f.Label(f.Optimum(i))}
	if class, o, ok := f.Otherwise(i); ok {
		value, worse := r.a.Objective(o), r.a.Objective(o-optimum)
		x.Other, x.Otherwise, x.Worse = f.Label(class), &value, &worse
	}
	return x
}

func (r *asking) otherwiseText(x rowJSON) string {
	text := fmt.Sprintf("the optimum predicts %s\n", wording.Escape(x.Optimum))
	if x.Worse == nil {
		optimum, _ := r.a.Least()
		return text + answer.Hanging(fmt.Sprintf("every good model does, too: any that predicts otherwise is worse by more than %.7f", r.a.Objective(r.a.Threshold()-optimum)), 4)
	}
	return text + fmt.Sprintf("the best model that predicts %s has objective %.7f, worse by %.7f\n", wording.Escape(x.Other), *x.Otherwise, *x.Worse)
}
