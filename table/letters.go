package table

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/transform"
)

// Text comes in UTF-8, or in what programs wrote before it. A byte that belongs to no letter of UTF-8 is read as in Windows-1252,
// which has all letters of ISO 8859-1. No letter outside ASCII is the same in both, so a text in UTF-8 stays as it is. A note
// shows the first line with such letters: whether they look right only a person knows.

// letters makes UTF-8 of text.
type letters struct {
	transform.NopResetter
	first string // piece of text around the first letter that was none of UTF-8; "" of none
}

// Transform implements transform.Transformer.
func (l *letters) Transform(to, from []byte, atEnd bool) (n, read int, err error) {
	if len(from) <= len(to) && utf8.Valid(from) { // as is most text
		return copy(to, from), len(from), nil
	}
	first := -1
	for read < len(from) && err == nil {
		r, size := utf8.DecodeRune(from[read:])
		switch {
		case n+utf8.UTFMax > len(to):
			err = transform.ErrShortDst
			continue
		case r != utf8.RuneError || size > 1:
		case !atEnd && !utf8.FullRune(from[read:]):
			err = transform.ErrShortSrc
			continue
		default:
			if r = charmap.Windows1252.DecodeByte(from[read]); r == utf8.RuneError { // a control character of ISO 8859-1
				r = rune(from[read])
			}
			if first < 0 {
				first = n
			}
		}
		n += utf8.EncodeRune(to[n:], r)
		read += size
	}
	if first >= 0 && l.first == "" {
		l.first = around(to[:n], first)
	}
	return n, read, err
}

// around returns the cell or line around a place in a text, at most 40 letters of it.
func around(text []byte, at int) string {
	const ends = ",;\t|\"\r\n"
	from := bytes.LastIndexAny(text[:at], ends) + 1
	to := len(text)
	if n := bytes.IndexAny(text[at:], ends); n >= 0 {
		to = at + n
	}
	all := []rune(string(text[from:to]))
	return string(all[:min(len(all), 40)])
}
