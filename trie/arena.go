package trie

import (
	"sync"
	"sync/atomic"
)

const (
	chunkBits = 12 // 4,096 nodes, 128 KB
	dirBits   = 10
	chunkLen  = 1 << chunkBits
	dirLen    = 1 << dirBits
	topLen    = 1 << (32 - chunkBits - dirBits)
	maxNodes  = 1 << 32

	chunkBytes = chunkLen * NodeBytes

	// FirstBytes is what an arena takes before it asks its budget.
	FirstBytes = chunkBytes + topLen*8 + dirLen*8
)

type (
	chunk     [chunkLen]Node
	directory [dirLen]atomic.Pointer[chunk]
)

// Arena owns the nodes. Chunks are never returned before the arena is dropped,
// so a node, retired or not, is always readable memory.
type Arena struct {
	top     [topLen]atomic.Pointer[directory]
	reserve func(bytes int64) bool
	epoch   atomic.Uint64
	_       [56]byte
	handles []Handle

	mu     sync.Mutex // growth and the exchange of free nodes between workers; taken once per chunk or per 256 nodes
	chunks int
	pool   []freeList
}

// NewArena returns an arena with a root for workers workers. Before it takes
// more memory it asks reserve; a refusal makes [Handle.New] fail. The first
// chunk is taken unasked.
func NewArena(workers int, reserve func(bytes int64) bool) *Arena {
	a := &Arena{reserve: func(int64) bool { return true }, handles: make([]Handle, workers)}
	a.epoch.Store(firstEpoch)
	for i := range a.handles {
		a.handles[i].arena = a
	}
	free, _ := a.grow()
	root := a.Node(Root)
	root.life.Store(reference)
	root.generation.Store(1)
	a.pool = append(a.pool, freeList{free.head + 1, free.count - 1}) // node 0 is the root
	a.reserve = reserve
	return a
}

// Handle returns the handle of worker i, which only that worker may use.
func (a *Arena) Handle(i int) *Handle { return &a.handles[i] }

// Node returns the node id, which was once returned by New.
func (a *Arena) Node(id ID) *Node {
	d := a.top[id>>(chunkBits+dirBits)].Load()
	return &d[id>>chunkBits&(dirLen-1)].Load()[id&(chunkLen-1)]
}

// From calls f with every node in use, in the order of their ids from one on, until f returns false. It returns the id
// after that, or 0 at the end. No worker is working.
func (a *Arena) From(from ID, f func(id ID, n *Node) bool) (next ID) {
	a.mu.Lock()
	chunks := a.chunks
	a.mu.Unlock()
	at := int(from) % chunkLen
	for i := int(from) / chunkLen; i < chunks; i++ {
		c := a.top[i/dirLen].Load()[i%dirLen].Load()
		for ; at < chunkLen; at++ {
			if id := ID(i*chunkLen + at); c[at].references() > 0 && !f(id, &c[at]) {
				return id + 1
			}
		}
		at = 0
	}
	return 0
}

// Bytes returns the memory that the chunks take.
func (a *Arena) Bytes() int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return int64(a.chunks) * chunkBytes
}

// refill returns a list of free nodes: one that another worker gave back, or a
// fresh chunk. It reports false when there is neither and the budget is spent.
func (a *Arena) refill() (freeList, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if n := len(a.pool); n > 0 {
		f := a.pool[n-1]
		a.pool = a.pool[:n-1]
		return f, true
	}
	return a.grow()
}

// grow adds a chunk, the nodes of which are a free list as they are: so nothing is written to
// pages that a small search does not need.
func (a *Arena) grow() (freeList, bool) {
	first := a.chunks * chunkLen
	if int64(first) >= maxNodes || !a.reserve(chunkBytes) {
		return freeList{}, false
	}
	d := a.top[a.chunks/dirLen].Load()
	if d == nil {
		d = new(directory)
		a.top[a.chunks/dirLen].Store(d)
	}
	d[a.chunks%dirLen].Store(new(chunk))
	a.chunks++
	return freeList{ID(first), chunkLen}, true
}

// giveBack puts a list of free nodes where other workers find it.
func (a *Arena) giveBack(f freeList) {
	a.mu.Lock()
	a.pool = append(a.pool, f)
	a.mu.Unlock()
}

// freeList is a list of nodes linked through Bound.
type freeList struct {
	head  ID
	count int
}

func (f *freeList) push(a *Arena, id ID) {
	a.Node(id).Bound = int64(f.head) - int64(id+1)
	f.head = id
	f.count++
}

func (f *freeList) pop(a *Arena) (ID, *Node) {
	id := f.head
	n := a.Node(id)
	n.Depth = 0 // written before Bound is read: a page that is read first takes two faults, not one
	f.head = n.next(id)
	f.count--
	return id, n
}

// next returns the node behind a free one: Bound is how far it is from the neighbour, so a node
// that was never used is linked to its neighbour.
func (n *Node) next(id ID) ID { return ID(int64(id+1) + n.Bound) }
