package fleet

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"parcorels"
	"parcorels/fleet/ledger"
	"parcorels/instance"
	"parcorels/parallel"
	"parcorels/rulelist/search"
)

// Tasks are searches that need not know of each other, as those of a cross-validation. Each is a
// block that one worker searches from its beginning to its end. Its name is the digest of what
// is searched, but not of the time for it, which is often what is left of some limit, and never the
// same twice. So what the log has of an earlier run is not searched again, unless it has no proof
// and there is more time now: then the name has one more "+".

// task is a search that somebody waits for.
type task struct {
	job    *job
	in     *instance.Instance
	o      search.Options
	result search.Result
	limit  time.Duration // that ended it without a proof; 0: none did
	done   chan struct{}
}

// serves reports whether the result is good for a search with a limit of time. One that is a tenth
// longer would hardly change it.
func (t *task) serves(limit time.Duration) bool {
	return t.limit == 0 || limit > 0 && t.limit >= limit-limit/10
}

// entry is an event with its sequence.
type entry struct {
	sequence uint64
	event    *ledger.Event
}

// Tasks calls use with a solver that leaves each search to a worker. It may be called from many
// goroutines. Until use returns, workers may come and go as with a search in blocks.
func Tasks(ctx context.Context, fo Options, use func(context.Context, parcorels.Solver)) error {
	url, creds, stop, err := fo.server()
	if err != nil {
		return err
	}
	defer stop()
	nc, err := Connect(ctx, url, creds, coordinatorName, forever, fo.Say)
	if err != nil {
		return err
	}
	defer nc.Close()
	c := fo.coordinator()
	c.tasks, c.early = map[string]*task{}, map[string][]entry{}
	if err := c.Open(ctx, nc, nil, search.Options{}, nil); err != nil {
		return err
	}
	if fo.Ready != nil {
		fo.Ready(url)
	}
	leave, err := fo.work(ctx, c, url, creds, &Worker{Workers: fo.Workers})
	if err != nil {
		return err
	}
	running, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() {
		defer cancel() // who waits for a task need not
		_, err := c.Run(ctx)
		ended <- err
	}()
	use(running, c.task)
	c.mu.Lock()
	shut(c.over)
	c.mu.Unlock()
	return errors.Join(<-ended, leave())
}

// task leaves a search to a worker, and evaluates the list that it finds.
func (c *Coordinator) task(ctx context.Context, in *instance.Instance, o search.Options) (search.Result, error) {
	if o.Proof != nil || o.Checkpoint != nil {
		return search.Solve(ctx, in, o) // both are files of this machine
	}
	j, packed, err := jobOf(in, o)
	if err != nil {
		return search.Result{}, err
	}
	j.Time = 0
	text, err := json.Marshal(j)
	if err != nil {
		return search.Result{}, err
	}
	sum := sha256.Sum256(text)
	name := hex.EncodeToString(sum[:16])
	j.Time = o.Time
	j.Instance.Name += "-" + j.Instance.Digest
	c.keepInstance(ctx, &j, packed)
	for ; len(name) <= ledger.MaxName; name += "+" {
		t := c.add(name, &task{job: &j, in: in, o: o, done: make(chan struct{})})
		select {
		case <-t.done:
		default:
			go c.enqueue(name)
		}
		select {
		case <-t.done:
			if t.serves(o.Time) {
				return t.result, nil
			}
		case <-ctx.Done():
			return search.Solve(ctx, in, o) // interrupted
		}
	}
	return search.Solve(ctx, in, o)
}

// keepInstance stores an instance, which folds and prices share, unless it is there. It tries until
// it can, and says once that it cannot.
func (c *Coordinator) keepInstance(ctx context.Context, j *job, packed []byte) {
	for wait := time.Second; ctx.Err() == nil; wait = min(2*wait, 30*time.Second) {
		within, cancel := context.WithTimeout(ctx, requestWait)
		_, err := c.link.objects.GetInfo(within, j.Instance.Name)
		cancel()
		if errors.Is(err, jetstream.ErrObjectNotFound) {
			_, err = c.link.put(ctx, j.Instance.Name, packed)
		}
		if before := c.full.Swap(err != nil); err == nil {
			return
		} else if !before {
			c.say("a search cannot be stored (%v): it waits for the server, and for room there (--disk)", err)
		}
		pause(ctx, wait)
	}
}

// add makes a task known, with what the log has of it already.
func (c *Coordinator) add(name string, t *task) *task {
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := c.tasks[name]; known != nil {
		return known
	}
	c.tasks[name] = t
	c.ledger.Add(name)
	for _, e := range c.early[name] {
		c.count(e.sequence, e.event)
	}
	delete(c.early, name)
	return t
}

// checkTask is what the ledger asks of an event about a task. The lock is held.
func (c *Coordinator) checkTask(e *ledger.Event) error {
	t := c.tasks[e.Block]
	r, err := search.Claimed(t.in, t.o, e.List, e.Bound)
	switch {
	case err != nil:
		return err
	case !e.Done || r.Objective != e.Objective:
		return fmt.Errorf("a task ends with a list of objective %d, not %d", r.Objective, e.Objective)
	}
	if json.Unmarshal(e.Stats, &r.Stats) != nil { // nothing depends on them, and numbers print as such
		r.Stats = search.Stats{}
	}
	r.Stats.Expanded, r.Stats.Kernel = e.Expanded, ""
	t.result, t.limit = r, e.Limit
	close(t.done)
	return nil
}

// task searches a task to its end.
func (r *blockRun) task(ctx context.Context, j *job) (finished bool, err error) {
	b, err := r.w.link.get(ctx, &j.Instance)
	if err != nil {
		return false, err
	}
	in, err := decodeInstance(b)
	if err != nil {
		return false, err
	}
	o, err := j.options(r.w.Workers, r.w.Memory)
	if err != nil {
		return false, err
	}
	r.w.set(func(s *workerStatus) { s.Block = r.name })
	result, err := search.Solve(ctx, in, o)
	if err == nil && result.Status == parallel.MemoryLimit {
		err = errMemory
	}
	if err != nil || ctx.Err() != nil {
		return false, err
	}
	stats, err := json.Marshal(result.Stats)
	if err != nil {
		return false, err
	}
	list := []int{}
	for _, rule := range result.Rules {
		list = append(list, rule.Antecedent)
	}
	e := &ledger.Event{
		ID: nuid.Next(), Block: r.name, Base: r.version, Worker: r.w.Name, Done: true,
		List: list, Objective: result.Objective, Bound: result.LowerBound, Expanded: result.Stats.Expanded, Stats: stats,
	}
	if result.Status == parallel.TimeLimit {
		e.Limit = j.Time
	}
	return true, r.publish(e)
}
