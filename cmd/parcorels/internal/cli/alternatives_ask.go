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

	"parcorels"
	"parcorels/choice/rashomon"
	"parcorels/cmd/internal/console"
	"parcorels/dataset"
	"parcorels/internal/option"
	"parcorels/internal/wording"
)

// questions are what is asked of all good models.
type questions struct {
	columns  bool   // --columns
	reliance bool   // --reliance
	without  string // --without-column
	disagree bool   // --disagreement
	group    string // --group
	measure  parcorels.Measure
	test     string // --test
	row      int64  // --row
	rows     string // --rows
}

func (q *questions) options() group {
	return group{"Questions about all good models", []*option.Option{
		{Name: "columns", Help: "of each column: the models that use it, the best without it, the share of samples that it decides; and the smallest sets of columns that are enough", Value: option.Switch(&q.columns)},
		{Name: "reliance", Help: "with --columns: the accuracy that a good model loses, at least and at most, if the values of a column are dealt out at random", Value: option.Switch(&q.reliance)},
		{Name: "without-column", Holder: "COLUMN", Help: "look at the models without this column alone", Value: option.Text(&q.without, "a column name")},
		{Name: "disagreement", Help: "the share of samples that some good model decides otherwise, and that one does at most", Value: option.Switch(&q.disagree)},
		{Name: "group", Holder: "COLUMN", Help: "the best models for ever smaller differences between two groups: a column of two values, COLUMN=VALUE for one against all others, or an antecedent of an .out file", Value: option.Text(&q.group, "a column, or column=value")},
		{Name: "measure", Holder: "RATE", Default: string(parcorels.SelectionRate), Help: "the rate by which groups are compared: predictions of class 1 of all, of those of class 1 (tpr), of those of class 0 (fpr)", Value: option.Choice(&q.measure, parcorels.Measures...)},
		{Name: "test", Holder: "FILE", Help: "rows of another table: the fewest and the most of them that a good model gets wrong", Value: option.Text(&q.test, "a file name")},
		{Name: "row", Holder: "N", Unset: "none", Help: "of row N, counted from 1: the best model that decides otherwise", Value: option.Integer(&q.row, 1, math.MaxInt64)},
		{Name: "rows", Holder: "FILE", Unset: "the table itself", Help: "the table with that row; without --row all of its rows are asked about", Value: option.Text(&q.rows, "a file name")},
	}}
}

// answersJSON is what was answered, for programs.
type answersJSON struct {
	Columns      []useJSON         `json:"columns,omitempty"`
	Choices      []choiceJSON      `json:"column_choices,omitempty"`
	Disagreement *disagreementJSON `json:"disagreement,omitempty"`
	Front        []tradeJSON       `json:"front,omitempty"`
	Test         *testJSON         `json:"test,omitempty"`
	Rows         []rowJSON         `json:"rows,omitempty"`
}

type useJSON struct {
	Column    string   `json:"column"`
	Lists     string   `json:"lists_with"`
	Share     float64  `json:"share_of_lists"`
	Without   *float64 `json:"best_without,omitempty"`
	Least     float64  `json:"decides_least"`
	Most      float64  `json:"decides_most"`
	Loses     *float64 `json:"reliance_least,omitempty"`
	LosesMost *float64 `json:"reliance_most,omitempty"`
	Text      string   `json:"text_without,omitempty"`
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
	Rows  int    `json:"rows"`
	Least int64  `json:"errors_least"`
	Most  int64  `json:"errors_most"`
	Best  string `json:"text_least"`
	Worst string `json:"text_most"`
}

type rowJSON struct {
	Row       int64    `json:"row"`
	Optimum   string   `json:"optimum_predicts"`
	Otherwise *float64 `json:"otherwise_objective,omitempty"`
	Worse     *float64 `json:"worse_by,omitempty"`
}

// check finds what is wrong with the questions before any work.
func (q *questions) check(given map[string]bool) error {
	switch {
	case q.reliance && !q.columns:
		return errors.New("--reliance adds to what --columns says: give --columns, too")
	case given["measure"] && q.group == "":
		return errors.New("--measure compares groups: give --group, too")
	}
	return nil
}

