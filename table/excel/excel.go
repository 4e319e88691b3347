// Package excel reads files of Excel (.xlsx). Begin with an import for its effect: [parcorels/table] then opens such files.
package excel

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"parcorels/table"
)

func init() { table.Register("Excel", open) }

// open returns the first sheet of an Excel file (.xlsx) as CSV. Numbers are those that Excel calculates with, not what it
// shows of them; dates come as ISO 8601.
func open(file io.ReaderAt, size int64) (text io.Reader, err error) {
	defer func() { // excelize trusts the references within a file
		if recover() != nil {
			err = errors.New("the spreadsheet is damaged")
		}
	}()
	f, err := excelize.OpenReader(io.NewSectionReader(file, 0, size), excelize.Options{RawCellValue: true,
		UnzipSizeLimit: table.MostSheet, UnzipXMLSizeLimit: table.MostSheet})
	if err != nil {
		return nil, fmt.Errorf("the spreadsheet cannot be read: %w", err)
	}
	defer f.Close()
	return sheetText(f)
}

// sheetText writes the first sheet as CSV, without rows that have no cell.
func sheetText(f *excelize.File) (io.Reader, error) {
	var text bytes.Buffer
	out := csv.NewWriter(&text)
	sheet, width := f.GetSheetName(0), 0
	var dates []bool // by column, of the second row
	rows, err := f.Rows(sheet)
	if err != nil {
		return nil, err
	}
	for row := 1; rows.Next(); row++ {
		cells, err := rows.Columns()
		if err != nil {
			return nil, err
		}
		for len(cells) > width && strings.TrimSpace(cells[len(cells)-1]) == "" {
			cells = cells[:len(cells)-1]
		}
		switch {
		case len(cells) == 0:
			continue
		case width == 0:
			width = len(cells)
		case dates == nil:
			dates = make([]bool, width)
			for i := range dates {
				dates[i] = isDate(f, sheet, i+1, row)
			}
		}
		for len(cells) < width {
			cells = append(cells, "")
		}
		for i := range min(len(dates), len(cells)) {
			if dates[i] {
				cells[i] = isoDate(cells[i])
			}
		}
		if err := out.Write(cells); err != nil {
			return nil, err
		}
		if text.Len() > table.MostSheet {
			return nil, table.ErrLargeSheet
		}
	}
	out.Flush()
	return &text, rows.Error()
}

// isDate reports whether a cell is shown as a date.
func isDate(f *excelize.File, sheet string, column, row int) bool {
	at, _ := excelize.CoordinatesToCellName(column, row)
	index, _ := f.GetCellStyle(sheet, at) // 0, the usual style, of none
	style, err := f.GetStyle(index)
	if err != nil {
		return false
	}
	if n := style.NumFmt; n >= 14 && n <= 17 || n == 22 || n >= 27 && n <= 36 || n >= 50 && n <= 58 {
		return true
	}
	return style.CustomNumFmt != nil && strings.ContainsAny(strings.ToLower(*style.CustomNumFmt), "yd") &&
		!strings.ContainsAny(*style.CustomNumFmt, "0#")
}

// isoDate writes the number of a day as a date, with a time if it has one. Other texts stay as they are.
func isoDate(cell string) string {
	days, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		return cell
	}
	t, err := excelize.ExcelDateToTime(days, false)
	switch {
	case err != nil:
		return cell
	case days == float64(int64(days)):
		return t.Format("2006-01-02")
	}
	return t.Format("2006-01-02 15:04:05")
}
