package browser

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

func awaited(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }

// text waits until the page says all of some things. A page that gives way to another in
// between has no answer, and is asked again.
func text(parts ...string) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		for {
			missing := ""
			for _, p := range parts {
				there := false
				if err := chromedp.Evaluate(`document.body.innerText.includes(`+strconv.Quote(p)+`)`, &there).Do(ctx); err != nil || !there {
					missing = p
				}
			}
			if missing == "" {
				return nil
			}
			select {
			case <-ctx.Done():
				return fmt.Errorf("%q is not there: %w", missing, ctx.Err())
			case <-time.After(50 * time.Millisecond):
			}
		}
	})
}

// TestPage goes the way of a person from a table to a proved list and on, with a browser.
func TestPage(t *testing.T) {
	ctx, seen := browser(t)
	s := serve(t, program(t), t.TempDir(), "", filepath.Join("..", "..", "examples", "compas-like.csv"))
	run(t, ctx, network.Enable(), log.Enable(), chromedp.Navigate(s.address), text("3,000 rows", "prior_arrests", "number cut at"))
	picture(t, ctx, "table")
	run(t, ctx, chromedp.Navigate(s.at+"/"), text("compas-like.csv"))
	// Three clicks: the table, the search, the rows of a rule.
	run(t, ctx, chromedp.Click(`a.card`), text("Find the best model"), chromedp.Click(`button.primary`), text("Proved optimal", "Calibration"))
	picture(t, ctx, "model")
	run(t, ctx, chromedp.Click(`a.rows`), text("1,416 rows"), chromedp.Click(`#rows th a`), text("It says", "Smallest change"))
	run(t, ctx, chromedp.Click(`#check button`), text("Verified"))
	picture(t, ctx, "person")
	run(t, ctx, chromedp.Navigate(s.at+"/"), text("proved optimal"))
	picture(t, ctx, "home")

	// A search that takes long, watched.
	run(t, ctx, chromedp.Navigate(s.at+"/tables/compas-like.csv?lambda=0.0006&max-card=3&without=separation"), text("3,000 rows"), chromedp.Click(`button.primary`), text("Gap", "Best so far", "else if"), chromedp.Sleep(2*time.Second))
	picture(t, ctx, "run")
	run(t, ctx, chromedp.Click(`button.primary`), text("Not proved optimal", "Calibration"))
	for _, event := range seen() {
		if address, ok := strings.CutPrefix(event, "request: "); !ok || !strings.HasPrefix(address, s.at+"/") {
			t.Errorf("the browser asked for or complained of %q", event)
		}
	}
}
