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
	"crypto/sha256"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"time"

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
	v := "9 " + Release // 9 is of what the messages hold
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
