package html

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"strconv"

	"parcorels/internal/status"
	"parcorels/internal/wording"
	"parcorels/model"
)

// The page is written by code and not by a template: package template looks for
// methods by their names while a program runs, so that the linker has to keep
// every exported method, a sixth of the program. All texts are escaped by [writer.f];
// they stand in elements and in quoted attributes alone, never in a script, a style
// or an address.

// markup is a text that is written as it is. No part of it comes from data.
type markup string

// writer writes a page. The first error ends it.
type writer struct {
	to  *bufio.Writer
	err error
}

// f writes a format. Each text among args, and whatever prints as one, is
// escaped.
func (w *writer) f(format string, args ...any) {
	for i, a := range args {
		switch x := a.(type) {
		case int, int64, float64:
		case markup:
			args[i] = string(x)
		case string:
			args[i] = html.EscapeString(x)
		default:
			args[i] = html.EscapeString(fmt.Sprint(x))
		}
	}
	if w.err == nil {
		_, w.err = fmt.Fprintf(w.to, format, args...)
	}
}

// joined writes texts with a separator between them.
func (w *writer) joined(texts []string, between markup) {
	for i, t := range texts {
		if i > 0 {
			w.f("%s", between)
		}
		w.f("%s", t)
	}
}

// share writes a share with three decimals.
func share(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }

// Write writes the page.
func (p *Page) Write(to io.Writer) error {
	w := &writer{to: bufio.NewWriter(to)}
	p.head(w)
	p.cases(w)
	p.certificate(w)
	p.data(w)
	if p.Evaluation != nil {
		p.Evaluation.write(w)
	}
	p.validation(w)
	w.f("\n</main>\n</body>\n</html>\n")
	if w.err != nil {
		return w.err
	}
	return w.to.Flush()
}

