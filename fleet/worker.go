package fleet

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"parcorels/fleet/ledger"
	"parcorels/parallel"
	"parcorels/rulelist/blocks"
	"parcorels/rulelist/search"
)

// Worker searches blocks of one job until it is over.
type Worker struct {
	Name    string // "": of the host and the process
	Workers int    // goroutines; 0: all that GOMAXPROCS allows
	Memory  int64  // bytes of a search; 0: no limit
	Say     Say

	link  *link
	queue jetstream.Consumer
	job   job
	ready *blocks.Ready

	heard   atomic.Int64 // when the coordinator was heard last, in nanoseconds
	hungry  atomic.Int64 // workers that wait for a part of the block at hand
	reason  atomic.Pointer[string]
	over    context.CancelFunc
	offered blocks.List

	mu     sync.Mutex
	status workerStatus
}

// Errors that end a worker.
var ErrVersion = errors.New("another version of the program")
var ErrAway = errors.New("the server is away")
var errMemory = errors.New("not enough memory for the search")

func (w *Worker) defaults() {
	host, _ := os.Hostname()
	w.Name = cmp.Or(w.Name, fmt.Sprintf("%s-%d-%s", subjectToken(host), os.Getpid(), nuid.Next()[18:]))
	w.status.Worker, w.status.Host, w.status.Workers = w.Name, host, w.Workers
}

// subjectToken leaves what a subject may have.
func subjectToken(s string) string {
	return strings.Map(func(c rune) rune {
		if c <= ' ' || c >= 127 || strings.ContainsRune(".*>", c) {
			return '-'
		}
		return c
	}, s)
}

// Run works until the job is over or ctx is done, and returns why it ended: nil or an error. A
// lost connection is waited for.
func (w *Worker) Run(outer context.Context, nc *nats.Conn) (err error) {
	if w.link, err = newLink(nc); err != nil {
		return err
	}
	w.defaults()
	w.link.say = w.Say
	w.heard.Store(time.Now().UnixNano())
	ctx, cancel := context.WithCancel(outer)
	defer cancel()
	w.over = cancel
	if _, err = nc.Subscribe(subject+"news", hear(w.onOver)); err != nil { // before it joins: the job may be over while it prepares
		return err
	}
	if err = w.join(ctx); err == nil {
		err = w.work(ctx)
		w.set(func(s *workerStatus) { s.Left = true })
		w.link.tell("status."+w.Name, w.look())
	}
	switch r := w.reason.Load(); {
	case r != nil:
		w.Say.line("%s", *r)
		return nil
	case err != nil || outer.Err() == nil:
		return cmp.Or(err, ErrAway)
	}
	return outer.Err()
}

// join makes the problem of the job ready. It waits for a job that is not there yet, and for a
// server that is away.
func (w *Worker) join(ctx context.Context) error {
	packed, err := w.meet(ctx)
	for tries := 1; err != nil; packed, err = w.meet(ctx) {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, ErrVersion) || errors.Is(err, ErrDigest):
			return err
		case w.link.nc.IsClosed():
			return ErrAway
		case tries == 20: // one that begins is soon there
			w.Say.line("the job cannot be reached yet (%v): waiting for it", err)
		}
		tries++
		w.missed(ctx)
		pause(ctx, 50*time.Millisecond)
	}
	if w.ready != nil {
		return nil
	}
	in, err := decodeInstance(packed)
	if err != nil {
		return err
	}
	w.Say.line("preparing: %d antecedents, %d points", in.Antecedents, in.Points)
	w.ready, err = blocks.Prepare(ctx, in, w.job.options(w.Workers, w.Memory))
	return err
}

// meet asks for the job, and returns its instance, unless this process coordinates and has it.
func (w *Worker) meet(ctx context.Context) (packed []byte, err error) {
	if err := w.link.ask(ctx, "job", Version(), &w.job); err != nil {
		return nil, err
	}
	if w.job.Version != Version() {
		return nil, fmt.Errorf("%w: the job is of version %q, this is %q", ErrVersion, w.job.Version, Version())
	}
	if err := w.link.bind(ctx); err != nil || w.ready != nil {
		return nil, err
	}
	if packed, err = w.link.get(ctx, &w.job.Instance); err != nil {
		return nil, fmt.Errorf("the instance: %w", err)
	}
	return packed, nil
}

