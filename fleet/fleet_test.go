package fleet

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bits-and-blooms/bitset"
	"github.com/nats-io/nats.go"

	"parcorels/fleet/ledger"
	"parcorels/instance"
	"parcorels/internal/testing/given"
	"parcorels/internal/testing/must"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rulelist/search"
)

func TestMain(m *testing.M) {
	flag.Parse()
	_ = flag.Set("test.parallel", "8") // they mostly wait
	os.Exit(m.Run())
}

// noisy is an instance whose search takes a second or so.
func noisy(t *testing.T, columns int, seed uint64) *instance.Instance {
	t.Helper()
	return noisyClasses(t, columns, 2, seed)
}

func noisyClasses(t *testing.T, columns, classes int, seed uint64) *instance.Instance {
	t.Helper()
	const samples = 300
	rng := rand.New(rand.NewPCG(seed, 97))
	labels := make([]uint16, samples)
	all := make([]*bitset.BitSet, columns)
	for c := range all {
		all[c] = bitset.New(samples)
	}
	for i := range uint(samples) {
		z := []float64{rng.Float64(), rng.Float64(), rng.Float64()}
		if (z[0] > .5) != (z[1] > .6 && z[2] > .4) != (rng.IntN(6) == 0) {
			labels[i] = 1
		}
		if classes == 3 && z[2] > .6 && rng.IntN(6) > 0 {
			labels[i] = 2
		}
		for c := range all {
			all[c].SetTo(i, z[c%3]+rng.Float64()/2 > float64(c%16)/11)
		}
	}
	in := must.Get(instance.FromSet(given.ClassSet(all, labels, classes, nil, samples)))(t)
	return in
}

// running is a job in this process.
type running struct {
	t      *testing.T
	in     *instance.Instance
	o      search.Options
	fo     Options
	want   search.Result
	server *Server
	ready  chan struct{}
	result search.Result
	err    error
	done   chan struct{}
	stats  Stats

	mu   sync.Mutex
	said []string
}

// wanted has the results of searches without a fleet, by columns.
var wanted sync.Map

func newRunning(t *testing.T, columns int) *running {
	t.Helper()
	r := &running{t: t, in: noisy(t, columns, 1), o: search.Options{Lambda: ratio.New(9, 1000), Workers: 1}, ready: make(chan struct{}, 1),
		done: make(chan struct{})}
	solve, _ := wanted.LoadOrStore(columns, sync.OnceValues(func() (search.Result, error) {
		return search.Solve(context.Background(), r.in,
			r.o)
	}))
	var err error
	if r.want, err = solve.(func() (search.Result, error))(); err != nil {
		t.Fatal(err)
	}
	r.fo = Options{
		Folder: filepath.Join(t.TempDir(), "job"),
		Pace:   Pace{SaveEvery: 200 * time.Millisecond, AckWait: 2 * time.Second, Least: 50, GiveAfter: 50 * time.Millisecond},
		Ready:  func() { r.ready <- struct{}{} },
		Say: func(text string) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.said = append(r.said, text)
		},
	}
	return r
}

func (r *running) start() {
	s, err := Start(r.fo.Folder)
	if err != nil {
		r.t.Fatal(err)
	}
	r.server = s
	go func() {
		defer close(r.done)
		defer s.Close()
		r.result, r.err = r.fo.solve(r.t.Context(), r.in, r.o, s, &r.stats)
	}()
	select {
	case <-r.ready:
	case <-r.done:
		r.t.Fatal(r.err)
	}
}

// heard reports whether somebody was told something.
func (r *running) heard(part string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.said, func(s string) bool { return strings.Contains(s, part) })
}

// finish waits for the end, and compares the list.
func (r *running) finish() {
	r.t.Helper()
	<-r.done
	if r.err != nil || r.result.Status != parallel.Optimal || r.result.Objective != r.want.Objective ||
		!slices.Equal(r.result.Rules, r.want.Rules) {
		r.t.Fatalf("%v, %v: %v with %d, want %v with %d", r.err, r.result.Status, r.result.Rules, r.result.Objective, r.want.Rules,
			r.want.Objective)
	}
}

func (r *running) worker() *Worker {
	return &Worker{Workers: 1, Say: r.fo.Say}
}

