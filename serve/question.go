package serve

import (
	"cmp"
	_ "embed" // of labels
	"errors"
	"fmt"
	"html/template"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"parcorels/family"
	"parcorels/internal/option"
	"parcorels/model"
)

// question is what a run is to do: run.json. A form makes it and shows it, and a run answers it.
// Options are those of the table of options, by name.
type question struct {
	Table   string         `json:"table"`
	Hash    string         `json:"hash,omitempty"` // of the table, once it was read
	Options []model.Option `json:"options"`
	Kind    string         `json:"kind,omitempty"`   // "" for one model, or pathKind, or alternativesKind
	Within  string         `json:"within,omitempty"` // of alternatives: per cent above the best that are good; "": less than a rule
	Least   string         `json:"least,omitempty"`  // smallest λ of a path
	Proof   bool           `json:"proof"`            // write one
	By      string         `json:"by,omitempty"`     // column whose groups the page compares
	From    string         `json:"from,omitempty"`   // the run that this one is a wish about
	Name    string         `json:"name,omitempty"`   // what a person calls the wish
	Recall  string         `json:"recall,omitempty"` // least rows of 100 of class 1 that the list finds; "": any
	Opened  bool           `json:"opened,omitempty"` // the model came from a file: nobody searched for it here
	Made    time.Time      `json:"made"`
}

// same reports whether two questions have one answer.
func (q *question) same(other *question) bool {
	a, b := *q, *other
	for _, x := range []*question{&a, &b} {
		x.Hash, x.Name, x.Made, x.Options = "", "", time.Time{}, nil
	}
	return reflect.DeepEqual(a, b) && slices.Equal(q.Options, other.Options)
}

// A form has a field for each option of the library that has a text for the page. What a client
// may not decide has none: files of this machine, and how much of the machine a search takes.

// options are those of the library.
func options() []*option.Option {
	return family.OptionTable(&family.Reading{}, &family.Options{})
}

// fromForm takes what a form asks for: of the options, those that its family has. A form is always
// whole: columns to leave out come one by one, from boxes or from the fields that stand for them.
func fromForm(form url.Values) (q question) {
	kind := cmp.Or(form.Get("model"), family.Families()[0].Name)
	for _, row := range options() {
		if labels()[row.Name].text == "" || !row.Of(kind) {
			continue
		}
		for _, text := range form[row.Name] {
			text = plain(row, strings.TrimSpace(text))
			if text == "" || row.Type == "switch" && text != "true" {
				continue
			}
			q.Options = append(q.Options, model.Option{Name: row.Name, Value: text})
			if !row.Many && row.Type != "list" {
				break
			}
		}
	}
	q.By, q.Proof = form.Get("by"), form.Get("proof") != "no"
	return q
}

// plain writes what people write in the way that options take it: "1%" is 0.01, "0,01" as well, and
// "2" minutes are 2m. A column to leave out may have a comma in its name.
func plain(row *option.Option, text string) string {
	switch {
	case row.Name == "ignore":
		return option.Join([]string{text})
	case row.Name == "lambda" || row.Name == "min-support":
		text = strings.Replace(text, ",", ".", 1)
		if share, ok := strings.CutSuffix(text, "%"); ok {
			if r, err := option.Exact(strings.TrimSpace(share), option.Positive); err == nil {
				r.Den *= 100
				return r.String()
			}
		}
	case row.Name == "time" && text != "" && strings.Trim(text, "0123456789") == "":
		return text + "m"
	}
	return text
}

// form is the form that was filled in so.
func (q *question) form() url.Values {
	v := url.Values{}
	for _, o := range q.Options {
		v.Add(o.Name, o.Value)
	}
	if v.Del("ignore"); len(q.Ignored()) > 0 {
		v["ignore"] = q.Ignored()
	}
	if q.By != "" {
		v.Set("by", q.By)
	}
	if !q.Proof {
		v.Set("proof", "no")
	}
	return v
}

// Query is the form as an address has it.
func (q *question) Query() template.URL { return template.URL(q.form().Encode()) }

// Hidden are the fields of a form, all but some, which come from elsewhere.
func (q *question) Hidden(but ...string) (list []model.Option) {
	form := q.form()
	for name, value := range map[string]string{"table": q.Table, "from": q.From, "called": q.Name, "recall": q.Recall} {
		form.Set(name, value)
	}
	for _, name := range slices.Sorted(maps.Keys(form)) {
		for _, value := range form[name] {
			if !slices.Contains(but, name) && value != "" {
				list = append(list, model.Option{Name: name, Value: value})
			}
		}
	}
	return list
}