// work takes blocks from the queue.
func (w *Worker) work(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for to, f := range map[string]nats.MsgHandler{"news": hear(w.onNews), "split." + w.Name: hear(w.onSplit)} {
		s, err := w.link.nc.Subscribe(subject+to, f)
		if err != nil {
			return err
		}
		defer func() { _ = s.Unsubscribe() }()
	}
	var beside sync.WaitGroup
	beside.Go(func() { w.beat(ctx) })
	defer beside.Wait()
	defer cancel()
	w.link.nc.SetClosedHandler(func(*nats.Conn) { cancel() }) // for good: whatever is found, nobody hears it
	for ctx.Err() == nil && !w.link.nc.IsClosed() {
		if err := w.next(ctx); err != nil && ctx.Err() == nil {
			if w.link.nc.IsConnected() { // else the loss was told, and nothing new is known
				w.Say.line("%v: trying again", err)
			}
			pause(ctx, time.Second)
		}
	}
	return nil
}

// lastWords is how long a worker that is to end tries to say what is left of its block.
const lastWords = 15 * time.Second

// keep returns a context for what is to be kept though ctx is done: it ends some time later, or at
// once if nobody hears or needs it any more. Without that a server that is gone would be waited for
// for ever.
func (w *Worker) keep(ctx context.Context) (context.Context, context.CancelFunc) {
	kept, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		if r := w.reason.Load(); r != nil && *r == overDone || w.link.nc.IsClosed() {
			cancel()
		}
		time.AfterFunc(lastWords, cancel)
	})
	return kept, func() { stop(); cancel() }
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// every calls f again and again until ctx is done.
func every(ctx context.Context, d time.Duration, f func()) {
	for pause(ctx, d); ctx.Err() == nil; pause(ctx, d) {
		f()
	}
}

// onNews takes the smallest list.
func (w *Worker) onNews(_ *nats.Msg, n news) {
	if w.ready != nil {
		_ = w.ready.Offer(n.List) // who says what is no list is not listened to
	}
	w.heard.Store(time.Now().UnixNano())
}

func (w *Worker) onOver(_ *nats.Msg, n news) {
	if n.Over != "" {
		w.end(n.Over)
	}
}

func (w *Worker) end(why string) {
	w.reason.CompareAndSwap(nil, &why)
	w.over()
}

func (w *Worker) onSplit(_ *nats.Msg, n int64) {
	if n > 0 {
		w.hungry.Store(min(n, ledger.MaxParts))
	}
}

// beat tells how far this worker is, and of lists that it finds.
func (w *Worker) beat(ctx context.Context) {
	n := 0
	every(ctx, 100*time.Millisecond, func() {
		if w.ready != nil {
			if best := w.ready.Best(); best.Smaller(w.offered) || w.offered.Antecedents == nil {
				w.offered = best
				w.link.tell("offer", best.Antecedents)
			}
		}
		if s := w.look(); s.Block == "" || s.Seconds < newBlock || n%10 == 0 { // who is hungry says so more often, and who may give soon
			w.link.tell("status."+w.Name, s)
		}
		n++
	})
}

// missed ends the worker if it has not heard the coordinator for some time, and the server has it
// that the job is over.
func (w *Worker) missed(ctx context.Context) {
	if now := time.Now().UnixNano(); now-w.heard.Load() > int64(silent) {
		w.heard.Store(now)
		within, cancel := context.WithTimeout(ctx, requestWait)
		defer cancel()
		if s, err := w.link.js.Stream(within, eventStream); err == nil && s.CachedInfo().Config.Description == overDone {
			w.end(overDone)
		}
	}
}

// next waits for a block, and searches it.
func (w *Worker) next(ctx context.Context) error {
	w.missed(ctx)
	if w.queue == nil {
		c, err := w.link.js.Consumer(ctx, workStream, consumer)
		if err != nil {
			return err
		}
		w.queue = c
	}
	within, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	batch, err := w.queue.Fetch(1, jetstream.FetchContext(within))
	if err != nil {
		return err
	}
	for msg := range batch.Messages() {
		if err := w.take(ctx, msg); err != nil {
			_ = msg.Nak() // somebody else may have it at once
			return err
		}
	}
	if err := batch.Error(); err != nil && within.Err() == nil && !errors.Is(err, nats.ErrTimeout) &&
		!errors.Is(err, jetstream.ErrNoMessages) {
		return err
	}
	return nil
}

