package export

import (
	"fmt"
	"io"
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
// type that the database can cast to characters. Every dialect compares a column of
// dates with texts such as '2019-03-31' or '2019-03-31 08:30:00'.

func writeSQL(to io.Writer, d *Decision) error {
	var b strings.Builder
	b.WriteString(d.heading("--"))
	b.WriteString("-- Expressions for a list of columns: SELECT t.*, <this file> FROM t\n")
	b.WriteString("-- (MySQL: SET sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES', and a binary collation)\n")
	d.sqlCase(&b, func(c Case) string { return sqlString(d.Classes[c.Class]) })
	b.WriteString(" AS \"prediction\",\n")
	d.sqlCase(&b, func(c Case) string { return number(c.Probabilities[c.Class]) })
	b.WriteString(" AS \"probability\"\n")
	_, err := io.WriteString(to, b.String())
	return err
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
	column, t := d.Columns[d.at(l.Column)], l.Test
	cell, missing, given := d.sqlCell(column)
	var holds, fails string // where the cell is not missing and can be judged
	switch t.Kind {
	case dataset.Missing:
		if t.Complete {
			return "1 = 0"
		}
		if l.Negated {
			return given
		}
		return missing
	case dataset.Is, dataset.Among:
		holds, fails = sqlIn("TRIM("+cell+")", textsOf(t), sqlString)
		fails = "(" + fails + " AND " + given + ")"
	case dataset.True, dataset.Given:
		holds = sqlChar(cell) + " IN ('1', '1.0', 'yes', 'true', 't', 'y')"
		fails = sqlChar(cell) + " IN ('0', '0.0', 'no', 'false', 'f', 'n')"
	default:
		holds, fails = sqlNumber(cell, t)
		if words := d.sqlNumericWords(column); len(words) > 0 {
			holds, fails = "("+holds+" AND "+given+")", "("+fails+" AND "+given+")"
		}
	}
	switch {
	case !l.Negated:
		return holds
	case t.Complete:
		return fails
	}
	return fmt.Sprintf("(%s OR %s)", missing, fails)
}

// sqlCell returns what the tests of a column compare, and the conditions that it is missing, and that it is not.
func (d *Decision) sqlCell(column Column) (cell, missing, given string) {
	cell = sqlName(column.Name)
	if column.Levels != nil { // the place of an ordered category; NULL of another text
		place := "(CASE TRIM(" + cell + ")"
		for i, level := range column.Levels {
			place += fmt.Sprintf(" WHEN %s THEN %d", sqlString(level), i)
		}
		cell = place + " END)"
	}
	missing, given = cell+" IS NULL", cell+" IS NOT NULL"
	compared, words := cell, d.sqlNumericWords(column)
	switch column.Type {
	case TextColumn:
		compared, words = "LOWER(TRIM("+cell+"))", d.sqlWords()
	case TruthColumn, AnyColumn:
		compared, words = sqlChar(cell), d.sqlWords()
	}
	if len(words) > 0 {
		in, out := sqlIn(compared, words, func(word string) string { return word })
		missing, given = "("+missing+" OR "+in+")", "("+given+" AND "+out+")"
	}
	return cell, missing, given
}

// sqlNumber returns the conditions that a number, a date or a level passes a test, and that it does not.
// The bounds of an interval are its first number and the first behind it, those of a
// threshold the last number below it and its last. Dates are whole seconds, so that a bound between two
// seconds is one on the nearest that it leaves on the same side.
func sqlNumber(cell string, t dataset.Test) (holds, fails string) {
	low, high, above, below := t.Low, t.High, " >= ", " < "
	text, round := number, math.Ceil
	if t.Kind != dataset.Interval {
		above, below, round = " > ", " <= ", math.Floor
	}
	if t.Time != "" {
		text = func(days float64) string { return sqlDate(round(math.Round(days*86400*1000) / 1000)) }
	}
	if t.Kind == dataset.Number {
		// No dialect has a literal for what is infinite: it is beyond the largest number.
		v, largest := t.Number(), math.MaxFloat64
		switch {
		case math.IsInf(v, 1):
			low = &largest
		case math.IsInf(v, -1):
			return cell + " < -" + number(largest), cell + " >= -" + number(largest)
		default:
			return cell + " = " + text(v), cell + " <> " + text(v)
		}
	}
	opposite := map[string]string{" >= ": " < ", " < ": " >= ", " > ": " <= ", " <= ": " > "}
	if low == nil {
		return cell + below + text(*high), cell + opposite[below] + text(*high)
	}
	holds, fails = cell+above+text(*low), cell+opposite[above]+text(*low)
	if high != nil {
		holds += " AND " + cell + below + text(*high)
		fails = "(" + fails + " OR " + cell + opposite[below] + text(*high) + ")"
	}
	return holds, fails
}

func sqlDate(seconds float64) string {
	at := time.Unix(int64(seconds), 0).UTC()
	return sqlString(strings.TrimSuffix(at.Format(time.DateTime), " 00:00:00"))
}

// sqlIn returns the conditions that a cell is one of some values, and that it is none.
func sqlIn(cell string, values []string, write func(string) string) (in, out string) {
	list := joined(values, write)
	if len(values) == 1 {
		return cell + " = " + list, cell + " <> " + list
	}
	return cell + " IN (" + list + ")", cell + " NOT IN (" + list + ")"
}

// sqlWords are the texts of missing values in lower case.
func (d *Decision) sqlWords() []string {
	words := []string{"''"}
	for _, word := range lower(d.MissingWords) {
		words = append(words, sqlString(word))
	}
	return words
}

// sqlNumericWords are the numbers that mean missing in a column.
func (d *Decision) sqlNumericWords(column Column) []string {
	if column.Type != NumberColumn || !column.Plain() {
		return nil
	}
	return d.numericWords()
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
