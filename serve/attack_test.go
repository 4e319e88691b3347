package serve

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"mime/multipart"
	"net"
	"net/http"
	"net/url"
	"os"
	"parcorels/internal/testing/must"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// stranger asks without the cookie of the client.
func (c *client) stranger(method, path string, change func(r *http.Request)) (*http.Response, string) {
	c.t.Helper()
	r, err := http.NewRequest(method, c.at+path, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	if change != nil {
		change(r)
	}
	answer, err := c.http.Transport.RoundTrip(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	return answer, string(text)
}

// paths is an address of each kind.
var paths = []string{"/", "/tables/monk1.csv", "/tables/monk1.csv/columns", "/runs/x", "/runs/x/live", "/runs/x/files/model.json",
	"/static/page.css", "/nowhere"}

// session is the cookie that a client has.
func (c *client) session() *http.Cookie {
	at, _ := url.Parse(c.at)
	return c.http.Jar.Cookies(at)[0]
}

// TestSessions ends the session whose file was removed, and no other.
func TestSessions(t *testing.T) {
	t.Parallel()
	c := begin(t, Options{Folder: t.TempDir()})
	other, _ := c.stranger("GET", "/?token="+c.s.guard.token, nil)
	must.Do(t, os.Remove(c.s.path(sessionsFolder, c.session().Value)))
	if answer, _ := c.stranger("GET", "/", func(r *http.Request) { r.AddCookie(c.session()) }); answer.StatusCode != http.StatusForbidden {
		t.Errorf("a session that ended: %s", answer.Status)
	}
	if answer, _ := c.stranger("GET", "/", func(r *http.Request) { r.AddCookie(other.Cookies()[0]) }); answer.StatusCode != http.StatusOK {
		t.Errorf("the other session: %s", answer.Status)
	}
}

// TestOtherServer sends no session to another server of this machine, whatever that one is called. A session does not count in
// another folder.
func TestOtherServer(t *testing.T) {
	t.Parallel()
	c, other := begin(t, Options{Folder: t.TempDir()}), begin(t, Options{Folder: t.TempDir()})
	mine := c.session()
	_, port, _ := net.SplitHostPort(other.s.guard.hosts[1])
	for _, host := range []string{"127.0.0.1", "localhost", other.s.guard.name + ".localhost", "x." + c.s.guard.name + ".localhost"} {
		to, _ := url.Parse("http://" + host + ":" + port)
		for _, sent := range c.http.Jar.Cookies(to) {
			t.Errorf("%s is sent %s", to, sent.Name)
		}
	}
	for _, name := range []string{mine.Name, other.s.guard.name} {
		answer, _ := other.stranger("GET", "/", func(r *http.Request) { r.AddCookie(&http.Cookie{Name: name, Value: mine.Value}) })
		if answer.StatusCode != http.StatusForbidden {
			t.Errorf("the session of another folder, as %s: %s", name, answer.Status)
		}
	}
	c.at = "http://" + c.s.guard.hosts[1] // for browsers that know no such name
	c.get("/?token=" + c.s.guard.token)
	holds(t, c.get("/"), "Tables")
}

// TestWrongToken gives nothing to who has no token, or another one.
func TestWrongToken(t *testing.T) {
	t.Parallel()
	c := begin(t, Options{Folder: t.TempDir()})
	table := c.add("monk1.csv")
	for _, path := range paths {
		for _, cookie := range []string{"", "x", strings.Repeat("a", 26), strings.Repeat("./", 13),
			"../token" + strings.Repeat("/", 18), c.s.guard.token, c.s.guard.token[:25], c.s.guard.token + "a"} {
			answer, text := c.stranger("GET", path, func(r *http.Request) {
				if cookie != "" {
					r.AddCookie(&http.Cookie{Name: c.s.guard.name, Value: cookie})
				}
			})
			if answer.StatusCode != http.StatusForbidden || strings.Contains(text, table) || len(answer.Cookies()) > 0 {
				t.Errorf("GET %s with the cookie %q: %s: %s", path, cookie, answer.Status, text)
			}
		}
	}
	for _, path := range []string{"/?token=", "/?token=x", "/?token=" + c.s.guard.token[1:]} {
		if answer, _ := c.stranger("GET", path, nil); answer.StatusCode != http.StatusForbidden {
			t.Errorf("GET %s: %s", path, answer.Status)
		}
	}
	if answer, _ := c.stranger("POST", "/runs?token="+c.s.guard.token, nil); answer.StatusCode != http.StatusForbidden {
		t.Errorf("a post with the token in its address: %s", answer.Status)
	}
	answer, _ := c.stranger("GET", "/?token="+c.s.guard.token, nil)
	got := answer.Cookies()
	if len(got) != 1 || !got[0].HttpOnly || got[0].SameSite != http.SameSiteStrictMode || answer.Header.Get("Refresh") != "0; url=/" {
		t.Errorf("the token leads to %q with %v", answer.Header.Get("Refresh"), got)
	}
	for path, want := range map[string]string{"//evil.example/": "/evil.example/", "/%22%3E%3Cscript%3E": "/%22%3E%3Cscript%3E"} {
		answer, text := c.stranger("GET", path+"?token="+c.s.guard.token, nil)
		if got := answer.Header.Get("Refresh"); got != "0; url="+want || !strings.Contains(text, `"`+want+`"`) {
			t.Errorf("the token leads from %s to %q: %s", path, got, text)
		}
	}
}

// TestWrongHost refuses names that lead here but are not the address that was bound, as another
// site's name would that was pointed at this machine (DNS rebinding).
func TestWrongHost(t *testing.T) {
	t.Parallel()
	c := begin(t, Options{Folder: t.TempDir()})
	_, port, _ := net.SplitHostPort(c.s.guard.hosts[1])
	for _, host := range []string{"evil.example", c.s.guard.name + ".localhost", "x" + c.s.guard.name + ".localhost:" + port,
		"evil.example:" + port, "127.0.0.1", "127.0.0.1:1", "localhost:" + port,
		"0.0.0.0:" + port, "127.0.0.1:" + port + ".evil.example"} {
		answer, text := c.stranger("GET", "/?token="+c.s.guard.token, func(r *http.Request) {
			r.Host = host
			r.AddCookie(c.session())
		})
		if answer.StatusCode != http.StatusMisdirectedRequest || len(answer.Cookies()) > 0 {
			t.Errorf("host %s: %s: %s", host, answer.Status, text)
		}
	}
}

// TestCrossOrigin refuses what another site makes a browser post, with its cookie.
func TestCrossOrigin(t *testing.T) {
	t.Parallel()
	c := begin(t, Options{Folder: t.TempDir()})
	table := c.add("monk1.csv")
	for _, header := range []http.Header{
		{"Sec-Fetch-Site": {"cross-site"}}, {"Sec-Fetch-Site": {"same-site"}}, {"Origin": {"http://evil.example"}}, {"Origin": {"null"}},
		{"Origin": {"http://127.0.0.1:1"}},
	} {
		for _, path := range []string{"/runs", "/tables", "/tables/" + table + "/remove", "/runs/x/stop"} {
			answer, text := c.stranger("POST", path, func(r *http.Request) {
				r.Header = header.Clone()
				r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
				r.AddCookie(c.session())
				r.Body = io.NopCloser(strings.NewReader("table=" + table))
			})
			if answer.StatusCode != http.StatusForbidden {
				t.Errorf("%v: POST %s: %s: %s", header, path, answer.Status, text)
			}
		}
	}
	if len(c.s.all()) > 0 || len(c.s.Tables()) != 1 {
		t.Error("another site began a run, or removed a table")
	}
}

// TestHeaders asks for the policies of every answer, and for no permission of other origins.
func TestHeaders(t *testing.T) {
	t.Parallel()
	c := begin(t, Options{Folder: t.TempDir()})
	for _, path := range paths {
		r, _ := http.NewRequest("GET", c.at+path, nil)
		r.Header.Set("Origin", "http://evil.example")
		answer, _ := c.do(r)
		h := answer.Header
		if h.Get("Content-Security-Policy") != policy || h.Get("X-Content-Type-Options") != "nosniff" ||
			h.Get("Referrer-Policy") != "same-origin" || h.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("GET %s: %v", path, h)
		}
	}
	if strings.Contains(policy, "unsafe") || strings.Contains(policy, "*") {
		t.Errorf("the policy is %s", policy)
	}
}

// outside is a text in a file beside the folder, which no request may see.
const outside = "a secret beside the folder"

// TestOtherFiles asks for files outside of the folder, and of the folder itself, by every name
// that a client can give.
func TestOtherFiles(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	folder := filepath.Join(parent, "page")
	c := begin(t, Options{Folder: folder})
	table := c.add("monk1.csv")
	at, _ := c.post("/runs", url.Values{"table": {table}})
	c.ends(at)
	must.Do(t, os.WriteFile(filepath.Join(parent, "secret.csv"), []byte(outside), 0o600))
	link := os.Symlink(filepath.Join(parent, "secret.csv"), filepath.Join(folder, "tables", "link.csv"))
	names := []string{"..%2fsecret.csv", "..%2f..%2fsecret.csv", "%2e%2e%2f%2e%2e%2fsecret.csv", "..%5c..%5csecret.csv",
		url.PathEscape(filepath.Join(parent, "secret.csv")), "..%2ftoken", "token", "link.csv", ".", "..", "%00"}
	for _, name := range names {
		for _, path := range []string{"/tables/" + name, "/tables/" + name + "/columns", "/runs/" + name, at + "/files/" + name,
			at + "/rows?case=" + name, "/runs/" + name + "/files/model.json", "/static/" + name, "/static/..%2f" + name} {
			r, err := http.NewRequest("GET", c.at+path, nil)
			if err != nil {
				continue // a client cannot ask so
			}
			answer, text := c.do(r)
			if strings.Contains(text, outside) || strings.Contains(text, c.s.guard.token) ||
				answer.StatusCode == http.StatusOK && answer.Request.URL.Path != "/" && answer.Request.URL.Path != at {
				t.Errorf("GET %s: %s: %.300s", path, answer.Status, text)
			}
		}
		plain, _ := url.PathUnescape(name)
		if to, text := c.post("/runs", url.Values{"table": {plain}}); strings.HasPrefix(to, "/runs/2") {
			t.Errorf("a run on %q: %s", name, text)
		}
	}
	// Files of this machine are not for clients to name.
	if to, _ := c.post("/runs", url.Values{"table": {table}, "labels": {filepath.Join(parent,
		"secret.csv")}}); c.s.find(strings.TrimPrefix(to, "/runs/")).now().Asked.Form.Has("labels") {
		t.Error("a client named a file of labels")
	}
	if link == nil && slices.ContainsFunc(c.s.Tables(), func(f fs.FileInfo) bool { return f.Name() == "link.csv" }) {
		t.Error("a link to a file outside is a table")
	}
}

// send uploads a file under a name.
func (c *client) send(name string, from io.Reader) (*http.Response, string) {
	c.t.Helper()
	in, out := io.Pipe()
	form := multipart.NewWriter(out)
	go func() {
		part, err := form.CreateFormFile("table", name)
		if err == nil {
			_, err = io.Copy(part, from)
		}
		if err == nil {
			err = form.Close()
		}
		_ = out.CloseWithError(err)
	}()
	r, _ := http.NewRequest("POST", c.at+"/tables", in)
	r.Header.Set("Content-Type", form.FormDataContentType())
	answer, err := c.http.Do(r)
	if err != nil {
		return nil, err.Error() // the server hung up
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	return answer, string(text)
}

// kept are the names of the files in the folder of tables.
func (c *client) kept() (names []string) {
	entries, _ := os.ReadDir(c.s.path(tablesFolder))
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestUploadNames keeps files under names that the server chooses, in the folder of tables.
func TestUploadNames(t *testing.T) {
	t.Parallel()
	c := begin(t, Options{Folder: t.TempDir()})
	for sent, want := range map[string]string{
		"../../evil.csv": "evil.csv", `..\..\worse.csv`: "worse.csv", "/etc/passwd.csv": "passwd.csv", ".hidden.csv": "hidden.csv",
		"a b<script>.csv": "a-b-script-.csv", "Rückfälle 2024.csv": "Rückfälle-2024.csv",
		strings.Repeat("x", 300) + ".csv": strings.Repeat("x", 96) + ".csv", ".csv": "", "x.exe": "", "..": "",
	} {
		answer, text := c.send(sent, strings.NewReader("a,b\n1,2\n2,1\n"))
		switch {
		case want == "" && answer.StatusCode != http.StatusBadRequest:
			t.Errorf("%q: %s: %s", sent, answer.Status, text)
		case want != "" && !slices.Contains(c.kept(), want):
			t.Errorf("%q is not kept as %q: %v", sent, want, c.kept())
		}
	}
	before := len(c.kept())
	c.send("evil.csv", strings.NewReader("a,b\n1,2\n2,1\n"))
	if !slices.Contains(c.kept(), "evil-2.csv") || len(c.kept()) != before+1 {
		t.Errorf("a second table of that name: %v", c.kept())
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(c.s.o.Folder), "evil.csv")); err == nil {
		t.Error("a file was written outside of the folder")
	}
	var sending sync.WaitGroup
	for i := range 12 { // of one name at once: each is kept
		sending.Go(func() { _, _ = c.s.add("many.csv", strings.NewReader(fmt.Sprintf("a,b\n%d,2\n2,1\n", i))) })
	}
	sending.Wait()
	if n := len(c.kept()); n != before+13 {
		t.Errorf("of twelve tables sent at once %d are kept", n-before-1)
	}
}

// zeros is a stream without an end that counts what is read.
type zeros struct {
	mutex sync.Mutex
	n     int64
	most  int64
}

func (z *zeros) Read(b []byte) (int, error) {
	z.mutex.Lock()
	defer z.mutex.Unlock()
	if z.n >= z.most {
		return 0, io.EOF
	}
	z.n += int64(len(b))
	return len(b), nil
}

// TestLargeUpload refuses 2 GB where a table may have a megabyte, without reading them.
func TestLargeUpload(t *testing.T) {
	t.Parallel()
	c := begin(t, Options{Folder: t.TempDir(), Upload: 1 << 20})
	z := &zeros{most: 2 << 30}
	if answer, text := c.send("large.csv", z); answer != nil && answer.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("%s: %s", answer.Status, text)
	}
	z.mutex.Lock()
	if z.n > 64<<20 {
		t.Errorf("%d bytes were read", z.n)
	}
	z.mutex.Unlock()
	r, _ := http.NewRequest("POST", c.at+"/tables", io.LimitReader(&zeros{most: 2 << 30}, 2<<30))
	r.ContentLength = 2 << 30
	r.Header.Set("Content-Type", "multipart/form-data; boundary=x")
	if answer, err := c.http.Do(r); err == nil && answer.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("a length of 2 GB: %s", answer.Status)
	}
	if len(c.kept()) > 0 {
		t.Errorf("%v is kept", c.kept())
	}
}

