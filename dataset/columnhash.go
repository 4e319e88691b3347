package dataset

import (
	"bytes"
	"strings"
)

// hashColumns hashes a table of columns as its text in CSV. The text has commas, lines
// that end in \n, a header, and quotes around those cells only that hold a comma, a
// quote or a line end. A number has the fewest digits that read back as it, a truth
// value is True or False, and a missing value is empty.
func hashColumns(h *textHash, names []string, blocks []*block, rows int) {
	var text []byte
	for i, name := range names {
		text = appendCell(appendComma(text, i), name)
	}
	for row := range rows {
		if text = append(text, '\n'); len(text) > chunkSize {
			h.write(text)
			text = text[:0]
		}
		for i, b := range blocks {
			text = appendComma(text, i)
			if !b.isText {
				text = b.appendText(text, row)
			} else if code := b.integer(row); code >= 0 {
				text = appendCell(text, b.texts[code])
			}
		}
	}
	h.write(append(text, '\n'))
}

func appendComma(line []byte, column int) []byte {
	if column > 0 {
		return append(line, ',')
	}
	return line
}

// appendCell appends a text, with quotes if it needs them.
func appendCell(line []byte, text string) []byte {
	if !strings.ContainsAny(text, ",\"\n\r") {
		return append(line, text...)
	}
	line = append(line, '"')
	line = append(line, bytes.ReplaceAll([]byte(text), []byte{'"'}, []byte(`""`))...)
	return append(line, '"')
}
