// Package memory keeps a program within the memory that its machine has to spare. Begin with
// [New], which main calls once: a [Manager] sets the garbage collector of the whole process,
// which libraries leave alone.
package memory

import (
	"bufio"
	"cmp"
	"io/fs"
	"math"
	"os"
	"path"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync"

	"github.com/shirou/gopsutil/v4/mem"
)

// A search must not take memory that others hold: it would swap for hours. Package gopsutil tells what is free. Libraries tell
// the limit of the innermost control group, not of those around it, so this package reads these itself.

// fallback is taken for the machine's memory where it does not say.
const fallback = 4 << 30

// Manager bounds the memory of a process. A nil Manager leaves the process as it is, and
// has no bounds to give.
type Manager struct {
	asked int64  // by the environment variable GOMEMLIMIT; MaxInt64 if it is not set
	paced bool   // by the environment variable GOGC
	floor []byte // nobody writes to it, so that it takes no memory

	lock      sync.Mutex
	pace      int  // of the collector behind the first collection
	set       int  // the pace that the collector has; 0: that before
	collected bool // the first collection has been
}

// New returns the manager of this process, and makes the first garbage collection wait.
//
// The collector counts the manager's floor as in use, and so waits until there is as much
// garbage. Without it, a collection at 4 MB would take as long as the whole search for an
// easy model. The first collection waits for 24 MB: the floor itself would bring it about,
// and reading 15 MB and grouping it another one. Then the pace is the usual one.
func New() *Manager {
	before := debug.SetGCPercent(6 * usualPace)
	m := &Manager{asked: debug.SetMemoryLimit(-1), paced: before != usualPace, floor: make([]byte, 8<<20), pace: usualPace}
	if m.paced {
		debug.SetGCPercent(before) // as the environment variable GOGC asks
	} else {
		m.await()
	}
	return m
}

// await has the pace set at the next collection.
func (m *Manager) await() { runtime.AddCleanup(new([64]byte), (*Manager).begin, m) }

// begin sets the pace, as a collection has been.
func (m *Manager) begin() {
	m.lock.Lock()
	defer m.lock.Unlock()
	m.collected = true
	m.setPace()
	m.await()
}

// keep sets the pace, from the first collection on, unless the environment has.
func (m *Manager) keep(pace int) {
	m.lock.Lock()
	defer m.lock.Unlock()
	if m.pace = pace; m.collected {
		m.setPace()
	}
}

// setPace sets the pace, which is that of a large heap once a table takes so much. A collection looks through what holds
// pointers, as a table of many columns does: it waits for as much garbage.
func (m *Manager) setPace() {
	pace := m.pace
	if inUse := heapInUse(); pace == readingPace && inUse > worthCollecting {
		pace = max(largePace, int(100*metric("/gc/scan/heap:bytes")/inUse))
	}
	if pace != m.set { // as it stops the process for a moment
		m.set = pace
		debug.SetGCPercent(pace)
	}
}

// usualPace is the garbage that a heap may have, in per cent. From the reading of a table to the
// search it is readingPace: tables have few pointers, so that a collection takes hardly any time. For a heap above
// worthCollecting it is largePace.
const (
	usualPace   = 100
	readingPace = 25
	largePace   = 10
)

// worthCollecting is a heap of which the garbage is worth a collection: a millisecond, as
// tables of bits are not looked through.
const worthCollecting = 1 << 27

// largeHeap is the garbage that a larger heap may have, in per cent. A usual 100 would let a
// table of bits of 800 MB take 1.6 GB.
const largeHeap = 15

// Search returns the bound in bytes for a search: what was asked for, or 80% of what the
// process may have less what the data took. It also tells the garbage collector, which
// would by default let the heap grow to twice what is in use, unless the environment has
// told it already.
func (m *Manager) Search(asked int64) int64 {
	if m == nil {
		return asked
	}
	m.keep(usualPace)
	bound, inUse := asked, heapInUse()
	if inUse > worthCollecting {
		runtime.GC() // of what grouping leaves, before the search fills as much
		m.keep(largeHeap)
		inUse = heapInUse()
	}
	if bound == 0 {
		bound = m.available()/5*4 - inUse
		bound = max(bound, 64<<20)
	}
	if m.asked == math.MaxInt64 {
		debug.SetMemoryLimit(softLimit(bound, inUse))
	}
	return bound
}

