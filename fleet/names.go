package fleet

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"parcorels/fleet/ledger"
)

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

const (
	requestWait = 5 * time.Second
	mostBlock   = 4 << 30 // bytes of a block or a piece of a proof
)

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

// blockState is the coordinator's answer to who asks for a block.
type blockState struct {
	Open     bool            `json:"open"`
	Version  string          `json:"version"`
	Sequence uint64          `json:"sequence"`
	Content  *ledger.Object  `json:"content"`
	Given    []ledger.Object `json:"given,omitempty"`
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
