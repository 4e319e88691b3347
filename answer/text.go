package answer

import (
	"embed"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"text/template"
	"time"

	"parcorels/internal/wording"
	"parcorels/model"
)

// Texts are templates in the folder texts. A paragraph in them begins with {{p N}}: it is broken at Width, and its
// lines but the first are indented by N.

//go:embed texts
var textFiles embed.FS

// paragraph begins a line that is to be broken. No text has it: what does not print is escaped.
const paragraph = "\x00"

var texts = sync.OnceValue(func() *template.Template {
	integer := func(v any) int64 {
		x := reflect.Indirect(reflect.ValueOf(v))
		if x.CanUint() {
			return int64(x.Uint())
		}
		return x.Int()
	}
	return template.Must(template.New("").Funcs(template.FuncMap{
		"p":       func(indent int) string { return paragraph + string(rune('0'+indent)) },
		"n":       func(v any) string { return wording.Thousands(integer(v)) },
		"count":   func(v any, noun string) string { return wording.Count(integer(v), noun) },
		"plural":  func(noun string) string { return wording.Plural(2, noun) },
		"lambda":  Lambda,
		"percent": wording.Percentage,
		"share":   func(part, whole any) string { return PercentOf(integer(part), integer(whole)) },
		"seconds": func(d time.Duration) string { return wording.Seconds(d) },
		"escape":  func(v any) string { return wording.Escape(fmt.Sprint(v)) },
		"trimmed": func(text string) string { return strings.TrimRight(text, "\n") },
		"sub":     func(a, b int) int { return a - b },
		"after":   func(i int) int { return i + 1 },
		"blank":   func(text string) bool { return strings.TrimSpace(text) == "" },

		"samples":     SamplesLine,
		"printable":   wording.Printable,
		"folds":       foldsOf,
		"hundredths":  func(share any) string { return fmt.Sprintf("%.2f%%", 100*reflect.ValueOf(share).Float()) },
		"conjunction": model.Conjunction,
	}).ParseFS(textFiles, "texts/*.txt"))
})

// render returns what a template says of some data. It tells its own error, which is one of the program.
func render(name string, data any) string {
	var b, broken strings.Builder
	if err := texts().ExecuteTemplate(&b, name, data); err != nil {
		return err.Error() + "\n"
	}
	for line := range strings.Lines(b.String()) {
		if text, is := strings.CutPrefix(line, paragraph); is {
			line = Hanging(text[1:], int(text[0]-'0'))
		}
		broken.WriteString(line)
	}
	return broken.String()
}
