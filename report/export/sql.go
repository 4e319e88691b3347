package export

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"parcorels/dataset"
	"parcorels/model"
)

// SQL is written as expressions for the list of a SELECT, in what all dialects
// share: CASE WHEN, comparisons, AND, OR, IN, IS NULL, TRIM, LOWER, CAST to CHAR.
//
// A comparison with NULL is unknown, and CASE takes what is unknown for false.
// That is how a literal treats a cell that cannot be judged. Where the column had
// missing values in training, a negated literal holds on a missing cell, and the
// expression says so.
//
// Columns of numbers must have a numeric type, and columns of texts a character
// type whose = tells apart what differs in case only. Truth values may be of any
// type that the database can cast to characters.

func sqlText(d *Decision) string {
	var b strings.Builder
	b.WriteString(d.heading("--"))
	b.WriteString("-- Expressions for a list of columns: SELECT t.*, <this file> FROM t\n")
	b.WriteString("-- (MySQL: SET sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES', and a binary collation)\n")
	d.sqlCase(&b, func(c Case) string { return sqlString(d.Classes[c.Class]) })
	b.WriteString(" AS \"prediction\",\n")
	d.sqlCase(&b, func(c Case) string { return number(c.Probabilities[c.Class]) })
	b.WriteString(" AS \"probability\"\n")
	return b.String()
}

// sqlCase writes one CASE WHEN with a value for each case.
func (d *Decision) sqlCase(b *strings.Builder, value func(Case) string) {
	if len(d.Cases) == 1 {
		b.WriteString(value(d.Cases[0]))
		return
	}
	b.WriteString("CASE\n")
	last := len(d.Cases) - 1
	for _, c := range d.Cases[:last] {
		conditions := make([]string, len(c.When))
		for i, l := range c.When {
			conditions[i] = d.sqlLiteral(l)
		}
		if len(conditions) == 0 {
			conditions = []string{"1 = 1"}
		}
		fmt.Fprintf(b, "  WHEN %s THEN %s\n", strings.Join(conditions, " AND "), value(c))
	}
	fmt.Fprintf(b, "  ELSE %s\nEND", value(d.Cases[last]))
}

// sqlLiteral returns a condition that is true where the literal holds, and
// false or unknown elsewhere.
func (d *Decision) sqlLiteral(l model.Literal) string {
	column := sqlName(l.Column)
	kind := d.Columns[d.at(l.Column)].Type
	missing, given := d.sqlMissing(column, kind)
	if l.Test.Kind == dataset.Missing {
		switch {
		case l.Test.Complete:
			return "1 = 0"
		case l.Negated:
			return given
		}
		return missing
	}
	holds, fails := d.sqlTest(column, kind, l.Test)
	switch {
	case !l.Negated:
		return holds
	case l.Test.Complete:
		return fails
	}
	return fmt.Sprintf("(%s OR %s)", missing, fails)
}

// sqlTest returns a condition that is true where the test holds, and one that is
// true where the cell is not missing, can be judged, and fails.
func (d *Decision) sqlTest(column string, kind ColumnType, t dataset.Test) (holds, fails string) {
	switch t.Kind {
	case dataset.Is:
		_, given := d.sqlMissing(column, kind)
		text := "TRIM(" + column + ")"
		return text + " = " + sqlString(t.Value), fmt.Sprintf("(%s <> %s AND %s)", text, sqlString(t.Value), given)
	case dataset.True, dataset.Given:
		cell := sqlChar(column)
		holds = "('1', '1.0', 'yes', 'true', 't', 'y')"
		fails = "('0', '0.0', 'no', 'false', 'f', 'n')"
		return cell + " IN " + holds, cell + " IN " + fails
	case dataset.Number:
		holds, fails = sqlEqual(column, t.Value)
	case dataset.Threshold:
		holds, fails = sqlRange(column, t, ">", "<=", "<=", ">")
	default:
		holds, fails = sqlRange(column, t, ">=", "<", "<", ">=")
	}
	if words := d.numericWords(); len(words) > 0 {
		not := fmt.Sprintf(" AND %s NOT IN (%s)", column, strings.Join(words, ", "))
		return "(" + holds + not + ")", "(" + fails + not + ")"
	}
	return holds, fails
}

// sqlEqual returns the conditions that a cell is a number, and that it is another.
// No dialect has a literal for what is infinite: it is beyond the largest number.
func sqlEqual(column, value string) (holds, fails string) {
	v, _ := dataset.ParseNumber(value)
	largest := number(math.MaxFloat64)
	switch {
	case math.IsInf(v, 1):
		return column + " > " + largest, column + " <= " + largest
	case math.IsInf(v, -1):
		return column + " < -" + largest, column + " >= -" + largest
	}
	return column + " = " + number(v), column + " <> " + number(v)
}

// sqlRange returns the conditions of a test with bounds, given the comparisons
// with the lower and the upper one where it holds, and where it fails.
func sqlRange(column string, t dataset.Test, aboveLow, belowHigh, notAbove, notBelow string) (holds, fails string) {
	var in, out []string
	if t.Low != nil {
		in = append(in, fmt.Sprintf("%s %s %s", column, aboveLow, number(*t.Low)))
		out = append(out, fmt.Sprintf("%s %s %s", column, notAbove, number(*t.Low)))
	}
	if t.High != nil {
		in = append(in, fmt.Sprintf("%s %s %s", column, belowHigh, number(*t.High)))
		out = append(out, fmt.Sprintf("%s %s %s", column, notBelow, number(*t.High)))
	}
	if len(out) > 1 {
		return strings.Join(in, " AND "), "(" + strings.Join(out, " OR ") + ")"
	}
	return in[0], out[0]
}

// sqlMissing returns the conditions that a cell is missing, and that it is not.
func (d *Decision) sqlMissing(column string, kind ColumnType) (missing, given string) {
	cell, words := "LOWER(TRIM("+column+"))", []string{"''"}
	switch kind {
	case NumberColumn:
		cell, words = column, d.numericWords()
		if len(words) == 0 {
			return column + " IS NULL", column + " IS NOT NULL"
		}
	case TruthColumn, AnyColumn:
		cell = sqlChar(column)
	}
	if kind != NumberColumn {
		for _, w := range d.MissingWords {
			words = append(words, sqlString(strings.ToLower(w)))
		}
	}
	list := strings.Join(words, ", ")
	return fmt.Sprintf("(%s IS NULL OR %s IN (%s))", column, cell, list), fmt.Sprintf("(%s IS NOT NULL AND %s NOT IN (%s))", column, cell, list)
}

// numericWords are the missing words that are numbers, such as −999.
func (d *Decision) numericWords() (words []string) {
	for _, w := range d.MissingWords {
		if _, ok := dataset.ParseNumber(w); ok && strings.Trim(w, "+-.0123456789eE") == "" {
			words = append(words, w)
		}
	}
	return words
}

// sqlChar is a cell of any type as lower-case characters. The longest text that
// matters has a few; a longer cell keeps enough of them to differ.
func sqlChar(column string) string { return "LOWER(TRIM(CAST(" + column + " AS CHAR(40))))" }

func sqlName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

func sqlString(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// number is the shortest text of a float that every language reads back as it.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
