package excel

import (
	"bufio"
	"bytes"
	"io"
	"testing"

	"github.com/xuri/excelize/v2"

	"parcorels/internal/testing/must"
	"parcorels/table"
)

// workbook returns an Excel file with these cells.
func workbook(t *testing.T, cells map[string]any) []byte {
	t.Helper()
	f := excelize.NewFile()
	format := "dd.mm.yyyy"
	style := must.Get(f.NewStyle(&excelize.Style{CustomNumFmt: &format}))(t)
	for at, v := range cells {
		must.Do(t, f.SetCellValue("Sheet1", at, v))
		if at[0] == 'B' {
			_ = f.SetCellStyle("Sheet1", at, at, style) // the cell is there
		}
	}
	var b bytes.Buffer
	must.Do(t, f.Write(&b))
	return b.Bytes()
}

// TestSpreadsheet reads numbers as they are, dates as dates, and rows that end early.
func TestSpreadsheet(t *testing.T) {
	t.Parallel()
	data := workbook(t, map[string]any{"A1": "größe", "B1": "day", "C1": "note", "D1": "y",
		"A2": 1.25, "B2": 45292, "C2": "a,\"b\"", "D2": "yes", "A4": 1e-7, "B4": 45293.5, "D4": "no", "A5": 3, "B5": "never"})
	want := "größe,day,note,y\n1.25,2024-01-01,\"a,\"\"b\"\"\",yes\n0.0000001,2024-01-02 12:00:00,,no\n3,never,,\n"
	text := must.Get(table.Unpacked(bufio.NewReader(bytes.NewReader(data))))(t)
	if got := must.Get(io.ReadAll(text))(t); string(got) != want {
		t.Errorf("%q, want %q", got, want)
	}
	for i := 0; i < len(data); i += 1 + len(data)/200 { // damage is told, or changes nothing that is read
		bad := bytes.Clone(data)
		bad[i] ^= 0x55
		if rows, err := table.New(bytes.NewReader(bad), "t.xlsx", table.Options{}); err == nil {
			_ = rows.Close()
		}
		if rows, err := table.New(bytes.NewReader(data[:i]), "t.xlsx", table.Options{}); err == nil {
			t.Errorf("the first %d bytes are read", i)
			_ = rows.Close()
		}
	}
}