// TestBomb refuses a compressed file that would be too large.
func TestBomb(t *testing.T) {
	t.Parallel()
	c := begin(t, Options{Folder: t.TempDir(), Upload: 1 << 20})
	var bomb bytes.Buffer
	w := gzip.NewWriter(&bomb)
	must.Get(io.Copy(w, &zeros{most: 32 << 20}))(t)
	_ = w.Close()
	if answer, text := c.send("bomb.csv.gz", &bomb); answer.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("%s: %s", answer.Status, text)
	}
	if len(c.kept()) > 0 {
		t.Errorf("%v is kept", c.kept())
	}
	var small bytes.Buffer
	w = gzip.NewWriter(&small)
	_, _ = w.Write([]byte("a,b\n1,2\n2,1\n"))
	_ = w.Close()
	c.send("small.csv.gz", &small)
	if text, err := os.ReadFile(c.s.path(tablesFolder, "small.csv")); err != nil || string(text) != "a,b\n1,2\n2,1\n" {
		t.Errorf("%q, %v", text, err)
	}
}

// TestLargeHeader and a large form are refused.
func TestLargeHeader(t *testing.T) {
	t.Parallel()
	c := begin(t, Options{Folder: t.TempDir()})
	r, _ := http.NewRequest("GET", c.at+"/", nil)
	r.Header.Set("X-Large", strings.Repeat("x", 1<<20))
	if answer, err := c.http.Do(r); err == nil && answer.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("a header of a megabyte: %s", answer.Status)
	}
	r, _ = http.NewRequest("POST", c.at+"/runs", strings.NewReader("table="+strings.Repeat("x", 2<<20)))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if answer, err := c.http.Do(r); err == nil && answer.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("a form of two megabytes: %s", answer.Status)
	}
	c.get("/")
}

