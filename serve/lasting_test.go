package serve

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"parcorels/family"
	"parcorels/internal/atomicfile"
	"parcorels/internal/testing/browser"
	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/must"
	"parcorels/model"
)

// hard is a search that nobody waits for the end of.
func hard(table string) url.Values {
	return url.Values{"table": {table}, "lambda": {"0.0006"}}
}

// TestMain serves a folder where a test asks for a process that it can kill.
func TestMain(m *testing.M) {
	folder := os.Getenv("PARCORELS_SERVE_TEST")
	if folder == "" {
		os.Exit(m.Run())
	}
	s, err := New(Options{Folder: folder, every: 100 * time.Millisecond})
	if err != nil {
		panic(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(s.Address(l, "/"))
	panic(s.Serve(context.Background(), l))
}

// child serves a folder in another process.
func child(t testing.TB, folder string) (c *client, kill func()) {
	t.Helper()
	p := exec.Command(os.Args[0])
	p.Env = append(os.Environ(), "PARCORELS_SERVE_TEST="+folder)
	out := must.Get(p.StdoutPipe())(t)
	must.Do(t, p.Start())
	kill = func() {
		_ = p.Process.Kill()
		_ = p.Wait()
	}
	t.Cleanup(kill)
	line := must.Get(bufio.NewReader(out).ReadString('\n'))(t)
	address := must.Get(url.Parse(strings.TrimSpace(line)))(t)
	c = &client{t: t, http: browser.New(), at: "http://" + address.Host}
	c.get(address.RequestURI())
	return c, kill
}

// until asks for a page until it has some text.
func (c *client) until(path, part string) string {
	c.t.Helper()
	for {
		if text := c.get(path); strings.Contains(text, part) {
			return text
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// searches waits until a run has searched for a while.
func (c *client) searches(at string) {
	c.t.Helper()
	c.until(at, ">Searches<")
	time.Sleep(50 * time.Millisecond)
}

// TestKilled kills the process in the middle of a search. The next one resumes it from its
// checkpoint, with its proof, and the one that waited behind it comes to its turn.
func TestKilled(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("two processes")
	}
	folder := t.TempDir()
	c := begin(t, Options{Folder: folder})
	table, easy := c.add("monk2.csv"), c.add("monk1.csv")
	c.stop()

	c, kill := child(t, folder)
	at, _ := c.post("/runs", hard(table))
	behind, _ := c.post("/runs", url.Values{"table": {easy}})
	cases.Until(func() bool {
		_, err := os.Stat(folder + at + "/run.ckpt")
		return err == nil
	})
	kill()
	must.Get(os.Stat(folder + at + "/run.ckpt"))(t)
	if _, err := os.Stat(folder + at + "/result.json"); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("a killed search has a result: %v", err)
	}

	c, kill = child(t, folder)
	c.searches(at)
	c.post(at+"/stop", nil)
	holds(t, c.until(at, "Continue the search"), "before the proof", "One person")
	c.until(behind, "Proved: no other")
	kill()

	c = begin(t, Options{Folder: folder})
	x := c.s.find(strings.TrimPrefix(at, "/runs/")).now()
	if s := x.End.Result.Stats; s.SecondsEarlier <= 0 || s.Expanded == 0 || !x.End.Resumes {
		t.Errorf("the search did not resume: %+v", s)
	}
	// It goes on once more, in a third process.
	holds(t, c.get(at), "Continue the search")
	c.post(at+"/resume", nil)
	c.searches(at)
	c.stop()
	c = begin(t, Options{Folder: folder})
	c.searches(at)
	c.post(at+"/stop", nil)
	c.ends(at)
	y := c.s.find(x.ID).now()
	if a, b := x.End.Result.Stats, y.End.Result.Stats; b.SecondsEarlier < a.SecondsEarlier || b.Expanded < a.Expanded {
		t.Errorf("%v s and %d prefixes before, then %v s and %d", a.SecondsEarlier, a.Expanded, b.SecondsEarlier, b.Expanded)
	}
}

// TestQueue asks for seven runs at once, one of which is stopped while it waits and one removed.
func TestQueue(t *testing.T) {
	t.Parallel()
	c := begin(t, Options{Folder: t.TempDir(), AtOnce: 2, turn: time.Hour})
	table := c.add("monk1.csv")
	slow, _ := c.post("/runs", hard(c.add("monk2.csv")))
	harder := hard("monk2.csv")
	harder.Set("lambda", "0.0005")
	slower, _ := c.post("/runs", harder)
	var runs []string
	for i := range 5 {
		at, _ := c.post("/runs", url.Values{"table": {table}, "lambda": {fmt.Sprintf("0.0%d", i+1)}})
		runs = append(runs, at)
	}
	holds(t, c.get(runs[4]), "Waits for", "runs before this one")
	c.post(runs[2]+"/stop", nil)
	holds(t, c.get(runs[2]), "stopped before it began")
	c.post(runs[3]+"/remove", nil)
	if strings.Contains(c.get("/"), `href="`+runs[3]) {
		t.Error("a run that was removed is there")
	}
	gone := "/removed/" + strings.TrimPrefix(runs[3], "/runs/")
	holds(t, c.get("/"), `action="`+gone)
	if to, _ := c.post(gone, nil); to != runs[3] {
		t.Errorf("a run that was removed is brought back at %s", to)
	}
	if to, _ := c.post(gone, nil); to != gone {
		t.Errorf("it is brought back again at %s", to)
	}
	c.post(runs[3]+"/remove", nil)
	c.searches(slow)
	if to, _ := c.post(slow+"/remove", nil); to != "/" || strings.Contains(c.get("/"), `href="`+slow) {
		t.Errorf("a run that searches is removed at %s", to)
	}
	c.post(strings.Replace(slow, "runs", "removed", 1), nil)
	holds(t, c.get(slow), "The search was stopped before the proof", "One person", "Continue the search")
	c.post(slower+"/stop", nil)
	for i, at := range runs {
		if i != 2 && i != 3 {
			holds(t, c.ends(at), "Proved: no other")
		}
	}
}

// TestFullDisk lets nothing more be written in the middle of a search: it goes on, the page says
// so, the model is shown, and it is written as soon as there is room.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	var full atomic.Bool
	folder := t.TempDir()
	write := func(path string, do func(io.Writer) error) error {
		if full.Load() {
			return &os.PathError{Op: "write", Path: path, Err: syscall.ENOSPC}
		}
		return atomicfile.Write(path, do)
	}
	c := begin(t, Options{Folder: folder, write: write, every: 100 * time.Millisecond})
	at, _ := c.post("/runs", hard(c.add("compas-like.csv")))
	c.until(at, "Stop, and keep this")
	full.Store(true)
	holds(t, c.until(at, "no space left on device"), "The search goes on", "Stop, and keep this")
	c.post(at+"/stop", nil)
	holds(t, c.ends(at), "not on the disk yet", "no space left on device", "One person")
	c.get(at + "/files/model.json")
	if _, text := c.post("/runs", url.Values{"table": {"compas-like.csv"}}); !strings.Contains(text, "no space left on device") {
		t.Errorf("a run that cannot be kept: %s", text)
	}
	other, _ := c.post(at+"/remove", nil) // what is not written is lost, and nobody tries to write it
	again, _ := c.post(strings.Replace(at, "runs", "removed", 1), nil)
	if other != "/" || again != at {
		t.Errorf("removed at %s, and brought back at %s", other, again)
	}
	c.until(at, "Stop, and keep this")
	c.post(at+"/stop", nil)
	holds(t, c.ends(at), "not on the disk yet")
	full.Store(false)
	cases.Until(func() bool { return !strings.Contains(c.get(at), "not on the disk yet") })
	c.stop()
	c = begin(t, Options{Folder: folder})
	holds(t, c.get(at), "before the proof", "One person")
}

// TestBusy lets no second server have a folder.
func TestBusy(t *testing.T) {
	t.Parallel()
	c := begin(t, Options{Folder: t.TempDir()})
	if _, err := New(Options{Folder: c.s.o.Folder}); !errors.Is(err, ErrBusy) {
		t.Errorf("a second server: %v", err)
	}
}

// TestMemory refuses a table that is larger than the memory of all searches, with its size.
func TestMemory(t *testing.T) {
	t.Parallel()
	c := begin(t, Options{Folder: t.TempDir(), Memory: 100 << 10})
	table := c.add("compas-like.csv")
	holds(t, c.get("/tables/"+table+"/columns"), "113 KiB", "100 KiB of memory")
	at, _ := c.post("/runs", url.Values{"table": {table}})
	holds(t, c.ends(at), "113 KiB")
}

// TestChangedTable refuses to resume a run on a table that was changed meanwhile.
func TestChangedTable(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	c := begin(t, Options{Folder: folder})
	table := c.add("compas-like.csv")
	at, _ := c.post("/runs", hard(table))
	c.until(at, "Stop, and keep this")
	c.stop()
	text := must.Get(os.ReadFile(folder + "/tables/" + table))(t)
	must.Do(t, os.WriteFile(folder+"/tables/"+table, append(text, "3001,north,male,30,1,0,felony,yes,no\n"...), 0o666))
	c = begin(t, Options{Folder: folder})
	holds(t, c.ends(at), "its contents have changed")
}

// TestOvertaking lets a short search begin beside a long one that has had its turn.
func TestOvertaking(t *testing.T) {
	t.Parallel()
	c := begin(t, Options{Folder: t.TempDir(), turn: time.Millisecond})
	long, _ := c.post("/runs", hard(c.add("monk2.csv")))
	c.until(long, "Stop, and keep this")
	short, _ := c.post("/runs", url.Values{"table": {c.add("monk1.csv")}})
	holds(t, c.ends(short), "Proved: no other")
	if r := c.s.find(strings.TrimPrefix(long, "/runs/")); r.now().State != searching {
		t.Errorf("the long search %s", r.now().State)
	}
	c.post(long+"/stop", nil)
	c.ends(long)
}

// TestTabs looks at ten runs in ten tabs, which ask once a second, while one of them searches: each is answered at once, and a look
// at a part that has not changed is short.
func TestTabs(t *testing.T) {
	t.Parallel()
	c := begin(t, Options{Folder: t.TempDir(), AtOnce: 1, turn: time.Hour})
	table := c.add("monk2.csv")
	var tabs []string
	for i := range 10 {
		form := hard(table)
		form.Set("lambda", fmt.Sprintf("0.000%d", i+1))
		at, _ := c.post("/runs", form)
		tabs = append(tabs, at)
	}
	c.until(tabs[0], "Stop, and keep this")
	var looks sync.WaitGroup
	var longest atomic.Int64
	for _, at := range tabs {
		looks.Go(func() {
			run := c.s.find(strings.TrimPrefix(at, "/runs/"))
			for k, quiet := 0, false; k < 4 || !quiet; k++ {
				seen := run.now().Version
				start := time.Now()
				text := c.get(fmt.Sprint(at, "/live?seen=", seen))
				longest.Store(max(longest.Load(), int64(time.Since(start))))
				if !strings.Contains(text, "The page may be closed") {
					t.Errorf("%s: %s", at, text)
				}
				if quiet = run.now().Version == seen; quiet && len(text) > 8_000 {
					t.Errorf("a tab was sent %d bytes, and nothing had changed", len(text))
				}
				time.Sleep(10 * time.Millisecond)
			}
		})
	}
	looks.Wait()
	t.Logf("the longest answer took %v", time.Duration(longest.Load()))
	c.post(tabs[0]+"/stop", nil)
}

// TestGlance shows the first list of single conditions until there is a better one, and keeps it where there is none.
func TestGlance(t *testing.T) {
	t.Parallel()
	c := begin(t, Options{Folder: t.TempDir()})
	r, err := c.s.made(fromForm(c.add("compas-like.csv"), nil)) // it is in no queue
	if err != nil {
		t.Fatal(err)
	}
	_, read, o, _ := c.s.resolved(&r.facts.Asked)
	read.KeepColumns = true
	d := must.Get(c.s.read(t.Context(), r.facts.Asked.Table, read))(t)
	r.glance(t.Context(), d, read, o)
	x := r.now()
	if x.Glance == nil || x.Model != x.Glance || x.Unseen == nil || x.Unseen.Kept == nil || x.Judged {
		t.Fatalf("the first look is %+v", x)
	}
	for _, rule := range x.Glance.Cases() {
		if len(rule.Literals()) > 1 {
			t.Errorf("%s is no single condition", rule.Text)
		}
	}
	event := family.Event{Best: func() (family.Shown, error) { return x.Glance.Model, nil }}
	event.Value = x.Glance.Certificate().Objective.Value + .001
	if r.onEvent(event); r.now().Glance == nil {
		t.Error("a worse list takes its place")
	}
	m, e, _ := r.keepGlance(x.Glance, 0)
	if m != x.Glance || e.Proved || e.optimal() || e.Result.LowerBound != 0 || e.Result.Small() != "" ||
		!strings.Contains(fmt.Sprint(r.now().Warnings), "single conditions") {
		t.Errorf("it is kept as %+v, with %q", e, r.now().Warnings)
	}
	event.Value -= .002
	if r.onEvent(event); r.now().Glance != nil {
		t.Error("a better list does not take its place")
	}
}

// better is a model with an objective below that of any other.
type better struct{ model.Model }

func (m better) Certificate() model.Certificate {
	c := m.Model.Certificate()
	c.Objective.Value = -1
	return c
}

// TestGlanceWaits continues a search that the server's end interrupted while its first look was better than its best list.
func TestGlanceWaits(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	c := begin(t, Options{Folder: folder})
	at, _ := c.post("/runs", hard(c.add("monk2.csv")))
	c.searches(at)
	r := c.s.find(strings.TrimPrefix(at, "/runs/"))
	r.update(func(x *facts) { x.Glance = &family.Model{Model: better{x.Best.(model.Model)}} })
	c.stop()
	c = begin(t, Options{Folder: folder})
	c.until(at, "Stop, and keep this")
}

// TestReadingEnds gives up reading a table where nobody asks for it any more, and reads it for the next who does.
func TestReadingEnds(t *testing.T) {
	t.Parallel()
	c := begin(t, Options{Folder: t.TempDir()})
	table := c.add("monk1.csv")
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, err := c.s.read(gone, table, family.Reading{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a table is read for nobody: %v", err)
	}
	if h, err := c.s.read(t.Context(), table, family.Reading{}); err != nil || h.N != 432 {
		t.Errorf("the table is not read again: %v", err)
	}
}

// TestPatient lets an answer take longer than a client may between two parts of a form, as the check of a long proof does.
func TestPatient(t *testing.T) {
	t.Parallel()
	const most = 20 * time.Millisecond
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := &patient{r.Body, http.NewResponseController(w), most}
		_, err := io.ReadAll(body)
		select {
		case <-r.Context().Done():
			err = r.Context().Err()
		case <-time.After(10 * most):
		}
		_, _ = fmt.Fprint(w, err)
	}))
	defer server.Close()
	for _, form := range []string{"", "a=b"} {
		answer := must.Get(http.Post(server.URL, "application/x-www-form-urlencoded", strings.NewReader(form)))(t)
		text, _ := io.ReadAll(answer.Body)
		if answer.Body.Close(); string(text) != "<nil>" {
			t.Errorf("the form %q ends the request: %s", form, text)
		}
	}
}

// TestStoppedUnseen stops a search while a model of some rows is judged better: the page's figures are of one model.
func TestStoppedUnseen(t *testing.T) {
	t.Parallel()
	c := begin(t, Options{Folder: t.TempDir()})
	at, _ := c.post("/runs", hard(c.add("compas-like.csv")))
	r := c.s.find(strings.TrimPrefix(at, "/runs/"))
	cases.Until(func() bool { return r.now().Unseen != nil })
	c.searches(at)
	model, err := r.files.Model(unseenModel)
	if err != nil || r.now().Judged {
		t.Fatal(err, "judged to the end")
	}
	c.post(at+"/stop", nil)
	c.ends(at)
	after, err := r.files.Model(unseenModel)
	if err != nil || after.Text(80) != model.Text(80) {
		t.Errorf("the figure of %v is of the model\n%s, not of\n%s: %v", r.now().Unseen.Kept, model.Text(80), after.Text(80), err)
	}
}