// answer answers the questions, as text and for programs.
func (r *alternativesRun) answer(ctx context.Context, e *env, path string) (text string, answers answersJSON, err error) {
	var b strings.Builder
	for _, part := range []func(context.Context, *env, string, *strings.Builder, *answersJSON) error{r.aboutColumns, r.aboutDisagreement, r.aboutGroups, r.aboutTest, r.aboutRow} {
		if err := part(ctx, e, path, &b, &answers); err != nil {
			return "", answers, err
		}
	}
	return b.String(), answers, nil
}

func (r *alternativesRun) listText(l rashomon.List) (string, error) {
	m, err := r.a.Model(l)
	if err != nil {
		return "", err
	}
	return m.Text(helpWidth), nil
}

func (r *alternativesRun) aboutColumns(ctx context.Context, _ *env, _ string, b *strings.Builder, out *answersJSON) error {
	if !r.ask.columns {
		return nil
	}
	rows := [][]string{{"column", "in models", "best without it", "decides"}}
	if r.ask.reliance {
		rows[0] = append(rows[0], "shuffled, loses")
	}
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
			o := r.a.Objective(u.Best.Objective)
			x.Without = &o
			if x.Text, err = r.listText(*u.Best); err != nil {
				return err
			}
			best = fmt.Sprintf("%.7f", o)
		}
		row := []string{console.Escape(column), wording.Percentage(x.Share), best, wording.Percentage(u.Least) + " to " + wording.Percentage(u.Most)}
		if r.ask.reliance {
			least, most, err := r.a.Reliance(ctx, column)
			if err != nil {
				return err
			}
			x.Loses, x.LosesMost = &least, &most
			row = append(row, fmt.Sprintf("%.1f%% to %.1f%%", 100*least, 100*most))
		}
		out.Columns, rows = append(out.Columns, x), append(rows, row)
	}
	fmt.Fprintf(b, "\n%s\"decides\": share of the samples that rules with the column decide\n", columns(rows))
	choices, err := r.a.ColumnChoices()
	if err != nil {
		return err
	}
	b.WriteString("\nsets of columns that are enough, and no part of them is:\n")
	for _, c := range choices {
		text, err := r.listText(c.List)
		if err != nil {
			return err
		}
		o := r.a.Objective(c.List.Objective)
		out.Choices = append(out.Choices, choiceJSON{c.Columns, o, text})
		name := strings.Join(c.Columns, ", ")
		if name == "" {
			name = "none"
		}
		b.WriteString(wrapHanging(fmt.Sprintf("- %s: %.7f", console.Escape(name), o), 2))
	}
	return nil
}

func (r *alternativesRun) aboutDisagreement(_ context.Context, _ *env, _ string, b *strings.Builder, out *answersJSON) error {
	if !r.ask.disagree {
		return nil
	}
	d, err := r.a.Disagreement()
	if err != nil {
		return err
	}
	text, err := r.listText(d.Farthest)
	if err != nil {
		return err
	}
	out.Disagreement = &disagreementJSON{d.Ambiguity, d.Discrepancy, text}
	fmt.Fprintf(b, "\n%s of the samples are decided otherwise by some good model than by the optimum (ambiguity),\n%s by one, at most (discrepancy)\n",
		wording.Percentage(d.Ambiguity), wording.Percentage(d.Discrepancy))
	return nil
}

func (r *alternativesRun) aboutGroups(ctx context.Context, e *env, path string, b *strings.Builder, out *answersJSON) error {
	if r.ask.group == "" {
		return nil
	}
	inside, name, err := e.membership(ctx, r.reading, path, r.ask.group, r.problem)
	if err != nil {
		return err
	}
	front, err := r.a.Front(inside, r.ask.measure)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	rows := [][]string{{"objective", "rules", "difference"}}
	for _, t := range front {
		text, err := r.listText(t.List)
		if err != nil {
			return err
		}
		o := r.a.Objective(t.List.Objective)
		out.Front = append(out.Front, tradeJSON{o, t.Difference, text})
		rows = append(rows, []string{fmt.Sprintf("%.7f", o), fmt.Sprint(len(t.List.Rules)), fmt.Sprintf("%+.4f", t.Difference)})
	}
	fmt.Fprintf(b, "\nsmaller differences of the %s, %s less others:\n\n%s", r.ask.measure, console.Escape(name), columns(rows))
	if k := len(out.Front) - 1; k > 0 {
		fmt.Fprintf(b, "\nthe good model of the smallest difference:\n\n%s\n", strings.TrimRight(out.Front[k].Text, "\n"))
	}
	return nil
}

