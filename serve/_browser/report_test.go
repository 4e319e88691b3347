// Package browser opens a report in a real headless browser (Debian's chromium)
// and asks that it shows what it should on a phone, in dark mode and on paper, and
// that it asks the network for nothing. It is a module of its own, so that the
// program does not depend on a browser. The test is skipped where none is found.
package browser

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/testing/must"
	"parcorels/model/predict"
	"parcorels/report/html"
)

// written writes the report of a rule list on MONK's first problem.
func written(t *testing.T) string {
	t.Helper()
	const table = "../../examples/monk1.csv"
	data := must.Get(family.Read(table, family.Reading{}))(t)
	m := must.Get(family.Fit(context.Background(), data, family.Options{Lambda: "0.1", Workers: 1}))(t)
	rows := must.Get(dataset.OpenRows(table, dataset.Options{}))(t)
	defer rows.Close()
	report := html.New(m)
	must.Get(report.Judge("monk1.csv", rows, predict.Options{By: "holding"}, true))(t)
	report.Unseen = &[2]float64{.8, .02}
	path := filepath.Join(t.TempDir(), "report.html")
	var b bytes.Buffer
	must.Do(t, report.Write(&b))
	must.Do(t, os.WriteFile(path, b.Bytes(), 0o600))
	return path
}

// browser starts a browser and collects what it complains about and asks for.
func browser(t *testing.T) (ctx context.Context, seen func() []string) {
	t.Helper()
	program, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox)
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	if err := chromedp.Run(ctx); err != nil { // the browser lasts as long as the context of its first use
		t.Fatal(err)
	}
	var mutex sync.Mutex
	var events []string
	note := func(text string) {
		mutex.Lock()
		defer mutex.Unlock()
		events = append(events, text)
	}
	chromedp.ListenTarget(ctx, func(event any) {
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			note("exception: " + e.ExceptionDetails.Text)
		case *runtime.EventConsoleAPICalled:
			note("console: " + string(e.Type))
		case *log.EventEntryAdded:
			note("log: " + e.Entry.Text)
		case *network.EventRequestWillBeSent:
			if !strings.HasPrefix(e.Request.URL, "data:") {
				note("request: " + e.Request.URL)
			}
		}
	})
	return ctx, func() []string {
		mutex.Lock()
		defer mutex.Unlock()
		return append([]string(nil), events...)
	}
}

// value is one of the values of a node.
type value struct {
	Value any `json:"value"`
}

// accessibleTree is what a screen reader gets of a page. The types of cdproto
// refuse values that a newer browser knows.
type accessibleTree struct {
	Nodes []struct {
		Role value `json:"role"`
		Name value `json:"name"`
	} `json:"nodes"`
}

func TestReport(t *testing.T) {
	t.Parallel()
	path := written(t)
	ctx, seen := browser(t)
	var width, wide, height float64
	var light, dark string
	var narrow, paper []byte
	var tree accessibleTree
	const background = `getComputedStyle(document.body).backgroundColor`
	err := chromedp.Run(ctx,
		network.Enable(), log.Enable(),
		chromedp.EmulateViewport(1200, 900),
		chromedp.Navigate("file://"+path),
		chromedp.WaitVisible("#evaluation"),
		chromedp.Evaluate(background, &light),
		chromedp.EmulateViewport(360, 740, chromedp.EmulateMobile),
		chromedp.Evaluate(`document.documentElement.scrollWidth`, &width),
		chromedp.Evaluate(`Math.max(0, ...[...document.querySelectorAll(".cases, .chart, .bar, h1, pre")].map(e => e.getBoundingClientRect().right))`, &wide),
		chromedp.Evaluate(`document.documentElement.scrollHeight`, &height),
		chromedp.FullScreenshot(&narrow, 90),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}),
		chromedp.Evaluate(background, &dark),
		chromedp.ActionFunc(func(ctx context.Context) error {
			return cdp.Execute(ctx, "Accessibility.getFullAXTree", nil, &tree)
		}),
		chromedp.ActionFunc(func(ctx context.Context) (err error) {
			paper, _, err = page.PrintToPDF().Do(ctx)
			return err
		}),
	)
	if err != nil {
		t.Fatal(err)
	}
	if events := seen(); len(events) != 1 || events[0] != "request: file://"+path {
		t.Errorf("the browser asked for or complained of %q", events)
	}
	if width > 360 || wide > 360 || height < 1000 {
		t.Errorf("a phone of 360 pixels sees a page of %v by %v, and parts that end at %v", width, height, wide)
	}
	if light == dark {
		t.Errorf("the background is %s in light and in dark mode", light)
	}
	if len(narrow) < 10_000 || len(paper) < 10_000 {
		t.Errorf("a picture of %d bytes, on paper %d", len(narrow), len(paper))
	}
	images, headings := 0, 0
	for _, node := range tree.Nodes {
		switch node.Role.Value {
		case "image", "img":
			images++
			if name, _ := node.Name.Value.(string); name == "" {
				t.Error("a chart has no name for a screen reader")
			}
		case "heading":
			headings++
		}
	}
	if images < 6 || headings < 6 {
		t.Errorf("a screen reader finds %d pictures and %d headings", images, headings)
	}
	if folder := os.Getenv("PARCORELS_PICTURES"); folder != "" {
		if err := os.WriteFile(filepath.Join(folder, "phone.jpg"), narrow, 0o600); err != nil {
			t.Error(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "paper.pdf"), paper, 0o600); err != nil {
			t.Error(err)
		}
	}
}
