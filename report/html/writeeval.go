package html

import "parcorels/internal/wording"

// write writes how good the model is on a table.
func (e *evaluation) write(w *writer) {
	m := &e.Measures
	w.f(`<section aria-labelledby="evaluation"><h2 id="evaluation">Evaluation on %s</h2>
<p class="soft">%s of %s rows have a label. This is an estimate for new data only if the model was not learned from this table. Probabilities are smoothed by Laplace's rule.`,
		e.Table, wording.Thousands(m.Rows), wording.Thousands(e.Rows))
	if e.WeightedBy != "" {
		w.f(" Rows weigh what the column %s says, together %s: every share is one of weight.", e.WeightedBy, e.Weight)
	}
	w.f("</p>\n")
	for _, n := range e.Notes {
		w.f("<p>Note: %s</p>", n)
	}
	w.f("\n"+`<table><tbody><tr><th scope="row">accuracy</th><td class="n">%s</td><td>always predicting %s: %s</td></tr>`+"\n", m.Accuracy.Percent(), m.Frequent, m.Majority.Percent())
	for _, x := range []struct{ name, value string }{
		{"balanced accuracy", m.Balanced.Percent()}, {"precision", m.Precision.Percent()}, {"recall", m.Recall.Percent()}, {"F1", m.F1.Percent()},
		{"AUC", m.AUC.Decimal(3)}, {"log loss", m.LogLoss.Decimal(3)}, {"Brier score", m.Brier.Decimal(3)},
	} {
		w.f(`<tr><th scope="row">%s</th><td class="n">%s</td><td></td></tr>`+"\n", x.name, x.value)
	}
	w.f(`</tbody></table>
<h3>Confusion</h3><div class="scroll"><table><thead><tr><th scope="col"></th>`)
	for _, c := range m.Classes {
		w.f(`<th scope="col" class="n">predicted %s</th>`, c)
	}
	w.f("</tr></thead><tbody>\n")
	for _, r := range e.Confusion {
		w.f(`<tr><th scope="row">actual %s</th>`, r.Label)
		for _, c := range r.Cells {
			hit := ""
			if c.Right {
				hit = " hit"
			}
			w.f(`<td class="n%s">%s <small>%s</small></td>`, hit, c.Rows, c.Share)
		}
		w.f("</tr>")
	}
	w.f(`</tbody></table></div>
<h3>Curves</h3><div class="charts">`)
	for i := range e.Charts {
		e.Charts[i].write(w)
	}
	w.f("</div>\n")
	e.calibration(w)
	w.f("\n")
	e.groups(w)
	w.f("</section>")
}

func (e *evaluation) calibration(w *writer) {
	if len(e.Calibration) == 0 {
		return
	}
	w.f(`<div class="scroll"><table><caption>Calibration by case</caption><thead><tr><th scope="col">case</th><th scope="col">class</th><th scope="col" class="n">rows</th><th scope="col" class="n">probability from training</th><th scope="col" class="n">observed share</th></tr></thead><tbody>` + "\n")
	for _, c := range e.Calibration {
		w.f(`<tr><th scope="row">%d</th><td>%s</td><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td></tr>`, c.Case, c.Class, wording.Thousands(c.Rows), share(c.Said), share(c.Observed))
	}
	w.f("</tbody></table></div>")
}

// groups writes the rates by the values of a column.
func (e *evaluation) groups(w *writer) {
	if len(e.Groups) == 0 {
		return
	}
	w.f("<h3>By %s</h3>", e.By)
	for _, t := range e.GroupTables {
		w.f(`<div class="scroll"><table>`)
		if t.Class != "" {
			w.f("<caption>Class %s against all others</caption>", t.Class)
		}
		w.f(`<thead><tr><th scope="col">%s</th><th scope="col" class="n">rows</th><th scope="col" class="n">accuracy</th><th scope="col" class="n">selected</th><th scope="col" class="n">TPR</th><th scope="col" class="n">FPR</th><th scope="col" class="n">PPV</th></tr></thead><tbody>`+"\n", e.By)
		for _, r := range t.Rows {
			w.f(`<tr><th scope="row">%s</th><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td></tr>`, r.Group, wording.Thousands(r.Rows),
				r.Accuracy.Percent(), r.Class.Selected.Percent(), r.Class.Recall.Percent(), r.Class.FPR.Percent(), r.Class.Precision.Percent())
		}
		w.f("</tbody></table></div>\n")
	}
	w.f(`<div class="scroll"><table><caption>Largest differences between groups; small groups differ by chance</caption><thead><tr><th scope="col">measure</th><th scope="col" class="n">difference</th><th scope="col">most</th><th scope="col">least</th></tr></thead><tbody>` + "\n")
	for _, d := range e.Differences {
		w.f(`<tr><th scope="row">%s</th><td class="n">%s</td>`, d.Name(), d.Size.Percent())
		if d.Size != 0 {
			w.f("<td>%s</td><td>%s</td></tr>", d.Most, d.Least)
		} else {
			w.f(`<td colspan="2">the same in all</td></tr>`)
		}
	}
	w.f("</tbody></table></div>")
}

// write draws a chart.
func (c *chart) write(w *writer) {
	w.f(`<figure><figcaption>%s</figcaption>
<svg class="chart" viewBox="-25 -4 134 122" role="img" aria-label="%s">
<line class="axis" x1="0" y1="100" x2="100" y2="100"/><line class="axis" x1="0" y1="0" x2="0" y2="100"/>
`, c.Name, c.Label)
	for _, t := range c.XTicks {
		w.f(`<line class="axis" x1="%[1]v" y1="100" x2="%[1]v" y2="101.5"/><text x="%[1]v" y="106" text-anchor="middle">%[2]s</text>`, t.At, t.Text)
	}
	w.f("\n" + `<g transform="translate(0 100) scale(1 -1)">`)
	for _, t := range c.YTicks {
		w.f(`<line class="axis" x1="-1.5" y1="%[1]v" x2="100" y2="%[1]v"/><text transform="translate(-2.5 %[1]v) scale(1 -1)" y="1.5" text-anchor="end">%[2]s</text>`, t.At, t.Text)
	}
	w.f("</g>\n")
	if c.Diagonal {
		w.f(`<line class="diagonal" x1="0" y1="100" x2="100" y2="0"/>`)
	}
	w.f("\n")
	if c.Line != "" {
		w.f(`<polyline class="line" points="%s"/>`, c.Line)
	}
	w.f("\n")
	for _, d := range c.Dots {
		if d.Low != d.High {
			w.f(`<line class="error" x1="%[1]v" x2="%[1]v" y1="%[2]v" y2="%[3]v"/>`, d.X, d.Low, d.High)
		}
		w.f(`<circle class="dot" cx="%v" cy="%v" r="%v"><title>%s</title></circle>`, d.X, d.Y, d.R, d.Title)
	}
	w.f("\n"+`<text x="50" y="114" text-anchor="middle">%s</text><text transform="translate(-21 50) rotate(-90)" text-anchor="middle">%s</text>
</svg></figure>`, c.XName, c.YName)
}
