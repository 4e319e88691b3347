package html

import (
	"embed"
	_ "embed"
	"html/template"
	"io"
	"strconv"
	"sync"
	"time"

	"parcorels/internal/wording"
	"parcorels/model/evaluate"
)

//go:embed style.css
var style string

//go:embed templates/*.html
var templateFiles embed.FS

// templates are those of the page. The package of templates escapes each text by where
// it stands; what is no text, the style and the drawing of a tree, has a type of its
// own. Commands that write no page need not parse them.
var templates = sync.OnceValue(Templates)

// Templates returns the templates of the report, for pages that show parts of it:
// "story", "model", "evaluation", "groups", "data", "proof", "validation" and "chart".
func Templates() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"style":     func() template.CSS { return template.CSS(style) },
		"thousands": wording.Thousands,
		"seconds":   func(s float64) string { return wording.Seconds(time.Duration(s * float64(time.Second))) },
		"plural":    func(part string) string { return wording.Plural(2, part) },
		"number":    number,
		"brief":     wording.Brief,
		"part":      func(part, whole float64) string { return evaluate.Rate(part / whole).Percent() },
		"percent":   func(v float64) string { return evaluate.Rate(v).Percent() },
		"decimal":   func(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) },
		"up":        func(v float64) float64 { return side - v },
	}).ParseFS(templateFiles, "templates/*.html"))
}

// Style returns the style of the report.
func Style() string { return style }

// Write writes the page.
func (p *Page) Write(to io.Writer) error {
	return templates().ExecuteTemplate(to, "page", p)
}
