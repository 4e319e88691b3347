package browser

import (
	"context"
	"fmt"
	"parcorels/internal/testing/must"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func awaited(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }

// text waits until the page says all of some things. A page that gives way to another in
// between has no answer, and is asked again.
func text(parts ...string) chromedp.Action {
	return until(func(ctx context.Context) (missing string, err error) {
		for _, p := range parts {
			there := false
			if err := chromedp.Evaluate(`document.body.innerText.includes(`+strconv.Quote(p)+`)`, &there).Do(ctx); err != nil || !there {
				missing = strconv.Quote(p) + " is not there"
			}
		}
		return missing, nil
	})
}

// TestPage goes the way of a person from a table to a proved list and on, with a browser:
// upload, search, model, rows, person, check, wish, download, choice, stop, and a kill in the
// middle of a search.
func TestPage(t *testing.T) {
	t.Parallel()
	ctx, seen := browser(t)
	program, folder := program(t), t.TempDir()
	s := serve(t, program, folder, "")
	run(t, ctx, network.Enable(), log.Enable(), chromedp.Navigate(s.address), text("There is no table yet"))
	table := must.Get(filepath.Abs(filepath.Join("..", "..", "examples", "compas-like.csv")))(t)
	run(t, ctx, upload(`input[type=file]`, table), text("3,000 rows", "prior_arrests", "number cut at"))
	picture(t, ctx, "table")

	// Options of other kinds of models are hidden.
	field := func(name string) string { return `document.querySelector("[name=` + name + `]").offsetParent == null` }
	run(t, ctx, chromedp.Evaluate(`document.querySelectorAll("details").forEach(d => d.open = true)`, nil))
	for kind, hidden := range map[string][]bool{"tree": {false, true}, "bayes": {true, false}, "list": {true, true}} {
		run(t, ctx, click(`input[value=`+kind+`]`))
		for i, name := range []string{"depth", "width"} {
			var is bool
			if run(t, ctx, chromedp.Evaluate(field(name), &is)); is != hidden[i] {
				t.Errorf("%s: the field %s is hidden: %v", kind, name, is)
			}
		}
	}

	// Three clicks from the first page: the table, the search, the rows of a rule.
	run(t, ctx, chromedp.Navigate(s.at+"/"), text("compas-like.csv"))
	run(t, ctx, click(`a.card`), text("Find the best model"), set(`select[name=by]`, "district"),
		click(`button.primary`), text("rows kept back", "Proved: no other", "On rows that it has not seen", "Largest differences"))
	picture(t, ctx, "model")
	run(t, ctx, click(`a.rows`), text("rows with"), click(`#rows th a`), text("It says", "Smallest change"))
	run(t, ctx, set(`#one input[name=c0]`, "19"), click(`#one button`), text("Decided by"))
	run(t, ctx, click(`#check button`), text("Verified"))
	picture(t, ctx, "person")
	for _, file := range []string{"model.json", "model.proof", "report.html", "model.sql"} {
		var size float64
		run(t, ctx, chromedp.Evaluate(`fetch(document.querySelector("a[href$='/`+file+`']").href).then(r => r.ok ? r.blob() : null).then(b => b.size)`, &size, awaited))
		if size < 500 {
			t.Errorf("%s has %v bytes", file, size)
		}
	}
	run(t, ctx, set(`select[name=own-column]`, "age"), set(`select[name=own-sign]`, ">"),
		set(`input[name=own-value]`, "26"), click(`input[name=ignore][value=prior_arrests]`),
		click(`input[name=decreasing][value=age]`), click(`#wishes ~ form button.primary`),
		text("What the wish costs", "With your wish", "both are proved best", "Tried so far", "less likely with larger age"))
	picture(t, ctx, "wish")
	printed := true
	run(t, ctx, emulation.SetEmulatedMedia().WithMedia("print"),
		chromedp.Evaluate(`[...document.querySelectorAll("button, input, select")].some(e => e.offsetParent)`, &printed),
		emulation.SetEmulatedMedia())
	if printed {
		t.Error("a form is printed")
	}

	run(t, ctx, chromedp.Navigate(s.at+"/tables/compas-like.csv?by=district"), text("3,000 rows"),
		chromedp.Evaluate(`document.querySelectorAll("details").forEach(d => d.open = true)`, nil), click(`button[value=path]`),
		text("The best of every size", "rows not seen"))
	run(t, ctx, click(`#main tbody tr:last-child a`), text("Take this one"))
	picture(t, ctx, "path")
	run(t, ctx, chromedp.Navigate(s.at+"/tables/compas-like.csv?by=district&max-card=1"), text("3,000 rows"),
		chromedp.Evaluate(`document.querySelectorAll("details").forEach(d => d.open = true)`, nil),
		set(`input[name=within]`, "4"), click(`button[value=alternatives]`),
		text("All good models", "The fairest listed, by district"))
	run(t, ctx, click(`#pin2`), text("Pinned", "Pin two"), click(`#pin0`), text("1: 3 rules", "3: ",
		"The answer differs on"))
	picture(t, ctx, "alternatives")
	run(t, ctx, chromedp.Navigate(s.at+"/tables/compas-like.csv?model=tree&depth=2"), text("3,000 rows"),
		click(`button.primary`), text("Proved: no other tree", "the rows that come to a question", "Calibration"))
	run(t, ctx, tabTo("g.split"))
	picture(t, ctx, "split")

	// A search that takes long is watched, killed with its program, found again, and stopped.
	run(t, ctx, chromedp.Navigate(s.at+"/tables/compas-like.csv?lambda=0.0006&max-card=3"), text("3,000 rows"),
		click(`button.primary`), text("Stop, and keep this", "One person", "Searches"), chromedp.Sleep(3*time.Second))
	picture(t, ctx, "run")
	complaints(t, s, seen())
	s.kill()
	s = serve(t, program, folder, s.port())
	run(t, ctx, chromedp.Sleep(time.Second), chromedp.Reload(), text("Stop, and keep this"), chromedp.Sleep(time.Second),
		click(`button.primary`), text("before the proof", "Calibration", "Continue the search"))
	run(t, ctx, chromedp.Navigate(s.at+"/"), text("proved best", "not proved"))
	picture(t, ctx, "home")
}

// complaints asks that the browser complained of nothing, and that no request left the machine.
func complaints(t *testing.T, s *served, events []string) {
	t.Helper()
	for _, event := range events {
		if address, ok := strings.CutPrefix(event, "request: "); !ok || !strings.HasPrefix(address, s.at+"/") {
			t.Errorf("the browser asked for or complained of %q", event)
		}
	}
}

// tabTo goes to an element by the Tab key alone.
func tabTo(selector string) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		for range 120 {
			if err := chromedp.KeyEvent(kb.Tab).Do(ctx); err != nil {
				return err
			}
			there := false
			if err := chromedp.Evaluate(`document.activeElement.matches(`+strconv.Quote(selector)+`) && getComputedStyle(document.activeElement).outlineStyle != "none"`, &there).Do(ctx); err != nil || there {
				return err
			}
		}
		return fmt.Errorf("no Tab leads to %s", selector)
	})
}

