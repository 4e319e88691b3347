package fleet

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"parcorels/fleet/ledger"
	"parcorels/instance"
	"parcorels/parallel"
	"parcorels/rulelist/blocks"
	"parcorels/rulelist/search"
)

// Coordinator folds the log of a job into a ledger, puts open blocks into the queue, and says
// when the job is over. It may end at any moment: the next one folds the log again.
type Coordinator struct {
	Options

	link   *link
	queue  jetstream.Stream
	events jetstream.Stream
	job    job
	ready  *blocks.Ready

	deletes errgroup.Group // of objects that nobody needs any more; one beyond mostDeletes stays
	linger  time.Duration  // for workers that a run before has left without a word

	mu      sync.Mutex
	ledger  *ledger.Ledger
	seen    uint64 // sequence of the log that was folded
	workers map[string]*member
	list    blocks.List
	split   time.Time
	over    chan struct{} // is sent to when no block is open
	began   time.Time
}

// member is a worker as the coordinator knows it.
type member struct {
	workerStatus
	told   time.Time
	hungry time.Time
	asked  time.Time // for a part of its block; zero: it has given one since
}

// Look is a look at a running job.
type Look struct {
	Seconds  float64        `json:"seconds"`
	Blocks   int            `json:"blocks"` // open
	Done     int            `json:"done"`
	Expanded int64          `json:"expanded"`
	Open     int64          `json:"open"` // prefixes, as far as known
	List     []int          `json:"list"`
	Best     int64          `json:"best"`
	Bound    int64          `json:"bound"`
	Scale    int64          `json:"scale"`
	Refused  map[string]int `json:"refused,omitempty"`
	Workers  []workerStatus `json:"workers"`
}

const (
	overDone    = "the job is done"
	overStopped = "the job was stopped: it can be resumed"

	silent    = 10 * time.Second // after which a worker is not counted on
	reconnect = 5 * time.Second  // in which a worker tries to connect several times, once what it asked last is given up
)

// ErrOtherJob reports a server that holds another job.
var ErrOtherJob = errors.New("the server holds another job: choose another folder")

// Open makes the streams of a job, or finds them, and folds its log. The problem was made ready
// with the options given.
func (c *Coordinator) Open(ctx context.Context, nc *nats.Conn, in *instance.Instance, o search.Options, ready *blocks.Ready) error {
	c.Disk, c.Pace = cmp.Or(max(c.Disk, 0), 16<<30), c.Pace.defaults()
	c.ready, c.workers, c.began = ready, map[string]*member{}, time.Now()
	c.over = make(chan struct{}, 1)
	c.deletes.SetLimit(mostDeletes)
	c.ledger = ledger.New(c.check)
	var err error
	if c.link, err = newLink(nc); err != nil {
		return err
	}
	var packed []byte
	if c.job, packed, err = jobOf(in, o); err != nil {
		return err
	}
	c.job.Pace, c.list = c.Pace, ready.Best()
	c.ledger.Add(ledger.Root)
	for began := time.Now(); ; pause(ctx, time.Second) {
		if err = c.streams(ctx); err == nil {
			err = c.keepJob(ctx, packed)
		}
		if err == nil {
			err = c.fold(ctx)
		}
		if !passing(err) || ctx.Err() != nil || time.Since(began) > time.Minute {
			c.ledger.Drop = c.drop
			return err
		}
		c.Say.line("%v: trying again", err)
	}
}

// passing reports whether an error may be gone soon: that of a disk that is full, or a server that is not ready.
func passing(err error) bool {
	var refused *jetstream.APIError
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrNoResponders) ||
		errors.As(err, &refused) && refused.Code == 503
}

// streams makes what the server keeps. Files that are there stay.
func (c *Coordinator) streams(ctx context.Context) error {
	var err error
	if c.queue, err = c.link.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: workStream, Subjects: []string{workSubject + ">"}, Retention: jetstream.WorkQueuePolicy,
		MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, MaxMsgs: 1 << 20,
	}); err != nil {
		return err
	}
	if _, err = c.link.js.CreateOrUpdateConsumer(ctx, workStream, jetstream.ConsumerConfig{
		Durable: consumer, AckPolicy: jetstream.AckExplicitPolicy, AckWait: c.Pace.AckWait, MaxDeliver: -1, MaxAckPending: -1,
	}); err != nil {
		return err
	}
	if s, err := c.link.js.Stream(ctx, eventStream); err == nil && s.CachedInfo().Config.Description != overDone {
		c.linger = requestWait + reconnect
	}
	if c.events, err = c.log(ctx, ""); err != nil {
		return err
	}
	c.link.objects, err = c.link.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: objectBucket, MaxBytes: c.Disk})
	return err
}

