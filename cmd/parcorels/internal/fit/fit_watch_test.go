package fit

import (
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"parcorels/cmd/internal/console"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/family"
	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/must"
	"parcorels/parallel"
	runs "parcorels/run"
)

// watched returns a fit of a table of three conditions, which is not begun.
func watched(t *testing.T, e *process.Env, out process.Output) *Run {
	t.Helper()
	d := must.Get(family.Table([]string{"a", "b", "y"}, [][]string{{"u", "1", "p"}, {"v", "1", "n"}, {"u", "0", "n"}, {"v", "0", "p"},
		{"u", "1", "p"}}, family.Reading{}))(t)
	l := process.NewLearning()
	l.Options.Lambda, l.Options.Time = "0.01", 0
	p := must.Get(family.NewProblem(t.Context(), d, l.Options))(t)
	return New(e, l, out, runs.Keeping{}, "t.csv", p)
}

// TestAdvice: the advice names what would make this search faster, once.
func TestAdvice(t *testing.T) {
	t.Parallel()
	f := watched(t, &process.Env{Stderr: io.Discard}, process.Output{Quiet: true})
	f.Announcer.saw(family.Event{Progress: parallel.Progress{Elapsed: 12 * time.Second, Gap: 0.24}})
	const want = "no proof after 12.0 s, gap 24.0%: faster with --max-rules 2 or --max-rules 3 or --max-card 1"
	if got := f.Announcer.advice(12 * time.Second); got != want+"; --time 5m, or Ctrl-C, ends with the best list so far" {
		t.Error(got)
	}
	f.Options.Time, f.Limit = process.DefaultTime, process.DefaultTime
	if got := f.Announcer.advice(12 * time.Second); got != want+"; it ends after 60 s with the best list so far, unless --time says "+
		"otherwise" {
		t.Error(got)
	}
	f.Options.Time, f.Limit = time.Minute, 0
	if got := f.Announcer.advice(12 * time.Second); got != want {
		t.Error(got)
	}
	f.Resume = "run.ckpt" // with another λ it would be another search
	if got := f.Announcer.advice(12 * time.Second); got != "no proof after 12.0 s, gap 24.0%" {
		t.Error(got)
	}
	f.Resume, f.Options.MaxRules, f.Options.MaxCard = "", 2, 1
	if got := f.Announcer.advice(12 * time.Second); got != "no proof after 12.0 s, gap 24.0%" {
		t.Error(got)
	}
}

// TestAdviceIsGiven without lines of progress, once, and neither where nothing is to
// be said nor where the search has ended.
func TestAdviceIsGiven(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		progress string
		quiet    bool
		times    int
	}{{"auto", false, 1}, {"always", false, 1}, {"never", false, 0}, {"auto", true, 0}} {
		var out, told locked
		x := watched(t, &process.Env{Stdout: &told, Stderr: &out}, process.Output{Progress: c.progress,
			Quiet: c.quiet}).Announcer
		x.begin(adviseAfter)
		x.begin(adviseAfter)
		if c.times > 0 {
			cases.Until(func() bool { return out.text() != "" })
		}
		x.end()
		if n := strings.Count(out.text(), "no proof after"); n != c.times {
			t.Errorf("%+v: advised %d times: %s", c, n, out.text())
		}
		if err := x.wasTold(); err != nil || strings.HasPrefix(told.text(), "t.csv: 5 samples") == c.quiet {
			t.Errorf("%+v: told %q, %v", c, told.text(), err)
		}
	}
	for c, limit := range map[*process.Client]string{nil: "--time 5m", {}: "--time 300"} { // seconds, as clients count
		x := watched(t, &process.Env{Client: c}, process.Output{}).Announcer
		if text := x.advice(adviseAfter); !x.advise || !strings.Contains(text, limit) {
			t.Errorf("client %v: %v, %s", c, x.advise, text)
		}
	}
	var out locked
	x := watched(t, &process.Env{Stdout: &out, Stderr: &out}, process.Output{}).Announcer
	x.begin(0)
	x.end()
	if out.text() != "" {
		t.Error(out.text())
	}
}

// locked is a buffer for several goroutines.
type locked struct {
	mutex sync.Mutex
	b     strings.Builder
}

func (l *locked) Write(b []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.b.Write(b)
}

func (l *locked) text() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.b.String()
}

// TestListInPlace: on a terminal the best list and the state of the search are shown in one place, and a note above it.
func TestListInPlace(t *testing.T) {
	t.Parallel()
	var out locked
	f := watched(t, &process.Env{Stdout: io.Discard}, process.Output{Progress: "auto"})
	f.Place = console.NewPlace(&out, func() (int, int) { return 100, 30 })
	f.Stderr = f.Place
	f.table = f.ProgressTable(&f.Output)
	for _, list := range []string{"one", "two", ""} {
		e := family.Event{Source: "search"}
		if list != "" {
			e.Best = func() (family.Shown, error) { return shownText(list), nil }
		}
		f.onProgress(e)
	}
	f.Note("a note")
	f.onProgress(family.Event{Progress: parallel.Progress{Final: true}})
	f.Place.Show("")
	parts := strings.Split(out.text(), "\x1b[J")
	if len(parts) != 5 || !strings.Contains(parts[0], "\none\n") || !strings.Contains(parts[1], "\ntwo\n") ||
		strings.Contains(parts[1], "\none\n") || !strings.HasPrefix(parts[3], "parcorels: note: a note\n\nbest so far:\ntwo\n") ||
		parts[4] != "" {
		t.Errorf("shown %q", parts)
	}
}

// shownText is a model that is shown as a text.
type shownText string

func (m shownText) Text(int) string { return string(m) }
