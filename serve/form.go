package serve

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"

	"parcorels/family"
	"parcorels/internal/option"
	"parcorels/model"
)

// A form has a field for each option of the library, under its name there. What a client may
// not decide has none: files of this machine, and how much of the machine a search takes.

// options are those of the library.
func options() []*option.Option {
	return family.OptionTable(&family.Reading{}, &family.Options{})
}

// fromServer are the options that the server decides.
var fromServer = []string{"labels", "workers", "memory"}

// inFront are those that the form shows at once; all others are below a heading.
func inFront(row *option.Option) bool {
	return slices.Contains([]string{"model", "target", "positive", "lambda", "time", "ignore"}, row.Name) ||
		row.Name == "max-rules" && row.Of("list")
}

// fill takes the options of a form that the family asked for has.
func fill(form url.Values) (a asked) {
	family := cmp.Or(form.Get("model"), family.Families()[0].Name)
	for _, row := range options() {
		if slices.Contains(fromServer, row.Name) || !row.Of(family) {
			continue
		}
		for _, text := range form[row.Name] {
			text = strings.TrimSpace(text)
			if text == "" || row.Type == "switch" && text != "true" {
				continue
			}
			if row.Name == "ignore" && form.Get("columns") != "" {
				text = option.Join([]string{text}) // a box for each column
			}
			a.Options = append(a.Options, model.Option{Name: row.Name, Value: text})
			if !row.Many && row.Type != "list" {
				break
			}
		}
	}
	a.By, a.Proof = form.Get("by"), form.Get("proof") != "no"
	return a
}

// form is the form that was filled in so.
func (a *asked) form() url.Values {
	v := url.Values{}
	for _, o := range a.Options {
		v.Add(o.Name, o.Value)
	}
	if a.By != "" {
		v.Set("by", a.By)
	}
	if !a.Proof {
		v.Set("proof", "no")
	}
	return v
}

// field is an option as the form shows it.
type field struct {
	*option.Option
	Value  string
	Holds  string // where nothing is given
	Family string // names of the families that have it, with blanks between them; "" for all
}

// fieldGroup is options under a heading.
type fieldGroup struct {
	Title  string
	Fields []field
}

// fields returns the fields of a form that was filled in so: those in front, by name, and all
// others.
func (s *Server) fields(a *asked, family *family.Family) (front map[string]field, groups []fieldGroup) {
	front = map[string]field{}
	for _, row := range options() {
		if slices.Contains(fromServer, row.Name) {
			continue
		}
		f := field{row, a.option(row.Name), cmp.Or(row.DefaultOf(family.Name), row.Unset), strings.Join(row.Families, " ")}
		if row.Name == "time" && s.o.Time > 0 {
			f.Holds = brieflyTimed(s.o.Time)
		}
		if inFront(row) {
			front[row.Name] = f
			continue
		}
		if n := len(groups); n == 0 || groups[n-1].Title != row.Group {
			groups = append(groups, fieldGroup{Title: row.Group})
		}
		g := &groups[len(groups)-1]
		g.Fields = append(g.Fields, f)
	}
	return front, groups
}

// brieflyTimed writes 10m0s as 10m.
func brieflyTimed(d time.Duration) string {
	return strings.Replace(d.String(), "m0s", "m", 1)
}
