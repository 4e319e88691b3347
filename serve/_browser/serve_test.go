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
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
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

// run does one action after the other. It looks again for an element that the page replaced just before a click, as a person would.
func run(t *testing.T, ctx context.Context, actions ...chromedp.Action) {
	t.Helper()
	for _, a := range actions {
		err := chromedp.Run(ctx, a)
		for again := 0; err != nil && again < 5 && strings.Contains(err.Error(), "No node with given id"); again++ {
			err = chromedp.Run(ctx, a)
		}
		must.Do(t, err)
	}
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
