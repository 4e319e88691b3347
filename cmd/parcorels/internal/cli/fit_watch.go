package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	"parcorels/internal/wording"
	"parcorels/parallel"
	"parcorels/rulelist"
	"parcorels/rulelist/search"
)

// What fit tells while it searches. Package search calls back from one
// goroutine, for the first time a second after the start or at the end: by then
// it has found the options and the checkpoint good.

// watch returns what is to be done at each look at the search.
func (f *fitted) watch(e *env, s *settings) func(search.Progress) {
	if e.client != nil {
		return e.client.progress
	}
	table := e.progressTable(s)
	if table == nil && !f.aloud {
		return nil
	}
	advised := false
	return func(p search.Progress) {
		f.tell(e)
		if table == nil {
			return
		}
		table.show(p)
		if s.progress == "full" && p.Rules != nil {
			f.showBetter(table.out, s, p)
		}
		if p.Elapsed >= adviseAfter && !p.Final && !advised {
			advised = true
			e.note("%s", f.slowness(s, p))
		}
	}
}

// tell begins to print, once, what is searched. Nobody may be reading stdout:
// the search, its limits and its checkpoints go on meanwhile.
func (f *fitted) tell(e *env) {
	if !f.aloud || f.told != nil {
		return
	}
	f.told = make(chan error, 1)
	text := f.head() + "\n"
	go func() { f.told <- e.print(text) }()
}

// wasTold waits until that is printed.
func (f *fitted) wasTold(e *env) error {
	f.tell(e)
	if f.told == nil {
		return nil
	}
	return <-f.told
}

// showBetter prints a list that is better than those before.
func (f *fitted) showBetter(to io.Writer, s *settings, p search.Progress) {
	m, err := f.modelOf(s, p.Rules, p.Default, rulelist.Meta{Status: parallel.Interrupted, Objective: p.Exact})
	if err != nil {
		return // it is shown at the end, or the error is
	}
	_, _ = fmt.Fprintf(to, "\n%s\n", m.Text(helpWidth))
}

// adviseAfter is how long a search may take before a person is told what would
// make it shorter.
const adviseAfter = 10 * time.Second

// slowness says what would end the search sooner, with the figures of this one.
func (f *fitted) slowness(s *settings, p search.Progress) string {
	lambda := s.search.Lambda
	lambda.Num *= 2
	var ways []string
	if lambda.Within() && s.resume == "" {
		ways = append(ways, fmt.Sprintf("a larger --lambda (%s instead of %s)", reduced(lambda), s.search.Lambda))
	}
	single := 0
	for _, a := range f.set.Antecedents {
		if len(a.Literals) == 1 {
			single++
		}
	}
	if n := len(f.set.Antecedents); single < n && s.resume == "" {
		ways = append(ways, fmt.Sprintf("--max-card 1 (%s instead of %s)", wording.Thousands(int64(single)), wording.Count(int64(n), "antecedent")))
	}
	text := fmt.Sprintf("no proof after %s, gap %s", seconds(p.Elapsed), percentage(p.Gap))
	if len(ways) > 0 {
		text += ": faster with " + strings.Join(ways, " or ")
	}
	if s.search.Time == 0 {
		text += "; --time 5m, or Ctrl-C, ends with the best list so far"
	}
	return text
}
