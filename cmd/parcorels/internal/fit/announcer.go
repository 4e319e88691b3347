package fit

import (
	"fmt"
	"math"
	"sync"
	"time"

	"parcorels/family"
	"parcorels/internal/wording"
	"parcorels/model"
)

// tellAfter is how long a search may take before what is searched is told: by then
// it has found its options good.
const tellAfter = time.Second

// tellWait is how long the search's messages wait for those on stdout.
const tellWait = 100 * time.Millisecond

// adviseAfter is how long a search may take before a person is told what would
// make it shorter.
const adviseAfter = 10 * time.Second

// announcer tells people of a search while it runs: on stdout how the table was read,
// and once on stderr what would end the search sooner, whether or not there are
// lines of progress. Nobody may be reading stdout: the search, its limits and its
// checkpoints go on meanwhile.
type announcer struct {
	f      *Run
	Aloud  bool // stdout is for people
	advise bool // so is stderr

	mutex  sync.Mutex
	told   chan error // how printing the head went; nil before
	state  string     // of the search at the latest look: "gap 3.1%"
	timers []*time.Timer
}

func newAnnouncer(f *Run) *announcer {
	return &announcer{
		f: f, Aloud: !f.Quiet && f.JSON != "-" && f.Output.ModelFile != "-",
		advise: !f.Quiet && f.Progress != "never",
	}
}

// begin starts the clock of a search that has run for some time; only its first
// call counts. It is called from one goroutine.
func (t *announcer) begin(ran time.Duration) {
	if t.timers != nil || !t.Aloud && !t.advise {
		return
	}
	t.timers = append(t.timers, time.AfterFunc(tellAfter-ran, t.tell))
	if t.advise && t.f.Limits == nil {
		t.timers = append(t.timers, time.AfterFunc(adviseAfter-ran, func() {
			t.tell() // before
			t.f.Note("%s", t.advice(max(ran, adviseAfter)))
		}))
	}
}

// saw keeps the state of the search at a look.
func (t *announcer) saw(e family.Event) {
	state := "gap " + wording.Percentage(e.Gap)
	switch {
	case e.Family == model.RuleSet:
		state = fmt.Sprintf("%d of %d steps so far solved exactly", e.Step, e.Steps)
	case math.IsInf(e.Bound, 1):
		state = fmt.Sprintf("%d of %s ended", e.Step, wording.Count(int64(e.Steps), "chain"))
	case e.Family == model.BayesianRuleList:
		state = fmt.Sprintf("gap %.4f nats", e.Gap)
	}
	t.mutex.Lock()
	t.state = state
	t.mutex.Unlock()
}

// end stops the clock.
func (t *announcer) end() {
	for _, timer := range t.timers {
		timer.Stop()
	}
}

// tell begins to print, once, what is searched.
func (t *announcer) tell() {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if !t.Aloud || t.told != nil {
		return
	}
	t.told = make(chan error, 1)
	text, shown := t.f.Head()+"\n", make(chan struct{})
	go func() {
		t.told <- t.f.Print(text)
		close(shown)
	}()
	select { // what follows stands below it, where somebody reads
	case <-shown:
	case <-time.After(tellWait):
	}
}

// wasTold waits until that is printed.
func (t *announcer) wasTold() error {
	t.tell()
	if t.told == nil {
		return nil
	}
	return <-t.told
}

// advice says what would end the search sooner, with figures of this one.
func (t *announcer) advice(took time.Duration) string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return t.f.Advice(took, t.state, t.f.Resume != "", t.f.Client != nil)
}
