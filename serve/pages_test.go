package serve

import (
	"fmt"
	stdhtml "html"
	"maps"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"parcorels/family"
	"parcorels/internal/testing/blocks"
	"parcorels/model"
)

// visit is a client that goes from page to page, with names for the runs that it began.
type visit struct {
	*client
	page string
	here *url.URL
	runs []string // of each run: $NAME, its address, !NAME, its name
}

// TestPages visits pages as the texts in testdata say, each file on a server of its own. Commands:
//
//	add FILE           put a table of this repository into the folder
//	get PATH           look at a page
//	post PATH          send a form of the lines name=value, and say where it leads to
//	ask PATH           send it as the script of the page does
//	wish RUN           send the form of wishes of a run, with the fields that its page hides
//	press PATH         send the form of the last page that leads there
//	follow TEXT        go where the last page's attribute leads that begins like TEXT
//	rules RUN          show the rules that were found, and how many rows each decides
//	learn RUN          learn the model again from the options in its file
//
// With "as NAME" at its end, a command waits for the end of the run that it begins; $NAME is its address then, and !NAME its name.
// The lines "has TEXT" and "lacks TEXT" say what is on the page, between the texts of lines "from TEXT" and "to TEXT".
func TestPages(t *testing.T) {
	t.Parallel()
	files, _ := filepath.Glob("testdata/*.txt")
	for _, file := range files {
		t.Run("visit", func(t *testing.T) {
			t.Parallel()
			v := &visit{client: begin(t, Options{Folder: t.TempDir()})}
			blocks.Replay(t, file, func(t *testing.T, command, input string) string {
				v.t = t
				return v.play(strings.NewReplacer(v.runs...).Replace(command), strings.NewReplacer(v.runs...).Replace(input))
			})
		})
	}
}

// play follows a command, and returns where it led to if not to a page that is there, and what is not as its lines say.
func (v *visit) play(command, input string) string {
	form, checks := url.Values{}, []string{}
	for line := range strings.Lines(input) {
		line = strings.TrimSuffix(line, "\n")
		if verb, _, _ := strings.Cut(line, " "); slices.Contains([]string{"has", "lacks", "from", "to"}, verb) {
			checks = append(checks, line)
		} else {
			name, value, _ := strings.Cut(line, "=")
			form.Add(name, value)
		}
	}
	command, name, named := strings.Cut(command, " as ")
	verb, at, _ := strings.Cut(command, " ")
	said := ""
	switch verb {
	case "add":
		if _, err := v.s.Add(filepath.Join("..", at)); err != nil {
			said = err.Error() + "\n"
		}
	case "rules":
		for _, rule := range v.run(at).now().End.Result.Rules {
			said += fmt.Sprintf("%d: %s → %s\n", rule.Captured, rule.Antecedent, rule.Predict)
		}
	case "learn":
		said = v.learn(v.run(at))
	case "get":
		said = v.look("GET", at, nil, false)
	case "post":
		said = v.look("POST", at, form, false)
	case "ask":
		said = v.look("POST", at, form, true)
	case "wish":
		asked := v.run(at).now().Asked
		fields := asked.Hidden("first", "forbid", "ignore", "max-rules", "thresholds", "recall", "called", "from")
		maps.Copy(fields, form)
		fields.Set("from", filepath.Base(at))
		said = v.look("POST", "/runs", fields, false)
	case "press":
		hidden := between(v.page, `action="`+at+`"`, "</form>")
		for _, field := range regexp.MustCompile(`name="(.*?)" value="(.*?)"`).FindAllStringSubmatch(hidden, -1) {
			form.Add(field[1], stdhtml.UnescapeString(field[2]))
		}
		said = v.look("POST", at, form, false)
	case "follow":
		link := at[strings.LastIndex(at, `"`)+1:] + between(v.page, at, `"`)
		to, err := v.here.Parse(stdhtml.UnescapeString(link))
		if err != nil {
			v.t.Fatal(err)
		}
		said = v.look("GET", to.RequestURI(), nil, false)
	default:
		v.t.Fatalf("no command %q", verb)
	}
	if named && v.run(v.here.Path) != nil {
		said = ""
		v.runs = append(v.runs, "$"+name, v.here.Path, "!"+name, filepath.Base(v.here.Path))
		v.page = v.ends(v.here.Path)
	}
	return said + v.check(checks)
}

// run returns the run at an address.
func (v *visit) run(at string) *run { return v.s.find(filepath.Base(at)) }

// look asks for a page, and returns where it is, if elsewhere, and its status, if not that of one that is there.
func (v *visit) look(method, path string, form url.Values, script bool) (said string) {
	r, err := http.NewRequest(method, v.client.at+path, strings.NewReader(form.Encode()))
	if err != nil {
		v.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if script {
		r.Header.Set("HX-Request", "true")
	}
	answer, text := v.do(r)
	v.page, v.here = text, answer.Request.URL
	if to := v.here.Path; method == "POST" && !script {
		said = "to " + to + "\n"
		for i := 0; i < len(v.runs); i += 4 {
			said = strings.ReplaceAll(said, v.runs[i+1], v.runs[i])
		}
	}
	if answer.StatusCode != http.StatusOK {
		said += answer.Status + "\n"
	}
	return said
}

// check returns the lines that are not true of the page.
func (v *visit) check(lines []string) (said string) {
	part := v.page
	for _, line := range lines {
		verb, text, _ := strings.Cut(line, " ")
		there := strings.Contains(part, text)
		switch verb {
		case "from":
			_, part, _ = strings.Cut(part, text)
		case "to":
			part, _, _ = strings.Cut(part, text)
		}
		if there == (verb == "lacks") {
			said += "not so: " + line + "\n"
		}
	}
	return said
}

// between returns what stands between two texts.
func between(text, from, to string) string {
	_, text, _ = strings.Cut(text, from)
	text, _, _ = strings.Cut(text, to)
	return text
}

// learn learns a model again from the options in its file.
func (v *visit) learn(r *run) string {
	m, err := r.files.Model("model.json")
	if err != nil {
		v.t.Fatal(err)
	}
	q := fromModel("", m)
	read, o, err := q.options()
	if err != nil {
		v.t.Fatal(err)
	}
	data, err := family.Read(v.s.path(tablesFolder, r.now().Asked.Table), family.Of(model.RuleList).Reading(read))
	if err != nil {
		v.t.Fatal(err)
	}
	same, err := family.Fit(v.t.(*testing.T).Context(), data, o)
	if err != nil {
		v.t.Fatal(err)
	}
	if err := model.Differ(same.Model, m.Model); err != nil {
		return "another model: " + err.Error()
	}
	return "the same model"
}