// take searches the block that a message names. An error says that it is to be taken again.
func (w *Worker) take(ctx context.Context, msg jetstream.Msg) error {
	name := string(msg.Data())
	var b ledger.Block
	if err := w.link.ask(ctx, "block", name, &b); err != nil {
		return err
	}
	if b.Done {
		return msg.DoubleAck(ctx)
	}
	holding, done := context.WithCancel(ctx)
	defer done()
	go every(holding, w.job.Pace.AckWait/4, func() { _ = msg.InProgress() }) // the queue gives the block to nobody else
	r := &blockRun{w: w, name: name, version: b.Version, sequence: b.Sequence, began: time.Now(), saved: time.Now(),
		mayGive: time.Now().Add(w.job.Pace.among(2))}
	var kept context.CancelFunc
	r.kept, kept = w.keep(ctx)
	defer kept()
	finished, err := r.search(ctx, &b)
	w.set(func(s *workerStatus) { s.Block, s.Open, s.Seconds = "", 0, 0 })
	defer func() { w.link.tell("status."+w.Name, w.look()) }()
	switch {
	case errors.Is(err, ErrLost):
		return msg.DoubleAck(context.WithoutCancel(ctx)) // who was first has it; else it comes again
	case err != nil:
		return err
	case !finished:
		return msg.Nak()
	}
	return msg.DoubleAck(ctx)
}

func (w *Worker) set(f func(*workerStatus)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f(&w.status)
}

func (w *Worker) look() workerStatus {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.status
}

// blockRun is a search of one block by this worker.
type blockRun struct {
	w        *Worker
	name     string
	version  string // of the block, made by this search or not
	sequence uint64 // of the last event about the block
	began    time.Time
	saved    time.Time
	took     time.Duration // the last save
	mayGive  time.Time
	proof    bytes.Buffer
	records  int64
	before   int64 // expanded, when last told
	failed   error
	kept     context.Context // for what is to be said of the block
	cancel   context.CancelFunc
}

const lookEvery = 100 * time.Millisecond

// search searches the block. It reports whether that came to the end, and the log knows.
func (r *blockRun) search(outer context.Context, b *ledger.Block) (finished bool, err error) {
	block := search.Part{Digest: r.w.job.Digest, Proof: &r.proof, Every: lookEvery}
	if b.Content != nil {
		content, err := r.w.link.get(outer, b.Content)
		if err != nil {
			return false, err
		}
		block.From = bytes.NewReader(content)
	} else { // so early its parts would have much in common
		r.mayGive = r.mayGive.Add(r.w.job.Pace.among(2))
	}
	for i := range b.Given {
		part, err := r.w.link.get(outer, &b.Given[i])
		if err != nil {
			return false, err
		}
		block.Given = append(block.Given, part)
	}
	ctx, cancel := context.WithCancel(outer)
	defer cancel()
	r.cancel = cancel
	r.w.hungry.Store(0)
	r.w.set(func(s *workerStatus) { s.Block = r.name })
	result, err := r.w.ready.Search(ctx, block, r.look)
	switch {
	case err != nil:
		return false, err
	case r.failed != nil:
		return false, r.failed
	case result.ProofErr != nil:
		return false, result.ProofErr
	case result.Status == parallel.MemoryLimit:
		return false, errMemory
	case result.Status != parallel.Optimal:
		return false, nil
	}
	e := r.event(result.Stats.Expanded, result.LowerBound)
	e.Done = true
	// rather than lose what was done
	for err = r.piece(e, result.Stats.ProofRecords); err != nil; err = r.piece(e, result.Stats.ProofRecords) {
		if r.kept.Err() != nil {
			return false, r.kept.Err()
		}
		r.w.Say.line("saving a piece of the proof: %v: trying again", err)
		pause(r.kept, 5*time.Second)
	}
	return true, r.publish(e)
}