// as returns a connection of a worker.
func (r *running) as() *nats.Conn {
	r.t.Helper()
	nc, err := Connect(r.t.Context(), JoinFile(r.fo.Folder), time.Second, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(nc.Close)
	return nc
}

// own returns what a coordinator has of a server.
func own(t *testing.T, s *Server) *link {
	t.Helper()
	nc := must.Get(s.Connect())(t)
	t.Cleanup(nc.Close)
	l := must.Get(newLink(nc))(t)
	return l
}

// TestSolver has one process, and one with two workers beside it.
func TestSolver(t *testing.T) {
	t.Parallel()
	r := newRunning(t, 80)
	r.start()
	var others sync.WaitGroup
	for range 2 {
		nc := r.as()
		others.Go(func() {
			if err := r.worker().Run(t.Context(), nc); err != nil {
				t.Error(err)
			}
		})
	}
	r.finish()
	others.Wait()
	t.Logf("%d blocks, %d expanded, straight %d", r.stats.Blocks, r.stats.Expanded, r.want.Stats.Expanded)
}

// TestInstance: what a worker gets is the instance.
func TestInstance(t *testing.T) {
	t.Parallel()
	for _, classes := range []int{2, 3} {
		testInstance(t, noisyClasses(t, 20, classes, 3))
	}
}

func testInstance(t *testing.T, in *instance.Instance) {
	t.Helper()
	b := must.Get(encodeInstance(in))(t)
	got := must.Get(decodeInstance(b))(t)
	o := search.Options{Lambda: ratio.New(1, 50), Workers: 1}
	want, err1 := search.Solve(t.Context(), in, o)
	have, err2 := search.Solve(t.Context(), got, o)
	if err := errors.Join(err1, err2); err != nil || want.Objective != have.Objective || want.Stats.Expanded != have.Stats.Expanded {
		t.Errorf("%v: %d after %d, want %d after %d", err, have.Objective, have.Stats.Expanded, want.Objective, want.Stats.Expanded)
	}
}

// TestKey: nobody takes part without it, and a worker's is for no more than work.
func TestKey(t *testing.T) {
	t.Parallel()
	r := newRunning(t, 70)
	r.fo.Alone = true
	r.start()
	other := filepath.Join(t.TempDir(), "other")
	for key, want := range map[string]string{"": "not the file", "worker:another@": "uthorization", "coordinator:@": "uthorization"} {
		at := must.Get(ReadJoin(JoinFile(r.fo.Folder)))(t)
		must.Do(t, os.WriteFile(other, []byte("nats://"+key+at.Host), 0o600))
		if _, err := Connect(t.Context(), other, time.Second, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("with the key %q: %v", key, err)
		}
	}
	nc := r.as()
	var refused atomic.Int64
	nc.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
		if errors.Is(err, nats.ErrPermissionViolation) {
			refused.Add(1)
		}
	})
	forbidden := []string{
		subject + "stop", subject + "news", subject + "split.x", subject + "ask", workSubject + "root",
		"$JS.API.STREAM.DELETE." + eventStream, "$JS.API.STREAM.PURGE." + workStream, "$JS.API.STREAM.CREATE.X",
		"$JS.API.STREAM.UPDATE." + eventStream,
		"$JS.API.CONSUMER.DELETE." + workStream + "." + consumer, "$JS.API.STREAM.MSG.DELETE." + eventStream,
		"$JS.API.STREAM.PURGE.OBJ_" + objectBucket,
	}
	for _, to := range forbidden {
		must.Do(t, nc.Publish(to, nil))
	}
	must.Get(nc.SubscribeSync(">"))(t)
	must.Do(t, nc.Flush())
	for refused.Load() < int64(len(forbidden))+1 {
		time.Sleep(20 * time.Millisecond)
	}
	go func() { _ = r.worker().Run(t.Context(), r.as()) }()
	r.finish()
}

// TestAnotherPort: a worker finds the server of its folder again though another server, which does
// not know the worker, has the port now. The file that it reads is whole at any time.
func TestAnotherPort(t *testing.T) {
	t.Parallel()
	folder, other := filepath.Join(t.TempDir(), "job"), filepath.Join(t.TempDir(), "other")
	start := func(folder string) (*Server, string) {
		s := must.Get(Start(folder))(t)
		t.Cleanup(s.Close)
		b := must.Get(os.ReadFile(JoinFile(folder)))(t)
		return s, string(b)
	}
	s, old := start(folder)
	nc := must.Get(Connect(t.Context(), JoinFile(folder), time.Hour, nil))(t)
	defer nc.Close()
	go func() {
		for t.Context().Err() == nil {
			if _, err := ReadJoin(JoinFile(folder)); err != nil && t.Context().Err() == nil {
				t.Error(err)
			}
		}
	}()
	s.Close()
	must.Do(t, os.Mkdir(other, 0o700))
	must.Do(t, os.WriteFile(JoinFile(other), []byte(strings.Replace(old, "worker:", "worker:x", 1)), 0o600))
	start(other)
	time.Sleep(3 * time.Second) // it is refused twice
	if _, now := start(folder); now == old {
		t.Fatal("both servers have the same address")
	}
	for !nc.IsConnected() { // it comes back
		time.Sleep(10 * time.Millisecond)
	}
}