// log makes the log. Its description tells who has not heard it that the job is over.
func (c *Coordinator) log(ctx context.Context, over string) (jetstream.Stream, error) {
	return c.link.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: eventStream, Description: over, Subjects: []string{eventSubject + ">"}, MaxBytes: max(c.Disk/16, 1<<20),
		Discard: jetstream.DiscardNew, Duplicates: 2 * time.Minute,
	})
}

// keepJob stores the job, or compares it with the one that is there.
func (c *Coordinator) keepJob(ctx context.Context, packed []byte) error {
	b, err := c.link.objects.GetBytes(ctx, "job")
	switch {
	case errors.Is(err, jetstream.ErrObjectNotFound):
		if _, err := c.link.put(ctx, c.job.Instance.Name, packed); err != nil {
			return err
		}
		if b, err = json.Marshal(c.job); err != nil {
			return err
		}
		_, err = c.link.objects.PutBytes(ctx, "job", b)
		return err
	case err != nil:
		return err
	}
	var before job
	if json.Unmarshal(b, &before) != nil || before.Digest != c.job.Digest {
		return ErrOtherJob
	}
	return nil
}

// check is what the ledger asks of an event: its list is evaluated here.
func (c *Coordinator) check(e *ledger.Event) error {
	l, err := c.ready.Evaluate(e.List)
	if err == nil && l.Objective != e.Objective {
		err = fmt.Errorf("the list has objective %d, not %d", l.Objective, e.Objective)
	}
	return err
}

// fold reads the log to its present end.
func (c *Coordinator) fold(ctx context.Context) error {
	for {
		c.mu.Lock()
		next := c.seen + 1
		c.mu.Unlock()
		msg, err := c.events.GetMsg(ctx, next, jetstream.WithGetMsgSubject(eventSubject+">"))
		switch {
		case errors.Is(err, jetstream.ErrMsgNotFound):
			return nil
		case err != nil:
			return err
		}
		c.apply(msg)
	}
}

// apply folds the next message of the log.
func (c *Coordinator) apply(msg *jetstream.RawStreamMsg) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if msg.Sequence <= c.seen {
		return
	}
	c.seen = msg.Sequence
	var e ledger.Event
	if json.Unmarshal(msg.Data, &e) != nil || eventSubject+e.Block != msg.Subject {
		c.ledger.Refused["?"]++
		return
	}
	switch err := c.ledger.Apply(c.seen, &e); {
	case errors.Is(err, ledger.ErrFalse) || errors.Is(err, ledger.ErrUnknown):
		c.Say.line("refused what %s says of block %s: %v", e.Worker, e.Block, err)
	case err == nil:
		if w := c.workers[e.Worker]; w != nil {
			w.asked = time.Time{}
		}
		c.take(e.List)
		for i := range e.Parts {
			go c.enqueue(e.Parts[i].Block)
		}
		if c.ledger.Over() {
			c.over <- struct{}{} // once: later events do not count
		}
	}
}

// drop deletes what nobody needs any more, if it can: the store is bounded, and a block that is
// saved every minute would fill it. Pieces of proofs stay. The lock is held.
func (c *Coordinator) drop(object string) {
	if strings.HasPrefix(object, blockPrefix) {
		c.deletes.TryGo(func() error {
			ctx, cancel := context.WithTimeout(context.Background(), requestWait)
			defer cancel()
			_ = c.link.objects.Delete(ctx, object)
			return nil
		})
	}
}

// take keeps a list if it is the smallest. The lock is held.
func (c *Coordinator) take(list []int) {
	if l, err := c.ready.Evaluate(list); err == nil && l.Smaller(c.list) {
		c.list = l
		_ = c.ready.Offer(l.Antecedents)
		c.link.tell("news", news{List: l.Antecedents})
	}
}

// enqueue puts the name of a block into the queue, where it is once at most.
func (c *Coordinator) enqueue(block string) {
	ctx, cancel := context.WithTimeout(context.Background(), requestWait)
	defer cancel()
	_, _ = c.link.js.Publish(ctx, workSubject+block, []byte(block)) // supply tries again
}

// Run answers workers until no block is open or ctx is done. It reports whether the job is done.
func (c *Coordinator) Run(ctx context.Context) (done bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for to, f := range map[string]nats.MsgHandler{
		"job": c.onJob, "block": hear(c.onBlock), "status.*": hear(c.onStatus), "offer": hear(c.onOffer),
	} {
		s, err := c.link.nc.Subscribe(subject+to, f)
		if err != nil {
			return false, err
		}
		defer func() { _ = s.Unsubscribe() }()
	}
	var beside sync.WaitGroup
	defer func() { _ = c.deletes.Wait() }()
	defer beside.Wait()
	defer cancel()
	// what cannot be read now is read later
	beside.Go(func() { every(ctx, 25*time.Millisecond, func() { _ = c.fold(ctx); c.divide(time.Now()) }) })
	beside.Go(func() { c.supply(ctx) })
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		l := c.look()
		c.link.tell("news", news{List: l.List})
		if c.Look != nil {
			c.Look(l)
		}
		select {
		case <-tick.C:
			continue
		case <-c.over:
			c.end(overDone)
			return true, nil
		case <-ctx.Done():
			c.end(overStopped)
			return false, nil
		}
	}
}

