package fleet

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"math/rand/v2"
	"net"
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
	"parcorels/model/given"
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
	in, err := instance.FromSet(given.ClassSet(all, labels, classes, nil, samples))
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// running is a job in this process.
type running struct {
	t      *testing.T
	in     *instance.Instance
	o      search.Options
	fo     Options
	want   search.Result
	url    chan string
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
	r := &running{t: t, in: noisy(t, columns, 1), o: search.Options{Lambda: ratio.New(9, 1000), Workers: 1}, url: make(chan string, 1),
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
		Server: ServerOptions{Folder: filepath.Join(t.TempDir(), "job")},
		Pace:   Pace{SaveEvery: 200 * time.Millisecond, AckWait: 2 * time.Second, Least: 50, GiveAfter: 50 * time.Millisecond},
		Ready:  func(url string) { r.url <- url },
		Say: func(text string) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.said = append(r.said, text)
		},
	}
	return r
}

func (r *running) start() string {
	go func() {
		defer close(r.done)
		r.result, r.err = Solver(r.fo, &r.stats)(r.t.Context(), r.in, r.o)
	}()
	select {
	case url := <-r.url:
		return url
	case <-r.done:
		r.t.Fatal(r.err)
	}
	return ""
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

func (r *running) connect(url, file string) (*nats.Conn, error) {
	c, err := ReadCredentials(file)
	if err != nil {
		return nil, err
	}
	nc, err := Connect(r.t.Context(), url, c, "test", time.Second, nil)
	if err == nil {
		r.t.Cleanup(nc.Close)
	}
	return nc, err
}

// as returns a connection with the credentials of a worker.
func (r *running) as(url string) *nats.Conn {
	r.t.Helper()
	nc, err := r.connect(url, WorkerCredentials(r.fo.Server.Folder))
	if err != nil {
		r.t.Fatal(err)
	}
	return nc
}

// TestSolver has one process, and one with two workers beside it.
func TestSolver(t *testing.T) {
	t.Parallel()
	r := newRunning(t, 80)
	url := r.start()
	var others sync.WaitGroup
	for range 2 {
		nc := r.as(url)
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

// TestInstance: what a worker gets is the instance, and damage is refused.
func TestInstance(t *testing.T) {
	t.Parallel()
	for _, classes := range []int{2, 3} {
		testInstance(t, noisyClasses(t, 20, classes, 3))
	}
}

func testInstance(t *testing.T, in *instance.Instance) {
	t.Helper()
	b, err := encodeInstance(in)
	if err != nil {
		t.Fatal(err)
	}
	got, err := decodeInstance(b)
	if err != nil {
		t.Fatal(err)
	}
	o := search.Options{Lambda: ratio.New(1, 50), Workers: 1}
	want, err1 := search.Solve(t.Context(), in, o)
	have, err2 := search.Solve(t.Context(), got, o)
	if err := errors.Join(err1, err2); err != nil || want.Objective != have.Objective || want.Stats.Expanded != have.Stats.Expanded {
		t.Errorf("%v: %d after %d, want %d after %d", err, have.Objective, have.Stats.Expanded, want.Objective, want.Stats.Expanded)
	}
	for i := range b {
		damaged := slices.Clone(b)
		damaged[i] ^= 0x55
		if got, err := decodeInstance(damaged); err == nil && got.Total != in.Total {
			t.Errorf("byte %d: another instance", i)
		}
		if _, err := decodeInstance(b[:i]); err == nil {
			t.Errorf("cut off at %d: no error", i)
		}
	}
}

// TestCredentials: nobody takes part without them, and a worker's are for no more than work.
func TestCredentials(t *testing.T) {
	t.Parallel()
	r := newRunning(t, 70)
	r.fo.Alone = true
	url := r.start()
	if _, err := Connect(t.Context(), url, nil, "test", time.Second, nil); err == nil {
		t.Error("somebody without credentials is connected")
	}
	other := filepath.Join(t.TempDir(), "other")
	if _, err := keepKey(other, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := r.connect(url, other); err == nil || !strings.Contains(err.Error(), "uthorization") {
		t.Errorf("with credentials of another job: %v", err)
	}
	if err := os.WriteFile(other, []byte("nothing\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadCredentials(other); err == nil {
		t.Error("a file without credentials is read")
	}
	nc := r.as(url)
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
		if err := nc.Publish(to, nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := nc.SubscribeSync(">"); err != nil {
		t.Fatal(err)
	}
	if err := nc.Flush(); err != nil {
		t.Fatal(err)
	}
	for refused.Load() < int64(len(forbidden))+1 {
		time.Sleep(20 * time.Millisecond)
	}
	go func() { _ = r.worker().Run(t.Context(), r.as(url)) }()
	r.finish()
}

func seedOf(t *testing.T, c *Credentials) []byte {
	t.Helper()
	seed, err := c.key.Seed()
	if err != nil {
		t.Fatal(err)
	}
	return seed
}

// TestAnotherPort: a worker finds the server of its folder again though another server, which does
// not know the worker, has the port now.
func TestAnotherPort(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "job")
	s, err := Start(ServerOptions{Folder: folder})
	if err != nil {
		t.Fatal(err)
	}
	old := s.URL()
	c, err := ReadCredentials(WorkerCredentials(folder))
	if err != nil {
		t.Fatal(err)
	}
	nc, err := Connect(t.Context(), old, c, "test", time.Hour, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	s.Close()
	other, err := Start(ServerOptions{Folder: t.TempDir(), Listen: strings.TrimPrefix(old, "nats://")})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	time.Sleep(3 * time.Second) // it is refused twice
	if s, err = Start(ServerOptions{Folder: folder}); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if s.URL() == old {
		t.Fatal("both servers have the same address")
	}
	for !nc.IsConnected() { // it comes back
		time.Sleep(10 * time.Millisecond)
	}
}

// TestListen: beyond loopback there is TLS, and who has no certificate is refused.
func TestListen(t *testing.T) {
	folder := t.TempDir()
	s, err := Start(ServerOptions{Folder: folder, Listen: "0.0.0.0:0"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	_, port, err := net.SplitHostPort(strings.TrimPrefix(s.URL(), "tls://"))
	if err != nil || !strings.HasPrefix(s.URL(), "tls://") {
		t.Fatalf("%s: %v", s.URL(), err)
	}
	url := "tls://127.0.0.1:" + port
	c, err := ReadCredentials(WorkerCredentials(folder))
	if err != nil {
		t.Fatal(err)
	}
	nc, err := Connect(t.Context(), url, c, "test", time.Second, nil)
	if err != nil {
		t.Fatal(err)
	}
	nc.Close()
	c.authority = nil
	if nc, err := Connect(t.Context(), url, c, "test", time.Second, nil); err == nil {
		nc.Close()
		t.Error("a server with an unknown certificate is trusted")
	}
}

// TestFiles: what a server keeps in its folder is whole whenever somebody reads it, though servers
// begin and end, and change it.
func TestFiles(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	stop, ended := make(chan struct{}), make(chan struct{})
	defer func() { close(stop); <-ended }()
	s, err := Start(ServerOptions{Folder: folder})
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(ended)
		for {
			select {
			case <-stop:
				return
			default:
			}
			_, err1 := ReadCredentials(WorkerCredentials(folder))
			address, err2 := Address(folder)
			if err := errors.Join(err1, err2); err != nil || address == "" {
				t.Errorf("%v, address %q", err, address)
				return
			}
		}
	}()
	for i := range 8 {
		s.Close()
		if s, err = Start(ServerOptions{Folder: folder, Listen: []string{"", "0.0.0.0:0"}[i%2]}); err != nil {
			t.Fatal(err)
		}
	}
	s.Close()
}

// TestLiar says of lists and blocks what is not so. It is refused, and the list is the same.
func TestLiar(t *testing.T) {
	t.Parallel()
	r := newRunning(t, 60)
	url := r.start()
	nc := r.as(url)
	l, err := newLink(nc)
	if err != nil {
		t.Fatal(err)
	}
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
	go func() { _ = r.worker().Run(t.Context(), r.as(url)) }()
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
	url := r.start()
	l, err := newLink(r.as(url))
	if err != nil {
		t.Fatal(err)
	}
	c, err := l.js.Consumer(t.Context(), workStream, consumer)
	if err != nil {
		t.Fatal(err)
	}
	msg, err := c.Next()
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for msg.InProgress() == nil {
			time.Sleep(r.fo.Pace.AckWait / 4)
		}
	}()
	go func() { _ = r.worker().Run(t.Context(), r.as(url)) }()
	r.finish()
}

// TestFlood: who sends thousands of messages a second is thrown out, and the job comes to its end.
func TestFlood(t *testing.T) {
	t.Parallel()
	r := newRunning(t, 70)
	url := r.start()
	nc := r.as(url)
	var out atomic.Int64
	nc.SetDisconnectErrHandler(func(*nats.Conn, error) { out.Add(1) })
	stop := make(chan struct{})
	go func() {
		for {
			select {
			case <-stop:
				return
			default:
				_ = nc.Publish(subject+"status.flood", []byte(`{"worker":"flood"}`))
			}
		}
	}()
	defer close(stop)
	r.finish()
	if out.Load() == 0 {
		t.Error("the flooder stayed")
	}
}

// TestOtherVersion, and other data: a worker of another program is refused, and one that gets
// another instance than the job's.
func TestOtherVersion(t *testing.T) {
	r := newRunning(t, 70)
	r.fo.Alone = true
	url := r.start()
	Release = "another"
	err := r.worker().Run(t.Context(), r.as(url))
	Release = ""
	if !errors.Is(err, ErrVersion) {
		t.Errorf("another version: %v", err)
	}
	nc, err := r.connect(url, CredentialsOf(r.fo.Server.Folder))
	if err != nil {
		t.Fatal(err)
	}
	l, err := newLink(nc)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.bind(t.Context()); err != nil {
		t.Fatal(err)
	}
	before, err := l.objects.GetBytes(t.Context(), "instance")
	if err != nil {
		t.Fatal(err)
	}
	other, err := encodeInstance(noisy(t, 70, 2))
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range [][]byte{other, append(slices.Clone(before), 0)} {
		if _, err := l.objects.PutBytes(t.Context(), "instance", b); err != nil {
			t.Fatal(err)
		}
		if err := r.worker().Run(t.Context(), r.as(url)); !errors.Is(err, ErrDigest) {
			t.Errorf("another instance: %v", err)
		}
	}
	if _, err := l.objects.PutBytes(t.Context(), "instance", before); err != nil {
		t.Fatal(err)
	}
	go func() { _ = r.worker().Run(t.Context(), r.as(url)) }()
	r.finish()
}

// TestOtherJob: a folder with another job is not touched.
func TestOtherJob(t *testing.T) {
	r := newRunning(t, 40)
	r.start()
	r.finish()
	again := newRunning(t, 40)
	again.fo.Server.Folder = r.fo.Server.Folder
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
		other.fo.Server.Folder = r.fo.Server.Folder
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
	url := r.start()
	go func() { _ = r.worker().Run(t.Context(), r.as(url)) }()
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
	url := r.start()
	go func() { _ = r.worker().Run(context.WithoutCancel(t.Context()), r.as(url)) }()
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
	s, err := Start(r.fo.Server)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := r.fo.solve(t.Context(), r.in, r.o, s.URL(), nil); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if err := r.worker().Run(ctx, r.as(s.URL())); err != nil || !r.heard(overDone) {
		t.Errorf("one that is late: %v, %q", err, r.said)
	}
	w := r.worker()
	w.defaults()
	w.over = cancel
	if w.link, err = newLink(r.as(s.URL())); err != nil {
		t.Fatal(err)
	}
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
	s, err := Start(r.fo.Server)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	nc, err := r.connect(s.URL(), CredentialsOf(r.fo.Server.Folder))
	if err != nil {
		t.Fatal(err)
	}
	l, err := newLink(nc)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := l.js.Stream(t.Context(), eventStream)
	if err != nil {
		t.Fatal(err)
	}
	killed := stream.CachedInfo().Config
	if killed.Description != overDone {
		t.Errorf("the log has %q", killed.Description)
	}
	killed.Description = ""
	if _, err := l.js.UpdateStream(t.Context(), killed); err != nil {
		t.Fatal(err)
	}
	creds, err := ReadCredentials(WorkerCredentials(r.fo.Server.Folder))
	if err != nil {
		t.Fatal(err)
	}
	worker, err := Connect(t.Context(), s.URL(), creds, "test", time.Hour, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer worker.Close()
	ended := make(chan error, 1)
	go func() { ended <- r.worker().Run(t.Context(), worker) }()
	s.Close()
	r.fo.Alone = true
	r.again()
	if err := <-ended; err != nil || !r.heard(overDone) {
		t.Errorf("%v, %q", err, r.said)
	}
	if s, err = Start(r.fo.Server); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if nc, err = r.connect(s.URL(), CredentialsOf(r.fo.Server.Folder)); err != nil {
		t.Fatal(err)
	}
	if l, err = newLink(nc); err != nil {
		t.Fatal(err)
	}
	if stream, err = l.js.Stream(t.Context(), eventStream); err != nil || stream.CachedInfo().Config.Description != overDone {
		t.Errorf("the next run would wait for workers: %v", err)
	}
}

// TestStatusAndStop: who has the folder learns how far the job is, and may stop it.
func TestStatusAndStop(t *testing.T) {
	t.Parallel()
	r := newRunning(t, 40)
	r.fo.Alone = true
	if _, err := Status(t.Context(), r.fo.Server.Folder); !errors.Is(err, ErrNobody) {
		t.Errorf("before: %v", err)
	}
	r.start()
	l, err := Status(t.Context(), r.fo.Server.Folder)
	for ; errors.Is(err, ErrNobody); l, err = Status(t.Context(), r.fo.Server.Folder) { // it begins to listen
		time.Sleep(20 * time.Millisecond)
	}
	if err != nil || l.Blocks != 1 || l.Over {
		t.Errorf("%v, %+v", err, l)
	}
	if err := Stop(t.Context(), r.fo.Server.Folder); err != nil {
		t.Error(err)
	}
	if <-r.done; r.err != nil || r.result.Status != parallel.Interrupted {
		t.Errorf("%v, %v", r.err, r.result.Status)
	}
}
