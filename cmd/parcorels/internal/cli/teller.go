package cli

import (
	"fmt"
	"strings"
	"sync"
	"time"
)

// tellAfter is how long a search may take before what is searched is told: by then
// it has found its options good.
const tellAfter = time.Second

// tellWait is how long the search's messages wait for those on stdout.
const tellWait = 100 * time.Millisecond

// adviseAfter is how long a search may take before a person is told what would
// make it shorter.
const adviseAfter = 10 * time.Second

// teller tells people of a search while it runs: on stdout how the table was read,
// and once on stderr what would end the search sooner, whether or not there are
// lines of progress. Nobody may be reading stdout: the search, its limits and its
// checkpoints go on meanwhile.
type teller struct {
	e      *env
	aloud  bool            // stdout is for people
	advise bool            // so is stderr
	what   string          // is being learned: "list"
	head   func() string   // how the table was read
	ways   func() []string // what would end the search sooner; none if nothing is known
	timed  bool            // the search has a time limit
	points int             // distinct points, for the head

	unavoidable int64 // weight that every list gets wrong, of weight; for the head
	weight      int64

	mutex sync.Mutex
	told  chan error // how printing the head went; nil before
	state string     // of the search at the latest look: "gap 3.1%"
	stop  chan struct{}
	ended sync.Once
}

// teller returns what tells of a search, of which head and ways are still to be set.
func (e *env) teller(s *settings, what string) *teller {
	return &teller{
		e: e, what: what, timed: s.search.Time > 0,
		aloud:  !s.quiet && s.json != "-" && s.output != "-",
		advise: !s.quiet && s.progress != "never",
	}
}

// begin starts the clock of a search that has run for some time; only its first
// call counts. It is called from one goroutine.
func (t *teller) begin(ran time.Duration) {
	if t.stop != nil || !t.aloud && !t.advise {
		return
	}
	t.stop = make(chan struct{})
	go func() {
		if t.sleep(tellAfter - ran) {
			t.tell()
		}
		if t.sleep(adviseAfter-max(ran, tellAfter)) && t.advise {
			t.e.note("%s", t.advice(max(ran, adviseAfter)))
		}
	}()
}

// sleep waits, and returns false if the search has ended meanwhile.
func (t *teller) sleep(d time.Duration) bool {
	select {
	case <-t.stop:
		return false
	case <-time.After(max(d, 0)):
		return true
	}
}

// saw keeps the state of the search at a look.
func (t *teller) saw(state string) {
	t.mutex.Lock()
	t.state = state
	t.mutex.Unlock()
}

// end stops the clock; only its first call counts.
func (t *teller) end() {
	if t.stop != nil {
		t.ended.Do(func() { close(t.stop) })
	}
}

// tell begins to print, once, what is searched.
func (t *teller) tell() {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if !t.aloud || t.told != nil {
		return
	}
	t.told = make(chan error, 1)
	text, shown := t.head()+"\n", make(chan struct{})
	go func() {
		t.told <- t.e.print(text)
		close(shown)
	}()
	select { // what follows stands below it, where somebody reads
	case <-shown:
	case <-time.After(tellWait):
	}
}

// wasTold waits until that is printed.
func (t *teller) wasTold() error {
	t.tell()
	if t.told == nil {
		return nil
	}
	return <-t.told
}

// advice says what would end the search sooner, with figures of this one.
func (t *teller) advice(took time.Duration) string {
	t.mutex.Lock()
	state := t.state
	t.mutex.Unlock()
	text := "no proof after " + seconds(took)
	if state != "" {
		text += ", " + state
	}
	if ways := t.ways(); len(ways) > 0 {
		text += ": faster with " + strings.Join(ways, " or ")
	}
	if !t.timed {
		limit := "5m"
		if t.e.client != nil {
			limit = "300" // seconds, in the client's language
		}
		text += fmt.Sprintf("; --time %s, or Ctrl-C, ends with the best %s so far", limit, t.what)
	}
	return text
}
