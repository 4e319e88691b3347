package memory

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"testing/fstest"

	"parcorels/internal/testing/cases"
)

// TestFloor: after the first collection the collector has its usual pace again, and
// one that was asked for stays. While a large table is read it has a pace of its own.
func TestFloor(t *testing.T) {
	pace := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	percent := func() uint64 { metrics.Read(pace); return pace[0].Value.Uint64() }
	before := debug.SetGCPercent(50)
	defer debug.SetGCPercent(before)
	held := New()
	if got := percent(); got != 50 {
		t.Errorf("the collector runs at %d%%, 50%% were asked for", got)
	}
	debug.SetGCPercent(100)
	other := New()
	cases.Until(func() bool { runtime.GC(); return percent() == 100 })
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	for _, step := range []struct {
		what string
		do   func()
		want uint64
	}{
		{"while a table is read", func() { other.Reading() }, readingPace},
		{"when it is read", other.Read, usualPace},
		{"while the next one is read", func() { other.Reading() }, readingPace},
		{"while a search runs", func() { other.Search(0) }, usualPace},
	} {
		if step.do(); percent() != step.want {
			t.Errorf("the collector runs at %d%% %s", percent(), step.what)
		}
	}
	other.Reading()
	table := make([]byte, worthCollecting) // which nobody writes to
	cases.Until(func() bool { runtime.GC(); return percent() == largePace })
	runtime.KeepAlive(table)
	pointers := make([]*int, worthCollecting/8)
	cases.Until(func() bool { runtime.GC(); return percent() >= usualPace/2 })
	runtime.KeepAlive(pointers)
	if other.Read(); percent() != usualPace {
		t.Errorf("the collector runs at %d%% when it is read", percent())
	}
	runtime.KeepAlive(held)
	runtime.KeepAlive(other)
}

// TestColumns: what is asked for a search bounds the columns of a table, unless it is little.
func TestColumns(t *testing.T) {
	m := &Manager{asked: 1 << 30}
	available := m.available()
	for asked, want := range map[int64]int64{
		0: available, 1: min(available, leastColumns), 1 << 28: min(available, 1<<28), 1 << 40: available,
	} {
		if got := m.Columns(asked); got != want {
			t.Errorf("asked for %d: %d bytes, expected %d", asked, got, want)
		}
	}
	if got := (*Manager)(nil).Columns(0); got != 0 {
		t.Errorf("without a manager: %d bytes", got)
	}
}

// TestControlled: limits of control groups around the innermost one count, too.
func TestControlled(t *testing.T) {
	const unlimited = int64(math.MaxInt64)
	for _, c := range []struct {
		name  string
		files map[string]string
		want  int64
	}{
		{"no groups", nil, unlimited},
		{"unlimited v2", map[string]string{"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "max\n"}, unlimited},
		{"v2, limit of the parent", map[string]string{"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "max\n",
			"sys/fs/cgroup/a/memory.max": "3000\n"}, 3000},
		{"v2, path from outside", map[string]string{"proc/self/cgroup": "0::/outer/box\n", "sys/fs/cgroup/memory.max": "5000\n"}, 5000},
		{"v1", map[string]string{"proc/self/cgroup": "5:cpu:/\n4:memory:/box\n0::/\n",
			"sys/fs/cgroup/memory/box/memory.limit_in_bytes": "7000\n"}, 7000},
		{"nonsense", map[string]string{"proc/self/cgroup": "garbage\n::\n"}, unlimited},
	} {
		root := fstest.MapFS{}
		for name, text := range c.files {
			root[name] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := controlled(root); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestSoftLimitIsAboveTheBound(t *testing.T) {
	for _, bound := range []int64{1 << 20, 1 << 34, 1<<63 - 1} {
		if got := softLimit(bound, heapInUse()); got < bound {
			t.Errorf("softLimit(%d) = %d", bound, got)
		}
	}
}
