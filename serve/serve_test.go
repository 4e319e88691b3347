package serve

import (
	"bytes"
	"context"
	"fmt"
	stdhtml "html"
	"io"
	"maps"
	"mime/multipart"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"parcorels/answer"
	"parcorels/family"
	"parcorels/internal/testing/cases"
	"parcorels/model"
)

// client is a browser without scripts.
type client struct {
	t    testing.TB
	http *http.Client
	at   string // http://host:port
	stop func() // ends the server as Ctrl-C does
	s    *Server
}

// begin serves a folder, and lets a client in.
func begin(t testing.TB, o Options) *client {
	t.Helper()
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	stopped := false
	stop := func() {
		if !stopped {
			stopped = true
			cancel()
			<-ended
			s.Close()
		}
	}
	t.Cleanup(stop)
	c := &client{t, cases.Browser(), "http://" + s.guard.at(l)[0], stop, s}
	c.get("/?token=" + s.guard.token)
	if text := c.get("/"); !strings.Contains(text, "Tables") {
		t.Fatalf("the first page is %.200q", text)
	}
	return c
}

// do asks, and returns the answer with its text.
func (c *client) do(r *http.Request) (*http.Response, string) {
	c.t.Helper()
	answer, err := c.http.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return answer, string(text)
}

// get returns a page that is there.
func (c *client) get(path string) string {
	c.t.Helper()
	r, _ := http.NewRequest("GET", c.at+path, nil)
	answer, text := c.do(r)
	if answer.StatusCode != http.StatusOK {
		c.t.Fatalf("GET %s: %s: %.300s", path, answer.Status, text)
	}
	return text
}

// post sends a form, and returns the address and the page that it leads to.
func (c *client) post(path string, form url.Values) (at, text string) {
	c.t.Helper()
	r, _ := http.NewRequest("POST", c.at+path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, text := c.do(r)
	return answer.Request.URL.Path, text
}

// ends waits until a run has ended.
func (c *client) ends(at string) string {
	c.t.Helper()
	id := strings.TrimPrefix(at, "/runs/")
	cases.Until(func() bool {
		r := c.s.find(id)
		return r != nil && (r.now().State == done || r.now().State == failed)
	})
	return c.get(at)
}

// add puts a table of the examples into the folder.
func (c *client) add(name string) string {
	c.t.Helper()
	table, err := c.s.Add(filepath.Join("..", "examples", name))
	if err != nil {
		c.t.Fatal(err)
	}
	return table
}

func holds(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in %.2000s", part, text)
		}
	}
}

// TestFamilies goes from a table to a model with each family, and looks at all there is of it.
func TestFamilies(t *testing.T) {
	t.Parallel()
	c := begin(t, Options{Folder: t.TempDir(), Time: time.Minute})
	table := c.add("monk1.csv")
	holds(t, c.get("/"), table)
	holds(t, c.get("/tables/"+table), "Find the best model", "rule list", "Bayesian rule list")
	if columns := c.get("/tables/" + table + "/columns"); strings.Contains(columns, "more, read in the same way") {
		t.Error("a table of 8 columns has more than are shown")
	}
	holds(t, c.get("/tables/"+table+"/columns"), "jacket_color", "4 values: blue, green, red, yellow", "<svg")
	for family, verdict := range map[string]string{"list": "Proved: no other", "tree": "Proved: no other", "set": "rule set",
		"bayes": "Bayesian rule list"} {
		form := url.Values{"table": {table}, "model": {family}, "iterations": {"500"}}
		if family != "bayes" {
			form.Del("iterations")
		}
		if family == "tree" {
			form.Set("lambda", "0.05")
		}
		if family == "bayes" {
			form.Set("max-card", "1")
		}
		at, text := c.post("/runs", form)
		if !strings.HasPrefix(at, "/runs/2") {
			t.Fatalf("%s: %s: %s", family, at, text)
		}
		holds(t, c.ends(at), verdict, "One person", "Take it away")
		holds(t, c.get(at+"/rows?case=0"), "jacket_color")
		holds(t, c.get(at+"/person?row=1"), "It says", "Smallest change")
		holds(t, c.get(at+"/evaluation?by=holding"), "balanced accuracy", "balloon", "From what probability on")
		for _, file := range []string{"report.html", "model.json", "model.sql", "model.py", "model.c", "model.js", "result.json"} {
			if len(c.get(at+"/files/"+file)) < 200 {
				t.Errorf("%s: %s is empty", family, file)
			}
		}
		if report := c.get(at + "/files/report.html"); strings.Contains(report, "<td class=\"n\">0.0</td>") {
			t.Errorf("%s: the models of cross-validation have no length", family)
		}
		if family == "tree" {
			holds(t, c.get(at), at+"/tree")
			holds(t, c.get(at+"/tree?on=own"), `<g class="split" role="img" tabindex="0"`, "rows that come here, with a mark for ", `<rect class="mark"`)
			holds(t, c.get(at+"/files/report.html"), `<g class="split"`)
		}
		if family == "set" {
			continue
		}
		c.get(at + "/files/model.proof")
		_, text = c.post(at+"/verify", nil)
		holds(t, text, "<strong>Verified</strong>")
	}
	if _, err := os.Stat(c.s.path("runs")); err != nil {
		t.Error(err)
	}
}

