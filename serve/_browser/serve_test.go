package browser

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"parcorels/internal/testing/must"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// program builds the program once, and returns its path.
func program(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "parcorels")
	build := exec.Command("go", "build", "-o", path, "./cmd/parcorels")
	build.Dir = "../.."
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return path
}

// served is a server in a process of its own, so that it can be killed.
type served struct {
	t       *testing.T
	process *exec.Cmd
	address string // with the token
	at      string // http://host:port
}

// serve starts the program on a folder, at a port that lasts if it is not "".
func serve(t *testing.T, program, folder, port string, args ...string) *served {
	t.Helper()
	args = append([]string{"serve", "--no-open", "--dir", folder}, args...)
	if port != "" {
		args = append(args, "--port", port)
	}
	s := &served{t: t, process: exec.Command(program, args...)}
	out := must.Get(s.process.StdoutPipe())(t)
	var complaints bytes.Buffer
	s.process.Stderr = &complaints
	must.Do(t, s.process.Start())
	t.Cleanup(s.kill)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("no address: %v: %s", err, &complaints)
	}
	s.address = strings.TrimSpace(line)
	s.at = "http://" + strings.SplitN(strings.TrimPrefix(s.address, "http://"), "/", 2)[0]
	return s
}

// kill ends the process as kill -9 does.
func (s *served) kill() {
	if s.process.ProcessState == nil {
		_ = s.process.Process.Kill()
		_ = s.process.Wait()
	}
}

func (s *served) port() string { return s.at[strings.LastIndexByte(s.at, ':')+1:] }

// picture writes a screenshot of the page at both widths, light and dark, where
// PARCORELS_PICTURES names a folder, and asks that nothing is wider than a phone.
func picture(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	folder := os.Getenv("PARCORELS_PICTURES")
	for _, width := range []int64{1280, 390} {
		for _, mode := range []string{"light", "dark"} {
			var shot []byte
			var wide float64
			run(t, ctx, emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: mode}}),
				emulation.SetDeviceMetricsOverride(width, 900, 1, width < 500),
				chromedp.Sleep(150*time.Millisecond),
				chromedp.Evaluate(`document.documentElement.scrollWidth`, &wide))
			if wide > float64(width) {
				t.Errorf("%s: on a screen of %d pixels the page is %v wide", name, width, wide)
			}
			if folder == "" {
				continue
			}
			run(t, ctx, chromedp.FullScreenshot(&shot, 100))
			if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%s-%d-%s.png", name, width, mode)), shot, 0o600); err != nil {
				t.Error(err)
			}
		}
	}
	accessible(t, ctx, name)
	run(t, ctx, emulation.SetDeviceMetricsOverride(1280, 900, 1, false),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "light"}}))
}

// run does one action after the other, each within minutes.
func run(t *testing.T, ctx context.Context, actions ...chromedp.Action) {
	t.Helper()
	for _, a := range actions {
		limited, cancel := context.WithTimeout(ctx, 3*time.Minute)
		err := chromedp.Run(limited, a)
		cancel()
		must.Do(t, err)
	}
}

// until looks again and again, until nothing is missing.
func until(look func(ctx context.Context) (missing string, err error)) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		for {
			missing, err := look(ctx)
			if err != nil || missing == "" {
				return err
			}
			select {
			case <-ctx.Done():
				return fmt.Errorf("%s: %w", missing, ctx.Err())
			case <-time.After(50 * time.Millisecond):
			}
		}
	})
}

// act waits until a person could use an element, and does something to it, in one step of the page's own script. The page may
// replace its parts at any moment: an element that is found in one step and used in the next one may be gone.
func act(selector, what string) chromedp.Action {
	script := fmt.Sprintf(`(() => {
		const e = document.querySelector(%s)
		if (!e || e.disabled || e.getClientRects().length == 0) return "is not there"
		if (document.readyState != "complete" || document.querySelector(".htmx-added, .htmx-settling")) return "has no script yet"
		e.scrollIntoView({block: "center", behavior: "instant"})
		const r = e.getClientRects()[0], at = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)
		if (!at || !e.contains(at) && ![...e.labels || []].some(l => l.contains(at))) return "is covered by " + (at || {}).outerHTML
		%s
		return ""
	})()`, strconv.Quote(selector), what)
	return until(func(ctx context.Context) (string, error) {
		missing := ""
		err := chromedp.Evaluate(script, &missing).Do(ctx)
		if err != nil && strings.Contains(err.Error(), "Cannot find") {
			return "the next page is not there", nil
		}
		if missing != "" {
			missing = selector + " " + missing
		}
		return missing, err
	})
}

func click(selector string) chromedp.Action { return act(selector, `e.click()`) }

// set gives a field a value, and leaves it.
func set(selector, value string) chromedp.Action {
	return act(selector, `e.value = `+strconv.Quote(value)+`
		for (const name of ["input", "change"]) e.dispatchEvent(new Event(name, {bubbles: true}))`)
}

// upload gives a field a file.
func upload(selector, path string) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		var field *runtime.RemoteObject
		if err := chromedp.Evaluate(`document.querySelector(`+strconv.Quote(selector)+`)`, &field).Do(ctx); err != nil {
			return err
		}
		return dom.SetFileInputFiles([]string{path}).WithObjectID(field.ObjectID).Do(ctx)
	})
}

// accessible asks axe-core, where PARCORELS_AXE names its file, for serious faults.
func accessible(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	path := os.Getenv("PARCORELS_AXE")
	if path == "" {
		return
	}
	script := must.Get(os.ReadFile(path))(t)
	for _, mode := range []string{"light", "dark"} {
		var faults []string
		run(t, ctx, emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: mode}}),
			chromedp.Sleep(100*time.Millisecond),
			chromedp.Evaluate(string(script)+";0", nil),
			chromedp.Evaluate(`axe.run().then(r => r.violations.flatMap(v => v.nodes.map(n => v.impact + " " + v.id + ": " + n.target + ": " + (n.any[0] || n.all[0] || n.none[0] || {}).message)))`, &faults, chromedp.EvalAsValue, awaited))
		for _, fault := range faults {
			t.Errorf("%s, %s: %s", name, mode, fault)
		}
	}
}

// get asks as a program does, with a session of its own.
func (s *served) get(path string) string {
	s.t.Helper()
	jar, _ := cookiejar.New(nil)
	dial := func(ctx context.Context, network, at string) (net.Conn, error) { // as browsers take names that end in .localhost
		return new(net.Dialer).DialContext(ctx, network, "127.0.0.1"+at[strings.LastIndexByte(at, ':'):])
	}
	client := &http.Client{Jar: jar, Transport: &http.Transport{DialContext: dial}}
	if answer, err := client.Get(s.address); err == nil {
		answer.Body.Close()
	}
	r, _ := http.NewRequest("GET", s.at+path, nil)
	answer, err := client.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}
