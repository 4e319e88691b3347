package export

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

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
	for _, c := range d.Columns {
		if c.Part != nil {
			fmt.Fprintf(&b, "-- Column %s is to have the %s of %s, such as %s: make it first, as dialects differ\n",
				oneLine(sqlName(c.Name)), c.Part.Part, oneLine(sqlName(c.Part.Of)), c.Levels[0])
		}
	}
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
		fmt.Fprintf(b, "  WHEN %s THEN %s\n", c.all(d.sqlLiteral, " AND ", "1 = 1"), value(c))
	}
	fmt.Fprintf(b, "  ELSE %s\nEND", value(d.Cases[last]))
}

// sqlLiteral returns a condition that is true where the literal holds, and
// false or unknown elsewhere.
func (d *Decision) sqlLiteral(l model.Literal) string {
	column := sqlName(l.Column)
	kind := d.Columns[d.at(l.Column)].Type
	if l.Test.Time != "" {
		return sqlDate(column, l)
	}
	if levels := d.Columns[d.at(l.Column)].Levels; levels != nil {
		column = sqlLevel(column, levels)
	}
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

// sqlLevel is the place of an ordered category; NULL of another text.
func sqlLevel(column string, levels []string) string {
	var b strings.Builder
	b.WriteString("(CASE TRIM(" + column + ")")
	for i, l := range levels {
		fmt.Fprintf(&b, " WHEN %s THEN %d", sqlString(l), i)
	}
	return b.String() + " END)"
}

// sqlDate is sqlLiteral on a column of dates, which every dialect compares with texts such as
// '2019-03-31' or '2019-03-31 08:30:00'. Dates are whole seconds, so that a bound between two
// seconds is one on the nearest that it leaves on the same side.
func sqlDate(column string, l model.Literal) string {
	missing, given := column+" IS NULL", column+" IS NOT NULL"
	date := func(days float64, round func(float64) float64) string {
		at := time.Unix(int64(round(math.Round(days*86400*1000)/1000)), 0).UTC()
		if at.Hour() == 0 && at.Minute() == 0 && at.Second() == 0 {
			return sqlString(at.Format(time.DateOnly))
		}
		return sqlString(at.Format(time.DateTime))
	}
	var in, out []string
	switch t := l.Test; t.Kind {
	case dataset.Missing:
		if t.Complete {
			return "1 = 0"
		}
		in, out = []string{missing}, []string{given}
	case dataset.Number:
		at := date(t.Number(), math.Floor)
		in, out = []string{column + " = " + at}, []string{column + " <> " + at}
	case dataset.Threshold:
		in, out = sqlRange(column, t, func(v float64) string { return date(v, math.Floor) })
	default:
		in, out = sqlRange(column, t, func(v float64) string { return date(v, math.Ceil) })
	}
	switch {
	case !l.Negated:
		return strings.Join(in, " AND ")
	case l.Test.Complete || l.Test.Kind == dataset.Missing:
		return "(" + strings.Join(out, " OR ") + ")"
	}
	return fmt.Sprintf("(%s OR %s)", missing, strings.Join(out, " OR "))
}

// sqlTest returns a condition that is true where the test holds, and one that is
// true where the cell is not missing, can be judged, and fails.
func (d *Decision) sqlTest(column string, kind ColumnType, t dataset.Test) (holds, fails string) {
	switch t.Kind {
	case dataset.Is:
		_, given := d.sqlMissing(column, kind)
		text := "TRIM(" + column + ")"
		return text + " = " + sqlString(t.Value), fmt.Sprintf("(%s <> %s AND %s)", text, sqlString(t.Value), given)
	case dataset.Among:
		_, given := d.sqlMissing(column, kind)
		texts := make([]string, len(t.Values))
		for i, v := range t.Values {
			texts[i] = sqlString(v)
		}
		text, list := "TRIM("+column+")", strings.Join(texts, ", ")
		return fmt.Sprintf("%s IN (%s)", text, list), fmt.Sprintf("(%s NOT IN (%s) AND %s)", text, list, given)
	case dataset.True, dataset.Given:
		cell := sqlChar(column)
		holds = "('1', '1.0', 'yes', 'true', 't', 'y')"
		fails = "('0', '0.0', 'no', 'false', 'f', 'n')"
		return cell + " IN " + holds, cell + " IN " + fails
	case dataset.Number:
		holds, fails = sqlEqual(column, t.Number())
	default:
		in, out := sqlRange(column, t, number)
		holds, fails = strings.Join(in, " AND "), strings.Join(out, " OR ")
		if len(out) > 1 {
			fails = "(" + fails + ")"
		}
	}
	if words := d.numericWords(); len(words) > 0 {
		not := fmt.Sprintf(" AND %s NOT IN (%s)", column, strings.Join(words, ", "))
		return "(" + holds + not + ")", "(" + fails + not + ")"
	}
	return holds, fails
}

// sqlEqual returns the conditions that a cell is a number, and that it is another.
// No dialect has a literal for what is infinite: it is beyond the largest number.
func sqlEqual(column string, v float64) (holds, fails string) {
	largest := number(math.MaxFloat64)
	switch {
	case math.IsInf(v, 1):
		return column + " > " + largest, column + " <= " + largest
	case math.IsInf(v, -1):
		return column + " < -" + largest, column + " >= -" + largest
	}
	return column + " = " + number(v), column + " <> " + number(v)
}

// sqlRange returns the conditions that all hold where a test with bounds does, and those of which one
// holds where it fails. The bounds of an interval are its first number and the first behind it, those of a
// threshold the last number below it and its last.
func sqlRange(column string, t dataset.Test, text func(float64) string) (in, out []string) {
	above, below := ">=", "<"
	if t.Kind == dataset.Threshold {
		above, below = ">", "<="
	}
	opposite := map[string]string{">=": "<", "<": ">=", ">": "<=", "<=": ">"}
	bound := func(v *float64, comparison string) {
		if v != nil {
			in = append(in, fmt.Sprintf("%s %s %s", column, comparison, text(*v)))
			out = append(out, fmt.Sprintf("%s %s %s", column, opposite[comparison], text(*v)))
		}
	}
	bound(t.Low, above)
	bound(t.High, below)
	return in, out
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
	return fmt.Sprintf("(%s IS NULL OR %s IN (%s))", column, cell, list), fmt.Sprintf("(%s IS NOT NULL AND %s NOT IN (%s))", column, cell,
		list)
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
