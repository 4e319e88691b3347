// Package fleet searches for one optimal rule list on several machines, by NATS JetStream.
//
// A [Coordinator] holds the ledger of blocks (package ledger), and hands blocks out through
// a queue. A [Worker] takes one at a time, gives parts of it away when other workers have
// nothing to do, and saves what is left of it. [Server] is an embedded server for both.
// [Solver] is the whole fleet as a solver for family.Options.
package fleet

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"parcorels/costs"
	"parcorels/fleet/ledger"
	"parcorels/instance"
	"parcorels/ratio"
	"parcorels/rulelist/search"
)

// job is what a worker must know of a search. The coordinator answers with it.
type job struct {
	Version  string        `json:"version"` // of the program; others are refused
	Digest   [32]byte      `json:"digest"`  // of the problem: λ, limit and instance
	Lambda   ratio.Ratio   `json:"lambda"`
	MaxRules int           `json:"max_rules"`
	Proof    bool          `json:"proof"`
	Instance ledger.Object `json:"instance"`
	Pace     Pace          `json:"pace"`
}

// Pace says how often workers save and give away what they have. Its zero value means the defaults.
type Pace struct {
	SaveEvery time.Duration `json:"save_every"` // how often what is left of a block is saved; 0: a minute
	AckWait   time.Duration `json:"ack_wait"`   // after which a block of a silent worker is given to another; 0: half a minute
	Least     int           `json:"least"`      // prefixes of a part that is given away; 0: 5,000
	// GiveAfter is how long a block is searched before parts of it are given away, less among few workers; 0: two seconds.
	GiveAfter time.Duration `json:"give_after"`
}

func (p Pace) defaults() Pace {
	return Pace{
		SaveEvery: cmp.Or(max(p.SaveEvery, 0), time.Minute), AckWait: cmp.Or(max(p.AckWait, 0), 30*time.Second),
		Least: cmp.Or(max(p.Least, 0), 5000), GiveAfter: cmp.Or(max(p.GiveAfter, 0), 2*time.Second),
	}
}

// least is Least, or less where prefixes take long: what takes a quarter of a second is worth sending.
// Otherwise somebody waited for more than a second at the end of a search.
func (p Pace) least(s workerStatus) int64 {
	return min(int64(p.Least), max(int64(p.Least)/10, int64(float64(s.Expanded)/(4*s.Seconds+1))))
}

// among is GiveAfter among so many workers: a block that is divided into many parts before it has many
// prefixes makes many that two search, 1.4 times as many by 32 processes and 1.05 by two.
func (p Pace) among(workers int) time.Duration {
	return p.GiveAfter / 4 * time.Duration(max(1, min(workers-1, 4)))
}

// Release is the version of the program. Tests set it to another one.
var Release string

// Version returns what coordinator and workers must agree on.
func Version() string {
	v := "10 " + Release // 10 is of what the messages hold
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				v += " " + s.Value
			}
		}
	}
	return v
}

// options returns the options of a search, with so many workers and bytes.
func (j *job) options(workers int, memory int64) search.Options {
	o := search.Options{Lambda: j.Lambda, MaxRules: j.MaxRules, Workers: workers, Memory: memory}
	if j.Proof {
		o.Proof = &search.Proof{To: io.Discard}
	}
	return o
}

// jobOf describes a search, with the instance as bytes.
func jobOf(in *instance.Instance, o search.Options) (job, []byte, error) {
	j := job{Version: Version(), Lambda: o.Lambda, MaxRules: o.MaxRules, Proof: o.Proof != nil}
	b, err := encodeInstance(in)
	if err != nil {
		return j, nil, err
	}
	j.Instance = *objectOf("instance", b)
	j.Digest = sha256.Sum256(fmt.Appendf(nil, "%s %d/%d %d %v", j.Instance.Digest, o.Lambda.Num, o.Lambda.Den, o.MaxRules, j.Proof))
	return j, b, nil
}

// fields are what is sent of an instance: all but what is computed from it.
func fields(in *instance.Instance) []any {
	return []any{&in.Samples, &in.Points, &in.Antecedents, &in.Separate, &in.Total, &in.Weight1, &in.Base, &in.Columns, &in.Costs,
		&in.ByWord, &in.Gains}
}

