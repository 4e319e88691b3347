package browser

import (
	"context"
	"os"
	"parcorels/internal/testing/must"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// TestFirst opens the page from a file, as the program does. Back leads from a model to the form as it was.
func TestFirst(t *testing.T) {
	t.Parallel()
	ctx, _ := browser(t)
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	s := serve(t, program(t), t.TempDir(), "", filepath.Join("..", "..", "examples", "monk1.csv"))
	first := filepath.Join(t.TempDir(), "first.html")
	must.Do(t, os.WriteFile(first, []byte(`<meta http-equiv="refresh" content="0;url=`+s.address+`"/>`), 0o600))
	var price string
	run(t, ctx, chromedp.Navigate("file://"+first), text("432 rows"), set(`input[name=lambda]`, "0.05"),
		click(`button.primary`), text("Proved: no other"), chromedp.NavigateBack(), text("432 rows"),
		chromedp.Evaluate(`document.querySelector("input[name=lambda]").value`, &price))
	if price != "0.05" {
		t.Errorf("Back leads to a form with the price %q", price)
	}
}

// TestChosenEarly chooses a table before the scripts are there: it is sent once they are. Back does not send it again.
func TestChosenEarly(t *testing.T) {
	t.Parallel()
	ctx, _ := browser(t)
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	s := serve(t, program(t), t.TempDir(), "")
	table := must.Get(filepath.Abs(filepath.Join("..", "..", "examples", "monk1.csv")))(t)
	held := make(chan fetch.RequestID, 1)
	chromedp.ListenTarget(ctx, func(event any) {
		if e, ok := event.(*fetch.EventRequestPaused); ok {
			held <- e.RequestID
		}
	})
	run(t, ctx, fetch.Enable().WithPatterns([]*fetch.RequestPattern{{URLPattern: "*/htmx.min.js"}}),
		chromedp.ActionFunc(func(ctx context.Context) error {
			_, _, _, _, err := page.Navigate(s.address).Do(ctx)
			return err
		}))
	script := <-held
	run(t, ctx, text("There is no table yet"), upload(`input[type=file]`, table),
		fetch.ContinueRequest(script), fetch.Disable(), text("432 rows"))
	run(t, ctx, chromedp.NavigateBack(), text("Add a table"), chromedp.Sleep(time.Second), text("Add a table"))
	if tables := strings.Count(s.get("/"), `class="card"`); tables != 1 {
		t.Errorf("there are %d tables", tables)
	}
}