func (p *Page) head(w *writer) {
	w.f(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"/>
<title>%[1]s</title>
<link rel="icon" href="data:,"/>
<style>%[2]s</style>
</head>
<body>
<main>
<h1>%[1]s</h1>
<p class="soft">Learned from %[3]s, %[4]s samples, by %[5]s.</p>
`, p.Title, markup(style), p.Frame.Data.Source, wording.Thousands(p.Summary.Samples), p.Certificate.Software)
	if p.Optimal {
		w.f(`<p class="verdict"><strong>Proved optimal</strong>%s. No %s on these antecedents has a better %s than %s.</p>`, p.among(), p.Family, p.Objective, number(p.Summary.Objective))
	} else {
		bound := p.Summary.LowerBound
		if p.Summary.UpperBound != nil {
			bound = *p.Summary.UpperBound
		}
		ended := " (" + p.Certificate.Status.String() + ")"
		if p.Certificate.Status == status.Finished { // as rule sets do that are not proved
			ended = ""
		}
		w.f(`<p class="verdict open"><strong>Not proved optimal</strong>%s. The %s is %s; the bound that no %s can beat is %s.</p>`,
			ended, p.Objective, number(p.Summary.Objective), p.Family, number(bound))
	}
}

// among says of how many antecedents those were kept that the model was sought among.
func (p *Page) among() string {
	d := &p.Frame.Data
	if d.Kept == d.Mined {
		return ""
	}
	return " among the " + wording.Count(d.Kept, "antecedent") + " kept of " + wording.Thousands(d.Mined)
}

// cases writes the table of rules or leaves.
func (p *Page) cases(w *writer) {
	w.f("\n\n"+`<section aria-labelledby="model"><h2 id="model">The %s</h2>`+"\n<p>", p.Family)
	switch {
	case p.Part == "leaf":
		w.f("Every row falls into exactly one leaf.")
	case p.Family == model.RuleSet:
		w.f("Class %s is predicted where at least one rule holds; a sample that several rules cover is counted at the first.", p.Frame.Labels()[1])
	default:
		w.f("The first rule whose conditions all hold decides.")
	}
	w.f(` Each bar is all samples: <span class="key r"></span>captured and right <span class="key w"></span>captured and wrong <span class="key l"></span>left for what follows</p>` + "\n")
	if p.Drawing != "" {
		w.f(`<figure class="drawing"><figcaption>The tree</figcaption>%s</figure>`+"\n", markup(p.Drawing))
	}
	w.f(`<table class="cases"><thead><tr><th scope="col">%s</th><th scope="col">if</th><th scope="col">predict</th><th scope="col" class="n">captured</th><th scope="col" class="n">right</th></tr></thead><tbody>`+"\n", p.Part)
	for i := range p.Cases {
		p.Cases[i].write(w)
	}
	w.f("</tbody></table></section>\n\n")
}

func (c *caseRow) write(w *writer) {
	if len(c.Conditions) > 0 {
		w.f(`<tr><th scope="row">%d</th>`+"\n<td>", c.Number)
		w.f(`<span class="condition">`)
		w.joined(c.Conditions, `</span> <span class="soft">and</span> <span class="condition">`)
		w.f("</span>")
	} else {
		w.f(`<tr><th scope="row">else</th>` + "\n" + `<td><span class="soft">no rule before applies</span>`)
	}
	w.f("\n"+`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label="%d right, %d wrong, %d left"><rect class="r" x="0" y="0" width="%v" height="8"/><rect class="w" x="%v" y="0" width="%v" height="8"/><rect class="l" x="%v" y="0" width="%v" height="8"/></svg></td>`+"\n",
		c.Right, c.Wrong, c.Left, c.RightX, c.WrongAt, c.WrongX, c.LeftAt, c.LeftX)
	w.f(`<td data-name="predict"><strong>%s</strong>`, c.Label)
	if c.Interval != "" {
		w.f("<br/><small>%s</small>", c.Interval)
	}
	w.f(`</td><td class="n" data-name="captured">%s</td><td class="n" data-name="right">%s</td></tr>`+"\n", wording.Thousands(c.Captured), c.Share)
}

func (p *Page) certificate(w *writer) {
	c := &p.Certificate
	w.f(`<section aria-labelledby="certificate"><h2 id="certificate">Certificate</h2>
<dl><dt>status</dt><dd>%s</dd><dt>%s</dt><dd>%s (exactly %d/%d)</dd>
<dt>bound</dt><dd>%d/%d</dd>`, c.Status, p.Objective, number(p.Summary.Objective), c.Objective.Num, c.Objective.Den, c.Bound.Num, c.Bound.Den)
	if p.Metrics != "" {
		w.f("<dt>metrics</dt><dd>%s</dd>", p.Metrics)
	}
	if c.Lambda != "" {
		w.f("<dt>λ</dt><dd>%s</dd>", c.Lambda)
	}
	w.f("\n"+`<dt>%s</dt><dd>%d</dd><dt>errors in training</dt><dd>%s of %s samples</dd>`, wording.Plural(2, p.Part), p.Summary.Length, wording.Thousands(c.Errors), wording.Thousands(p.Summary.Samples))
	w.f("\n"+`<dt>data</dt><dd>%s<br/><small>%s</small></dd></dl>`+"\n", p.Frame.Data.Source, p.Frame.Data.Hash)
	p.commands(w)
	w.f("\n")
	if p.Trace != nil {
		w.f(`<div class="charts">`)
		p.Trace.write(w)
		w.f("</div>")
	}
	w.f("</section>\n\n")
}

// data writes what the model was learned from and what it looks at.
func (p *Page) data(w *writer) {
	d := &p.Frame.Data
	w.f(`<section aria-labelledby="data"><h2 id="data">Data and conditions</h2>
<dl><dt>target</dt><dd>%s: `, p.Frame.Target)
	for i, c := range p.Frame.Labels() {
		if i > 0 {
			w.f(", ")
		}
		w.f("class %d is %s", i, c)
	}
	w.f("</dd><dt>samples</dt><dd>%s", wording.Thousands(d.Samples))
	if d.Dropped > 0 {
		w.f(" (%s rows with missing values left out)", wording.Thousands(d.Dropped))
	}
	w.f("</dd>")
	if d.Weighted {
		w.f("<dt>weights</dt><dd>samples are weighted; counts above are of samples</dd>")
	}
	w.f(`</dl>
<div class="scroll"><table><caption>Columns that the model looks at</caption><thead><tr><th scope="col">column</th><th scope="col">read as</th><th scope="col">conditions</th></tr></thead><tbody>` + "\n")
	for _, c := range p.Columns {
		w.f(`<tr><th scope="row">%s</th><td>%s</td><td>`, c.Name, c.Kind)
		w.f(`<span class="condition">`)
		w.joined(c.Conditions, `;</span> <span class="condition">`)
		w.f("</span>")
		w.f("</td></tr>")
	}
	w.f("</tbody></table></div></section>\n\n")
}

// validation writes what a cross-validation found.
func (p *Page) validation(w *writer) {
	w.f("\n\n")
	if len(p.Validation) == 0 {
		return
	}
	w.f(`<section aria-labelledby="validation"><h2 id="validation">Cross-validation by λ</h2>` + "\n")
	if p.Validated != nil {
		w.f(`<div class="charts">`)
		p.Validated.write(w)
		w.f("</div>")
	}
	w.f("\n"+`<div class="scroll"><table><thead><tr><th scope="col">λ</th><th scope="col" class="n">%s</th><th scope="col" class="n">accuracy on folds left out</th><th scope="col" class="n">standard error</th><th scope="col" class="n">folds not proved</th><th scope="col"></th></tr></thead><tbody>`+"\n", wording.Plural(2, p.Part))
	for _, l := range p.Validation {
		picked := ""
		if l.Picked {
			picked = "picked"
		}
		w.f(`<tr><th scope="row">%s</th><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td><td class="n">%d</td><td>%s</td></tr>`, l.Lambda, share(l.Length), share(l.Accuracy), share(l.Error), l.Unproven, picked)
	}
	w.f("</tbody></table></div></section>")
}
