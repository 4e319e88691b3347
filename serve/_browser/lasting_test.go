package browser

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// TestLasting opens the page from a file, as the program does, and looks at one search in two tabs. What a person types, selects
// and scrolls stays while it goes on. A killed program is told, and a tab finds the next one. Back leads to the form as it was.
func TestLasting(t *testing.T) {
	t.Parallel()
	ctx, _ := browser(t)
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	program, folder := program(t), t.TempDir()
	s := serve(t, program, folder, "", filepath.Join("..", "..", "examples", "compas-like.csv"))
	first := filepath.Join(folder, "first.html")
	if err := os.WriteFile(first, []byte(`<meta http-equiv="refresh" content="0;url=`+s.address+`"/>`), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, ctx, chromedp.Navigate("file://"+first), text("3,000 rows"),
		chromedp.Evaluate(`document.querySelectorAll("details").forEach(d => d.open = true)`, nil),
		chromedp.SetValue(`input[name=lambda]`, "0.0006"), chromedp.SetValue(`input[name=max-card]`, "3"), chromedp.SetValue(`input[name=time]`, "none"),
		chromedp.Click(`button.primary`), text("Stop, and keep this", "One person", "Searches"))
	var at string
	run(t, ctx, chromedp.Location(&at), chromedp.Sleep(5*time.Second)) // the first lists replace each other quickly
	other, end := chromedp.NewContext(ctx)
	defer end()
	run(t, other, chromedp.Navigate(at), text("Stop, and keep this", "Searches"))

	const kept = `[document.activeElement.name, document.querySelector("input[name=called]").value, scrollY > 300, getSelection().toString() != ""].join()`
	var before, after string
	run(t, ctx, chromedp.Evaluate(`getSelection().selectAllChildren(document.querySelector("h1"))`, nil),
		chromedp.SendKeys(`input[name=called]`, "my wish"), chromedp.Evaluate(kept, &before), chromedp.Sleep(3*time.Second), chromedp.Evaluate(kept, &after))
	if before != after || before[:14] != "called,my wish" {
		t.Errorf("%q became %q", before, after)
	}
	s.kill()
	run(t, other, text("No connection to the program"))
	serve(t, program, folder, s.port())
	run(t, other, chromedp.Poll(`document.getElementById("offline").hidden`, nil), text("Stop, and keep this"))
	run(t, ctx, chromedp.Evaluate(`document.querySelector("#part form[action$='/stop'] button").click()`, nil), text("Take it away"))
	run(t, other, text("Take it away"))
	var price string
	run(t, ctx, chromedp.NavigateBack(), text("3,000 rows"), chromedp.Value(`input[name=lambda]`, &price))
	if price != "0.0006" {
		t.Errorf("Back leads to a form with the price %q", price)
	}
}