// Ignored returns the columns that are left out.
func (q *question) Ignored() []string { return q.reading().Ignore }

// options returns what was asked as options of the library.
func (q *question) options() (family.Reading, family.Options, error) {
	var read family.Reading
	var o family.Options
	table := family.OptionTable(&read, &o)
	for _, given := range q.Options {
		row := option.Find(table, given.Name)
		if row == nil {
			return read, o, fmt.Errorf("no option is called %q", given.Name)
		}
		if given.Name == "time" && given.Value == "none" {
			o.Time = -1
			continue
		}
		if err := row.Set(given.Value); errors.Is(err, option.ErrExpected) {
			return read, o, fmt.Errorf("%s is %q: expected %s", labelOf(row.Name), given.Value, row.Expect)
		} else if err != nil {
			return read, o, fmt.Errorf("%s is %q: %w", labelOf(row.Name), given.Value, err)
		}
	}
	return read, o, nil
}

// reading returns how the table is read, as far as rows go.
func (q *question) reading() family.Reading {
	read, _, _ := q.options()
	return read
}

// Option returns the value that was asked for, "" for none.
func (q *question) Option(name string) string {
	for _, o := range q.Options {
		if o.Name == name {
			return o.Value
		}
	}
	return ""
}

// without returns the options but those of some names.
func (q *question) without(names ...string) []model.Option {
	return slices.DeleteFunc(slices.Clone(q.Options), func(o model.Option) bool { return slices.Contains(names, o.Name) })
}

// resolved returns the options of the search with the defaults of this server.
func (s *Server) resolved(q *question) (*family.Family, family.Reading, family.Options, error) {
	read, o, err := q.options()
	f := family.Families()[0]
	if o.Family != "" {
		f = family.Of(o.Family)
	}
	switch {
	case o.Time < 0:
		o.Time = 0
	case o.Time == 0:
		o.Time = s.o.Time
	}
	read = f.Reading(read)
	read.Memory = s.o.Memory / 2
	if err == nil {
		err = o.Validate(read)
	}
	o.Software = s.o.Software
	return f, read, o, err
}

// field is an option as the form shows it.
type field struct {
	*option.Option
	Label, Note string
	Value       string
	Family      string // names of the families that have it, with blanks between them; "" for all
}

// fieldGroup is options under a heading.
type fieldGroup struct {
	Title  string
	Fields []field
}

// label is what the page calls an option, and says of it. The option is shown at once, or below
// a heading. An option that is not here is not on the page.
type label struct {
	text, note string
	front      bool
}

//go:embed labels.txt
var labelsText string

// labels are what labels.txt says: a line for each option, with its name, what the page calls it, and a note. Those before the
// empty line are shown at once.
var labels = sync.OnceValue(func() map[string]label {
	all := map[string]label{}
	front, _, _ := strings.Cut(labelsText, "\n\n")
	for line := range strings.Lines(labelsText) {
		name, text, _ := strings.Cut(strings.TrimSpace(line), " | ")
		text, note, _ := strings.Cut(text, " | ")
		all[name] = label{text, note, strings.Contains("\n"+front, "\n"+name+" ")}
	}
	return all
})

// labelOf is what the page calls an option.
func labelOf(name string) string {
	if l := labels()[name]; l.text != "" {
		return "“" + l.text + "”"
	}
	return name
}

// optionName is what the page calls a field of the options of the library.
func optionName(name string) string {
	for _, row := range options() {
		if row.Field == name {
			return labelOf(row.Name)
		}
	}
	return ""
}

// fields returns the fields of a form that was filled in so: those in front, by name, and all
// others.
func (s *Server) fields(q *question) (front map[string]field, groups []fieldGroup) {
	front = map[string]field{}
	for _, row := range options() {
		l := labels()[row.Name]
		if l.text == "" {
			continue
		}
		f := field{row, l.text, l.note, q.Option(row.Name), strings.Join(row.Families, " ")}
		if row.Name == "time" && s.o.Time > 0 {
			f.Note = fmt.Sprintf("empty: %.3g; none: no limit", s.o.Time.Minutes())
		}
		if l.front {
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

// thresholdsOf writes chosen cuts as options: the model that is learned with them says so, and the
// command that is printed beside it learns it again.
func thresholdsOf(chosen map[string][]float64) (list []model.Option) {
	var read family.Reading
	read.Chosen = chosen
	if len(chosen) > 0 {
		for _, text := range option.Find(family.OptionTable(&read, &family.Options{}), "thresholds").Texts() {
			list = append(list, model.Option{Name: "thresholds", Value: text})
		}
	}
	return list
}