// look is called while the workers stand still.
func (r *blockRun) look(x *blocks.Standstill) {
	if r.failed != nil {
		return
	}
	open, expanded := x.Open(), x.Expanded()
	r.w.set(func(s *workerStatus) {
		s.Open, s.Expanded, s.Bound, s.Seconds = open, expanded, x.Bound(), time.Since(r.began).Seconds()
		if r.before > 0 || expanded < s.Total {
			s.Total += expanded - r.before
		}
		r.before = expanded
	})
	hungry, least := int(r.w.hungry.Load()), r.w.job.Pace.least(r.w.look())
	switch {
	case x.Ended && r.w.reason.Load() != nil && *r.w.reason.Load() == overDone:
		return
	case !x.Ended && !r.w.link.nc.IsConnected():
		return // what is not said cannot be half said
	case hungry > 0 && !x.Ended && time.Now().After(r.mayGive) && open >= 2*least:
		r.w.hungry.Store(0)
		began := time.Now()
		r.try(r.give(x, blocks.Shares{Parts: hungry, Least: int(least), Large: largeGift}))
		r.mayGive = time.Now().Add(max(r.w.job.Pace.among(2), time.Since(began)/time.Duration(hungry)))
	case x.Ended || time.Since(r.saved) >= max(r.w.job.Pace.SaveEvery, mostTaken*r.took):
		began := time.Now()
		r.try(r.save(x))
		r.saved = time.Now()
		r.took = r.saved.Sub(began)
	}
}

// mostTaken bounds what saving takes: one part in so many of the time. A block of some
// gigabytes takes longer than SaveEvery.
const mostTaken = 10

// newBlock is for how many seconds a block is new: somebody may wait for a part of it.
const newBlock = 2

// try ends the search if it is not known what became of it.
func (r *blockRun) try(err error) {
	if err != nil {
		r.failed = err
		r.cancel()
	}
}

// save tells the log what is left of the block. The workers stand still, and a search that ends
// has some time for what is to be kept. Data that cannot be stored now are stored the next time.
func (r *blockRun) save(x *blocks.Standstill) error {
	records, err := x.Records()
	if err != nil {
		return err
	}
	kept, err := x.Save()
	if err != nil {
		return err
	}
	e := r.event(x.Expanded(), x.Bound())
	if e.Content, err = r.w.link.put(r.kept, blockPrefix+e.ID, kept.Content); err != nil {
		r.w.Say.line("saving a block: %v", err)
		return nil
	}
	if err := r.piece(e, records); err != nil {
		r.w.Say.line("saving a piece of the proof: %v", err)
		return nil
	}
	// Once it is said, the search must not go on before it is known whether it counts.
	return r.publish(e)
}

// give gives parts of the block away. The rest is not saved by that (rulelist/search,
// part.go).
func (r *blockRun) give(x *blocks.Standstill, shares blocks.Shares) error {
	given, err := x.Split(shares)
	if err != nil || given == nil {
		return err
	}
	e := r.event(x.Expanded(), x.Bound())
	for i, g := range given {
		name := fmt.Sprintf("%s-%d", e.ID, i+1)
		o, err := r.w.link.put(r.kept, blockPrefix+name, g.Content)
		if err != nil {
			r.w.Say.line("giving a part away: %v", err)
			return nil
		}
		e.Parts = append(e.Parts, ledger.Part{Block: name, Content: *o, Prefixes: g.Prefixes})
	}
	if err := r.publish(e); err != nil {
		return err
	}
	x.Give()
	return nil
}

// largeGift is more prefixes than others should wait for.
const largeGift = 4 << 20

// event returns an event about the version at hand.
func (r *blockRun) event(expanded, bound int64) *ledger.Event {
	best := r.w.ready.Best()
	return &ledger.Event{
		ID: nuid.Next(), Block: r.name, Base: r.version, Worker: r.w.Name,
		List: slices.Clone(best.Antecedents), Objective: best.Objective, Bound: min(bound, best.Objective), Expanded: expanded,
	}
}

// piece stores the records that were written since the last event.
func (r *blockRun) piece(e *ledger.Event, records int64) (err error) {
	if r.proof.Len() == 0 {
		return nil
	}
	e.Proof, err = r.w.link.put(r.kept, "proof-"+e.ID, r.proof.Bytes())
	e.Records = records - r.records
	return err
}

// publish adds an event to the log. If it counts, the version is the new one.
func (r *blockRun) publish(e *ledger.Event) error {
	sequence, err := r.w.link.publish(r.kept, e, r.sequence)
	if err != nil {
		return err
	}
	r.sequence, r.version = sequence, e.ID
	r.records += e.Records
	if e.Proof != nil {
		r.proof.Reset()
	}
	return nil
}
