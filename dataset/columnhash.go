package dataset

import "bytes"

// hashColumns hashes a table of columns as its text in CSV. The text has commas, lines
// that end in \n, a header, and quotes around those cells only that hold a comma, a
// quote or a line end. A number has the fewest digits that read back as it, a truth
// value is True or False, and a missing value is empty.
func hashColumns(h *textHash, names []string, blocks []*block, rows int) {
	var text, cell []byte
	for i, name := range names {
		text = appendCell(appendComma(text, i), []byte(name))
	}
	for row := range rows {
		if text = append(text, '\n'); len(text) > chunkSize {
			h.write(text)
			text = text[:0]
		}
		for i, b := range blocks {
			text = appendComma(text, i)
			if b.isText || b.isPlain {
				cell = b.appendText(cell[:0], row)
				text = appendCell(text, cell)
			} else {
				text = b.appendText(text, row)
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
func appendCell(line, text []byte) []byte {
	if !bytes.ContainsAny(text, ",\"\n\r") {
		return append(line, text...)
	}
	line = append(line, '"')
	line = append(line, bytes.ReplaceAll(text, []byte{'"'}, []byte(`""`))...)
	return append(line, '"')
}
