package prune

import (
	"slices"
	"sync"
	"sync/atomic"

	"parcorels/rulelist/problem"
)

// What dominates a prefix (dominance.go) was most often expanded shortly before, and with many workers most often by another
// one. So each worker posts the prefixes that it expands, and those that dominated one for the first time. Every few
// expansions it copies what others have posted since into its own list, and compares with that alone. It does not matter who
// expanded a prefix that dominates.
//
// Nobody waits: a worker that finds a post in use passes it by. That loses a few dominators and nothing else. A worker
// reads up to mostRead others, in turn. So with more workers copying takes no larger part of its time, but it sees less.

const (
	postLen   = 32
	readEvery = 2 // expansions
	mostRead  = 16
)

// Post is where one worker posts prefixes.
type Post struct {
	_     [64]byte
	count atomic.Int64 // of prefixes so far
	_     [56]byte
	mu    sync.Mutex
	last  [postLen]posted
}

// posted is a prefix that may dominate others.
type posted struct {
	set    []uint64 // that it leaves
	cost   int64
	depth  int
	prefix []problem.Column // at least the first tieDepth of it
}

// NewPosts returns a post for each worker, or nil for one worker, or where nobody compares.
func NewPosts(p *problem.Problem, workers int) []*Post {
	if workers == 1 || !p.Uses(problem.Similar) {
		return nil
	}
	all := make([]*Post, workers)
	for i := range all {
		all[i] = new(Post)
	}
	return all
}

// reader is one worker's part in all posts.
type reader struct {
	all   []*Post
	own   int
	next  int     // the post that was read last
	seen  []int64 // of each post, how many prefixes
	since int     // expansions since it read
}

func newReader(all []*Post, own int) reader {
	return reader{all: all, own: own, next: own, seen: make([]int64, len(all))}
}

// post posts a prefix.
func (r *reader) post(x *posted) {
	if len(r.all) == 0 || !r.all[r.own].mu.TryLock() {
		return
	}
	to := r.all[r.own]
	n := to.count.Load()
	y := &to.last[n%postLen]
	y.set, y.cost, y.depth = append(y.set[:0], x.set...), x.cost, x.depth
	y.prefix = append(slices.Grow(y.prefix[:0], tieDepth), x.prefix[:min(len(x.prefix), tieDepth)]...)
	to.count.Store(n + 1)
	to.mu.Unlock()
}

// read calls keep with what others have posted since it was read, as far as it is still there.
func (r *reader) read(keep func(*posted)) {
	if r.since++; r.since < readEvery || len(r.all) == 0 {
		return
	}
	r.since = 0
	for range min(len(r.all)-1, mostRead) {
		if r.next = (r.next + 1) % len(r.all); r.next == r.own {
			r.next = (r.next + 1) % len(r.all)
		}
		from, seen := r.all[r.next], &r.seen[r.next]
		if from.count.Load() == *seen || !from.mu.TryLock() {
			continue
		}
		n := from.count.Load()
		for i := max(*seen, n-postLen); i < n; i++ {
			keep(&from.last[i%postLen])
		}
		*seen = n
		from.mu.Unlock()
	}
}
