package serve

import (
	"cmp"
	_ "embed" // of labels
	"html/template"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	askpath "parcorels/ask/path"
	"parcorels/family"
	"parcorels/internal/option"
	"parcorels/optionerr"
	"parcorels/ratio"
)

// question is what a run is to do: run.json. It has the form that a person filled in, which is always whole: a page shows it
// again, and a run answers it.
type question struct {
	Table  string     `json:"table"`
	Hash   string     `json:"hash,omitempty"`   // of the table, once it was read
	Form   url.Values `json:"form"`             // options by name, as they are written there, and ownFields
	Opened bool       `json:"opened,omitempty"` // the model came from a file: nobody searched for it here
	Made   time.Time  `json:"made"`
}

// formTable has the options of the library, and the fields of a form that are none: what is asked, "" for one model; "no" for no
// proof; a column whose groups are compared; of a wish the run that it is about and what a person calls it; of good models, per
// cent above the best; the smallest λ of a path; the least rows of 100 of class 1 that a list finds.
func formTable(read *family.Reading, o *family.Options) []*option.Option {
	table, text := family.OptionTable(read, o), new(string) // which the form has
	for _, name := range []string{"proof", "by", "from", "called"} {
		table = append(table, &option.Option{Name: name, Value: option.Text(text, "a text")})
	}
	return append(table, &option.Option{Name: "kind", Field: "Kind", Value: option.Choice(text, pathKind, alternativesKind)},
		&option.Option{Name: "within", Field: "Within", Value: option.Number(text, "a number of per cent", option.Positive)},
		&option.Option{Name: "least", Field: "Least", Default: askpath.Usual,
			Value: option.Number(text, "a number between 0 and 1, such as 0.005", ratio.Ratio.Within)},
		&option.Option{Name: "recall", Field: "Recall", Value: option.Number(text, "how many of 100, such as 90",
			func(r ratio.Ratio) bool { return option.Positive(r) && r.Float() < 100 })})
}

// The kinds of what is asked beside one model.
const pathKind = "path"                 // all optimal models for all λ
const alternativesKind = "alternatives" // all good models

// fromForm takes what a form asks for: of the options, those that its family has. Columns to leave out come one by one, from
// boxes or from the fields that stand for them.
func fromForm(table string, form url.Values) question {
	q := question{Table: table, Form: url.Values{}}
	kind := cmp.Or(form.Get("model"), family.Families()[0].Name)
	for _, f := range fields() {
		for _, text := range form[f.Name] {
			text = plain(f.Name, strings.TrimSpace(text))
			if f.Of(kind) && text != "" && (f.Many || q.Form[f.Name] == nil) {
				q.Form.Add(f.Name, text)
			}
		}
	}
	return q
}

// fromModel asks for what a model says that it was learned with, of the options that a form has, and for its target.
func fromModel(table string, m *family.Model) question {
	form := url.Values{"target": {m.About().Target}}
	for _, o := range m.About().Options {
		form[o.Name] = append(form[o.Name], o.Value)
	}
	if names, err := option.Split(form.Get("ignore")); err == nil {
		form["ignore"] = names
	}
	return fromForm(table, form)
}

// plain writes what people write in the way that options take it: "1%" is 0.01, "0,01" as well, and
// "2" minutes are 2m.
func plain(name, text string) string {
	switch name {
	case "lambda", "min-support":
		text = strings.Replace(text, ",", ".", 1)
		if share, ok := strings.CutSuffix(text, "%"); ok {
			if r, err := option.Exact(strings.TrimSpace(share), option.Positive); err == nil {
				r.Den *= 100
				return r.String()
			}
		}
	case "within", "least", "recall":
		return strings.TrimSpace(strings.TrimSuffix(strings.Replace(text, ",", ".", 1), "%"))
	case "time":
		if text != "" && strings.Trim(text, "0123456789") == "" {
			return text + "m"
		}
	}
	return text
}