// supply puts each open block into the queue that is not there: an empty queue proves nothing. A
// block that is there, while somebody is hungry and nobody says that he has it, is put anew after
// some time: a queue may forget to hand it out, and a worker may keep it and do nothing.
func (c *Coordinator) supply(ctx context.Context) {
	since := map[string]time.Time{}
	for ctx.Err() == nil {
		again := time.Second
		within, cancel := context.WithTimeout(ctx, 2*time.Second)
		info, err := c.queue.Info(within, jetstream.WithSubjectFilter(workSubject+">"))
		cancel()
		if err == nil {
			again = 5 * time.Second
			for _, name := range c.missing(info.State.Subjects, since) {
				_ = c.queue.Purge(ctx, jetstream.WithPurgeSubject(workSubject+name))
				c.enqueue(name)
			}
		}
		pause(ctx, again)
	}
}

// missing returns the open blocks that are to be put into the queue, which has these subjects.
// It keeps since when others wait for nothing.
func (c *Coordinator) missing(queued map[string]uint64, since map[string]time.Time) (names []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now, hungry, held := time.Now(), false, map[string]bool{}
	for _, w := range c.workers {
		hungry = hungry || now.Sub(w.hungry) < time.Second
		held[w.Block] = held[w.Block] || now.Sub(w.told) < silent
	}
	c.ledger.Open(func(b *ledger.Block) {
		if queued[workSubject+b.Name] > 0 && (!hungry || held[b.Name]) {
			delete(since, b.Name)
			return
		}
		first, waits := since[b.Name]
		if !waits {
			since[b.Name] = now
		}
		if queued[workSubject+b.Name] == 0 || waits && now.Sub(first) > 2*c.Pace.AckWait {
			delete(since, b.Name)
			names = append(names, b.Name)
		}
	})
	return names
}

func respond(m *nats.Msg, what any) {
	if b, err := json.Marshal(what); err == nil {
		_ = m.Respond(b)
	}
}

func (c *Coordinator) onJob(m *nats.Msg) {
	var v string
	if json.Unmarshal(m.Data, &v) == nil && v != c.job.Version {
		c.Say.line("a worker of version %q was refused: this is %q", v[:min(len(v), 60)], c.job.Version)
	}
	respond(m, c.job)
}

func (c *Coordinator) onBlock(m *nats.Msg, name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	answer := ledger.Block{Done: true}
	if b := c.ledger.Blocks[name]; b != nil {
		answer = *b
		answer.Pieces = nil
	}
	respond(m, answer)
}

// member returns what is known of a worker, which may be new. The lock is held.
func (c *Coordinator) member(name string) *member {
	m := c.workers[name]
	if m == nil {
		if len(c.workers) >= mostWorkers {
			maps.DeleteFunc(c.workers, func(_ string, m *member) bool { return time.Since(m.told) > silent })
		}
		m = &member{workerStatus: workerStatus{Worker: name}}
		if len(c.workers) < mostWorkers {
			c.workers[name] = m
		}
	}
	return m
}

const mostWorkers = 4096

// mostDeletes is how many objects are deleted at a time.
const mostDeletes = 64

