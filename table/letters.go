package table

import (
	"bytes"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// Text comes in UTF-8, or in what programs wrote before it. A byte that belongs to no letter of UTF-8 is read as in Windows-1252,
// which has all letters of ISO 8859-1. No letter outside ASCII is the same in both, so a text in UTF-8 stays as it is. A note
// shows the first line with such letters: whether they look right only a person knows.

// windows1252 are the letters of the bytes 0x80 to 0x9f; all above are those of Unicode.
var windows1252 = []rune("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ")

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
			if r = rune(text[i]); r < 0xa0 {
				r = windows1252[r-0x80]
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

// utf16Text reads UTF-16 with a byte order mark as UTF-8.
type utf16Text struct {
	from io.Reader
	big  bool   // the higher byte comes first
	raw  []byte // of a letter that may go on
	text []byte
}

// Read implements io.Reader.
func (u *utf16Text) Read(p []byte) (int, error) {
	var err error
	for len(u.text) == 0 && err == nil {
		piece := make([]byte, peekSize)
		var n int
		n, err = u.from.Read(piece)
		u.raw = append(u.raw, piece[:n]...)
		var units []uint16
		for i := 0; i+1 < len(u.raw); i += 2 {
			low, high := u.raw[i], u.raw[i+1]
			if u.big {
				low, high = high, low
			}
			units = append(units, uint16(high)<<8|uint16(low))
		}
		if k := len(units); k > 0 && err == nil && units[k-1]&0xfc00 == 0xd800 { // its second half comes next
			units = units[:k-1]
		}
		u.raw = u.raw[2*len(units):]
		u.text = []byte(string(utf16.Decode(units)))
	}
	if len(u.text) > 0 {
		err = nil
	}
	n := copy(p, u.text)
	u.text = u.text[n:]
	return n, err
}
