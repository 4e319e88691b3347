package dataset

import "parcorels/table"

// remark is something that a person might not expect of a column. Columns of
// the same remark share one note, as a table may have thousands of them.
type remark int

const (
	rareTexts remark = iota
	readAsText
	ambiguousDates
	missingCode
	dressedNumbers
	leadingZeros
	pointsOfThousands
	infiniteValues
	sameValues
	differentTexts
	decimalCommas
	tellRowsApart
	risingNumbers
	maybeIDs
	uncutNumbers
	maybeCodes
	maybeMissing
	remarks // their number
)

// remarkTexts are the notes, before the columns that they are about.
var remarkTexts = [remarks]string{
	rareTexts:         "only texts in at least 1% of the rows have a feature, in columns of many: ",
	readAsText:        "columns of numbers are read as text for what is no number (if it means missing, list it in option Missing): ",
	ambiguousDates:    "dates may have the day or the month first, and are read as texts (write them as 2024-03-31): ",
	missingCode:       "NA is read as missing, though all others are codes of two letters (if it is a code, leave it out of option Missing): ",
	dressedNumbers:    "texts are numbers with a unit or a separator, and have no cuts (if they are amounts, write them as 1234.5): ",
	leadingZeros:      "numbers begin with a zero, as codes do, and are read as numbers (if they are codes, list them in option Categories): ",
	pointsOfThousands: "a point is read as the decimal point, and stands before three digits everywhere (if it separates thousands, take it out): ",
	infiniteValues:    "infinite values lie beyond all other numbers: ",
	sameValues:        "columns are not used, as all values are the same: ",
	decimalCommas:     "a comma is read as the decimal point of numbers, as fields are separated by semicolons: ",
	differentTexts:    "columns are not used, as texts are long, or none is in 1% of the rows: ",
	tellRowsApart:     "columns are not used, as they number rows or are ids (option Use keeps them): ",
	risingNumbers:     "numbers never fall from row to row, as ids of groups do (if they are, leave them out, and keep rows of a group together in tests, as option Groups does): ",
	maybeIDs:          "numbers differ in nearly every row, and are read as a measure (if they are ids, leave them out, as option Ignore does): ",
	maybeCodes:        "numbers of few values tell the classes apart, but hardly by their order (if they are codes, list them in option Categories): ",
	maybeMissing:      "values may mean missing, and are read as values (if they do, list them in option Missing, as they are written): ",
	uncutNumbers:      "columns of numbers are not used, as no cut of them alone changes enough predictions to be more than chance (give cuts, or choose them at quantiles or by information): ",
}

// say remarks on a column; detail follows its name.
func (b *builder) say(r remark, c *column, detail string) {
	b.said[r] = append(b.said[r], table.Quote(c.name)+detail)
}

// notes are the remarks on all columns.
func (b *builder) notes() (notes []string) {
	for r, text := range remarkTexts {
		if columns := b.said[remark(r)]; len(columns) > 0 {
			notes = append(notes, text+table.Some(columns))
		}
	}
	if len(b.features)+len(b.whole) == 0 {
		notes = append(notes, "no column tells samples apart")
	}
	return notes
}
