package html

import (
	"strings"

	"parcorels/internal/status"
	"parcorels/internal/wording"
)

// Repeatable reports whether the same command learns the same model again. A search that
// a limit stopped is not learned again, as the next search may come further; what was learned from
// a part of the table is not, as the file of the model does not say which part; nor is one of good models or of a front, whose file has no
// options.
func (p *Page) Repeatable() bool {
	k := p.Frame.KeptBack
	return len(p.Frame.Options) > 0 && (p.Optimal || p.Certificate.Status == status.Finished) && (k == nil || k.Refit)
}

// Refit returns the command that learns the model.
func (p *Page) Refit() string {
	words := []string{"parcorels", "fit", p.Source()}
	for _, o := range p.Frame.Options {
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
var switches = map[string]bool{"drop-missing": true, "drop-unlabelled": true, "decimal-comma": true, "header": true, "no-header": true,
	"falling": true, "negations": true}

// Source is the data as a command names it.
func (p *Page) Source() string {
	if p.Frame.Data.Source == "stdin" {
		return "-"
	}
	name := p.Frame.Data.Source
	if strings.HasPrefix(name, "-") {
		name = "./" + name
	}
	return wording.ShellWord(name)
}
