package export

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"parcorels/model"
)

// writers writes each language.
var writers = map[string]func(io.Writer, *Decision) error{
	"sql":        writeSQL,
	"python":     python.write,
	"c":          c99.write,
	"javascript": javascript.write,
	"json":       writeJSON,
	"onnx":       writeONNX,
}

// Languages are the names that Write knows, in the order in which they are told.
func Languages() []string {
	return []string{"sql", "python", "c", "javascript", "json", "onnx"}
}

// Write writes a model in one of the Languages. The same model always gives the
// same text, which ends with a newline.
func Write(to io.Writer, m model.Model, language string) error {
	write, ok := writers[language]
	if !ok {
		return fmt.Errorf("no language %q to export to, expected one of %s", language, strings.Join(Languages(), ", "))
	}
	return write(to, NewDecision(m))
}

func writeJSON(to io.Writer, d *Decision) error {
	e := json.NewEncoder(to)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(d)
}

// heading says in a comment what the code is, without any line end that would
// end the comment.
func (d *Decision) heading(comment string) string {
	origin := fmt.Sprintf("%s that %s learned from %s (%s).", d.Family, d.Software, d.Source, d.Hash)
	return fmt.Sprintf("%s %s\n%s It predicts %s.\n", comment, oneLine(origin), comment, oneLine(strconv.Quote(d.Target)))
}

// oneLine makes a text fit for a comment of one line.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0x85 || r == 0x2028 || r == 0x2029 {
			return ' '
		}
		return r
	}, text)
}

// condition is the text of a case as a comment has it.
func (c Case) condition() string {
	if c.Text == "" {
		return "all others"
	}
	return oneLine(c.Text)
}