// membership says which samples belong to a group: those with a value in a column, of two
// values the later one in the order of texts, or those that satisfy an antecedent of an .out file.
func (e *env) membership(ctx context.Context, reading dataset.Options, path, what string, p *parcorels.Problem) (inside []bool, name string, err error) {
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
		d, err := parcorels.Read(path, parcorels.Reading{})
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

func (r *alternativesRun) aboutTest(ctx context.Context, e *env, _ string, b *strings.Builder, out *answersJSON) error {
	if r.ask.test == "" {
		return nil
	}
	path := r.ask.test
	header, rows, err := e.table(ctx, r.reading, path)
	if err != nil {
		return err
	}
	target := slices.Index(header, r.problem.Set.Data.Target)
	if target < 0 {
		return fmt.Errorf("%s: no column %q with the labels", path, r.problem.Set.Data.Target)
	}
	labels := make([]string, len(rows))
	for i, cells := range rows {
		labels[i] = cells[target]
	}
	classes, err := r.a.Classes(labels)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	f, err := r.a.Further(ctx, header, rows)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	least, most, best, worst, err := f.Errors(classes)
	if err != nil {
		return err
	}
	x := &testJSON{Least: least, Most: most}
	for _, c := range classes {
		if c >= 0 {
			x.Rows++
		}
	}
	if x.Best, err = r.listText(best); err != nil {
		return err
	}
	if x.Worst, err = r.listText(worst); err != nil {
		return err
	}
	out.Test = x
	fmt.Fprintf(b, "\n%s: all good models get %s to %s of %s wrong\n", console.Escape(path), wording.Thousands(least), wording.Thousands(most), wording.Count(int64(x.Rows), "row"))
	return nil
}

func (r *alternativesRun) aboutRow(ctx context.Context, e *env, table string, b *strings.Builder, out *answersJSON) error {
	if r.ask.row == 0 && r.ask.rows == "" {
		return nil
	}
	path := cmp.Or(r.ask.rows, table)
	header, rows, err := e.table(ctx, r.reading, path)
	if err != nil {
		return err
	}
	first := int64(1)
	if r.ask.row > 0 {
		if r.ask.row > int64(len(rows)) {
			return fmt.Errorf("%s: no row %d, the table has %s", path, r.ask.row, wording.Count(int64(len(rows)), "row"))
		}
		first, rows = r.ask.row, rows[r.ask.row-1:r.ask.row]
	}
	f, err := r.a.Further(ctx, header, rows)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	names := r.a.Best.About()
	optimum, _ := r.a.Least()
	best, _ := r.a.Smallest()
	otherwise := 0
	for i := range rows {
		says := 0
		if f.Predicts(i, best) {
			says = 1
		}
		x := rowJSON{Row: first + int64(i), Optimum: names.Label(says)}
		if o, ok := f.Least(i, 1-says); ok {
			value, worse := r.a.Objective(o), r.a.Objective(o-optimum)
			x.Otherwise, x.Worse = &value, &worse
			otherwise++
		}
		out.Rows = append(out.Rows, x)
		if r.ask.row == 0 {
			continue
		}
		fmt.Fprintf(b, "\n%s, row %d: the optimum predicts %s\n", console.Escape(path), x.Row, console.Escape(x.Optimum))
		other := console.Escape(names.Label(1 - says))
		if x.Worse == nil {
			fmt.Fprintf(b, "every good model does, too: any that predicts %s is worse by more than %.7f\n", other, r.a.Objective(r.a.Threshold()-optimum))
		} else {
			fmt.Fprintf(b, "the best model that predicts %s has objective %.7f, worse by %.7f\n", other, *x.Otherwise, *x.Worse)
		}
	}
	if r.ask.row == 0 {
		fmt.Fprintf(b, "\n%s: %s of %s are decided otherwise by some good model than by the optimum; --json has how much worse it is for each\n",
			console.Escape(path), wording.Thousands(int64(otherwise)), wording.Count(int64(len(rows)), "row"))
	}
	return nil
}