// Cells returns the bytes that the cells of a table may take: half of what the process
// may have, as antecedents are to be made of them; 0 for no bound. It keeps garbage within the
// rest, unless the environment has said how much that may be.
func (m *Manager) Cells() int64 {
	if m == nil {
		return 0
	}
	runtime.KeepAlive(m.floor)
	available := m.available()
	if m.asked == math.MaxInt64 {
		debug.SetMemoryLimit(max(available/10*9, 64<<20))
	}
	return max(available/2, 1)
}

// leastColumns are the bytes that the columns of a table may take whatever is asked for: a small search reads as much as others.
const leastColumns = 1 << 27

// Columns returns the bytes that the columns of a table may take beside their cells: what is asked for (0: nothing is), if the
// process may have as much.
func (m *Manager) Columns(asked int64) int64 {
	if asked > 0 {
		asked = max(asked, leastColumns)
	}
	if m == nil {
		return asked
	}
	available := m.available()
	return min(available, cmp.Or(asked, available))
}

// Reading returns what Cells does, and keeps the garbage that comes with reading small until
// Search or Read.
func (m *Manager) Reading() int64 {
	if m != nil {
		m.keep(readingPace)
	}
	return m.Cells()
}

// Read ends what Reading began, where no search follows.
func (m *Manager) Read() {
	if m != nil {
		m.keep(usualPace)
	}
}

// softLimit leaves room beside the search for what is in use already, and a
// twentieth for garbage and for what the allocator cannot use. That is little,
// but a search makes hardly any garbage, and what it drops counts within its
// budget (parallel.Budget).
func softLimit(bound, inUse int64) int64 {
	slack := bound/20 + 8<<20
	if room := math.MaxInt64 - slack - inUse; bound > room {
		return math.MaxInt64
	}
	return bound + slack + inUse
}

// heapInUse returns the bytes of the heap that hold anything. (runtime.ReadMemStats
// would stop the program and take every processor's free memory back.)
func heapInUse() int64 {
	return metric("/memory/classes/heap/objects:bytes") + metric("/memory/classes/heap/unused:bytes")
}

// metric returns a number that the runtime keeps.
func metric(name string) int64 {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

// available returns the bytes that this process may take: those that the machine has free, or the limit of a control group or of
// GOMEMLIMIT if that is less.
func (m *Manager) available() int64 {
	bytes := uint64(fallback)
	if free, err := mem.VirtualMemory(); err == nil && free.Available > 0 {
		bytes = min(free.Available, math.MaxInt64)
	}
	return min(int64(bytes), m.asked, controlled(os.DirFS("/")))
}

// controlled returns the least limit of the control groups that the process is in; MaxInt64 for none. The root is that of the file
// system.
func controlled(root fs.FS) int64 {
	least := int64(math.MaxInt64)
	for _, file := range controlFiles(root) {
		if limit, ok := number(root, file); ok {
			least = min(least, limit)
		}
	}
	return least
}

// controlFiles returns the files that may hold a limit of the control groups
// that the process is in, of version 1 and 2, from the innermost to the root.
// In a container the paths may be those outside of it: only the root is there.
func controlFiles(root fs.FS) []string {
	f, err := root.Open("proc/self/cgroup")
	if err != nil {
		return nil
	}
	defer f.Close()
	var files []string
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := strings.SplitN(lines.Text(), ":", 3) // number:controllers:path
		if len(fields) != 3 {
			continue
		}
		mount, name := "sys/fs/cgroup", "memory.max"
		if fields[1] == "memory" {
			mount, name = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
		} else if fields[1] != "" {
			continue
		}
		for at := path.Join("/", fields[2]); ; at = path.Dir(at) {
			files = append(files, path.Join(mount, at, name))
			if at == "/" {
				break
			}
		}
	}
	return files
}

// number reads a file that holds one number; "max" is none.
func number(root fs.FS, file string) (int64, bool) {
	text, err := fs.ReadFile(root, file)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return n, err == nil && n > 0
}