func encodeInstance(in *instance.Instance) ([]byte, error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	to := gob.NewEncoder(z)
	for _, field := range fields(in) {
		if err := to.Encode(field); err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return b.Bytes(), err
}

var errInstance = errors.New("damaged instance")

func decodeInstance(b []byte) (*instance.Instance, error) {
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, errInstance
	}
	in, from := &instance.Instance{Table: &costs.Table{}}, gob.NewDecoder(z)
	for _, field := range fields(in) {
		if from.Decode(field) != nil {
			return nil, errInstance
		}
	}
	in.Table = costs.New(in.Costs, in.ByWord, in.Gains)
	return in, nil
}

// The places of things on the server. Streams keep what must not be lost; messages on plain subjects
// may be.
//
//	stream PARCORELS_WORK    parcorels.work.BLOCK    a queue of the names of open blocks
//	stream PARCORELS_EVENTS  parcorels.event.BLOCK   the log that the ledger folds
//	objects PARCORELS        the instance, blocks, and pieces of proofs
//	parcorels.job, .block    the coordinator answers: the job; what is left of a block
//	parcorels.status.WORKER  how far it is; without a block it is hungry
//	parcorels.offer          a list that it has found
//	parcorels.news           the smallest list, and whether the job is over
//	parcorels.split.WORKER   so many workers are hungry
const (
	workStream   = "PARCORELS_WORK"
	eventStream  = "PARCORELS_EVENTS"
	objectBucket = "PARCORELS"
	consumer     = "workers"

	subject      = "parcorels."
	blockPrefix  = "block-"
	workSubject  = subject + "work."
	eventSubject = subject + "event."
)

const requestWait = 5 * time.Second
const mostBlock = 4 << 30 // bytes of a block or a piece of a proof

// ErrLost reports an event about a version of a block that is no more.
var ErrLost = errors.New("somebody else was first")

// link is a connection with what both sides use of it.
type link struct {
	nc      *nats.Conn
	js      jetstream.JetStream
	objects jetstream.ObjectStore
	say     Say
}

func newLink(nc *nats.Conn) (*link, error) {
	js, err := jetstream.New(nc, jetstream.WithPublishAsyncMaxPending(64))
	return &link{nc: nc, js: js}, err
}

// bind finds the objects, which the coordinator has made.
func (l *link) bind(ctx context.Context) (err error) {
	l.objects, err = l.js.ObjectStore(ctx, objectBucket)
	return err
}

// put stores bytes under a name that is theirs alone.
func (l *link) put(ctx context.Context, name string, b []byte) (*ledger.Object, error) {
	if len(b) > mostBlock {
		return nil, fmt.Errorf("%d bytes, at most %d are allowed", len(b), mostBlock)
	}
	ctx, cancel := unhurried(ctx, int64(len(b)))
	defer cancel()
	if _, err := l.objects.PutBytes(ctx, name, b); err != nil {
		return nil, err
	}
	return objectOf(name, b), nil
}

func objectOf(name string, b []byte) *ledger.Object {
	sum := sha256.Sum256(b)
	return &ledger.Object{Name: name, Digest: hex.EncodeToString(sum[:]), Size: int64(len(b))}
}

// unhurried bounds what storing or fetching so many bytes may take: what a server that goes away
// had promised never comes.
func unhurried(ctx context.Context, bytes int64) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, requestWait+time.Duration(bytes)*time.Microsecond)
}

// ErrDigest reports an object that is not the one that was named.
var ErrDigest = errors.New("not what was stored")