// Get returns a field of the form, "" for none.
func (q *question) Get(name string) string { return q.Form.Get(name) }

// without returns the form but for some fields.
func (q *question) without(names ...string) url.Values {
	form := maps.Clone(q.Form)
	for _, name := range names {
		form.Del(name)
	}
	return form
}

// same reports whether two questions have one answer.
func (q *question) same(other *question) bool {
	return q.Table == other.Table && q.Opened == other.Opened && reflect.DeepEqual(q.without("called"), other.without("called"))
}

// Hidden are the fields of a form, all but some, which come from elsewhere.
func (q *question) Hidden(but ...string) url.Values {
	form := q.without(append(but, "kind", "within", "least")...)
	form.Set("table", q.Table)
	return form
}

// Query is the form as an address has it.
func (q *question) Query() template.URL { return template.URL(q.Form.Encode()) }

// Ignored returns the columns that are left out.
func (q *question) Ignored() []string { return q.Form["ignore"] }

// options returns what was asked as options of the library.
func (q *question) options() (read family.Reading, o family.Options, err error) {
	for _, row := range formTable(&read, &o) {
		for _, text := range q.Form[row.Name] {
			given := text
			switch {
			case row.Name == "ignore": // there may be a comma in the name
				given = option.Join([]string{text})
			case row.Name == "time" && text == "none":
				o.Time = -1
				continue
			}
			if err := row.Complain(strconv.Quote(text), row.Set(given)); err != nil {
				return read, o, err
			}
		}
	}
	return read, o, nil
}

// field is an option with what the page calls it, and says of it. Options without a label are not on the page: files of this
// machine, and how much of the machine a search takes.
type field struct {
	*option.Option
	Label, Note string
	Part        int // of the form: 0 is shown at once, 1 is folded; what is asked beside a model has its own place
}

//go:embed labels.txt
var labels string

// fields are what labels.txt says: a line for each option, with its name, what the page calls it, and a note, where DEFAULT stands
// for that of the table of options. Empty lines are between the parts.
var fields = sync.OnceValue(func() (all []field) {
	options := formTable(&family.Reading{}, &family.Options{})
	for part, lines := range strings.Split(labels, "\n\n") {
		for line := range strings.Lines(lines) {
			words := append(strings.Split(strings.TrimSpace(line), " | "), "", "")
			row := option.Find(options, words[0])
			all = append(all, field{row, words[1], strings.Replace(words[2], "DEFAULT", cmp.Or(row.Default, "DEFAULT"), 1), part})
		}
	}
	return all
})

// optionName is what the page calls a field of the options of the library.
func optionName(name string) string {
	for _, f := range fields() {
		if f.Field == name {
			return "“" + f.Label + "”"
		}
	}
	return "an option of the command line"
}

// renamed are notes for people.
func renamed(notes []string) (list []string) {
	for _, note := range notes {
		list = append(list, optionerr.Rename(note, optionName))
	}
	return list
}

// wishText says what was wished of a run, beside the run where wishes began.
func wishText(q, root *question) string {
	var parts []string
	for _, w := range []struct {
		of, beside          *question
		name, before, after string
	}{
		{q, root, "ignore", "no ", ""}, {root, q, "ignore", "with ", ""}, {q, root, "max-rules", "no more rules than ", ""},
		{q, root, "depth", "no more questions in a row than ", ""},
		{q, root, "first", "begins with ", ""}, {q, root, "forbid", "never ", ""}, {q, root, "recall", "finds at least ", " of 100"},
		{q, root, "min-rows", "each decides at least ", " rows"}, {q, root, "increasing", "likelier with larger ", ""},
		{q, root, "decreasing", "less likely with larger ", ""},
	} {
		for _, text := range w.of.Form[w.name] {
			if !slices.Contains(w.beside.Form[w.name], text) {
				parts = append(parts, w.before+text+w.after)
			}
		}
	}
	return strings.Join(parts, ", ")
}