// TestMarkup shows names, values and labels that would be markup or script as the texts that
// they are, on every page and in every file that a browser opens.
func TestMarkup(t *testing.T) {
	t.Parallel()
	c := begin(t, Options{Folder: t.TempDir()})
	const evil = `"><script>alert(1)</script><img src=x onerror=alert(2)>'`
	quoted := `"` + strings.ReplaceAll(evil, `"`, `""`) + `"`
	var b strings.Builder
	fmt.Fprintf(&b, "%s,b,%s2\n", quoted, quoted)
	for i := range 60 {
		fmt.Fprintf(&b, "%s,%d,%s\n", []string{quoted, `javascript:alert(3)`, `{{.}}`}[i%3], i%7, []string{quoted, "</title>"}[i%3/2])
	}
	table := "evil.csv"
	if answer, text := c.send(table, strings.NewReader(strings.Replace(b.String(), quoted+"2",
		`"`+strings.ReplaceAll(evil, `"`, `""`)+` label"`, 1))); answer.StatusCode != http.StatusOK {
		t.Fatal(text)
	}
	at, _ := c.post("/runs", url.Values{"table": {table}, "lambda": {"0.05"}, "by": {evil}})
	pages := []string{c.ends(at), c.get("/"), c.get("/tables/" + table), c.get("/tables/" + table + "/columns"),
		c.get(at + "/rows?case=0"), c.get(at + "/person?row=1"),
		c.get(at + "/person?c0=" + url.QueryEscape(evil)), c.get(at + "/evaluation?by=" + url.QueryEscape(evil)),
		c.get(at + "/files/report.html")}
	r, _ := http.NewRequest("GET", c.at+"/tables/"+table+"?lambda="+url.QueryEscape(evil)+"&target="+url.QueryEscape(evil), nil)
	_, text := c.do(r)
	pages = append(pages, text)
	_, text = c.post("/runs", url.Values{"table": {table}, "positive": {evil + "x"}})
	pages = append(pages, text)
	said := 0
	for i, page := range pages {
		if strings.Contains(page, "<script>alert") || strings.Contains(page, "<img src=x") || strings.Contains(page, "</title>\"") ||
			strings.Contains(page, `href="javascript`) {
			t.Errorf("page %d has markup of the table: %s", i, page)
		}
		if strings.Contains(page, "script&gt;alert(1)") {
			said++
		}
	}
	if said < 8 {
		t.Errorf("%d pages show the texts", said)
	}
}

// TestVendored asks that the scripts are those whose checksums are written down.
func TestVendored(t *testing.T) {
	t.Parallel()
	sums := must.Get(os.ReadFile("static/SHA256SUMS"))(t)
	lines := strings.Split(strings.TrimSpace(string(sums)), "\n")
	if len(lines) != 1 {
		t.Errorf("%d checksums", len(lines))
	}
	for _, line := range lines {
		sum, name, _ := strings.Cut(line, "  ")
		text, err := static.ReadFile("static/" + name)
		if got := fmt.Sprintf("%x", sha256.Sum256(text)); got != sum || err != nil {
			t.Errorf("%s is %s, expected %s", name, got, sum)
		}
	}
}
