package browser

import (
	"os"
	"parcorels/internal/testing/must"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// task counts the clicks of a person, and tells how long the task took.
type task struct {
	t      *testing.T
	clicks int
	began  time.Time
}

// click is a click, or the choice of a file.
func (k *task) click(action chromedp.Action) chromedp.Action {
	k.clicks++
	return action
}

// ends asks that there were at most so many clicks.
func (k *task) ends(name string, most int) {
	k.t.Helper()
	k.t.Logf("%s: %d clicks, %.1f s", name, k.clicks, time.Since(k.began).Seconds())
	if k.clicks > most {
		k.t.Errorf("%s takes %d clicks, more than %d", name, k.clicks, most)
	}
	k.clicks, k.began = 0, time.Now()
}

// TestTasks does what three people come for: a model with figures of rows that it has not seen, from a raw table; a wish with its
// price; the check of somebody else's model and proof. With PARCORELS_DATA the table is that of a telephone company.
func TestTasks(t *testing.T) {
	t.Parallel()
	ctx, _ := browser(t)
	s := serve(t, program(t), t.TempDir(), "")
	table, column, group := filepath.Join("..", "..", "examples", "compas-like.csv"), "prior_arrests", "sex"
	if folder := os.Getenv("PARCORELS_DATA"); folder != "" {
		table, column, group = filepath.Join(folder, "tables", "telco-customer-churn.csv.gz"), "tenure", "gender"
	}
	table = must.Get(filepath.Abs(table))(t)
	run(t, ctx, chromedp.Navigate(s.address), text("There is no table yet"))

	k := &task{t: t, began: time.Now()}
	run(t, ctx, k.click(upload(`input[type=file]`, table)), text("rows, predicting"),
		k.click(click(`button.primary`)), text("rows kept back", "One person"))
	k.ends("a model with figures of unseen rows", 4)
	ended := chromedp.Evaluate(`[...document.querySelectorAll("#part form[action$='/stop'] button")].forEach(b => b.click())`, nil)
	run(t, ctx, ended, text("Take it away"))

	k.began = time.Now()
	run(t, ctx, k.click(click(`input[name=ignore][value="`+column+`"]`)),
		k.click(set(`#wishes ~ form input[name=max-rules]`, "3")),
		k.click(click(`#wishes ~ form button.primary`)), text("no "+column+", no more rules than 3", "In short,", "With your wish"))
	k.ends("a wish and its price", 3)
	picture(t, ctx, "price")

	folder := t.TempDir()
	model, proof := filepath.Join(folder, "model.json"), filepath.Join(folder, "model.proof")
	run(t, ctx, ended, text("Take it away"))
	for name, path := range map[string]string{"model.json": model, "model.proof": proof} {
		var at string
		run(t, ctx, chromedp.Evaluate(`new URL(document.querySelector("a[href$='/`+name+`']").href).pathname`, &at))
		must.Do(t, os.WriteFile(path, []byte(s.get(at)), 0o600))
	}
	run(t, ctx, click(`nav li:last-child a`), text("Open a model that somebody else learned"))
	k.began = time.Now()
	run(t, ctx, k.click(click(`form + details summary`)),
		k.click(upload(`input[name=model][type=file]`, model)),
		k.click(upload(`input[name=proof]`, proof)),
		k.click(click(`form + details button`)), text("This model came from a file"),
		k.click(click(`#check button`)), text("Verified"),
		k.click(set(`select[name=by]`, group)),
		text("Largest differences"))
	k.ends("a model and its proof are checked, and groups compared", 6)
	picture(t, ctx, "audit")
}