// TestKeyboard goes from the first page to a list, its rows, a person, the check of the proof and
// a wish without a mouse. What has the focus shows it.
func TestKeyboard(t *testing.T) {
	t.Parallel()
	ctx, _ := browser(t)
	s := serve(t, program(t), t.TempDir(), "", filepath.Join("..", "..", "examples", "monk1.csv"))
	run(t, ctx, chromedp.Navigate(s.address), text("432 rows"), chromedp.Navigate(s.at+"/"), text("monk1.csv"))
	run(t, ctx, tabTo("a.card"), chromedp.KeyEvent(kb.Enter), text("Find the best model"))
	run(t, ctx, tabTo("button.primary"), chromedp.KeyEvent(kb.Enter), text("Proved: no other", "Calibration"))
	run(t, ctx, tabTo("a.rows"), chromedp.KeyEvent(kb.Enter), text("108 rows"))
	run(t, ctx, tabTo("#rows th a"), chromedp.KeyEvent(kb.Enter), text("It says yes"))
	run(t, ctx, tabTo("#check button"), chromedp.KeyEvent(kb.Enter), text("Verified"))
	run(t, ctx, tabTo("input[name=forbid]"), chromedp.KeyEvent(" "), tabTo("#wishes ~ form button.primary"), chromedp.KeyEvent(kb.Enter),
		text("What the wish costs"))
}