// TestLiar says of lists and blocks what is not so. It is refused, and the list is the same.
func TestLiar(t *testing.T) {
	t.Parallel()
	r := newRunning(t, 60)
	r.fo.Alone = true // else a save on a busy machine makes what is said of the root late, and nobody refuses it
	r.start()
	nc := r.as()
	l := must.Get(newLink(nc))(t)
	for i, e := range []ledger.Event{
		{ID: "a", Block: ledger.Root, Base: ledger.Root, Done: true, List: []int{1}, Objective: 7},
		{ID: "b", Block: ledger.Root, Base: ledger.Root, Done: true, List: []int{1, 1}, Objective: r.want.Objective},
		{ID: "c", Block: ledger.Root, Base: ledger.Root, Done: true, List: []int{1 << 20}, Objective: r.want.Objective},
		{ID: "d", Block: "none", Base: "none", Done: true, List: []int{}, Objective: r.want.Objective},
	} {
		e.Worker = "liar"
		for range 100 { // the sequence moves while others work
			b, _ := json.Marshal(e)
			if _, err := l.js.Publish(t.Context(), eventSubject+e.Block, b); err == nil {
				break
			} else if i == 0 {
				t.Log(err)
			}
		}
	}
	for _, list := range []string{"[1,1]", "[-1]", "[99999999]", "{", `"x"`} {
		_ = nc.Publish(subject+"offer", []byte(list))
	}
	for range 3 { // it has most to give, and gives nothing
		for _, s := range []workerStatus{
			{Worker: "liar", Block: ledger.Root, Open: 1 << 40, Seconds: 1000}, {Worker: "liar", Block: "none", Open: 1 << 50,
				Seconds: 1000},
			{Worker: "another", Open: 1}, {Worker: "liar", Host: strings.Repeat("x", 1000)},
		} {
			b, _ := json.Marshal(s)
			_ = nc.Publish(subject+"status.liar", b)
		}
		_ = nc.Flush()
	}
	go func() { _ = r.worker().Run(t.Context(), r.as()) }()
	r.finish()
	if r.stats.Workers > 3 {
		t.Errorf("%d workers, of which one lies", r.stats.Workers)
	}
	if r.stats.Refused < 4 || !r.heard("refused what liar says") {
		t.Errorf("%d messages were refused: %q", r.stats.Refused, r.said)
	}
}

// TestKept: a block that somebody keeps, and says that he works on, but not who he is, goes to
// another after some time.
func TestKept(t *testing.T) {
	t.Parallel()
	r := newRunning(t, 60)
	r.fo.Alone = true
	r.start()
	l := must.Get(newLink(r.as()))(t)
	c := must.Get(l.js.Consumer(t.Context(), workStream, consumer))(t)
	msg := must.Get(c.Next())(t)
	go func() {
		for msg.InProgress() == nil {
			time.Sleep(r.fo.Pace.AckWait / 4)
		}
	}()
	go func() { _ = r.worker().Run(t.Context(), r.as()) }()
	r.finish()
}

// TestOtherVersion, and other data: a worker of another program is refused, and one that gets
// another instance than the job's.
func TestOtherVersion(t *testing.T) {
	r := newRunning(t, 70)
	r.fo.Alone = true
	r.start()
	Release = "another"
	err := r.worker().Run(t.Context(), r.as())
	Release = ""
	if !errors.Is(err, ErrVersion) {
		t.Errorf("another version: %v", err)
	}
	l := own(t, r.server)
	must.Do(t, l.bind(t.Context()))
	before := must.Get(l.objects.GetBytes(t.Context(), "instance"))(t)
	other := must.Get(encodeInstance(noisy(t, 70, 2)))(t)
	for _, b := range [][]byte{other, append(slices.Clone(before), 0)} {
		must.Get(l.objects.PutBytes(t.Context(), "instance", b))(t)
		if err := r.worker().Run(t.Context(), r.as()); !errors.Is(err, ErrDigest) {
			t.Errorf("another instance: %v", err)
		}
	}
	must.Get(l.objects.PutBytes(t.Context(), "instance", before))(t)
	go func() { _ = r.worker().Run(t.Context(), r.as()) }()
	r.finish()
}

