package serve

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"parcorels/answer"
	"parcorels/family"
	"parcorels/internal/testing/browser"
	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/must"
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
	s := must.Get(New(o))(t)
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
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
	c := &client{t, browser.New(), "http://" + s.guard.at(l)[0], stop, s}
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

// TestStoppedWish stops a search for a list that finds enough: its bound is one of such lists.
func TestStoppedWish(t *testing.T) {
	t.Parallel()
	c := begin(t, Options{Folder: t.TempDir()})
	form := hard(c.add("compas-like.csv"))
	form.Set("recall", "80")
	at, _ := c.post("/runs", form)
	c.until(at+"/live", "as many as you wish")
	c.post(at+"/stop", nil)
	holds(t, c.ends(at), "was stopped before the proof", "A better list may exist", "of 3,000 rows")
	if e := c.s.find(filepath.Base(at)).now().End.Result; e.LowerBound <= 0 || e.LowerBound > e.Objective {
		t.Errorf("the bound is %v, the objective %v", e.LowerBound, e.Objective)
	}
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

// TestSimpler compares limits as numbers. It takes no file of this machine from a model that was opened.
func TestSimpler(t *testing.T) {
	t.Parallel()
	for most, want := range map[int]int{0: 2, 2: 0, 3: 1, 10: 2} {
		got := answer.SimplerThan(family.Of(model.RuleList), &family.Options{MaxRules: most, MaxCard: 1, Lambda: "0.1"})
		if len(got) != want {
			t.Errorf("at most %d rules: %v", most, got)
		}
	}
	data := must.Get(family.Read("../examples/monk1.csv", family.Reading{}))(t)
	m := must.Get(family.Fit(t.Context(), data, family.Options{Lambda: "0.1", MaxCard: 1}))(t)
	m.About().Options = append(m.About().Options, model.Option{Name: "labels", Value: "/etc/passwd"})
	if got := fromModel("", m).Form; got.Has("labels") || len(got) < 2 {
		t.Errorf("the options of an opened model are %v", got)
	}
}