// get returns what an object refers to, if it is that.
func (l *link) get(ctx context.Context, o *ledger.Object) ([]byte, error) {
	if o.Size < 0 || o.Size > mostBlock {
		return nil, fmt.Errorf("%s: %w", o.Name, ErrDigest)
	}
	ctx, cancel := unhurried(ctx, o.Size)
	defer cancel()
	info, err := l.objects.GetInfo(ctx, o.Name)
	if err != nil {
		return nil, err
	}
	if info.Size != uint64(o.Size) {
		return nil, fmt.Errorf("%s: %w", o.Name, ErrDigest)
	}
	b, err := l.objects.GetBytes(ctx, o.Name)
	if err == nil && *objectOf(o.Name, b) != *o {
		err = fmt.Errorf("%s: %w", o.Name, ErrDigest)
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}

// wrongSequence is the server's code for a compare-and-set that failed.
const wrongSequence = 10071

// publish adds an event to the log, if the last one about its block is the one with the
// sequence given, and returns its own sequence. It tries until it knows, or ctx is done. If
// somebody else was first it returns ErrLost.
func (l *link) publish(ctx context.Context, e *ledger.Event, last uint64) (uint64, error) {
	b, err := json.Marshal(e)
	if err != nil {
		return 0, err
	}
	for wait := 50 * time.Millisecond; ctx.Err() == nil; wait = min(2*wait, 5*time.Second) {
		within, cancel := context.WithTimeout(ctx, requestWait)
		ack, err := l.js.Publish(within, eventSubject+e.Block, b, jetstream.WithMsgID(e.ID),
			jetstream.WithExpectLastSequencePerSubject(last))
		cancel()
		if err == nil {
			return ack.Sequence, nil
		}
		var refused *jetstream.APIError
		if errors.As(err, &refused) && refused.ErrorCode == wrongSequence {
			return l.mine(ctx, e)
		}
		if errors.Is(err, nats.ErrMaxPayload) || errors.Is(err, nats.ErrPermissionViolation) {
			return 0, err
		}
		if 2*wait > time.Second && wait < time.Second {
			l.say.line("what became of block %s cannot be stored (%v): trying again until it can", e.Block, err)
		}
		pause(ctx, wait)
	}
	return 0, ctx.Err()
}

// mine looks whether the last event about a block is the one that was published: then its
// acknowledgement was lost.
func (l *link) mine(ctx context.Context, e *ledger.Event) (uint64, error) {
	for ctx.Err() == nil {
		stream, err := l.js.Stream(ctx, eventStream)
		if err == nil {
			var msg *jetstream.RawStreamMsg
			if msg, err = stream.GetLastMsgForSubject(ctx, eventSubject+e.Block); err == nil {
				if msg.Header.Get(jetstream.MsgIDHeader) == e.ID {
					return msg.Sequence, nil
				}
				return 0, ErrLost
			}
		}
		pause(ctx, time.Second)
	}
	return 0, ctx.Err()
}

// news is what the coordinator tells all workers.
type news struct {
	List []int  `json:"list"`
	Over string `json:"over"` // why the job is over; "": it is not
}

// workerStatus is what a worker says of itself.
type workerStatus struct {
	Worker   string  `json:"worker"`
	Host     string  `json:"host"`
	Workers  int     `json:"workers"`
	Block    string  `json:"block"`
	Seconds  float64 `json:"seconds"` // on its block
	Open     int64   `json:"open"`
	Expanded int64   `json:"expanded"` // of its block in all
	Total    int64   `json:"total"`    // by this worker
	Bound    int64   `json:"bound"`
	Left     bool    `json:"left,omitempty"` // it has ended
}

// ask sends a request to the coordinator and decodes the answer.
func (l *link) ask(ctx context.Context, what string, with, into any) error {
	b, err := json.Marshal(with)
	if err != nil {
		return err
	}
	within, cancel := context.WithTimeout(ctx, requestWait)
	defer cancel()
	msg, err := l.nc.RequestWithContext(within, subject+what, b)
	if err != nil {
		return err
	}
	return json.Unmarshal(msg.Data, into)
}

// hear calls f with what messages hold, if they hold such.
func hear[T any](f func(m *nats.Msg, what T)) nats.MsgHandler {
	return func(m *nats.Msg) {
		var what T
		if json.Unmarshal(m.Data, &what) == nil {
			f(m, what)
		}
	}
}

// tell publishes what may be lost.
func (l *link) tell(to string, what any) {
	if b, err := json.Marshal(what); err == nil {
		_ = l.nc.Publish(subject+to, b)
	}
}