// onStatus notes what a worker says of itself. A name is that of the subject, and a block one
// that is open: so the worst that a false status does is that somebody is asked for nothing.
func (c *Coordinator) onStatus(m *nats.Msg, s workerStatus) {
	if m.Subject != subject+"status."+s.Worker || max(len(s.Worker), len(s.Host)) > mostName {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if b := c.ledger.Blocks[s.Block]; s.Block != "" && b == nil {
		return
	}
	w := c.member(s.Worker)
	w.workerStatus, w.told, w.hungry = s, time.Now(), time.Time{}
	switch {
	case s.Left:
		w.told = time.Time{}
	case s.Block == "":
		w.hungry = w.told
	}
}

// mostName bounds the names of workers and hosts.
const mostName = 255

func (c *Coordinator) onOffer(_ *nats.Msg, list []int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.take(list)
}

// mostParts is how many parts one worker gives away at once, if others can give as well.
const mostParts = 16

// divide asks the workers with most open prefixes to give parts away, for all that are hungry, if
// nothing waits in the queue. Who was asked and has given nothing is not asked again at once.
func (c *Coordinator) divide(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	after := c.Pace.among(len(c.workers))
	if now.Sub(c.split) < after/2 {
		return
	}
	hungry, busy := 0, 0
	var givers []*member
	for _, w := range c.workers {
		switch {
		case now.Sub(w.told) > silent:
		case now.Sub(w.hungry) < time.Second:
			hungry++
		case w.Block != "":
			busy++
			if w.Seconds+now.Sub(w.told).Seconds() >= after.Seconds() && now.Sub(w.asked) > silent &&
				w.Open >= 2*c.Pace.least(w.workerStatus) {
				givers = append(givers, w)
			}
		}
	}
	if c.ledger.OpenBlocks() > busy || len(givers) == 0 {
		return // something waits, or nothing is worth it
	}
	slices.SortFunc(givers, func(a, b *member) int { return cmp.Compare(b.Open, a.Open) })
	each := max(mostParts, (hungry+len(givers)-1)/len(givers))
	c.split = now
	for _, w := range givers {
		if hungry <= 0 {
			return
		}
		w.asked = now
		c.link.tell("split."+w.Worker, min(hungry, each))
		hungry -= each
	}
}

// look says how far the job is.
func (c *Coordinator) look() Look {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := Look{
		Seconds: time.Since(c.began).Seconds(), Blocks: c.ledger.OpenBlocks(), Done: len(c.ledger.Blocks) - c.ledger.OpenBlocks(),
		List: c.list.Antecedents, Best: c.list.Objective, Bound: c.list.Objective,
		Refused: maps.Clone(c.ledger.Refused),
	}
	live := map[string]*member{}
	for _, w := range c.workers {
		if time.Since(w.told) > silent {
			continue
		}
		l.Workers = append(l.Workers, w.workerStatus)
		if w.Block != "" {
			live[w.Block] = w
		}
	}
	slices.SortFunc(l.Workers, func(a, b workerStatus) int { return cmp.Compare(a.Worker, b.Worker) })
	for _, b := range c.ledger.Blocks {
		l.Expanded += b.Expanded
		if b.Done {
			continue
		}
		bound := b.Bound
		if w := live[b.Name]; w != nil {
			l.Expanded += max(0, w.Expanded-b.Expanded)
			bound = max(bound, w.Bound)
			l.Open += w.Open
		} else {
			l.Open += int64(b.Prefixes)
		}
		l.Bound = min(l.Bound, bound)
	}
	r := c.ready.Result(parallel.Unknown, l.Bound)
	l.Bound, l.Scale = r.LowerBound, r.Scale
	return l
}

// end tells all workers that the job is over, and waits until those that can still say
// something have left.
func (c *Coordinator) end(why string) {
	deadline := time.Now().Add(15 * time.Second)
	if why == overDone { // what is stopped goes on
		deadline = time.Now().Add(max(reconnect, c.linger))
		within, cancel := context.WithDeadline(context.Background(), deadline)
		_, _ = c.log(within, why) // else workers wait for the next run, which ends at once
		cancel()
	}
	for here, wait := true, 10*time.Millisecond; here && time.Now().Before(deadline); wait = min(2*wait, 200*time.Millisecond) {
		c.link.tell("news", news{List: c.look().List, Over: why})
		_ = c.link.nc.FlushTimeout(time.Second)
		time.Sleep(wait)
		here = why == overDone && time.Since(c.began) < c.linger
		c.mu.Lock()
		for _, w := range c.workers {
			here = here || time.Since(w.told) < 2*time.Second
		}
		c.mu.Unlock()
	}
	within, cancel := context.WithTimeout(context.Background(), requestWait)
	defer cancel()
	_ = c.fold(within) // what they have said last
}

// Result returns what was found: optimal if the job is done.
func (c *Coordinator) Result(done bool) search.Result {
	l := c.look()
	status := parallel.Interrupted
	if done {
		status = parallel.Optimal
		_ = c.ready.Offer(c.ledger.List)
	}
	r := c.ready.Result(status, l.Bound)
	r.Stats.Expanded = l.Expanded
	r.Stats.Search = time.Since(c.began)
	return r
}

// WriteProof writes the proof of the result, to where the options say that the problem was made
// ready with.
func (c *Coordinator) WriteProof(ctx context.Context, r *search.Result) error {
	var rest []ledger.Piece
	c.mu.Lock()
	for _, b := range c.ledger.Blocks {
		rest = append(rest, b.Pieces...)
	}
	c.mu.Unlock()
	return c.ready.WriteProof(r, func() (*blocks.Piece, error) {
		if len(rest) == 0 {
			return nil, nil
		}
		p := rest[0]
		rest = rest[1:]
		b, err := c.link.get(ctx, &p.Object)
		if err != nil {
			return nil, err
		}
		return &blocks.Piece{From: bytes.NewReader(b), Records: p.Records}, nil
	})
}
