package table

import (
	"bytes"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// Text comes in UTF-8, or in what programs wrote before it. A byte that belongs to no letter of UTF-8 is read as in Windows-1252,
// which has all letters of ISO 8859-1. No letter outside ASCII is the same in both, so a text in UTF-8 stays as it is. A note
// shows the first line with such letters: whether they look right only a person knows.

// letters reads text as UTF-8.
type letters struct {
	from  io.Reader
	first string // piece of text around the first letter that was none of UTF-8; "" of none
	text  []byte // was read and is to be returned
	tail  []byte // the beginning of a letter
	end   error
	space [4096]byte
}

// Read implements io.Reader.
func (l *letters) Read(p []byte) (int, error) {
	for len(l.text) == 0 {
		if l.end != nil {
			return 0, l.end
		}
		room := p
		if len(room) <= utf8.UTFMax {
			room = l.space[:]
		}
		n := copy(room, l.tail)
		l.tail = l.tail[:0]
		more, err := l.from.Read(room[n:])
		l.end = err
		text := room[:n+more]
		if whole := wholeLetters(text); err == nil {
			l.tail = append(l.tail, text[whole:]...)
			text = text[:whole]
		}
		if !utf8.Valid(text) {
			l.text = l.decoded(text)
		} else if len(room) == len(p) && len(text) > 0 {
			return len(text), nil // it is in place
		} else {
			l.text = text
		}
	}
	n := copy(p, l.text)
	l.text = l.text[n:]
	return n, nil
}

// wholeLetters returns the length of text without a letter of UTF-8 that may go on.
func wholeLetters(text []byte) int {
	for i := len(text) - 1; i >= max(0, len(text)-utf8.UTFMax+1); i-- {
		if utf8.RuneStart(text[i]) {
			if !utf8.FullRune(text[i:]) {
				return i
			}
			break
		}
	}
	return len(text)
}

// decoded returns text in UTF-8.
func (l *letters) decoded(text []byte) []byte {
	to := make([]byte, 0, len(text)+len(text)/4)
	first := -1
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n == 1 {
			if r = charmap.Windows1252.DecodeByte(text[i]); r == utf8.RuneError { // a control character of ISO 8859-1
				r = rune(text[i])
			}
			if first < 0 {
				first = len(to)
			}
		}
		to = utf8.AppendRune(to, r)
		i += n
	}
	if first >= 0 && l.first == "" {
		l.first = around(to, first)
	}
	return to
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
