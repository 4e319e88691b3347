package table

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Quote quotes text for a message, shortened to what fits on a line.
func Quote(text string) string {
	const limit = 60
	if len(text) <= limit {
		return strconv.Quote(text)
	}
	return fmt.Sprintf("%s… (%d bytes)", strconv.Quote(strings.ToValidUTF8(text[:limit], "")), len(text))
}

// QuoteSome lists texts for a message: the first few, and how many more.
func QuoteSome(texts []string) string {
	quoted := make([]string, min(len(texts), Listed))
	for i := range quoted {
		quoted[i] = Quote(texts[i])
	}
	return Some(append(quoted, texts[len(quoted):]...))
}

// Listed is how many things a message lists.
const Listed = 8

// Some lists the first of what is already fit to print, and how many more.
func Some(items []string) string {
	list := strings.Join(items[:min(len(items), Listed)], ", ")
	if more := len(items) - Listed; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}

// Namer makes names different. It maps a name that is taken to the number that
// the next of the same name gets.
type Namer map[string]int

// Unique takes name if it is free, or else name, mark and a number that makes
// it free: the smallest from first on that was not tried before.
func (taken Namer) Unique(name, mark string, first int) string {
	k, ok := taken[name]
	if !ok {
		taken[name] = first
		return name
	}
	for {
		other := name + mark + strconv.Itoa(k)
		k++
		if _, ok := taken[other]; !ok {
			taken[name], taken[other] = k, first
			return other
		}
	}
}

// Printable is text as it is if it can be shown, and quoted if not.
func Printable(text string) string {
	for _, r := range text {
		if !unicode.IsGraphic(r) {
			return strconv.Quote(text)
		}
	}
	return text
}
