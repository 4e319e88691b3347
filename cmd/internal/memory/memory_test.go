package memory

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"

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
	available := m.available(os.DirFS("/"))
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