// TestOtherJob: a folder with another job is not touched.
func TestOtherJob(t *testing.T) {
	r := newRunning(t, 40)
	r.start()
	r.finish()
	again := newRunning(t, 40)
	again.fo.Folder = r.fo.Folder
	again.start()
	again.finish() // nothing is left to do
	if again.stats.Blocks != r.stats.Blocks {
		t.Errorf("%d blocks, before %d", again.stats.Blocks, r.stats.Blocks)
	}
	for _, change := range []func(*running){
		func(r *running) { r.o.Lambda = ratio.New(8, 1000) },
		func(r *running) { r.o.MaxRules = 3 },
		func(r *running) { r.in = noisy(t, 40, 2) },
		func(r *running) { r.o.Proof = &search.Proof{To: io.Discard} },
	} {
		other := newRunning(t, 40)
		other.fo.Folder = r.fo.Folder
		change(other)
		if _, err := Solver(other.fo, nil)(t.Context(), other.in, other.o); !errors.Is(err, ErrOtherJob) {
			t.Errorf("another job: %v", err)
		}
	}
}

// TestFullDisk: where blocks cannot be stored they are not given away, and nothing is lost.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	r := newRunning(t, 70)
	r.fo.Disk = 50 << 10
	r.start()
	go func() { _ = r.worker().Run(t.Context(), r.as()) }()
	r.finish()
	if !r.heard("saving a block") && !r.heard("giving a part") {
		t.Errorf("the disk was never full: %q", r.said)
	}
}

// TestProof: the pieces of all workers are one proof.
func TestProof(t *testing.T) {
	t.Parallel()
	r := newRunning(t, 40)
	var file bytes.Buffer
	r.o.Proof = &search.Proof{To: &file}
	r.start()
	go func() { _ = r.worker().Run(context.WithoutCancel(t.Context()), r.as()) }()
	r.finish()
	if r.result.ProofErr != nil || file.Len() == 0 || int64(file.Len()) != r.result.Stats.ProofBytes {
		t.Errorf("%v, %d bytes, said %d", r.result.ProofErr, file.Len(), r.result.Stats.ProofBytes)
	}
}

// again runs the job once more.
func (r *running) again() {
	r.t.Helper()
	r.done = make(chan struct{})
	r.start()
	r.finish()
}

// TestMissedEnd: on a server that stays, a worker that comes late learns that the job is over, and one
// that has missed the end.
func TestMissedEnd(t *testing.T) {
	t.Parallel()
	r := newRunning(t, 40)
	s := must.Get(Start(r.fo.Folder))(t)
	defer s.Close()
	must.Get(r.fo.solve(t.Context(), r.in, r.o, s, nil))(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if err := r.worker().Run(ctx, r.as()); err != nil || !r.heard(overDone) {
		t.Errorf("one that is late: %v, %q", err, r.said)
	}
	w := r.worker()
	w.defaults()
	w.over = cancel
	w.link = must.Get(newLink(r.as()))(t)
	if err := w.work(ctx); err != nil || w.reason.Load() == nil || *w.reason.Load() != overDone {
		t.Errorf("one that has missed the end: %v", err)
	}
}

// TestLeftWithoutAWord: a worker whose coordinator was killed ends, though the next one finds all
// results stored.
func TestLeftWithoutAWord(t *testing.T) {
	t.Parallel()
	r := newRunning(t, 60)
	r.again()
	s := must.Get(Start(r.fo.Folder))(t)
	defer s.Close()
	l := own(t, s)
	stream := must.Get(l.js.Stream(t.Context(), eventStream))(t)
	killed := stream.CachedInfo().Config
	if killed.Description != overDone {
		t.Errorf("the log has %q", killed.Description)
	}
	killed.Description = ""
	must.Get(l.js.UpdateStream(t.Context(), killed))(t)
	worker := must.Get(Connect(t.Context(), JoinFile(r.fo.Folder), time.Hour, nil))(t)
	defer worker.Close()
	ended := make(chan error, 1)
	go func() { ended <- r.worker().Run(t.Context(), worker) }()
	s.Close()
	r.fo.Alone = true
	r.again()
	if err := <-ended; err != nil || !r.heard(overDone) {
		t.Errorf("%v, %q", err, r.said)
	}
	s = must.Get(Start(r.fo.Folder))(t)
	defer s.Close()
	if stream, err := own(t, s).js.Stream(t.Context(), eventStream); err != nil || stream.CachedInfo().Config.Description != overDone {
		t.Errorf("the next run would wait for workers: %v", err)
	}
}
