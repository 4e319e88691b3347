package browser

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

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
	if err := os.WriteFile(first, []byte(`<meta http-equiv="refresh" content="0;url=`+s.address+`"/>`), 0o600); err != nil {
		t.Fatal(err)
	}
	var price string
	run(t, ctx, chromedp.Navigate("file://"+first), text("432 rows"), chromedp.SetValue(`input[name=lambda]`, "0.05"),
		chromedp.Click(`button.primary`), text("Proved: no other"), chromedp.NavigateBack(), text("432 rows"),
		chromedp.Value(`input[name=lambda]`, &price))
	if price != "0.05" {
		t.Errorf("Back leads to a form with the price %q", price)
	}
}
