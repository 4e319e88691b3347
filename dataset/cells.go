package dataset

import (
	"parcorels/dataset/cell"
	"parcorels/table"
)

// The conditions of features are those of package cell.
type (
	Test  = cell.Test
	Scale = cell.Scale
	Kind  = cell.Kind
	Time  = table.Time // how dates are written
)

// The kinds of tests.
const (
	Is, Among                   = cell.Is, cell.Among
	Number, Interval, Threshold = cell.Number, cell.Interval, cell.Threshold
	True, Missing, Given        = cell.True, cell.Missing, cell.Given
)

// ISODate is the way to write dates that all ways read: 2019-03-31.
const ISODate = table.ISODate

// ParseNumber reads a decimal number, or an infinity: what counts as a number in a cell.
func ParseNumber(text string) (float64, bool) { return table.ParseNumber(text) }

// ClassHolds evaluates a class that is a threshold on the label of a row, as Options.Positive describes it.
func ClassHolds(class, label string) (holds, ok bool) { return cell.ClassHolds(class, label) }