// TestWish fixes a rule, forbids a condition, leaves a column out, and asks what that costs. The command that
// a wish prints learns its model.
func TestWish(t *testing.T) {
	t.Parallel()
	c := begin(t, Options{Folder: t.TempDir()})
	first, _ := c.post("/runs", url.Values{"table": {c.add("compas-like.csv")}, "lambda": {"1%"}})
	holds(t, c.ends(first), "Wishes", "age &gt; 24 and prior_arrests ≤ 3 then no", `name="ignore" value="district"`)
	at, text := c.wish(first, url.Values{"own-column": {"age"}, "own-sign": {">"}, "own-value": {"26"}, "own-label": {"no"},
		"forbid": {"prior_arrests ≤ 3"}})
	if at == "/runs" {
		t.Fatal(text)
	}
	text = c.ends(at)
	holds(t, text, "What the wish costs", "both are proved best", "more rows are wrong", first,
		"begins with age &gt; 26 then no, never prior_arrests ≤ 3", "If <span class=\"condition\">age &gt; 26</span>")
	id := func(at string) string { return strings.TrimPrefix(at, "/runs/") }
	holds(t, c.get(at+"/compare?with="+id(first)), "Before your wish", "With your wish", "The answer differs on", "on rows kept back")
	then, _ := c.wish(at, url.Values{"ignore": {"prior_arrests"}, "max-rules": {"2"}})
	text = c.ends(then)
	holds(t, text, "both are proved best", at, "It does not use: <strong>prior_arrests</strong>", "Tried so far",
		"no prior_arrests, no more rules than 2")
	holds(t, c.get(then+"/files/report.html"), "The wish: <strong>", "with the wishes", "--thresholds")
	holds(t, c.get("/"), "no prior_arrests, no more rules than 2")
	_, text = c.post(then+"/verify", nil)
	holds(t, text, "<strong>Verified</strong>")
	if strings.Contains(text, `name="rule" value="prior_arrests`) {
		t.Errorf("a column that was left out is in a rule: %s", text)
	}
	for _, nothing := range []url.Values{{}, {"own-column": {"age"}, "own-sign": {">"}, "own-value": {"old"}}, {"own-column": {"age"}}} {
		if to, _ := c.wish(first, nothing); to != "/runs" {
			t.Errorf("%v is a run", nothing)
		}
	}
	again, _ := c.wish(at, url.Values{"ignore": {"prior_arrests"}, "max-rules": {"2"}})
	if again != then {
		t.Errorf("the same wish is %s and %s", then, again)
	}
	directed, _ := c.wish(first, url.Values{"decreasing": {"age"}, "increasing": {"prior_arrests,juvenile_arrests"}, "min-rows": {"40"},
		"own-condition": {"charge = felony"}, "own-label": {"yes"}})
	holds(t, c.ends(directed), "each decides at least 40 rows", "less likely with larger age", "likelier with larger prior_arrests",
		"begins with charge = felony then yes", `name="decreasing" value="age" checked`, "<option>age &gt; 24</option>")
	for _, rule := range c.s.find(id(directed)).now().End.Result.Rules {
		if rule.Captured < 40 || rule.Class == 1 && strings.Contains(rule.Antecedent, "age >") {
			t.Errorf("the wish is broken by %+v", rule)
		}
	}
	_, text = c.post(directed+"/verify", nil)
	holds(t, text, "<strong>Verified</strong>")
	two := url.Values{"first": {"age > 24 then no", "sex = male then yes"}}
	holds(t, c.get("/tables/compas-like.csv?"+two.Encode()), `value="age &gt; 24 then no"`, `value="sex = male then yes"`)
	deep, _ := c.post("/runs", url.Values{"table": {"compas-like.csv"}, "model": {"tree"}, "depth": {"3"}, "lambda": {"1%"}})
	c.ends(deep)
	flat, _ := c.wish(deep, url.Values{"depth": {"1"}, "min-rows": {"200"}})
	holds(t, c.ends(flat), "no more questions in a row than 1, each decides at least 200 rows", "What the wish costs")

	small, _ := c.post("/runs", url.Values{"table": {c.add("monk1.csv")}, "lambda": {"5%"}, "max-card": {"1"}})
	c.ends(small)
	found, _ := c.wish(small, url.Values{"recall": {"90%"}, "called": {"Miss few"}})
	holds(t, c.ends(found), "Miss few (finds at least 90 of 100)", "Undo it", "of the rows that they have not seen are predicted right",
		"Lists that find fewer than 90 of 100 are left out. Proved: no other", "(both are proved best)")
	_, text = c.post(found+"/verify", nil)
	holds(t, text, "<strong>Verified</strong>")
	none := hard("compas-like.csv")
	none.Set("recall", "80")
	limited, _ := c.post("/runs", none)
	c.until(limited+"/live", "as many as you wish")
	c.post(limited+"/stop", nil)
	holds(t, c.ends(limited), "was stopped before the proof", "A better list may exist", "of 3,000 rows")
	if e := c.s.find(id(limited)).now().End.Result; e.LowerBound <= 0 || e.LowerBound > e.Objective {
		t.Errorf("the bound is %v, the objective %v", e.LowerBound, e.Objective)
	}
	if at, text := c.wish(first, url.Values{"recall": {"120"}}); at != "/runs" {
		t.Errorf("120 of 100 are found: %s", text)
	}
	_, text = c.post(first+"/chance", nil)
	holds(t, text, "of 99 shuffles of the labels")
	holds(t, c.get(first), "of 99 shuffles of the labels")
	holds(t, c.get(first+"/files/report.html"), "of 99 shuffles of the labels")

	m, err := c.s.find(strings.TrimPrefix(then, "/runs/")).files.Model("model.json")
	if err != nil {
		t.Fatal(err)
	}
	q := fromModel("", m)
	read, o, err := q.options()
	if err != nil {
		t.Fatal(err)
	}
	data, err := family.Read("../examples/compas-like.csv", family.Of(model.RuleList).Reading(read))
	if err != nil {
		t.Fatal(err)
	}
	same, err := family.Fit(t.Context(), data, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := model.Differ(same.Model, m.Model); err != nil {
		t.Errorf("the command learns another model: %v", err)
	}
}

// wish sends the form of wishes about a run.
func (c *client) wish(at string, wishes url.Values) (to, text string) {
	c.t.Helper()
	q := c.s.find(strings.TrimPrefix(at, "/runs/")).now().Asked
	form := url.Values{"from": {strings.TrimPrefix(at, "/runs/")}}
	maps.Copy(form, q.Hidden("first", "forbid", "ignore", "max-rules", "thresholds", "recall", "called", "from"))
	maps.Copy(form, wishes)
	return c.post("/runs", form)
}

// TestChoice finds the best of every size, and all good lists, and compares two.
func TestChoice(t *testing.T) {
	t.Parallel()
	c := begin(t, Options{Folder: t.TempDir()})
	table := c.add("compas-like.csv")
	path, _ := c.post("/runs", url.Values{"table": {table}, "kind": {"path"}, "least": {"0.01"}})
	good, _ := c.post("/runs", url.Values{"table": {table}, "kind": {"alternatives"}, "max-card": {"1"}, "by": {"district"},
		"within": {"4%"}})
	holds(t, c.ends(path), "Proved: one of these is best", "<circle", "2 rules", "on rows not seen", "±")
	holds(t, c.get(path+"/models/1"), "predict <strong>", "Take this one, with its proof")
	holds(t, c.get(path+"?pin=0&pin=1"), "The answer differs on", "of 3,000", "<h4>1: ", "<h4>2: ")
	holds(t, c.ends(good), `<td class="n">0</td>`, "different models", "at most 4% behind the best: each by at most ",
		"The fairest listed, by district", "What the columns are worth", "prior_arrests")
	holds(t, c.get(good+"/models/0"), "predict <strong>")
	holds(t, c.get(path), "good choice", `class="line second"`, `class="picked"`)
	all := c.get(good)
	for filter, none := range map[string]string{"?most=1": "2 rules</a>", "?without=prior_arrests": "<td>prior_arrests",
		"?least=99.9": "rules</a>"} {
		_, list, _ := strings.Cut(c.get(good+filter), `id="listed"`)
		list, _, _ = strings.Cut(list, "</section>")
		if strings.Contains(list, none) || len(list) >= len(all) {
			t.Errorf("%s lists %s", filter, list)
		}
	}
	_, list, _ := strings.Cut(c.get(good+"?pin=1&pin=0&most=9"), "<h3>Pinned</h3>")
	holds(t, list, "<h4>1: ", "<h4>2: ", `id="pin1" value="1" checked`)
	trees, _ := c.post("/runs", url.Values{"table": {c.add("monk1.csv")}, "kind": {"alternatives"}, "model": {"tree"}, "depth": {"3"},
		"lambda": {"0.05"}})
	holds(t, c.ends(trees), "different models", "All good trees")
	holds(t, c.get(trees+"/models/0"), "<svg")
	holds(t, c.get(trees+"?pin=0"), "<h3>Pinned</h3>", "<h4>1: ")
	r, _ := http.NewRequest("GET", c.at+good+"/models/999", nil)
	if answer, _ := c.do(r); answer.StatusCode != http.StatusNotFound {
		t.Errorf("a model that is not there: %s", answer.Status)
	}
	if at, text := c.post("/runs", url.Values{"table": {table}, "kind": {"path"}, "model": {"set"}}); at != "/runs" {
		t.Errorf("a path of rule sets: %s", text)
	}
}

// TestSemicolons reads a table with decimal commas twice, and checks the proof of its model.
func TestSemicolons(t *testing.T) {
	t.Parallel()
	c := begin(t, Options{Folder: t.TempDir()})
	path := filepath.Join(t.TempDir(), "german.csv")
	if err := os.WriteFile(path, []byte("zahl;wert;ziel\n"+strings.Repeat("1,5;a;ja\n2,5;b;nein\n3,5;a;ja\n", 30)), 0o600); err != nil {
		t.Fatal(err)
	}
	table, err := c.s.Add(path)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := c.s.Add(path); err != nil || again != table {
		t.Errorf("added again it is %s, not %s: %v", again, table, err)
	}
	holds(t, c.get("/tables/"+table+"/columns"), "rows, predicting")
	at, _ := c.post("/runs", url.Values{"table": {table}, "class-weights": {"balanced"}})
	holds(t, c.ends(at), "Proved: no other", "100.0% of the")
	holds(t, c.get(at+"/rows?case=0"), "<tbody>")
	holds(t, c.get(at+"/person?row=2"), "It says")
	holds(t, c.get(at+"/evaluation"), "balanced accuracy")
	_, text := c.post(at+"/verify", nil)
	holds(t, text, "<strong>Verified</strong>")
}

// TestFirstContact reads tables as people have them: letters of Windows, an Excel file, codes for unknown values and rows without
// an answer. A form that cannot be is answered beside it.
func TestFirstContact(t *testing.T) {
	t.Parallel()
	c := begin(t, Options{Folder: t.TempDir()})
	var sheet bytes.Buffer
	f := excelize.NewFile()
	old := "gr\xf6\xdfe;ziel\n"
	_ = f.SetSheetRow("Sheet1", "A1", &[]any{"größe", "ziel"})
	for i := range 40 {
		_ = f.SetSheetRow("Sheet1", fmt.Sprintf("A%d", 2+2*i), &[]any{float64(i%10) + .5, []string{"ja", "nein"}[i/5%2]})
		_ = f.SetSheetRow("Sheet1", fmt.Sprintf("A%d", 3+2*i), &[]any{-9, "nein"})
		old += fmt.Sprintf("%d,5;%s\n-9;nein\n", i%10, []string{"ja", "nein"}[i/5%2])
	}
	if err := f.Write(&sheet); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"alt.csv": old, "neu.xlsx": sheet.String()} {
		table, err := c.s.add(name, strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		columns := c.get("/tables/" + table + "/columns")
		holds(t, columns, "größe", "80 rows, predicting <strong>ziel</strong>", "-9: such values often mean", "Treat them as unknown")
		if name == "alt.csv" {
			holds(t, columns, "were read as those of Windows-1252: &#34;größe&#34;")
		}
		_, link, _ := strings.Cut(columns, `href="?missing`)
		link, _, _ = strings.Cut(link, `"`)
		unknown := c.get("/tables/" + table + "/columns?missing" + stdhtml.UnescapeString(link))
		holds(t, unknown, "50.0%") // of the rows have no value
		if strings.Contains(unknown, "such values often mean") {
			t.Errorf("what is unknown is asked again: %s", unknown)
		}
	}
	for _, text := range []string{sheet.String()[:sheet.Len()/2], "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + old} {
		_, err := c.s.add("Broken 1.xlsx", strings.NewReader(text))
		if err == nil || !strings.HasPrefix(err.Error(), "Broken 1.xlsx is a") {
			t.Errorf("a spreadsheet that begins with %q and cannot be read: %v", text[:4], err)
		}
	}
	if _, err := c.s.add("gaps.csv", strings.NewReader("a,y\n"+strings.Repeat("1,yes\n2,no\n3,NA\n", 20))); err != nil {
		t.Fatal(err)
	}
	if _, err := c.s.add("tabs.tsv", strings.NewReader("a\ty\n"+strings.Repeat("1,234\tyes\n2,5\tno\n3,2\tno\n4,5\tyes\n",
		20))); err != nil {
		t.Fatal(err)
	}
	holds(t, c.get("/tables/tabs.tsv/columns"), "may be numbers with a decimal comma", `href="?decimal-comma=true"`)
	holds(t, c.get("/tables/tabs.tsv/columns?decimal-comma=true"), "number cut at")
	numbers := "sure,luck,y\n"
	for i := range 240 {
		numbers += fmt.Sprintf("%d,%d,%s\n", i%2, i*37%101, []string{"yes", "no"}[i%2])
	}
	if _, err := c.s.add("luck.csv", strings.NewReader(numbers)); err != nil {
		t.Fatal(err)
	}
	holds(t, c.get("/tables/luck.csv/columns"), "set your own by “Your own thresholds for a column”")
	holds(t, c.get("/tables/gaps.csv/columns"), "Leave out rows without an answer", `href="?drop-unlabelled=true"`)
	holds(t, c.get("/tables/gaps.csv/columns?drop-unlabelled=true"), "40 rows, predicting")
	at, _ := c.post("/runs", url.Values{"table": {"gaps.csv"}, "kind": {pathKind}, "least": {"0.1"}})
	failure := c.ends(at)
	holds(t, c.get(at+"/live"), "“Leave out rows without an answer”") // of who looked on
	_, button, _ := strings.Cut(failure, `action="/runs"`)
	button, _, _ = strings.Cut(button, "</form>")
	fields := url.Values{}
	for _, field := range regexp.MustCompile(`name="(.*?)" value="(.*?)"`).FindAllStringSubmatch(button, -1) {
		fields.Add(field[1], field[2])
	}
	at, _ = c.post("/runs", fields)
	holds(t, c.ends(at), "The best of every size", `"/tables/gaps.csv`)
	_, refused := c.post("/runs", url.Values{"table": {"luck.csv"}, "recall": {"90"}, "max-rules": {"2"}})
	holds(t, refused, "“No more rules than” does not go with a wish of how many are found")
	r, _ := http.NewRequest("POST", c.at+"/runs", strings.NewReader("table=gaps.csv&lambda=abc"))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("HX-Request", "true")
	if _, text := c.do(r); !strings.HasPrefix(text, `<p class="verdict open" role="alert">“A rule must save at least” is`) {
		t.Errorf("a form that cannot be: %s", text)
	}
}

// TestManyClasses lets a person choose between all classes and one against all others.
func TestManyClasses(t *testing.T) {
	t.Parallel()
	c := begin(t, Options{Folder: t.TempDir()})
	if _, err := c.s.add("three.csv", strings.NewReader("a,class\n"+strings.Repeat("1,x&y\n2,y\n3,z\n", 20))); err != nil {
		t.Fatal(err)
	}
	text := c.get("/tables/three.csv/columns?max-card=1&model=set")
	holds(t, text, "3 classes", `href="?max-card=1&amp;model=list"`, `href="?max-card=1&amp;model=tree"`,
		`href="?max-card=1&amp;model=set&amp;positive=x%26y"`, "<svg")
	holds(t, c.get("/tables/three.csv/columns?max-card=1&positive=x%26y"), "not x&amp;y")
	for _, form := range []url.Values{{}, {"model": {"tree"}}, {"positive": {"x&y"}}} {
		form.Set("table", "three.csv")
		at, _ := c.post("/runs", form)
		holds(t, c.ends(at), "Proved: no other", "100.0% of the")
		c.get(at + "/evaluation")
	}
	good, _ := c.post("/runs", url.Values{"table": {"three.csv"}, "kind": {"alternatives"}, "max-card": {"1"}})
	holds(t, c.ends(good), "different models", "less than the price of one rule behind the best", "What the columns are worth")
	holds(t, c.get(good+"/models/0"), "predict <strong>")
	at, _ := c.post("/runs", url.Values{"table": {"three.csv"}, "model": {"set"}})
	holds(t, c.ends(at), "expected two", "with “Which answer are you looking for?”")
}

// TestAgain leads from a model back to a form with what was asked.
func TestAgain(t *testing.T) {
	t.Parallel()
	c := begin(t, Options{Folder: t.TempDir()})
	at, _ := c.post("/runs", url.Values{"table": {c.add("monk1.csv")}, "lambda": {"0.05"}, "ignore": {"holding", "has_tie"},
		"by": {"has_tie"}})
	text := c.ends(at)
	_, link, _ := strings.Cut(text, `<a class="button" href="/tables`)
	link = "/tables" + link
	link, _, _ = strings.Cut(link, `"`)
	holds(t, c.get(stdhtml.UnescapeString(link)), `name="lambda" value="0.05"`, `<option selected>has_tie</option>`)
	_, columns, _ := strings.Cut(c.get(stdhtml.UnescapeString(link)), `hx-get="/tables/monk1.csv/columns?`)
	columns, _, _ = strings.Cut("/tables/monk1.csv/columns?"+columns, `"`)
	holds(t, c.get(stdhtml.UnescapeString(columns)), `name="ignore" value="holding" checked`, "left out")
}

// TestWholeForm sends a form before its parts have arrived: columns to leave out stay out, whether the part with their
// boxes is not there yet, shows an error, or has no box for them.
func TestWholeForm(t *testing.T) {
	t.Parallel()
	c := begin(t, Options{Folder: t.TempDir()})
	const kept = `<input type="hidden" name="ignore" value="holding"/>`
	table := "/tables/" + c.add("monk1.csv")
	holds(t, c.get(table+"?ignore=holding&lambda=0,05"), kept, `value="0.05"`)
	holds(t, c.get(table+"/columns?ignore=holding&lambda=7"), kept)
	if text := c.get(table + "/columns?ignore=holding"); strings.Contains(text, kept) || !strings.Contains(text, `value="holding" checked`) {
		t.Errorf("the column has a box, and a hidden field: %s", text)
	}
	wide := "a, b,target\n"
	for i := range 60 {
		wide += fmt.Sprintf("%d,%d,%d\n", i%4, i%3, i%2)
	}
	if _, err := c.s.add("comma.csv", strings.NewReader(strings.Replace(wide, "a, b", `"x, y",b`, 1))); err != nil {
		t.Fatal(err)
	}
	at, _ := c.post("/runs", url.Values{"table": {"comma.csv"}, "ignore": {"x, y"}})
	holds(t, c.ends(at), "It does not use: <strong>x, y</strong>")
}

// TestParts polls the parts of a page: the model comes again where there is another, and the last answer ends it.
func TestParts(t *testing.T) {
	t.Parallel()
	c := begin(t, Options{Folder: t.TempDir()})
	at, _ := c.post("/runs", hard(c.add("compas-like.csv")))
	c.until(at, ">Searches<")
	r := c.s.find(strings.TrimPrefix(at, "/runs/"))
	cases.Until(func() bool { // a better model may come in between
		text := c.get(fmt.Sprintf("%s/live?seen=%d", at, r.now().Version))
		holds(t, text, `hx-trigger="every 1s"`, "Searches")
		return !strings.Contains(text, "predict <strong>") && !strings.Contains(text, "hx-swap-oob")
	})
	holds(t, c.get(at+"/live?seen=0"), `id="part" hx-swap-oob="true"`, "predict <strong>", `id="rest" hx-swap-oob="true"`, "One person")
	holds(t, c.get(at+"/rows?case=0"), "<tbody>")
	c.post(at+"/stop", nil)
	c.ends(at)
	if text := c.get(at + "/live"); strings.Contains(text, "every 1s") || !strings.Contains(text, "One person") {
		t.Errorf("the page goes on after the end, or has no model: %s", text)
	}
}

// TestWords reads the pages of a first visit: no word is there that only a person knows who has searched for models.
// Folded parts may have them.
func TestWords(t *testing.T) {
	t.Parallel()
	c := begin(t, Options{Folder: t.TempDir()})
	home := c.get("/")
	holds(t, home, "Try the example")
	table, _ := c.post("/example", nil)
	at, _ := c.post("/runs", url.Values{"table": {"example.csv"}, "lambda": {"0.02"}})
	pages := []string{home, c.get(table), c.get(table + "/columns"), c.ends(at), c.get(at + "/live"), c.get(at + "/evaluation?by=district"),
		c.get(at + "/person?row=1"), c.get(at + "/rows?case=0")}
	folded := regexp.MustCompile(`(?s)<details.*?</details>|<[^>]*>|parcorels fit [^<]*`)
	unknown := regexp.MustCompile(`(?i)\b(objective|prefix(es)?|lambda|laplace|tpr|fpr|ppv|status|bound|incumbent|antecedents?|iconv|cv|option [A-Z]\w+)\b|λ|--[a-z]`)
	for i, page := range pages {
		if word := unknown.FindString(folded.ReplaceAllString(page, " ")); word != "" {
			t.Errorf("page %d says %q", i, word)
		}
	}
}

// TestOpen opens a model and its proof that another server found, checks the proof and compares groups. A proof of another
// model is refused, and what the file says of itself is not repeated.
func TestOpen(t *testing.T) {
	t.Parallel()
	c := begin(t, Options{Folder: t.TempDir()})
	table := c.add("monk1.csv")
	take := func(lambda string) (m, proof string) {
		at, _ := c.post("/runs", url.Values{"table": {table}, "lambda": {lambda}})
		c.ends(at)
		return c.get(at + "/files/model.json"), c.get(at + "/files/model.proof")
	}
	learned, proof := take("0.05")
	_, other := take("0.01")
	for verdict, p := range map[string]string{"<strong>Verified</strong>": proof, "<strong>Not verified</strong>": other} {
		var b bytes.Buffer
		form := multipart.NewWriter(&b)
		for name, text := range map[string]string{"model": learned, "proof": p} {
			w, _ := form.CreateFormFile(name, name)
			_, _ = io.WriteString(w, text)
		}
		_ = form.Close()
		r, _ := http.NewRequest("POST", c.at+"/tables/"+table+"/model", &b)
		r.Header.Set("Content-Type", form.FormDataContentType())
		answer, text := c.do(r)
		holds(t, text, "This model came from a file", "One person")
		if strings.Contains(text, "Proved: no other") {
			t.Error("the page repeats what the file says")
		}
		at := answer.Request.URL.Path
		_, text = c.post(at+"/verify", nil)
		holds(t, text, verdict)
		holds(t, c.get(at+"/evaluation?by=holding"), "balloon")
		holds(t, c.get(at+"/rows?case=0"), "<tbody>")
	}
	r, _ := http.NewRequest("POST", c.at+"/tables/"+table+"/model", strings.NewReader("x"))
	if answer, _ := c.do(r); answer.StatusCode != http.StatusBadRequest {
		t.Errorf("no form: %s", answer.Status)
	}
}

// TestParquet reads a file of Parquet as any table.
func TestParquet(t *testing.T) {
	t.Parallel()
	c := begin(t, Options{Folder: t.TempDir()})
	table, err := c.s.Add(filepath.Join("..", "table", "testdata", "polars.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	text := c.get("/tables/" + table + "/columns")
	holds(t, text, "rows, predicting")
	at, _ := c.post("/runs", url.Values{"table": {table}})
	holds(t, c.ends(at), "One person")
	holds(t, c.get(at+"/rows?case=0"), "<tbody>")
}

// TestSimpler compares limits as numbers. It takes no file of this machine from a model that was opened.
func TestSimpler(t *testing.T) {
	t.Parallel()
	for most, want := range map[int]int{0: 2, 2: 0, 3: 1, 10: 2} {
		got := answer.SimplerThan(family.Of(model.RuleList), &family.Options{MaxRules: most, MaxCard: 1, Lambda: "0.1"})
		if len(got) != want {
			t.Errorf("at most %d rules: %v", most, got)
		}
	}
	data, err := family.Read("../examples/monk1.csv", family.Reading{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := family.Fit(t.Context(), data, family.Options{Lambda: "0.1", MaxCard: 1})
	if err != nil {
		t.Fatal(err)
	}
	m.About().Options = append(m.About().Options, model.Option{Name: "labels", Value: "/etc/passwd"})
	if got := fromModel("", m).Form; got.Has("labels") || len(got) < 2 {
		t.Errorf("the options of an opened model are %v", got)
	}
}
