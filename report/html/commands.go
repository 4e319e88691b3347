package html

import (
	"strings"

	"parcorels/internal/status"
	"parcorels/internal/wording"
	"parcorels/model"
)

// commands tells how to check the model, or else how to learn it again. What a
// limit stopped is not learned again, as the next search may come further.
func (p *Page) commands(w *writer) {
	fit := p.refit()
	switch {
	case p.Optimal && p.Checkable:
		w.f(`<p>Nobody has to trust the search. With the data of this checksum, the first command writes a proof and the second checks it without any code of the search%s:</p>
<pre>%s --proof model.proof
%s</pre>`, p.unlessSaid(), fit, p.verification())
	case p.Optimal || p.Certificate.Status == status.Finished:
		w.f(`<p>With the data of this checksum, this command learns the same model again%s:</p>
<pre>%s</pre>`, p.unlessSaid(), fit)
	}
}

// unlessSaid tells to add what the file of the model does not say.
func (p *Page) unlessSaid() string {
	if len(p.Frame.Options) > 0 {
		return ""
	}
	return " (options as in training)"
}

// refit returns the command that learns the model.
func (p *Page) refit() string {
	words := []string{"parcorels", "fit", p.source()}
	for _, o := range p.options() {
		switch {
		case o.Value == "true" && switches[o.Name]:
			words = append(words, "--"+o.Name)
		case strings.HasPrefix(o.Value, "-"):
			words = append(words, wording.ShellWord("--"+o.Name+"="+o.Value))
		default:
			words = append(words, "--"+o.Name, wording.ShellWord(o.Value))
		}
	}
	return strings.Join(words, " ")
}

// switches are the options that take no value.
var switches = map[string]bool{"drop-missing": true, "no-header": true, "negations": true, "informative": true}

// options returns those of the model's file, or what is known without.
func (p *Page) options() []model.Option {
	if len(p.Frame.Options) > 0 {
		return p.Frame.Options
	}
	var list []model.Option
	for name, family := range map[string]model.Family{"tree": model.Tree, "set": model.RuleSet, "bayes": model.BayesianRuleList} {
		if p.Family == family {
			list = append(list, model.Option{Name: "model", Value: name})
		}
	}
	if p.Length != "" {
		return append(list, model.Option{Name: "length", Value: p.Length})
	}
	return append(list, model.Option{Name: "lambda", Value: p.Certificate.Lambda})
}

// verification returns the command that checks a proof.
func (p *Page) verification() string {
	line := "parcorels verify model.proof " + p.source()
	for _, o := range p.Frame.Options {
		if o.Name == "labels" {
			line += " --labels " + wording.ShellWord(o.Value)
		}
	}
	return line
}

// source returns the data as a command names it.
func (p *Page) source() string {
	if p.Frame.Data.Source == "stdin" {
		return "-"
	}
	name := p.Frame.Data.Source
	if strings.HasPrefix(name, "-") {
		name = "./" + name
	}
	return wording.ShellWord(name)
}
