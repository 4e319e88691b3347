package dataset

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"strings"
)

// canonicalHash returns the hash of a table of columns: that of its text as
// CSV. The text has commas, lines that end in \n, a header, and quotes around
// those cells only that hold a comma, a quote or a line end. A number has the
// fewest digits that read back as it, a truth value is True or False, and a
// missing value is empty.
func canonicalHash(names []string, blocks []*block, rows int) string {
	h := sha256.New()
	writeCanonical(h, names, blocks, rows)
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

func writeCanonical(to hash.Hash, names []string, blocks []*block, rows int) {
	out := bufio.NewWriterSize(to, 1<<16)
	texts := quotedTexts(blocks)
	var line []byte
	for i, name := range names {
		line = appendCell(appendComma(line, i), name)
	}
	for row := range rows {
		_, _ = out.Write(append(line, '\n')) // a hash takes all
		line = line[:0]
		for i, b := range blocks {
			line = appendComma(line, i)
			switch {
			case texts[i] == nil:
				line = b.appendText(line, row)
			case b.integer(row) >= 0:
				line = append(line, texts[i][b.integer(row)]...)
			}
		}
	}
	_, _ = out.Write(append(line, '\n'))
	_ = out.Flush()
}

func appendComma(line []byte, column int) []byte {
	if column > 0 {
		return append(line, ',')
	}
	return line
}

// quotedTexts returns the texts of each block as they stand in the text; nil
// of blocks that have none.
func quotedTexts(blocks []*block) [][][]byte {
	all := make([][][]byte, len(blocks))
	for i, b := range blocks {
		if !b.isText {
			continue
		}
		all[i] = make([][]byte, len(b.texts))
		for k, t := range b.texts {
			all[i][k] = appendCell(nil, t)
		}
	}
	return all
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
